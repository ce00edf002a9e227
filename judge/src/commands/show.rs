//! `judge show`: a game as text, column by column.

use super::Game;
use anyhow::{bail, Result};
use clap::Args;
use columns_cli::output::{forgive_closed_pipe, print_to_reader};
use columns_core::rules::case::{Column, MATCH_POINTS};
use columns_core::rules::naive::{NaiveField, Step};
use columns_core::rules::replay::{self, Turn};
use columns_judge::verdict;
use std::fmt::Write as _;
use std::process::ExitCode;

/// Show a game as text: where each column lands, and what it clears
///
/// The field is shown when the column has landed, and again after each clearing. Small letters are
/// jewels, capital letters jewels that are about to be cleared, and dots are empty cells. An invalid
/// plan has status 1.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    judge show in/0001.txt out/0001.txt\n  \
    judge show in/0001.txt out/0001.txt --column 9\n  \
    bot < in/0001.txt | judge show in/0001.txt - | less")]
pub(crate) struct Options {
    #[command(flatten)]
    game: Game,
    /// Show this column only, counted from 1 [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    column: Option<u64>,
}

pub(crate) fn run(args: &Options) -> Result<ExitCode> {
    let (case, output) = args.game.read()?;
    let columns = case.columns().len() as u64;
    if let Some(column) = args.column.filter(|&column| column > columns) {
        bail!("--column: expected a number from 1 to {columns}, found {column}");
    }
    let plan = match verdict::plan(&case, &output) {
        Ok(plan) => plan,
        Err(reason) => {
            args.game.complain(&reason);
            return Ok(ExitCode::FAILURE);
        }
    };
    let replay = replay::replay(&case, &plan);
    let mut field = NaiveField::new(replay.width, replay.height);
    let shown = |number: usize| args.column.is_none_or(|column| column == number as u64);
    let mut blank = "";
    let mut print = || {
        for (number, turn) in (1..).zip(&replay.turns) {
            if shown(number) {
                print_to_reader(&format!("{blank}{}", describe(number, turn, &field)))?;
                blank = "\n";
            }
            turn.apply(&mut field);
        }
        let next = replay.turns.len() + 1;
        if replay.outcome.ended_early && shown(next) {
            let placement = plan.placement(next - 1);
            let column = case.columns()[next - 1];
            print_to_reader(&format!(
                "{blank}column {next}: {column} at position {}, shift {}: does not fit, the game is over\n",
                placement.stack + 1,
                placement.shift
            ))?;
        }
        Ok(())
    };
    forgive_closed_pipe(print())?;
    Ok(ExitCode::SUCCESS)
}

/// A turn in words and pictures, given the field before it.
fn describe(number: usize, turn: &Turn, before: &NaiveField) -> String {
    let frames = turn.frames(before);
    // The first frame is that of the landing; then each step has one with holes and one settled.
    let frames = frames.iter().step_by(2).map(|frame| &frame.field);
    let pictures: Vec<Vec<String>> = frames
        .enumerate()
        .map(|(i, field)| {
            let magic = (i == 0 && turn.column == Column::Magic)
                .then_some((turn.placement.stack, turn.landing));
            draw(field, turn.steps.get(i), magic)
        })
        .collect();
    let mut text = format!(
        "column {number}: {} at position {}, shift {}: {} points so far\n",
        turn.column,
        turn.placement.stack + 1,
        turn.placement.shift,
        turn.points
    );
    for (i, step) in turn.steps.iter().enumerate() {
        let combo = i + 1 - usize::from(turn.steps[0].matches.is_empty());
        let what = match step.matches.len() {
            0 => format!("{} jewels by magic x {MATCH_POINTS}", step.cleared.len()),
            1 => format!("1 match x combo {combo} x {MATCH_POINTS}"),
            matches => format!("{matches} matches x combo {combo} x {MATCH_POINTS}"),
        };
        let _ = writeln!(text, "  step {}: {what} = {}", i + 1, step.points);
    }
    text + &side_by_side(&pictures)
}

/// The field as lines, the floor last: capital letters for the jewels that `step` clears, and three
/// stars for a magic column that lies at `magic`, a stack and the row of its lowest jewel.
fn draw(field: &NaiveField, step: Option<&Step>, magic: Option<(usize, usize)>) -> Vec<String> {
    let letter = |x: usize, y: usize| {
        let cleared = step.is_some_and(|step| step.cleared.contains(&(x, y)));
        match field.cell(x, y) {
            Some(colour) if cleared => colour.letter().to_ascii_uppercase(),
            Some(colour) => colour.letter(),
            None if magic.is_some_and(|(stack, row)| x == stack && (row..row + 3).contains(&y)) => {
                '*'
            }
            None => '.',
        }
    };
    let row = |y: usize| (0..field.width()).map(|x| letter(x, y)).collect();
    (0..field.height()).rev().map(row).collect()
}

/// Pictures beside each other, as many as fit into a line of 100 characters, without the rows that
/// are empty in all of them but for one.
fn side_by_side(pictures: &[Vec<String>]) -> String {
    let width = pictures[0][0].len();
    let mut text = String::new();
    for row in pictures.chunks((100 - 2) / (width + 4)) {
        if !text.is_empty() {
            text.push('\n');
        }
        let empty = |y: &usize| {
            row.iter()
                .all(|picture| picture[*y].trim_matches('.').is_empty())
        };
        let top = (0..row[0].len()).take_while(empty).count();
        for y in top.saturating_sub(1)..row[0].len() {
            let lines: Vec<&str> = row.iter().map(|picture| picture[y].as_str()).collect();
            // An arrow leads from each picture to the next.
            let between = if y + 1 == row[0].len() {
                " -> "
            } else {
                "    "
            };
            let _ = writeln!(text, "  {}", lines.join(between));
        }
    }
    text
}
