//! `check`: replays games on their boards.

use super::solution;
use super::text::{is_same_score, points_text, read_boards};
use crate::io;
use anyhow::{Context, Result, bail, ensure};
use columns_cli::options::JsonOption;
use columns_cli::output::count_text;
use columns_cli::stderr::warn;
use columns_cli::{input, json, table::format_table};
use columns_puzzles::samegame::{Board, Cell, ScoredGame, Scoring};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Replay games and print their scores
///
/// Reads boards, and the games that `solve` printed as text or JSON. Plays every move by the rules of
/// the game, and prints the score of each board and the total. Skips games of other boards and scorings in
/// a file that `solve --resume` wrote. Reports illegal moves, wrong scores and boards without a game on
/// standard error; if there are any, exits with status 1.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  puzzles samegame solve --scoring js-games boards.txt > games.txt
  puzzles samegame check boards.txt games.txt")]
pub(crate) struct Check {
    /// The file with the boards
    boards: PathBuf,

    /// The file with the games, - for standard input [default: -]
    games: Option<PathBuf>,

    /// The scoring of the games, as for `solve` [default: the scoring that the file names, or topcoder]
    #[arg(long, value_name = "SCORING")]
    scoring: Option<Scoring>,

    #[command(flatten)]
    json: JsonOption,
}

#[derive(Serialize)]
struct Report {
    scoring: String,
    boards: Vec<Row>,
    total: f64,
    /// Number of games that were skipped because they belong to other boards or scorings.
    skipped_games: usize,
    /// The numbers of the boards without a game.
    boards_without_game: Vec<usize>,
    /// True if every board has a game and no game has a mistake.
    all_correct: bool,
}

#[derive(Serialize)]
struct Row {
    board: usize,
    score: f64,
    claimed: Option<f64>,
    tiles_left: usize,
    moves: usize,
    mistake: Option<String>,
}

impl Check {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let file = self.games.as_deref().unwrap_or(Path::new("-"));
        let boards = read_boards(&self.boards)?;
        let (claims, file_scoring) = solution::parse_games(&io::read_text(file)?, &boards)
            .with_context(|| input::name(file))?;
        let scoring = self.scoring.or(file_scoring).unwrap_or(Scoring::TOPCODER);
        let (rows, skipped_games) =
            replay_all(&boards, scoring, claims).with_context(|| input::name(file))?;
        let has_game = |number: &usize| rows.iter().any(|row| row.board == *number);
        let boards_without_game: Vec<usize> = (1..=boards.len())
            .filter(|number| !has_game(number))
            .collect();
        let mistakes = mistakes(&rows, &boards_without_game);
        let total = rows.iter().map(|row| row.score).sum();
        let text = table(&rows, total);
        let json = || {
            json::to_line(&Report {
                scoring: scoring.to_string(),
                boards: rows,
                total,
                skipped_games,
                boards_without_game,
                all_correct: mistakes.is_empty(),
            })
        };
        self.json.print(json, &text)?;
        if skipped_games > 0 && !self.json.is_set() {
            let games = count_text(skipped_games, "game");
            warn(
                "puzzles",
                &format!("skipped games of other boards or scorings: {games}"),
            );
        }
        for mistake in &mistakes {
            warn("puzzles", mistake);
        }
        Ok(ExitCode::from(u8::from(!mistakes.is_empty())))
    }
}

/// Replays the games that belong to these boards and this scoring, and skips all others. Returns a row for
/// each replayed game, and the number of skipped games.
///
/// # Errors
/// Returns an error if a game names a board number that does not exist, or if a board has two games.
fn replay_all(
    boards: &[Board],
    scoring: Scoring,
    claims: Vec<solution::ClaimedGame>,
) -> Result<(Vec<Row>, usize)> {
    let mut rows: Vec<Row> = Vec::new();
    let mut skipped_games = 0;
    for claim in claims {
        let Some(claim) = match_claim(boards, scoring, claim) else {
            skipped_games += 1;
            continue;
        };
        ensure!(
            (1..=boards.len()).contains(&claim.board_number),
            "expected boards from 1 to {}, found {}",
            boards.len(),
            claim.board_number
        );
        if rows.iter().any(|row| row.board == claim.board_number) {
            bail!("expected one game for board {}", claim.board_number);
        }
        rows.push(replay(&boards[claim.board_number - 1], scoring, &claim));
    }
    Ok((rows, skipped_games))
}

