//! The requests that the page sends in JSON.

use crate::files::OpenedFile;
use crate::manual_game::Action;
use crate::origin::Origin;
use crate::samegame::RandomBoard;
use columns_stats::Pair;
use serde::Deserialize;

/// A request. `FindLine`, `Solve` and `SamegameHint` run searches that can take seconds, so the page sends
/// these requests to a worker.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Request {
    /// Returns the profiles, the address of the game that a new page shows, and the file limits.
    Constants,
    /// Generates a case. Empty options take their default values.
    GenerateCase(Origin),
    /// Returns the digest and the properties of a case.
    DescribeCase { case: String },
    /// Scores plans; `null` stands for quickstart's plan.
    Score {
        case: String,
        plans: Vec<Option<String>>,
    },
    /// Classifies opened files by format.
    ClassifyFiles { files: Vec<OpenedFile> },
    /// Opens a game from a case and a plan.
    Watch { case: String, plan: String },
    /// Returns a moment of a game.
    Frame {
        game: u32,
        turn: usize,
        moment: usize,
    },
    /// Closes a game. Returns false if it was not open.
    Close { game: u32 },
    /// Returns the chain of a turn; `null` if the turn does not exist.
    Chain { game: u32, turn: usize },
    /// Returns the plan of a game, or the placements of its first `turns` turns.
    Plan { game: u32, turns: Option<usize> },
    /// Packs the case and the plan of a game for use in a URL.
    Pack { game: u32 },
    /// Unpacks the case and the plans in a URL.
    Unpack(UnpackRequest),
    /// Computes the checksum by which the page detects a truncated URL.
    Checksum { text: String },
    /// Opens a game to play by hand, from the position after the placements of a plan.
    PlayByHand { case: String, plan: String },
    /// Performs an action in a game or on a SameGame board.
    Perform { game: u32, action: Action },
    /// Moves the falling column over a stack, and sets its shift if `shift` is present.
    Aim {
        game: u32,
        stack: usize,
        shift: Option<usize>,
    },
    /// Rates all placements of a turn, and returns them with the best chain and its trigger.
    Evaluate { game: u32, turn: usize },
    /// Searches for the best line after a plan.
    FindLine(FindLineRequest),
    /// Plays a plan, and returns the line from a turn on; `null` if the game ends before this turn.
    TraceLine(TraceLineRequest),
    /// Explains the first placement of a line: the placements of a plan from `turn` on.
    DescribeLine {
        case: String,
        plan: String,
        turn: usize,
    },
    /// Returns where placements of a turn's column would land, with the letters of the shifted columns.
    FindLandings(FindLandingsRequest),
    /// Compares a player B with a player A, as `judge compare` does. Returns `null` if there are no cases.
    Compare(CompareRequest),
    /// Formats changes in percent, as in a comparison.
    ChangeTexts { percents: Vec<f64> },
    /// Returns the medians and quartiles of points (x, y), for parts of the x axis.
    QuartileBands { points: Vec<(f64, f64)> },
    /// Lets the bot play a case, with a time limit in seconds.
    Solve { case: String, seconds: f64 },
    /// Opens a SameGame board to play by hand.
    OpenSamegame(SamegameRequest),
    /// Removes the group at a cell of a SameGame board.
    RemoveGroup {
        game: u32,
        column: usize,
        row: usize,
    },
    /// Searches for the best move on a SameGame board.
    SamegameHint(SamegameHintRequest),
}

/// A case, packed or as plain text, and packed plans.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UnpackRequest {
    pub(crate) packed: Option<String>,
    /// The plain text of the case, if `packed` is absent.
    pub(crate) case: Option<String>,
    pub(crate) plans: Vec<String>,
}

/// A plan, the maximum length of the line after it, and the budget of the search as a number of states.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FindLineRequest {
    pub(crate) case: String,
    pub(crate) plan: String,
    pub(crate) columns_ahead: usize,
    pub(crate) nodes: u64,
}

/// A plan, the turn in which the line begins, and the maximum number of columns to play from the plan.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TraceLineRequest {
    pub(crate) case: String,
    pub(crate) plan: String,
    pub(crate) turn: usize,
    pub(crate) columns: usize,
}

/// A turn of a game, and placements of its column as pairs (stack, shift).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FindLandingsRequest {
    pub(crate) game: u32,
    pub(crate) turn: usize,
    pub(crate) placements: Vec<(usize, usize)>,
}

/// The names of two players, their scores on the same cases, and the number of candidates from which player B
/// was chosen.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CompareRequest {
    pub(crate) cases: Vec<Pair>,
    pub(crate) candidates: usize,
    pub(crate) names: [String; 2],
}

/// A SameGame board and its scoring. The board is given as text, or as the size and seed of a random board.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SamegameRequest {
    pub(crate) text: Option<String>,
    #[serde(default)]
    pub(crate) random_board: RandomBoard,
    pub(crate) scoring: String,
}

/// A SameGame board, and the budget of the search as a number of positions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SamegameHintRequest {
    pub(crate) board: String,
    pub(crate) scoring: String,
    pub(crate) nodes: u64,
}
