//! Games as text: what `solve` prints and `check` replays.
//!
//! There is a line for each board: `board 3 score 1234 moves 4,0 2,7 …`. A move is a cell
//! `column,row` of the board as it then is, from 0 at the bottom left. `#` starts
//! a comment. The lines of `solve --resume` also name the board's rows, the scoring
//! and a number of searches: `board 3 tiles AB/AB scoring tiles runs 2 score …`. The
//! JSON form of `solve --json` is read as well.

use super::text::points;
use anyhow::{anyhow, bail, Context, Result};
use columns_core::puzzles::samegame::{Cell, Scoring};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// Games on the boards of a file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Solutions {
    /// How they were scored, as the option names it.
    pub(super) scoring: String,
    /// One for each board that was played.
    pub(super) boards: Vec<Solved>,
    /// The sum of the scores.
    pub(super) total: f64,
}

/// A game on one board.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Solved {
    /// The number of the board in its file, from 1.
    pub(super) board: usize,
    /// What it scores.
    pub(super) score: f64,
    /// Tiles left at the end.
    pub(super) tiles_left: usize,
    /// Columns and rows of the tiles to remove.
    pub(super) moves: Vec<(usize, usize)>,
    /// Positions built.
    #[serde(default)]
    pub(super) nodes: u64,
    /// Children ranked.
    #[serde(default)]
    pub(super) candidates: u64,
    /// Seconds that the search took.
    #[serde(default)]
    pub(super) seconds: f64,
    /// Whether the search has seen every game, so that none is better.
    #[serde(default)]
    pub(super) optimal: bool,
    /// What the search itself found, where `--resume` keeps the best of all searches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) found: Option<f64>,
}

impl Solved {
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.moves.iter().map(|&(column, row)| Cell { column, row })
    }
}

/// The begin of the first line; the scoring follows, then `;`.
const HEADER: &str = "# SameGame, scoring ";

/// Writes the lines that [`parse`] reads.
pub(super) fn format(games: &[Solved], scoring: Scoring) -> String {
    let mut text =
        format!("{HEADER}{scoring}; moves are column,row of a tile, from 0,0 at the bottom left\n");
    for game in games {
        push_line(&mut text, game.board, "", game.score, &game.moves);
    }
    text
}

/// Appends a line with `head` before the score.
pub(super) fn push_line(
    text: &mut String,
    board: usize,
    head: &str,
    score: f64,
    moves: &[(usize, usize)],
) {
    let score = points(score);
    let _ = write!(text, "board {board} {head}score {score} moves");
    for (column, row) in moves {
        let _ = write!(text, " {column},{row}");
    }
    text.push('\n');
}

/// A game as a file gives it; nothing in it is checked yet.
pub(super) struct Claim {
    pub(super) board: usize,
    pub(super) score: Option<f64>,
    pub(super) moves: Vec<Cell>,
    /// The rows of the board, if the file names them.
    pub(super) tiles: Option<String>,
    /// The scoring, if the file names it.
    pub(super) scoring: Option<String>,
    /// The number of searches, if the file tells it.
    pub(super) runs: Option<u64>,
}

/// Reads the lines of [`format()`] or the JSON of `solve --json`, and the scoring that the text
/// names first, if it names one.
pub(super) fn parse(text: &str) -> Result<(Vec<Claim>, Option<Scoring>)> {
    if text.trim_start().starts_with('{') {
        let solutions: Solutions = serde_json::from_str(text)
            .map_err(|e| anyhow!("expected the JSON of `solve --json`: {e}"))?;
        let claim = |game: &Solved| Claim {
            board: game.board,
            score: Some(game.score),
            moves: game.cells().collect(),
            tiles: None,
            scoring: None,
            runs: None,
        };
        let claims = solutions.boards.iter().map(claim).collect();
        return Ok((claims, solutions.scoring.parse().ok()));
    }
    let claims = parse_lines(text)?;
    if claims.is_empty() {
        let last = text.lines().count().max(1);
        bail!("line {last}: expected `board N score S moves C,R C,R …`, found nothing");
    }
    let claims: Vec<Claim> = claims.into_iter().map(|(_, claim)| claim).collect();
    let header = text.lines().find_map(|line| line.strip_prefix(HEADER));
    let header = header.and_then(|header| header.split(';').next());
    let scoring = header.or(claims[0].scoring.as_deref());
    let scoring = scoring.and_then(|scoring| scoring.parse().ok());
    Ok((claims, scoring))
}

/// Reads the lines of [`format()`], each with its number.
pub(super) fn parse_lines(text: &str) -> Result<Vec<(usize, Claim)>> {
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

fn parse_line(content: &str) -> Result<Claim> {
    let mut words = content.split_whitespace();
    let mut word = || words.next().unwrap_or("");
    let expected = "expected `board N [score S] moves C,R C,R …`";
    let shorten = |word: &str| format!("{:?}", word.chars().take(40).collect::<String>());
    let (keyword, number) = (word(), word());
    let board = match number.parse() {
        Ok(board) if keyword == "board" && board >= 1 => board,
        _ => bail!(
            "{expected}, found {}",
            shorten(&format!("{keyword} {number}"))
        ),
    };
    let mut keyword = word();
    let [mut tiles, mut scoring, mut runs] = [None; 3];
    for (name, value) in [
        ("tiles", &mut tiles),
        ("scoring", &mut scoring),
        ("runs", &mut runs),
    ] {
        if keyword == name {
            *value = Some(word());
            keyword = word();
        }
    }
    let runs = runs
        .map(|number| {
            number
                .parse()
                .ok()
                .with_context(|| format!("expected a number of runs, found {}", shorten(number)))
        })
        .transpose()?;
    let mut score = None;
    if keyword == "score" {
        let number = word();
        let parsed = number.parse().ok().filter(|score: &f64| score.is_finite());
        score =
            Some(parsed.with_context(|| format!("expected a score, found {}", shorten(number)))?);
        keyword = word();
    }
    if keyword != "moves" {
        bail!("{expected}, found {}", shorten(keyword));
    }
    let cell = |word: &str| {
        let (column, row) = word.split_once(',')?;
        Some(Cell::new(column.parse().ok()?, row.parse().ok()?))
    };
    let moves = words
        .enumerate()
        .map(|(i, word)| {
            cell(word).with_context(|| {
                format!(
                    "expected move {} as column,row, found {}",
                    i + 1,
                    shorten(word)
                )
            })
        })
        .collect::<Result<_>>()?;
    Ok(Claim {
        board,
        score,
        moves,
        tiles: tiles.map(str::to_string),
        scoring: scoring.map(str::to_string),
        runs,
    })
}
