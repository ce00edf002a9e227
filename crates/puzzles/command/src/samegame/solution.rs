//! The text format of games, which `solve` prints and `check` reads.
//!
//! Each line holds one game: `board 3 score 1234 moves 4,0 2,7 …`. A move is a cell `column,row` of the
//! board before that move, counted from 0,0 at the bottom left. `#` starts a comment.
//!
//! The lines in the `--resume` file of `solve` also have the rows of the board, the scoring and the number of
//! searches: `board 3 tiles AB/AB scoring tiles runs 2 score …`. [`parse_games`] reads both forms, and the
//! output of `solve --json`.

use super::text::{format_rows, points_text};
use anyhow::{Context, Result, anyhow, bail};
use columns_puzzles::samegame::{Board, Cell, Scoring};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// The result of `solve`: one game for each board of the input.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Solutions {
    /// The scoring, in the syntax of the option `--scoring`.
    pub(super) scoring: String,
    /// The games in the order of the input, one for each board.
    pub(super) boards: Vec<SolvedBoard>,
    /// The sum of the scores.
    pub(super) total: f64,
}

/// The best game of one board, and statistics of the searches on that board.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SolvedBoard {
    /// The number of the board in its file, from 1.
    pub(super) board: usize,
    pub(super) score: f64,
    pub(super) tiles_left: usize,
    /// Column and row of each move.
    pub(super) moves: Vec<(usize, usize)>,
    /// Number of positions built by all searches on the board. Annealing counts four changed games as one
    /// position.
    #[serde(default)]
    pub(super) nodes: u64,
    /// Number of children ranked by all searches on the board.
    #[serde(default)]
    pub(super) children: u64,
    /// Duration of the longest search on the board, in seconds.
    #[serde(default)]
    pub(super) wall_s: f64,
    /// True if the search was exhaustive, so no game is better.
    #[serde(default)]
    pub(super) optimal: bool,
    /// The score of the board's game in the `--resume` file before this run; `None` if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) known_score: Option<f64>,
}

impl SolvedBoard {
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.moves.iter().map(|&(column, row)| Cell { column, row })
    }
}

/// The start of the header line. The scoring and a `;` follow.
const HEADER: &str = "# SameGame, scoring ";

/// Formats games as text for [`parse_games`]: a header line with the scoring, then a line for each game.
pub(super) fn format_games(games: &[SolvedBoard], scoring: Scoring) -> String {
    let mut text =
        format!("{HEADER}{scoring}; moves are column,row of a tile, from 0,0 at the bottom left\n");
    for game in games {
        push_game_line(&mut text, game.board, "", game.score, &game.moves);
    }
    text
}

/// Appends a game as one line. `head` holds additional fields that come before the score. It is either empty
/// or ends with a space.
pub(super) fn push_game_line(
    text: &mut String,
    board_number: usize,
    head: &str,
    score: f64,
    moves: &[(usize, usize)],
) {
    let score = points_text(score);
    let _ = write!(text, "board {board_number} {head}score {score} moves");
    for (column, row) in moves {
        let _ = write!(text, " {column},{row}");
    }
    text.push('\n');
}

/// A game read from a file, not yet replayed.
pub(super) struct ClaimedGame {
    pub(super) board_number: usize,
    pub(super) score: Option<f64>,
    pub(super) moves: Vec<Cell>,
    /// The rows of the board from the top, separated by `/`. Only lines of a `--resume` file have this field
    /// and the next two.
    pub(super) rows: Option<String>,
    pub(super) scoring: Option<String>,
    pub(super) search_count: Option<u64>,
}

impl ClaimedGame {
    /// Returns the number of the game's board among `boards`: the board with its rows, or `None` if there is
    /// none. A game without rows keeps its board number, even if there is no such board.
    pub(super) fn find_board(&self, boards: &[Board]) -> Option<usize> {
        let Some(rows) = &self.rows else {
            return Some(self.board_number);
        };
        let mut numbered = (1..).zip(boards);
        let found = numbered.find(|(_, board)| format_rows(board) == *rows);
        found.map(|(number, _)| number)
    }
}

