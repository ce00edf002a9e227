//! The parameters of the evaluation and the search. The types and the values in use follow from the
//! table in `tuned.rs`, which has a row for each parameter. `ranges.rs` has the ranges.

#[cfg(feature = "tools")]
use std::fmt;

/// Expands the table to the struct of the weights and the values in use.
macro_rules! values {
    ($(
        $(#[doc = $what:literal])*
        $name:ident: $value:literal;
    )*) => {
        /// A value for each weight, in the field with the name of the weight.
        #[derive(Clone, PartialEq)]
        pub struct WeightTable<T> {
            $($(#[doc = $what])* pub $name: T,)*
        }

        impl Default for Weights {
            /// Returns the weights in use.
            fn default() -> Self {
                Self { $($name: $value),* }
            }
        }

        impl<T: Copy> WeightTable<T> {
            pub(crate) fn map<U>(&self, convert: impl Fn(T) -> U) -> WeightTable<U> {
                WeightTable { $($name: convert(self.$name)),* }
            }
        }
    };
}
table!(values);

/// The weights as floating-point numbers. The default has the values in use.
pub type Weights = WeightTable<f64>;

/// A tunable parameter: its name, its range and its meaning.
#[cfg(feature = "tools")]
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// The name in weights files and in reports.
    pub name: &'static str,
    /// The lowest allowed value.
    pub min: f64,
    /// The highest allowed value.
    pub max: f64,
    /// A step that is likely to make a measurable difference.
    pub step: f64,
    /// The meaning, as the table documents it.
    pub meaning: &'static str,
    /// Borrows the value of this parameter from the given weights.
    value_mut: fn(&mut Weights) -> &mut f64,
}

/// The minimum, the maximum and the step of each weight.
#[cfg(feature = "tools")]
const RANGES: WeightTable<(f64, f64, f64)> = ranges!();

/// Expands the table to [`PARAMETERS`].
#[cfg(feature = "tools")]
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
#[cfg(feature = "tools")]
table!(parameters);

/// Formats the numbers with their names.
#[cfg(feature = "tools")]
impl<T: Copy + fmt::Debug> fmt::Debug for WeightTable<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = PARAMETERS.iter().map(|parameter| parameter.name);
        f.debug_map().entries(names.zip(self.values())).finish()
    }
}

#[cfg(feature = "tools")]
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
