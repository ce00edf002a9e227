//! Games in this process, many at a time.
//!
//! * [`play`]: one game; [`objective`]: what many are worth;
//! * [`batch`]: many games, and the players of them;
//! * [`behaviour`]: whether two builds play alike;
//! * [`clock`]: processor time.

pub mod batch;
pub mod behaviour;
pub mod clock;
pub mod objective;
pub mod play;
