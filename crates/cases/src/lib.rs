//! What all tools need to know about cases: the [seeds] from which cases are generated, the [`digest`] that
//! identifies a case, and the [classes] by which reports group results.

pub mod classes;
pub mod digest;
mod error;
mod palette;
pub mod seeds;

pub use error::ValueError;
pub use palette::PaletteKind;
