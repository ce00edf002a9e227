//! Everything that the page can ask.

use crate::depth::Both;
use crate::files::File;
use crate::hand::Press;
use crate::samegame::Drawn;
use crate::wish::Wish;
use serde::Deserialize;

/// What the page can ask.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Request {
    /// Profiles, classes of cases, limits of files.
    About,
    /// A case by seed, with the options as they were typed; an empty one keeps the profile's value.
    Generate(Wish),
    /// The game that the page begins with.
    Example,
    /// What a table says of a case.
    Know { case: String },
    /// What plans are worth, and whether they are valid; `null` is the sample solution's plan.
    Score {
        case: String,
        plans: Vec<Option<String>>,
    },
    /// Sorts files.
    Files { files: Vec<File> },
    /// What brings a case back by its seed; `null` where this page would make another one.
    Origin { case: String, seed: String },
    /// A new game from a case and a plan, with its summary.
    Watch { case: String, plan: String },
    /// A moment of a game.
    Frame {
        game: u32,
        turn: usize,
        moment: usize,
    },
    /// Forgets a game.
    Close { game: u32 },
    /// The chain of a turn as a whole.
    Whole { game: u32, turn: usize },
    /// The plan of a game, or its first columns only.
    Plan { game: u32, turns: Option<usize> },
    /// The case and the plan of a game for an address.
    Pack { game: u32, turns: Option<usize> },
    /// The texts of what an address holds; a case of a seed comes as its text.
    Unpack {
        packed: Option<String>,
        case: Option<String>,
        plans: Vec<String>,
    },
    /// The checksum of an address.
    Checksum { text: String },
    /// The file for a moment.
    Save { address: String },
    /// A game by hand, from a plan on.
    Hand { case: String, plan: String },
    /// The player presses a key.
    Press { game: u32, press: Press },
    /// The player points at a stack.
    Aim {
        game: u32,
        stack: usize,
        shift: Option<usize>,
    },
    /// What the bot sees before a turn, and the chain that the field promises.
    Sight { game: u32, turn: usize },
    /// What the bot would do, looking so many columns ahead (takes a moment).
    Hint {
        case: String,
        plan: String,
        ahead: usize,
        nodes: u64,
    },
    /// The best line after the first `turn` placements of a plan, until a column (takes a moment).
    Review {
        case: String,
        plan: String,
        turn: usize,
        until: usize,
        nodes: u64,
    },
    /// Two players on the same cases.
    Depth { cases: Vec<Both> },
    /// Lets the bot play (takes as long as the request says).
    Solve {
        case: String,
        seconds: Option<f64>,
        nodes: Option<u64>,
    },
    /// A SameGame board: its text, or one drawn by a seed.
    Samegame {
        text: Option<String>,
        #[serde(default)]
        drawn: Drawn,
        scoring: String,
    },
    /// Removes a group.
    Remove {
        game: u32,
        column: usize,
        row: usize,
    },
    /// Walks through the past of a SameGame or a Maya puzzle.
    Past { game: u32, press: Press },
    /// What the solver would do (takes a moment).
    SamegameHint {
        board: String,
        scoring: String,
        nodes: u64,
    },
    /// Solves a Maya puzzle.
    Maya { text: String },
    /// A Maya puzzle by hand.
    MayaHand { text: String },
    /// Drags a block of it.
    Drag {
        game: u32,
        stack: usize,
        row: usize,
        right: bool,
    },
    /// Plays an Inc board out.
    Inc { text: String },
}
