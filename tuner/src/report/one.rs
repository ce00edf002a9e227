//! The page of one run.

use super::page;
use super::text::escaped;
use super::{held_out, parameters, score, Report};
use crate::experiment::config::Config;
use crate::objective::Objective;
use columns_core::text::grouped;
use std::fmt::Write as _;

/// The whole page. A run without generations has nothing to plot.
pub(super) fn page(report: &Report, live: bool) -> String {
    let sections = if report.generations.is_empty() {
        Vec::new()
    } else {
        let own = [
            score::section(report),
            parameters::mattered(report),
            parameters::paths(report),
        ];
        own.into_iter().chain(held_out::section(report)).collect()
    };
    let title = format!("Fit “{}”", report.name);
    page::page(&title, &summary(report), sections, live)
}

/// The result of the run and its configuration.
fn summary(report: &Report) -> String {
    let mut text = format!(
        "<p class=claim>{}</p>\n<p>{}</p>\n<table class=facts>\n",
        came_of(report),
        went(report)
    );
    for (name, value) in facts(&report.config) {
        let _ = writeln!(text, "<tr><th>{name}<td>{}", escaped(&value));
    }
    text + "</table>\n"
}

/// The result of a run, in plain words, as HTML.
pub(super) fn came_of(report: &Report) -> String {
    match &report.verdict {
        Some(verdict) if report.has_ended() => format!("<strong>{}</strong>", escaped(verdict)),
        Some(verdict) => format!(
            "<strong>The run goes on.</strong> When it last stopped: {}",
            escaped(verdict)
        ),
        None => "<strong>The run has not ended</strong>, and nothing is judged yet.".into(),
    }
}

/// How far a run went, in plain words, as HTML.
fn went(report: &Report) -> String {
    let done = report.generations.len();
    let so_far = format!(
        "{} and {} of at most {}",
        counted(done as u64, "generation"),
        counted(report.games, "game"),
        grouped(report.config.limits.games)
    );
    let search = match report.stopped {
        Some(reason) => format!("The search stopped after {so_far}: {reason}."),
        None => format!("So far there were {so_far}."),
    };
    let won = report.challenges.iter().filter(|(one, _)| one.won).count();
    let challenges = match report.challenges.len() {
        0 => "There was no challenge yet.".into(),
        all => format!("{}, {won} won.", counted(all as u64, "challenge")),
    };
    let (games, width) = report.generations.iter().fold((0, 0), |(n, sum), done| {
        (n + 1, sum + done.generation.width)
    });
    let width = width.checked_div(games).map_or(String::new(), |width| {
        format!(" The beams were {width} states wide in the mean.")
    });
    format!("{search} {challenges}{width}")
}

/// A number of things, such as `1 game` or `2,000 games`.
fn counted(count: u64, what: &str) -> String {
    let many = if count == 1 { "" } else { "s" };
    format!("{} {what}{many}", grouped(count))
}

/// The configuration: names and values.
pub(super) fn facts(config: &Config) -> Vec<(&'static str, String)> {
    let objective = match config.objective {
        Objective::Log => "log (the mean logarithm of the score: all cases count alike)",
        Objective::Sum => "sum (the mean score: long cases decide)",
    };
    let names: Vec<&str> = config.axes.iter().map(|axis| &*axis.name).collect();
    vec![
        ("objective", objective.into()),
        ("cases", config.cases.to_string()),
        ("work a game", format!("{} ms", config.work as f64 / 1000.0)),
        ("games at most", grouped(config.limits.games)),
        ("pairs of games a generation", config.pace.pairs.to_string()),
        ("noise", format!("{} steps", config.pace.noise)),
        ("rate", format!("{} steps", config.pace.rate)),
        ("seed", config.pace.seed.to_string()),
        (
            "parameters",
            format!("{}: {}", names.len(), names.join(", ")),
        ),
        (
            "build",
            format!("tuner {}, behaviour {}", config.tuner, config.behaviour),
        ),
    ]
}
