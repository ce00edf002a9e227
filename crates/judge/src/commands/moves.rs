//! A game as text, column by column.
//!
//! The text shows the field after a column has landed, and again after each step of its chain. Lower-case
//! letters are jewels, capital letters are jewels that the next step clears, and dots are empty cells.

use anyhow::{Result, bail};
use columns_core::rules::case::{Case, Column, MATCH_POINTS};
use columns_core::rules::naive::NaiveField;
use columns_core::rules::plan::{Placement, Plan};
use columns_core::rules::replay::{Referee, Turn};
use std::fmt::Write as _;

/// Describes all columns of a game, or only the column `only`, counted from 1.
///
/// # Errors
/// Returns an error if the case has no such column, or if an earlier column did not fit.
pub(crate) fn describe_game(case: &Case, plan: &Plan, only: Option<usize>) -> Result<String> {
    let last = case.columns().len();
    if let Some(column) = only.filter(|column| !(1..=last).contains(column)) {
        bail!("--column: expected a number from 1 to {last}, found {column}");
    }
    let mut game = Referee::new(case);
    let mut texts = Vec::new();
    while let Some(column) = game.next_column() {
        let (number, before) = (game.outcome().placed_columns + 1, game.field().clone());
        let turn = game.play_from_plan(plan);
        if only.is_none_or(|only| only == number) {
            let Placement { stack, shift } = plan.placement(number - 1);
            let outcome = match turn {
                Ok(turn) => describe_turn(&turn, &before),
                Err(_) => "does not fit, the game is over\n".into(),
            };
            let place = format!("at position {}, shift {shift}", stack + 1);
            texts.push(format!("column {number}: {column} {place}: {outcome}"));
        }
    }
    if let (Some(column), []) = (only, &texts[..]) {
        let last = game.outcome().placed_columns + 1;
        bail!(
            "--column: expected a number from 1 to {last}, since column {last} did not fit, found {column}"
        );
    }
    Ok(texts.join("\n"))
}

/// Describes a turn in words and pictures. `before` is the field before the turn.
fn describe_turn(turn: &Turn, before: &NaiveField) -> String {
    let fields = turn.fields(before);
    // The field after the column has landed, then the settled field after each step.
    let settled = fields.iter().step_by(2).enumerate();
    let pictures = settled.map(|(step, field)| draw(field, turn, step));
    let pictures: Vec<Vec<String>> = pictures.collect();
    let mut text = format!("{} points so far\n", turn.total_points);
    for (i, step) in turn.steps.iter().enumerate() {
        let combo = i + 1 - usize::from(turn.steps[0].matches.is_empty());
        let factors = match step.matches.len() {
            0 => format!("{} jewels by magic x {MATCH_POINTS}", step.cleared.len()),
            1 => format!("1 match x combo {combo} x {MATCH_POINTS}"),
            matches => format!("{matches} matches x combo {combo} x {MATCH_POINTS}"),
        };
        let _ = writeln!(text, "  step {}: {factors} = {}", i + 1, step.points);
    }
    text + &side_by_side(&pictures)
}

/// Draws the field before a step of a turn, or after the last step. The top row comes first.
///
/// Capital letters are jewels that the step clears. Three stars are a magic column that has just landed.
fn draw(field: &NaiveField, turn: &Turn, step: usize) -> Vec<String> {
    let is_magic = step == 0 && turn.column == Column::Magic;
    let magic = turn.landing_row..turn.landing_row + 3;
    let step = turn.steps.get(step);
    let cleared = step.map_or(&[][..], |step| &step.cleared);
    let letter = |x: usize, y: usize| match field.cell(x, y) {
        Some(colour) if cleared.contains(&(x, y)) => colour.letter().to_ascii_uppercase(),
        Some(colour) => colour.letter(),
        None if is_magic && x == turn.placement.stack && magic.contains(&y) => '*',
        None => '.',
    };
    let row = |y: usize| (0..field.width()).map(|x| letter(x, y)).collect();
    (0..field.height()).rev().map(row).collect()
}

/// Arranges pictures in lines of at most 100 characters. Drops top rows that are empty in all pictures of a
/// line, except one.
fn side_by_side(pictures: &[Vec<String>]) -> String {
    let width = pictures[0][0].len();
    let chunk = |pictures: &[Vec<String>]| -> String {
        let rows = |y: usize| pictures.iter().map(move |picture| picture[y].as_str());
        let is_empty = |y: &usize| rows(*y).all(|row| row.trim_matches('.').is_empty());
        let height = pictures[0].len();
        let top = (0..height).take_while(is_empty).count().saturating_sub(1);
        let lines = (top..height).map(|y| {
            // The bottom line has an arrow from each picture to the next.
            let between = if y + 1 == height { " -> " } else { "    " };
            format!("  {}\n", rows(y).collect::<Vec<_>>().join(between))
        });
        lines.collect()
    };
    let lines = pictures.chunks((100 - 2) / (width + 4)).map(chunk);
    lines.collect::<Vec<_>>().join("\n")
}
