//! Who looks at a search.
//!
//! * `observer`: what is told to whom; `work`: what a search has done;
//! * [`watch`]: the states of a search; [`meter`]: a clock that shows work;
//! * [`explain`]: why the bot likes what it likes, for people.

pub mod explain;
#[cfg(feature = "cli")]
pub mod meter;
#[cfg(feature = "cli")]
pub(crate) mod observer;
#[cfg(feature = "cli")]
pub mod watch;
#[cfg(feature = "cli")]
pub(crate) mod work;
