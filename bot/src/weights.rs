//! What the evaluation and the search are tuned by: one table.
//!
//! Everything that deals with parameters derives from [`PARAMETERS`] and the
//! fields of [`Weights`], both written once, in the table at the end.

/// One tunable number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// Its name in weight files and reports.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// The value in use.
    pub start: f64,
    /// The lowest value that makes sense.
    pub lowest: f64,
    /// The highest value that makes sense.
    pub highest: f64,
    /// A step that is likely to make a visible difference.
    pub step: f64,
}

macro_rules! parameters {
    ($($(#[doc = $meaning:literal])+ $name:ident = $start:literal in $lowest:literal..=$highest:literal step $step:literal;)+) => {
        /// A value for each of [`PARAMETERS`]. Unless a meaning says otherwise, the unit is one match of the first
        /// step, that is 47 points.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Weights {
            $($(#[doc = $meaning])+ pub $name: f64,)+
        }

        /// The table.
        pub const PARAMETERS: &[Parameter] = &[
            $(Parameter {
                name: stringify!($name),
                meaning: concat!($($meaning),+),
                start: $start,
                lowest: $lowest,
                highest: $highest,
                step: $step,
            },)+
        ];

        impl Default for Weights {
            /// The values in use.
            fn default() -> Self {
                Self { $($name: $start,)+ }
            }
        }

        impl Weights {
            /// The values in the order of [`PARAMETERS`].
            pub fn values(&self) -> Vec<f64> {
                vec![$(self.$name,)+]
            }

            /// The value of a parameter, to change it; `None` for an unknown name.
            pub fn get_mut(&mut self, name: &str) -> Option<&mut f64> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }
        }
    };
}

parameters! {
    /// Worth of a unit of the best potential chain (a fraction).
    potential = 0.85 in 0.0..=1.5 step 0.05;
    /// Worth of each step of that chain.
    steps = 3.5 in 0.0..=20.0 step 0.5;
    /// Worth of a further step on fields of 150 cells and more.
    steps_large = 2.5 in 0.0..=20.0 step 0.5;
    /// Worth of a spot, on what the best chain leaves, where one jewel would extend it.
    spot = 1.5 in -5.0..=10.0 step 0.5;
    /// The same, where the jewel needs another one below it.
    second_spot = 1.5 in -5.0..=10.0 step 0.5;
    /// Worth of each empty cell that would complete a line, on what the best chain leaves.
    completion = -0.6 in -5.0..=5.0 step 0.1;
    /// Worth of each stack that can take a column.
    placeable = 3.0 in 0.0..=30.0 step 1.0;
    /// In the reserve: worth of what is not points (a fraction).
    reserve_rest = 0.6 in 0.0..=1.0 step 0.05;
    /// In the reserve: price of an occupied cell.
    reserve_cell = 0.1 in 0.0..=10.0 step 0.25;
    /// In the reserve: what is added to that price when there are ten colours or more; with eight
    /// or nine in proportion.
    reserve_cell_crowded = 1.4 in 0.0..=10.0 step 0.25;
    /// In reserve and refuge: price of a stack that can take no column.
    reserve_stack = 20.0 in 0.0..=200.0 step 5.0;
    /// Share of the beam for the reserve.
    reserve_share = 0.03 in 0.0..=0.5 step 0.02;
    /// What is added to that share when there are ten colours or more; with eight or nine
    /// in proportion.
    reserve_share_crowded = 0.18 in 0.0..=0.5 step 0.02;
    /// In the refuge, which is there to outlive a mistake: worth of what is not points
    /// (a fraction).
    refuge_rest = 0.2 in 0.0..=1.0 step 0.05;
    /// In the refuge: price of an occupied cell.
    refuge_cell = 4.0 in 0.0..=20.0 step 1.0;
    /// Share of the beam for the refuge.
    refuge_share = 0.03 in 0.0..=0.5 step 0.01;
    /// Children of one parent that may survive in a beam narrower than 64; one more from 64, 128, 256
    /// and so on.
    siblings = 3.0 in 1.0..=12.0 step 1.0;
    /// States built for each place in the beam.
    built = 3.0 in 1.0..=8.0 step 0.5;
}

impl Weights {
    /// Sets a parameter by name.
    ///
    /// # Errors
    /// A line that names the unknown parameter, or the range that the value is
    /// outside of.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), String> {
        let found = PARAMETERS.iter().find(|p| p.name == name);
        let (Some(parameter), Some(place)) = (found, self.get_mut(name)) else {
            let known: Vec<&str> = PARAMETERS.iter().map(|p| p.name).collect();
            return Err(format!(
                "no weight is called {name:?}; there are {}",
                known.join(", ")
            ));
        };
        if !(parameter.lowest..=parameter.highest).contains(&value) {
            return Err(format!(
                "{name} must be from {} to {}, not {value}",
                parameter.lowest, parameter.highest
            ));
        }
        *place = value;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_consistent() {
        let values = Weights::default().values();
        assert_eq!(values.len(), PARAMETERS.len());
        for (parameter, value) in PARAMETERS.iter().zip(values) {
            assert_eq!(parameter.start, value);
            assert!((parameter.lowest..=parameter.highest).contains(&value));
            assert!(parameter.step > 0.0 && parameter.meaning.len() > 10);
        }
    }

    #[test]
    fn weights_are_set_by_name_within_their_range() {
        let mut weights = Weights::default();
        weights.set("spot", 1.25).unwrap();
        assert_eq!(weights.spot, 1.25);
        assert!(weights.set("sport", 1.0).unwrap_err().contains("no weight"));
        assert!(weights.set("spot", f64::NAN).unwrap_err().contains("-5"));
        assert!(weights.set("spot", 11.0).is_err());
    }
}
