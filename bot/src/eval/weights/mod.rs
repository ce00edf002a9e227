//! The weights of the evaluation and the search. Macros generate the types and the values in use from the
//! table in `tuned.rs`, which has a row for each weight.

#[cfg(feature = "tools")]
mod parameters;

#[cfg(feature = "tools")]
pub use parameters::{PARAMETERS, Parameter};

/// Expands the table into the struct of the weights, and into its `Default`, which returns the values in use.
macro_rules! values {
    ($(
        $(#[doc = $what:literal])*
        $name:ident: $value:literal;
    )*) => {
        /// One value per weight, each in a field named after its weight.
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

/// The weights as floating-point numbers. [`Default`] returns the weights that the bot plays with.
pub type Weights = WeightTable<f64>;