/// Returns a message for each game with a mistake, and one message about all boards without a game.
fn mistakes(rows: &[Row], boards_without_game: &[usize]) -> Vec<String> {
    let mut mistakes: Vec<String> = rows
        .iter()
        .filter_map(|row| Some(format!("board {}: {}", row.board, row.mistake.as_ref()?)))
        .collect();
    if !boards_without_game.is_empty() {
        let numbers: Vec<String> = boards_without_game.iter().map(usize::to_string).collect();
        mistakes.push(format!(
            "expected a game for each board, found none for {}",
            numbers.join(", ")
        ));
    }
    mistakes
}

/// Returns `claim` if it belongs to one of `boards` and to `scoring`, otherwise `None`.
///
/// Corrects the board number if the claim contains the rows of its board. A claim without a scoring belongs
/// to any scoring.
fn match_claim(
    boards: &[Board],
    scoring: Scoring,
    mut claim: solution::ClaimedGame,
) -> Option<solution::ClaimedGame> {
    claim.board_number = claim.find_board(boards)?;
    let own_scoring = claim.scoring.as_ref().map(|text| text.parse());
    own_scoring
        .is_none_or(|own| own == Ok(scoring))
        .then_some(claim)
}

/// Replays a game up to its first illegal move. If all moves are legal, checks the claimed score.
fn replay(board: &Board, scoring: Scoring, claim: &solution::ClaimedGame) -> Row {
    let mut scored_game = ScoredGame::new(board.clone(), scoring);
    let mut mistake = None;
    let mut moves = 0;
    for &cell in &claim.moves {
        if scored_game.remove_group(cell) == 0 {
            mistake = Some(format!(
                "move {}: {}",
                moves + 1,
                explain_illegal_move(scored_game.board(), cell)
            ));
            break;
        }
        moves += 1;
    }
    let score = scored_game.score();
    let wrong_score = claim
        .score
        .filter(|&claimed| !is_same_score(claimed, score));
    if let (None, Some(claimed)) = (&mistake, wrong_score) {
        mistake = Some(format!(
            "the game scores {} by {}, not {}",
            points_text(score),
            scoring,
            points_text(claimed)
        ));
    }
    Row {
        board: claim.board_number,
        score,
        claimed: claim.score,
        tiles_left: scored_game.board().tile_count(),
        moves,
        mistake,
    }
}

/// Says what is wrong with an illegal move: its cell is outside the board, is empty, or holds a single tile.
pub(super) fn explain_illegal_move(game: &Board, cell: Cell) -> String {
    let Cell { column, row } = cell;
    if !game.contains(cell) {
        format!(
            "{column},{row} is outside the board of {} × {}",
            game.width(),
            game.height()
        )
    } else if game.tile(cell).is_none() {
        format!("{column},{row} is empty")
    } else {
        format!("the tile at {column},{row} has no neighbour of its colour")
    }
}

/// Formats a table with a row for each game and a row of totals. Marks the games with a mistake.
fn table(rows: &[Row], total: f64) -> String {
    let cleared = rows.iter().filter(|row| row.tiles_left == 0).count();
    let games = rows.iter().map(|row| {
        [
            row.board.to_string(),
            row.moves.to_string(),
            row.tiles_left.to_string(),
            points_text(row.score),
            if row.mistake.is_some() { "WRONG" } else { "" }.to_string(),
        ]
    });
    let totals = [
        "total".to_string(),
        String::new(),
        format!("{cleared} cleared"),
        points_text(total),
        String::new(),
    ];
    format_table(
        ["board", "moves", "tiles left", "score", ""],
        games.chain([totals]),
    )
}
