//! What the page `columns.html` is made of, below its surface: the rules, the bot and
//! the generator, compiled to WebAssembly and asked in JSON.
//!
//! * [`abi`]: how the page's JavaScript calls in; [`host`]: what it lends;
//! * [`request`]: everything that can be asked, and the answers;
//! * [`record`], [`frame`]: a game so far, and any moment of it as a picture;
//! * [`hand`]: a game played by hand;
//! * [`ask`]: what the bot sees in a position, and the chain it hopes for;
//! * [`files`]: what dropped files hold; [`link`]: a game and a moment in an address;
//! * [`samegame`], [`maya`]: the puzzles.
//!
//! The page draws what it is told and knows no rule of any of these games.

pub mod abi;
pub mod ask;
pub mod files;
pub mod frame;
pub mod hand;
pub mod host;
pub mod link;
pub mod maya;
pub mod record;
pub mod request;
pub mod samegame;
