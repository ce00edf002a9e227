//! The weights as tunable parameters, with names and ranges. Only tools need them, so the submission does not
//! contain them.

use super::{WeightTable, Weights};
use std::fmt;

/// A tunable parameter: its name, its range and its meaning.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// The name in weights files and in reports.
    pub name: &'static str,
    /// The lowest allowed value.
    pub min: f64,
    /// The highest allowed value.
    pub max: f64,
    /// The size of a change that is likely to have a measurable effect on play.
    pub step: f64,
    /// The meaning, as the table documents it.
    pub meaning: &'static str,
    /// Borrows the value of this parameter from the given weights.
    value_mut: fn(&mut Weights) -> &mut f64,
}

/// The minimum, the maximum and the [step](Parameter::step) of each weight.
const RANGES: WeightTable<(f64, f64, f64)> = WeightTable {
    potential: (0.0, 1.5, 0.05),
    steps: (0.0, 20.0, 0.5),
    steps_large: (0.0, 20.0, 0.5),
    spot: (-5.0, 10.0, 0.5),
    second_spot: (-5.0, 10.0, 0.5),
    completion: (-5.0, 5.0, 0.1),
    open_stacks: (0.0, 30.0, 1.0),
    room_value_factor: (0.0, 1.0, 0.05),
    room_cell: (0.0, 10.0, 0.25),
    room_cell_crowded: (0.0, 10.0, 0.25),
    room_stack: (0.0, 200.0, 5.0),
    room_share: (0.0, 0.5, 0.02),
    room_share_crowded: (0.0, 0.5, 0.02),
    survival_value_factor: (0.0, 1.0, 0.05),
    survival_cell: (0.0, 20.0, 1.0),
    survival_share: (0.0, 0.5, 0.01),
    max_siblings: (1.0, 12.0, 1.0),
    built_per_place: (1.0, 8.0, 0.5),
};

/// Expands the table into [`PARAMETERS`].
macro_rules! parameters {
    ($(
        $(#[doc = $what:literal])*
        $name:ident: $value:literal;
    )*) => {
        /// The parameters, in the order of the table.
        pub const PARAMETERS: &[Parameter] = &[$(Parameter {
            name: stringify!($name),
            min: RANGES.$name.0,
            max: RANGES.$name.1,
            step: RANGES.$name.2,
            meaning: concat!($($what),*),
            value_mut: |weights| &mut weights.$name,
        }),*];

        impl<T: Copy> WeightTable<T> {
            /// Returns the numbers in the order of [`PARAMETERS`].
            pub fn values(&self) -> Vec<T> {
                vec![$(self.$name),*]
            }
        }
    };
}
table!(parameters);

/// Formats the numbers with their names.
impl<T: Copy + fmt::Debug> fmt::Debug for WeightTable<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = PARAMETERS.iter().map(|parameter| parameter.name);
        f.debug_map().entries(names.zip(self.values())).finish()
    }
}

impl Weights {
    /// Borrows the value of a parameter. Returns `None` if the name is unknown.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut f64> {
        let parameter = PARAMETERS.iter().find(|p| p.name == name)?;
        Some((parameter.value_mut)(self))
    }

    /// Sets a parameter by name.
    ///
    /// # Errors
    /// Returns an error if the name is unknown or the value is out of range. The error is one line.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), String> {
        let Some(parameter) = PARAMETERS.iter().find(|p| p.name == name) else {
            let names: Vec<&str> = PARAMETERS.iter().map(|p| p.name).collect();
            let names = names.join(", ");
            return Err(format!("no weight is called {name:?}; there are {names}"));
        };
        let (low, high) = (parameter.min, parameter.max);
        if !(low..=high).contains(&value) {
            return Err(format!("{name} must be from {low} to {high}, not {value}"));
        }
        *(parameter.value_mut)(self) = value;
        Ok(())
    }
}
