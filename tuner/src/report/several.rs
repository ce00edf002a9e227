//! The page of several runs over each other.

use super::axis::Axis;
use super::one::{came_of, facts};
use super::page::{self, Section};
use super::parameters::LEAST;
use super::plot::{at_both_widths, Plot};
use super::text::{escaped, interval, percent, signed, table};
use super::{score, Report};
use crate::search::space;
use columns_core::text::grouped;
use std::fmt::Write as _;

/// The number of colours for runs; further runs have the same colours with dashed lines.
const COLOURS: usize = 6;

/// The whole page.
pub(super) fn page(reports: &[Report], live: bool) -> String {
    let names = names(reports);
    let title = format!("{} fits over each other", reports.len());
    let sections = vec![scores(reports, &names), paths(reports, &names)];
    page::page(&title, &summary(reports, &names), sections, live)
}

/// The names of the runs, no two alike.
fn names(reports: &[Report]) -> Vec<String> {
    let name = |(index, report): (usize, &Report)| {
        let same = |other: &&Report| other.name == report.name;
        let before = reports[..index].iter().filter(same).count();
        match reports.iter().filter(same).count() {
            1 => report.name.clone(),
            _ => format!("{} ({})", report.name, before + 1),
        }
    };
    reports.iter().enumerate().map(name).collect()
}

/// The class of a run's colour.
fn class(index: usize) -> String {
    let dashes = ["", " dashed", " dotted"][index / COLOURS % 3];
    format!("run{}{dashes}", index % COLOURS)
}

/// The name of a run behind a line as it is drawn.
fn key(index: usize, name: &str) -> String {
    format!(
        "<span class=run><svg class=key viewBox=\"0 0 26 8\" aria-hidden=true>\
         <path class=\"line {}\" d=\"M1 4H25\"/></svg> {}</span>",
        class(index),
        escaped(name)
    )
}

fn legend(names: &[String]) -> String {
    let keys = names.iter().enumerate();
    let keys: Vec<String> = keys.map(|(index, name)| key(index, name)).collect();
    format!("<p class=legend>{}</p>\n", keys.join(" "))
}

/// The result of each run, and the options that differ.
fn summary(reports: &[Report], names: &[String]) -> String {
    let mut text = String::from("<table class=facts>\n");
    for (index, report) in reports.iter().enumerate() {
        let _ = writeln!(
            text,
            "<tr><th>{}<td>{}",
            key(index, &names[index]),
            came_of(report)
        );
    }
    text += "</table>\n";
    let rows = differing(reports);
    if rows.is_empty() {
        return text + "<p>The runs have the same options.</p>\n";
    }
    let head: Vec<&str> = ["option"]
        .into_iter()
        .chain(names.iter().map(String::as_str))
        .collect();
    text + "<h2>Options that differ</h2>\n" + &table(&head, rows)
}

/// The options and starts that are not the same in all runs: the name, and the value of each.
fn differing(reports: &[Report]) -> Vec<Vec<String>> {
    let options: Vec<_> = reports.iter().map(|report| facts(&report.config)).collect();
    let options = (0..options[0].len()).map(|index| {
        let name = options[0][index].0.to_string();
        let values = options.iter().map(|facts| facts[index].1.clone());
        [name].into_iter().chain(values).collect::<Vec<String>>()
    });
    let starts = parameters(reports).into_iter().map(|name| {
        let values = reports.iter().map(|report| {
            place(report, &name).map_or("–".into(), |(_, axis)| axis.start.to_string())
        });
        let values: Vec<String> = values.collect();
        [format!("start of {name}")]
            .into_iter()
            .chain(values)
            .collect::<Vec<String>>()
    });
    options
        .chain(starts)
        .filter(|row: &Vec<String>| row[2..].iter().any(|value| *value != row[1]))
        .collect()
}

/// The names of all parameters that any of the runs fits.
fn parameters(reports: &[Report]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for axis in reports.iter().flat_map(|report| &report.config.axes) {
        if !names.contains(&axis.name) {
            names.push(axis.name.clone());
        }
    }
    names
}

/// A parameter of a run: its place, and the parameter.
fn place<'a>(report: &'a Report, name: &str) -> Option<(usize, &'a space::Axis)> {
    let mut axes = report.config.axes.iter().enumerate();
    axes.find(|(_, axis)| axis.name == name)
}

fn games(reports: &[Report]) -> Axis {
    Axis::counts(reports.iter().map(|report| report.games).max().unwrap_or(0))
}

