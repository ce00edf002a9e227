//! `play`: a game in the terminal.

use super::check::why_illegal;
use super::text::{points, read_boards};
use anyhow::{ensure, Context, Result};
use columns_core::puzzles::samegame::solver::{self, Limit, Options};
use columns_core::puzzles::samegame::{Cell, SameGame, Scoring, Tally, Tile};
use columns_generator::samegame::random_board;
use std::fmt::Write as _;
use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

const HELP: &str = "\
Type the column and the row of a tile to remove its group, as `3 0`.
  h  a hint from the solver     u  undo     r  start again
  ?  this help                  q  quit
";

/// Play a board in the terminal
///
/// Plays a board of a file, or a random one. Moves are typed as the column and
/// the row of a tile, both from 0 at the bottom left; u takes a move back, h asks
/// the solver for a hint, q quits.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  puzzles samegame play
  puzzles samegame play --board 3 --scoring js-games boards.txt")]
pub(crate) struct Play {
    /// A file of boards [default: a random board]
    file: Option<PathBuf>,

    /// Which board of the file
    #[arg(long, value_name = "N", default_value_t = 1, requires = "file")]
    board: usize,

    /// Draws the random board [default: another one each time]
    #[arg(long, value_name = "N", conflicts_with = "file")]
    seed: Option<u64>,

    #[arg(long, value_name = "SCORING", value_parser = super::text::scoring, default_value = "tiles", help = super::text::SCORING_HELP)]
    scoring: Scoring,
}

impl Play {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let board = match &self.file {
            Some(path) => {
                let mut boards = read_boards(Some(path))?;
                ensure!(
                    (1..=boards.len()).contains(&self.board),
                    "{}: expected --board from 1 to {}, found {}",
                    path.display(),
                    boards.len(),
                    self.board
                );
                boards.swap_remove(self.board - 1)
            }
            None => self.random_board(),
        };
        let mut table = GameTable {
            history: vec![Tally::new(board, self.scoring)],
            scoring: self.scoring,
            colours: std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        };
        table.play(&mut std::io::stdin().lock(), &mut std::io::stdout().lock())?;
        Ok(ExitCode::SUCCESS)
    }

    /// 15 × 10 tiles in four colours.
    fn random_board(&self) -> SameGame {
        let now = || SystemTime::now().duration_since(UNIX_EPOCH);
        let seed = self
            .seed
            .unwrap_or_else(|| now().map_or(0, |time| time.as_nanos() as u64));
        random_board(seed, 15, 10, 4)
    }
}

/// A game with its past.
struct GameTable {
    /// The positions so far, the present one last.
    history: Vec<Tally>,
    scoring: Scoring,
    colours: bool,
}

/// What a line asks for.
enum Wish {
    Remove(Cell),
    Hint,
    Undo,
    Restart,
    Help,
    Quit,
    Nothing,
}

fn parse_wish(line: &str) -> Option<Wish> {
    let words: Vec<&str> = line
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty())
        .collect();
    Some(match words[..] {
        [] => Wish::Nothing,
        ["h" | "hint"] => Wish::Hint,
        ["u" | "undo"] => Wish::Undo,
        ["r" | "restart"] => Wish::Restart,
        ["?" | "help"] => Wish::Help,
        ["q" | "quit" | "exit"] => Wish::Quit,
        [column, row] => Wish::Remove(Cell::new(column.parse().ok()?, row.parse().ok()?)),
        _ => return None,
    })
}

impl GameTable {
    fn now(&self) -> &Tally {
        self.history.last().expect("the first position stays")
    }

