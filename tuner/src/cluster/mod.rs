//! Plays the games of a run on several machines, connected by a NATS server.
//!
//! To get a game, a worker sends a request to the subject of its build, `columns.BUILD.games`. The drivers
//! are the processes that work on runs; one of them replies with a game. The worker sends the answer to the
//! subject of the run, `columns.BUILD.answers.RUN`. `BUILD` is a digest of three things: the message format,
//! the bot's games on sample cases, and the ranges of its parameters. Builds that differ in any of them
//! exchange no games.
//!
//! Only the driver has state: the games that it has handed out, and their answers. If no answer arrives, the
//! driver hands out the game again. A game may thus be played twice, but it counts only once, since the
//! driver identifies it by its key. A game has the same result on every machine, so the first answer counts.

mod connection;
mod driver;
mod protocol;
mod worker;

pub use connection::Connection;
pub use driver::connect_workers;
pub use protocol::request_subject;
pub use worker::run_worker;
