//! What the page `columns.html` is made of, below its surface: the rules, the bot and
//! the generator, compiled to WebAssembly and asked in JSON.
//!
//! * [`abi`]: how the page's JavaScript calls in; [`host`]: what it lends;
//! * `request`: everything that can be asked; [`page`]: the games of a page, and the answers;
//! * [`record`], [`frame`]: a game so far, and any moment of it as a picture;
//! * [`words`]: numbers, placements and steps in words;
//! * [`hand`]: a game played by hand;
//! * [`sight`]: the bot's view of a position, and the chain that is ready there; [`hint`]: its
//!   recommendation; [`review`]: what each placement of a game lost; [`depth`]: two players;
//! * [`files`]: what dropped files hold, [`results`] those of the judge; [`link`]: a game and a
//!   moment in an address;
//! * [`reading`], [`score`], [`about`]: a plan as it was read, what it is worth, and what a table
//!   says of a case; [`wish`]: a case by seed; [`example`]: the game that the page begins with;
//! * [`samegame`], [`maya`], [`inc`]: the puzzles; [`past`]: their undo and redo.
//!
//! The page draws what it is told and knows no rule of any of these games.

pub mod abi;
pub mod about;
pub mod depth;
pub mod example;
pub mod files;
pub mod frame;
pub mod hand;
pub mod hint;
pub mod host;
pub mod inc;
pub mod link;
pub mod maya;
pub mod page;
pub mod past;
pub mod reading;
pub mod record;
mod request;
pub mod results;
pub mod review;
pub mod samegame;
pub mod score;
pub mod sight;
pub mod wish;
pub mod words;
