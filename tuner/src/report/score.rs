//! The section of the score, generation by generation.

use super::axis::Axis;
use super::page::Section;
use super::plot::{at_both_widths, Mark, Plot};
use super::text::{interval, percent, signed, table};
use super::{Done, Report};
use crate::experiment::event::Challenge;
use crate::experiment::state::RECENT;
use columns_core::text::grouped;

/// The fewest generations with a band: the band of fewer would be very wide.
const FEWEST: u32 = 5;

/// The line of the recent mean: games and percent.
pub(super) fn line(report: &Report) -> Vec<(f64, f64)> {
    let each = report.generations.iter();
    each.map(|done| (done.games as f64, percent(done.recent.mean)))
        .collect()
}

/// The score of the search's average against the start, with the challenges.
pub(super) fn section(report: &Report) -> Section {
    let all = &report.generations;
    let dots: Vec<(f64, f64)> = all
        .iter()
        .map(|done| (done.games as f64, percent(done.generation.gain)))
        .collect();
    let line = line(report);
    let band: Vec<(f64, f64, f64)> = all
        .iter()
        .filter(|done| done.generation.generation >= FEWEST)
        .filter_map(|done| {
            let (low, high) = done.recent.interval?;
            Some((done.games as f64, percent(low), percent(high)))
        })
        .collect();
    // The dots have long tails: what the line and its band need decides, and most of the dots.
    let mut sizes: Vec<f64> = dots.iter().map(|dot| dot.1).collect();
    sizes.sort_by(f64::total_cmp);
    let inner = sizes.len() / 20;
    let kept = sizes[inner..sizes.len() - inner].iter().copied();
    let needed = line.iter().map(|point| point.1);
    let needed = needed.chain(band.iter().flat_map(|&(_, low, high)| [low, high]));
    let y = Axis::around(kept.chain(needed).chain([0.0]), 1.0).unit(" %");
    let outside = match dots.iter().filter(|dot| !y.shows(dot.1)).count() {
        0 => String::new(),
        1 => " One dot lies outside.".into(),
        more => format!(" {more} dots lie outside."),
    };
    let marks: Vec<Mark> = report.challenges.iter().map(mark).collect();
    let drawing = at_both_widths(|width| {
        Plot::with_strip(width, 320, Axis::counts(report.games), y)
            .level("start", 0.0)
            .band("mean", &band)
            .dots("single", &dots)
            .line("mean", &line)
            .marks(&marks)
            .finish("Score of the average against the start by games played")
    });
    Section {
        heading: "Score by games played",
        text: format!(
            "What the average of the search scores against the start (dashed), on fresh seeds of \
             each generation, as a change of score (mean of the logarithms). A dot is one \
             generation; the line is the mean of the last {RECENT} with its 95 % interval. A \
             triangle is a challenge: <span class=\"key good\">won</span>, the average is the best \
             from then on, or <span class=\"key bad\">lost</span>, with what it scored against the \
             best before.{outside}"
        ),
        drawing,
        numbers: challenges(report) + &generations(all),
    }
}

fn mark((challenge, games): &(Challenge, u64)) -> Mark {
    let gain = signed(percent(challenge.gain));
    let won = if challenge.won { "won" } else { "lost" };
    Mark {
        x: *games as f64,
        good: challenge.won,
        text: format!("{:+.1} %", percent(challenge.gain)).replace('-', "−"),
        told: format!(
            "Challenge {} after generation {}: {won}, {gain} % in {} pairs of games",
            challenge.challenge, challenge.generation, challenge.pairs
        ),
    }
}

fn challenges(report: &Report) -> String {
    let rows = report.challenges.iter().map(|(challenge, games)| {
        vec![
            challenge.challenge.to_string(),
            challenge.generation.to_string(),
            grouped(*games),
            challenge.pairs.to_string(),
            signed(percent(challenge.gain)),
            if challenge.won { "won" } else { "lost" }.into(),
        ]
    });
    let head = [
        "challenge",
        "after generation",
        "games",
        "pairs",
        "average − best, %",
        "result",
    ];
    if report.challenges.is_empty() {
        return String::new();
    }
    table(&head, rows)
}

fn generations(all: &[Done]) -> String {
    let rows = all.iter().map(|done| {
        let ends = done.recent.interval;
        vec![
            done.generation.generation.to_string(),
            grouped(done.games),
            done.generation.width.to_string(),
            signed(percent(done.generation.gain)),
            signed(percent(done.recent.mean)),
            interval(ends.map(|(low, high)| (percent(low), percent(high)))),
        ]
    });
    let last = format!("last {RECENT}, %");
    let head = [
        "generation",
        "games",
        "width of the beams",
        "average − start, %",
        &last,
        "95 %",
    ];
    table(&head, rows)
}
