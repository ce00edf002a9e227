//! The engine of the page `columns.html`: the rules, the bot and the generator, compiled to
//! WebAssembly. JavaScript sends JSON requests and draws the JSON answers.
//!
//! * [`abi`]: the functions that JavaScript calls; `host`: the functions that JavaScript provides;
//! * `request`: all requests; [`page`]: the open games of a page, and the answers;
//! * `record`: the turns of a game; `frame`: one moment of a game, ready to draw;
//! * `words`: numbers, columns and placements as text;
//! * `manual_game`: a game played by hand;
//! * `landing`: a placement, ready to draw;
//! * `evaluation`: the bot's evaluation of a position, with the best chain; `hint`: the bot's recommendation;
//!   `line`: consecutive placements from a position; `bands`: medians and quartiles for a chart;
//!   `comparison`: two players, as `judge compare` compares them;
//! * `files`: classifies opened files; `key`: pairs plans with cases by their file names; `run`: reads runs;
//!   `link`: packs a game into an address;
//! * `score`: scores plans; `case_facts`: the digest and the properties of a case; [`origin`]: a case from a
//!   seed; `example`: the game that a new page shows;
//! * `samegame`: SameGame boards, played by hand.
//!
//! The JavaScript code implements no game rules.

pub mod abi;
mod bands;
mod case_facts;
mod comparison;
mod evaluation;
mod example;
mod files;
mod frame;
mod hint;
mod host;
mod key;
mod landing;
mod line;
mod link;
mod manual_game;
pub mod origin;
pub mod page;
mod record;
mod request;
mod run;
mod samegame;
mod score;
mod words;
