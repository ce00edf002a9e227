//! What all tools say about cases: which [seeds] they come from, by which [`digest`] they are recognised, and to
//! which [classes] reports count them.

pub mod classes;
pub mod digest;
mod error;
pub mod guess;
mod palette;
pub mod seeds;

pub use error::ValueError;
pub use palette::PaletteKind;
