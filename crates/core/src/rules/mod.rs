//! The rules of the Columns Game, and the input and output of a bot.
//!
//! * [`case`], [`plan`]: a bot's input and output;
//! * [`naive`]: the rules as the statement words them, slow and easy to check by eye;
//! * [`replay`]: a plan played on a case, turn by turn;
//! * [`notation`]: fields as text, for tests and logs;
//! * [`quickstart`]: the statement's sample solution, the baseline.

pub mod case;
pub mod naive;
pub mod notation;
pub mod plan;
pub mod quickstart;
pub mod replay;