    fn play(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<()> {
        let written = "standard output";
        out.write_all(HELP.as_bytes()).context(written)?;
        let mut shown = false;
        loop {
            if !shown {
                out.write_all(self.picture().as_bytes()).context(written)?;
                shown = true;
            }
            write!(out, "> ")
                .and_then(|()| out.flush())
                .context(written)?;
            let mut line = Vec::new();
            if input
                .read_until(b'\n', &mut line)
                .context("standard input")?
                == 0
            {
                writeln!(out).context(written)?;
                break;
            }
            let answer = match parse_wish(&String::from_utf8_lossy(&line)) {
                None => "expected a column and a row, as `3 0`, or ? for help".to_string(),
                Some(Wish::Quit) => break,
                Some(Wish::Nothing) => continue,
                Some(Wish::Help) => HELP.trim_end().to_string(),
                Some(Wish::Hint) => self.hint(),
                Some(Wish::Undo) if self.history.len() == 1 => "nothing to undo".to_string(),
                Some(Wish::Undo) => {
                    self.history.pop();
                    shown = false;
                    continue;
                }
                Some(Wish::Restart) => {
                    self.history.truncate(1);
                    shown = false;
                    continue;
                }
                Some(Wish::Remove(cell)) => {
                    let mut next = self.now().clone();
                    if next.remove(cell) > 0 {
                        self.history.push(next);
                        shown = false;
                        continue;
                    }
                    why_illegal(next.game(), cell)
                }
            };
            writeln!(out, "{answer}").context(written)?;
        }
        let score = points(self.now().score());
        writeln!(out, "Score {score} ({})", self.scoring).context(written)
    }

    /// Half a second of the solver.
    fn hint(&self) -> String {
        let start = Instant::now();
        let clock = || start.elapsed().as_secs_f64();
        let game = self.now().game();
        if game.no_more_valid_moves() {
            return "no move is left".to_string();
        }
        let options = Options {
            limit: Limit::Time(0.5),
            ..Options::new(self.scoring)
        };
        match solver::solve(game, &options, &clock) {
            Ok(solution) => match solution.moves.first() {
                Some(cell) => {
                    let mut end = self.now().clone();
                    for &cell in &solution.moves {
                        end.remove(cell);
                    }
                    format!(
                        "try {} {}: the best game found scores {}{} and leaves {} tiles",
                        cell.column,
                        cell.row,
                        points(end.score()),
                        if solution.optimal {
                            ", which is optimal,"
                        } else {
                            ""
                        },
                        end.game().tiles_left()
                    )
                }
                None => "any further move would cost points".to_string(),
            },
            Err(error) => error.to_string(),
        }
    }

    /// The board with its coordinates, and the score.
    fn picture(&self) -> String {
        let game = self.now().game();
        let (width, height) = (game.width(), game.height());
        let digits = (width.max(height) - 1).to_string().len();
        let mut picture = String::from("\n");
        for row in (0..height).rev() {
            let _ = write!(picture, "{row:>digits$} ");
            for column in 0..width {
                let shown = match game.tile(Cell { column, row }) {
                    Some(tile) => self.paint(tile, digits + 1),
                    None => format!("{:>1$}", "·", digits + 1),
                };
                picture.push_str(&shown);
            }
            picture.push('\n');
        }
        let _ = write!(picture, "{:digits$} ", "");
        for column in 0..width {
            let _ = write!(picture, "{column:>0$}", digits + 1);
        }
        let moves = self.history.len() - 1;
        let tally = self.now();
        let _ = write!(
            picture,
            "\n\n{moves} moves, {} tiles left, {} points",
            game.tiles_left(),
            points(tally.points())
        );
        if game.no_more_valid_moves() {
            let _ = write!(
                picture,
                "; no move is left, score {}",
                points(tally.score())
            );
        }
        picture.push('\n');
        picture
    }

    /// A tile as its letter on its colour, the same colour for the same letter.
    fn paint(&self, tile: Tile, width: usize) -> String {
        let letter = tile.to_char();
        if !self.colours {
            return format!("{letter:>width$}");
        }
        // Six backgrounds that are told apart well, then their bright twins; over the
        // whole width, so that a group is seen as one.
        let index = letter as u8 % 12;
        let background = if index < 6 {
            41 + index
        } else {
            101 + index - 6
        };
        format!("\x1b[{background};30m{letter:>width$}\x1b[0m")
    }
}