/// The scores of all runs.
fn scores(reports: &[Report], names: &[String]) -> Section {
    let lines: Vec<Vec<(f64, f64)>> = reports.iter().map(score::line).collect();
    // The first means of few generations are mostly chance.
    let settled = lines
        .iter()
        .flat_map(|line| &line[(line.len() / 4).min(4)..]);
    let y = Axis::around(settled.map(|point| point.1).chain([0.0]), 1.0).unit(" %");
    let drawing = at_both_widths(|width| {
        let mut plot = Plot::new(width, 320, games(reports), y).level("start", 0.0);
        for (index, line) in lines.iter().enumerate() {
            let shown: Vec<_> = line.iter().copied().filter(|p| y.shows(p.1)).collect();
            plot = plot.line(&class(index), &shown);
        }
        plot.finish("Scores of the averages against their starts by games played")
    });
    let rows = reports.iter().zip(names).map(|(report, name)| {
        let recent = report
            .generations
            .last()
            .map(|done| done.recent.map(percent));
        let won = report.challenges.iter().filter(|(one, _)| one.won).count();
        let judged = report.looks.iter().rfind(|look| look.against == 0);
        vec![
            name.clone(),
            report.generations.len().to_string(),
            grouped(report.games),
            recent.map_or("–".into(), |recent| signed(recent.mean)),
            recent.map_or("–".into(), |recent| interval(recent.interval)),
            format!("{won} of {}", report.challenges.len()),
            judged.map_or("–".into(), |look| look.seeds.count().to_string()),
            judged.map_or("–".into(), |look| signed(look.percent)),
            judged.map_or("–".into(), |look| interval(Some(look.interval))),
        ]
    });
    let head = [
        "run",
        "generations",
        "games",
        "last generations, %",
        "95 %",
        "challenges won",
        "held-out pairs",
        "best − start, %",
        "95 %",
    ];
    Section {
        heading: "Score by games played",
        text:
            "What the average of each search scores against the start of that search (dashed), as \
               a change of score (mean of the logarithms): the mean of the last generations. The \
               first few means are mostly chance; those beyond the plot are left out."
                .into(),
        drawing: legend(names) + &drawing,
        numbers: table(&head, rows),
    }
}

/// The course of each parameter in all runs.
fn paths(reports: &[Report], names: &[String]) -> Section {
    let mut drawing = legend(names) + "<div class=grid-of-plots>\n";
    let mut numbers = Vec::new();
    for name in parameters(reports) {
        let found: Vec<_> = reports.iter().map(|report| place(report, &name)).collect();
        // In each run from its start on.
        let paths = reports.iter().zip(&found).map(|(report, found)| {
            let Some((index, axis)) = found else {
                return Vec::new();
            };
            let each = report.generations.iter();
            let each = each.map(|done| (done.games as f64, done.generation.average[*index]));
            [(0.0, axis.start)].into_iter().chain(each).collect()
        });
        let paths: Vec<Vec<(f64, f64)>> = paths.collect();
        let step = found.iter().flatten().map(|(_, axis)| axis.step);
        let step = step.fold(0.0, f64::max);
        let seen = paths.iter().flatten().map(|point| point.1);
        let mut plot = Plot::new(340, 150, games(reports), Axis::around(seen, LEAST * step));
        let mut starts: Vec<f64> = paths
            .iter()
            .filter_map(|path| Some(path.first()?.1))
            .collect();
        starts.dedup();
        if let [start] = starts[..] {
            plot = plot.level("start", start);
        }
        for (index, path) in paths.iter().enumerate() {
            plot = plot.line(&class(index), path);
        }
        let plot = plot.finish(&format!("{name} by games played"));
        let _ = writeln!(
            drawing,
            "<figure><figcaption><b>{}</b></figcaption>{plot}</figure>",
            escaped(&name)
        );
        let last = paths.iter().zip(&found).map(|(path, found)| match found {
            Some((_, axis)) => axis.rounded(path[path.len() - 1].1).to_string(),
            None => "–".into(),
        });
        numbers.push(
            [name.clone()]
                .into_iter()
                .chain(last)
                .collect::<Vec<String>>(),
        );
    }
    drawing += "</div>";
    let head: Vec<&str> = ["average at last"]
        .into_iter()
        .chain(names.iter().map(String::as_str))
        .collect();
    Section {
        heading: "Where each parameter went",
        text: "The average of each search by games played; dashed, the start where all runs have \
               the same. Each axis shows what was visited."
            .into(),
        drawing,
        numbers: table(&head, numbers),
    }
}