/// Parses games in the text format of this module, or the output of `solve --json`. Returns the games, and
/// the scoring that the header, the first game of one of `boards` or the JSON names, if any.
pub(super) fn parse_games(
    text: &str,
    boards: &[Board],
) -> Result<(Vec<ClaimedGame>, Option<Scoring>)> {
    if text.trim_start().starts_with('{') {
        let solutions: Solutions = serde_json::from_str(text)
            .map_err(|e| anyhow!("expected the JSON of `solve --json`: {e}"))?;
        let claim = |game: &SolvedBoard| ClaimedGame {
            board_number: game.board,
            score: Some(game.score),
            moves: game.cells().collect(),
            rows: None,
            scoring: None,
            search_count: None,
        };
        let claims = solutions.boards.iter().map(claim).collect();
        return Ok((claims, Some(parse_scoring(&solutions.scoring)?)));
    }
    let claims = parse_lines(text)?;
    if claims.is_empty() {
        let last = text.lines().count().max(1);
        bail!("line {last}: expected `board N score S moves C,R C,R …`, found nothing");
    }
    let claims: Vec<ClaimedGame> = claims.into_iter().map(|(_, claim)| claim).collect();
    let header_scoring = text
        .lines()
        .find_map(|line| line.strip_prefix(HEADER))
        .and_then(|header| header.split(';').next());
    let own_game = claims
        .iter()
        .find(|claim| claim.find_board(boards).is_some());
    let scoring = header_scoring.or(own_game.and_then(|claim| claim.scoring.as_deref()));
    let scoring = scoring.map(parse_scoring).transpose()?;
    Ok((claims, scoring))
}

/// Parses the scoring that a file of games names.
fn parse_scoring(name: &str) -> Result<Scoring> {
    let parsed = name.parse();
    parsed.map_err(|expected: String| anyhow!("{expected}, found {}", quote(name)))
}

/// Parses games in the text format of this module. Returns each game with its line number.
pub(super) fn parse_lines(text: &str) -> Result<Vec<(usize, ClaimedGame)>> {
    let mut claims = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.split('#').next().unwrap_or("").trim();
        if !content.is_empty() {
            let claim = parse_line(content).with_context(|| format!("line {line}"))?;
            claims.push((line, claim));
        }
    }
    Ok(claims)
}

/// Quotes the first 40 characters of a word for a message.
fn quote(word: &str) -> String {
    format!("{:?}", word.chars().take(40).collect::<String>())
}

/// Parses a game from a non-empty line without a comment.
fn parse_line(content: &str) -> Result<ClaimedGame> {
    let mut words = content.split_whitespace();
    let mut word = || words.next().unwrap_or("");
    let expected = "expected `board N [score S] moves C,R C,R …`";
    let (keyword, number) = (word(), word());
    let board_number = match number.parse() {
        Ok(number) if keyword == "board" && number >= 1 => number,
        _ => bail!(
            "{expected}, found {}",
            quote(&format!("{keyword} {number}"))
        ),
    };
    let mut keyword = word();
    let [mut rows, mut scoring, mut search_count] = [None; 3];
    for (name, value) in [
        ("tiles", &mut rows),
        ("scoring", &mut scoring),
        ("runs", &mut search_count),
    ] {
        if keyword == name {
            *value = Some(word());
            keyword = word();
        }
    }
    let search_count = search_count
        .map(|number| {
            let parsed = number.parse().ok();
            parsed.with_context(|| format!("expected a number of runs, found {}", quote(number)))
        })
        .transpose()?;
    let mut score = None;
    if keyword == "score" {
        let number = word();
        let parsed = number.parse().ok().filter(|score: &f64| score.is_finite());
        score = Some(parsed.with_context(|| format!("expected a score, found {}", quote(number)))?);
        keyword = word();
    }
    if keyword != "moves" {
        bail!("{expected}, found {}", quote(keyword));
    }
    Ok(ClaimedGame {
        board_number,
        score,
        moves: parse_moves(words)?,
        rows: rows.map(str::to_string),
        scoring: scoring.map(str::to_string),
        search_count,
    })
}

/// Reads moves of the form `column,row`.
fn parse_moves<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec<Cell>> {
    let cell = |word: &str| {
        let (column, row) = word.split_once(',')?;
        Some(Cell::new(column.parse().ok()?, row.parse().ok()?))
    };
    (1..)
        .zip(words)
        .map(|(number, word): (usize, &str)| {
            cell(word).with_context(|| {
                format!(
                    "expected move {number} as column,row, found {}",
                    quote(word)
                )
            })
        })
        .collect()
}
