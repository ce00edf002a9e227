//! The parameters of the evaluation and the search.
//!
//! [`Weights`] has a field for each parameter, [`PARAMETERS`] a row with its range, and `tuned.rs`
//! its value in use. The compiler or a test fails if one of the three is missing.

/// One tunable number.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// The name in weights files and in reports.
    pub name: &'static str,
    /// The lowest allowed value.
    pub lowest: f64,
    /// The highest allowed value.
    pub highest: f64,
    /// A step that is likely to make a measurable difference.
    pub step: f64,
    /// Borrows the value of the parameter.
    place: fn(&mut Weights) -> &mut f64,
}

/// A value for each of [`PARAMETERS`]. Unless a field says otherwise, the unit is one match of the
/// first step (47 points).
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// Worth of each point of the best chain, as a fraction of a point that is already paid.
    pub potential: f64,
    /// Worth of each step of the best chain.
    pub steps: f64,
    /// Added to `steps` on fields of 150 cells and more.
    pub steps_large: f64,
    /// After the best chain: worth of each empty cell on top of a stack at which one jewel would
    /// complete a line.
    pub spot: f64,
    /// After the best chain: worth of the second empty cell of each stack if one jewel would
    /// complete a line there.
    pub second_spot: f64,
    /// After the best chain: worth of each empty cell, at any height, at which one jewel would
    /// complete a line.
    pub completion: f64,
    /// Worth of each stack with room for a column.
    pub placeable: f64,
    /// In the reserve: factor of the hand-set value of the field.
    pub reserve_rest: f64,
    /// In the reserve: penalty for each occupied cell.
    pub reserve_cell: f64,
    /// In the reserve: added to `reserve_cell` with ten colours or more. A third of it is added
    /// with eight colours, two thirds with nine.
    pub reserve_cell_crowded: f64,
    /// In the reserve and the refuge: penalty for each stack without room for a column.
    pub reserve_stack: f64,
    /// Share of the beam for the reserve.
    pub reserve_share: f64,
    /// Added to `reserve_share` with ten colours or more. A third of it is added with eight
    /// colours, two thirds with nine.
    pub reserve_share_crowded: f64,
    /// In the refuge, whose states survive a mistake: factor of the hand-set value of the field.
    pub refuge_rest: f64,
    /// In the refuge: penalty for each occupied cell.
    pub refuge_cell: f64,
    /// Share of the beam for the refuge.
    pub refuge_share: f64,
    /// The number of children of one parent that may survive in a beam of fewer than 64 states. One
    /// more may survive from 64 states on, another from 128, and so on.
    pub siblings: f64,
    /// The number of states built for each place in the beam.
    pub built: f64,
}

/// A row for each parameter: its name, lowest and highest value, step, and a function that borrows
/// its value from [`Weights`].
#[rustfmt::skip]
pub const PARAMETERS: &[Parameter] = &[
    parameter("potential", [0.0, 1.5], 0.05, |w| &mut w.potential),
    parameter("steps", [0.0, 20.0], 0.5, |w| &mut w.steps),
    parameter("steps_large", [0.0, 20.0], 0.5, |w| &mut w.steps_large),
    parameter("spot", [-5.0, 10.0], 0.5, |w| &mut w.spot),
    parameter("second_spot", [-5.0, 10.0], 0.5, |w| &mut w.second_spot),
    parameter("completion", [-5.0, 5.0], 0.1, |w| &mut w.completion),
    parameter("placeable", [0.0, 30.0], 1.0, |w| &mut w.placeable),
    parameter("reserve_rest", [0.0, 1.0], 0.05, |w| &mut w.reserve_rest),
    parameter("reserve_cell", [0.0, 10.0], 0.25, |w| &mut w.reserve_cell),
    parameter("reserve_cell_crowded", [0.0, 10.0], 0.25, |w| &mut w.reserve_cell_crowded),
    parameter("reserve_stack", [0.0, 200.0], 5.0, |w| &mut w.reserve_stack),
    parameter("reserve_share", [0.0, 0.5], 0.02, |w| &mut w.reserve_share),
    parameter("reserve_share_crowded", [0.0, 0.5], 0.02, |w| &mut w.reserve_share_crowded),
    parameter("refuge_rest", [0.0, 1.0], 0.05, |w| &mut w.refuge_rest),
    parameter("refuge_cell", [0.0, 20.0], 1.0, |w| &mut w.refuge_cell),
    parameter("refuge_share", [0.0, 0.5], 0.01, |w| &mut w.refuge_share),
    parameter("siblings", [1.0, 12.0], 1.0, |w| &mut w.siblings),
    parameter("built", [1.0, 8.0], 0.5, |w| &mut w.built),
];

const fn parameter(
    name: &'static str,
    [lowest, highest]: [f64; 2],
    step: f64,
    place: fn(&mut Weights) -> &mut f64,
) -> Parameter {
    Parameter {
        name,
        lowest,
        highest,
        step,
        place,
    }
}

impl Weights {
    /// Returns the values in the order of [`PARAMETERS`].
    pub fn values(&self) -> Vec<f64> {
        let mut weights = self.clone();
        let value = |parameter: &Parameter| *(parameter.place)(&mut weights);
        PARAMETERS.iter().map(value).collect()
    }

    /// Borrows the value of a parameter. Returns `None` if the name is unknown.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut f64> {
        let parameter = PARAMETERS.iter().find(|p| p.name == name)?;
        Some((parameter.place)(self))
    }

    /// Sets a parameter by name.
    ///
    /// # Errors
    /// If the name is unknown or the value is out of range. The error is one line.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), String> {
        let Some(parameter) = PARAMETERS.iter().find(|p| p.name == name) else {
            let names: Vec<&str> = PARAMETERS.iter().map(|p| p.name).collect();
            let names = names.join(", ");
            return Err(format!("no weight is called {name:?}; there are {names}"));
        };
        let (low, high) = (parameter.lowest, parameter.highest);
        if !(low..=high).contains(&value) {
            return Err(format!("{name} must be from {low} to {high}, not {value}"));
        }
        *(parameter.place)(self) = value;
        Ok(())
    }
}
