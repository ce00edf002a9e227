//! `judge show`: a game as text, column by column.

use super::Game;
use anyhow::{bail, Result};
use clap::Args;
use columns_cli::output::print;
use columns_core::rules::case::{Column, MATCH_POINTS};
use columns_core::rules::naive::NaiveField;
use columns_core::rules::plan::Placement;
use columns_core::rules::replay::{self, Turn};
use columns_judge::runner;
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
    let plan = match runner::plan(&case, &output) {
        Ok(plan) => plan,
        Err(reason) => {
            args.game.complain(&reason);
            return Ok(ExitCode::FAILURE);
        }
    };
    let replay = replay::replay(&case, &plan);
    let is_wanted = |number: usize| args.column.is_none_or(|column| column == number as u64);
    let mut field = NaiveField::new(replay.width, replay.height);
    let mut shown = Vec::new();
    for (number, turn) in (1..).zip(&replay.turns) {
        if is_wanted(number) {
            shown.push(describe(number, turn, &field));
        }
        turn.apply(&mut field);
    }
    let next = replay.turns.len() + 1;
    if replay.outcome.ended_early && is_wanted(next) {
        let what = headline(next, case.columns()[next - 1], plan.placement(next - 1));
        shown.push(format!("{what}: does not fit, the game is over\n"));
    }
    print(&shown.join("\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// `column 3: abc at position 1, shift 0`.
fn headline(number: usize, column: Column, placement: Placement) -> String {
    let (position, shift) = (placement.stack + 1, placement.shift);
    format!("column {number}: {column} at position {position}, shift {shift}")
}

/// A turn in words and pictures, given the field before it.
fn describe(number: usize, turn: &Turn, before: &NaiveField) -> String {
    let frames = turn.frames(before);
    // The first frame is that of the landing; then each step has one with holes and one settled.
    let settled = frames.iter().step_by(2).enumerate();
    let pictures = settled.map(|(step, frame)| draw(&frame.field, turn, step));
    let pictures: Vec<Vec<String>> = pictures.collect();
    let what = headline(number, turn.column, turn.placement);
    let mut text = format!("{what}: {} points so far\n", turn.points);
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

/// The field before a step of a turn, or at its end, as lines, the floor last: capital letters for
/// the jewels that the step clears, and three stars for a magic column that has just landed.
fn draw(field: &NaiveField, turn: &Turn, step: usize) -> Vec<String> {
    let is_magic = step == 0 && turn.column == Column::Magic;
    let magic = turn.landing..turn.landing + 3;
    let step = turn.steps.get(step);
    let letter = |x: usize, y: usize| match field.cell(x, y) {
        Some(colour) if step.is_some_and(|step| step.cleared.contains(&(x, y))) => {
            colour.letter().to_ascii_uppercase()
        }
        Some(colour) => colour.letter(),
        None if is_magic && x == turn.placement.stack && magic.contains(&y) => '*',
        None => '.',
    };
    let row = |y: usize| (0..field.width()).map(|x| letter(x, y)).collect();
    (0..field.height()).rev().map(row).collect()
}

/// Pictures beside each other, as many as fit into a line of 100 characters, without the rows that
/// are empty in all of them but for one.
fn side_by_side(pictures: &[Vec<String>]) -> String {
    let width = pictures[0][0].len();
    let beside = |pictures: &[Vec<String>]| -> String {
        let rows = |y: usize| pictures.iter().map(move |picture| picture[y].as_str());
        let is_empty = |y: &usize| rows(*y).all(|row| row.trim_matches('.').is_empty());
        let height = pictures[0].len();
        let top = (0..height).take_while(is_empty).count().saturating_sub(1);
        let lines = (top..height).map(|y| {
            // An arrow leads from each picture to the next.
            let between = if y + 1 == height { " -> " } else { "    " };
            format!("  {}\n", rows(y).collect::<Vec<_>>().join(between))
        });
        lines.collect()
    };
    let lines = pictures.chunks((100 - 2) / (width + 4)).map(beside);
    lines.collect::<Vec<_>>().join("\n")
}
