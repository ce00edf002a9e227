//! The page: what came of each run, the score and the parameters by games played, the judgements.

use super::plot::{escaped, Axis, Plot};
use super::{Point, Report};
use crate::experiment::state::{told, RECENT};
use crate::search::axis;
use crate::units::Objective;
use columns_core::text::grouped;
use serde_json::json;
use std::iter::once;

/// The number of colours for runs; further runs have the same ones again.
const COLOURS: usize = 6;

/// The most parameters that are shown.
const MOST: usize = 24;

/// The least that the axis of a parameter shows, in its steps.
const LEAST: f64 = 0.5;

const STYLE: &str = include_str!("style.css");

/// The page of a run, or of several over each other.
pub fn html(reports: &[Report]) -> String {
    let title = match reports {
        [report] => escaped(&format!("Fit “{}”", report.name)),
        _ => format!("{} fits", reports.len()),
    };
    let games = reports.iter().map(|report| report.state.games).max();
    let games = Axis::up_to(games.unwrap_or(0));
    let plots = parameters(reports, games);
    let refresh = match reports {
        [report] if report.is_live => "<meta http-equiv=refresh content=10>\n",
        _ => "",
    };
    let outcomes = each(reports, |report| {
        let verdict = escaped(&report.verdict);
        format!("<strong>{verdict}</strong><br>{}", went(report))
    });
    let judgements = each(reports, |report| {
        let looks = report.state.looks.iter();
        let told = looks.map(|look| format!("Generation {}. {}", look.generation, look.verdict));
        let told: Vec<String> = told.map(|line| escaped(&line)).collect();
        match &told[..] {
            [] => "None.".into(),
            told => told.join("<br>"),
        }
    });
    format!(
        "<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n{refresh}\
         <meta name=viewport content=\"width=device-width\">\n\
         <meta name=color-scheme content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n<h1>{title}</h1>\n{outcomes}\
         <h2>Score by games played</h2>\n\
         <p>What the average of the search scores against the start (dashed), as a change of the \
         score: the mean over the last {RECENT} generations, on fresh seeds, in its 95 % interval. \
         ▲ a challenge that the average won: it is the best from then on; ▽ one that it lost. \
         ┃ a judgement: the best on held-out seeds, in the interval of its verdict.</p>\n\
         <div class=wide>{}</div>\n\
         <h2>Where the parameters went</h2>\n\
         <p>The average of the search by games played, from its start (dashed) on; what went \
         furthest, in its steps, comes first. Each axis shows what was visited.</p>\n\
         <div class=plots>\n{plots}</div>\n\
         <h2>Judgements</h2>\n\
         <p>The best on held-out seeds, pair by pair until that is decided. The intervals hold \
         whenever the games end.</p>\n{judgements}\
         <h2>Options</h2>\n{}</html>\n",
        scores(reports, games),
        each(reports, options),
    )
}

/// The class of a run's colour.
fn class(index: usize) -> String {
    format!("run{}", index % COLOURS)
}

/// A paragraph for each run; it begins with the name if there are several.
fn each(reports: &[Report], text: impl Fn(&Report) -> String) -> String {
    let told = reports.iter().enumerate().map(|(index, report)| {
        let (class, name) = (class(index), escaped(&report.name));
        let name = match reports {
            [_] => String::new(),
            _ => format!("<b class=\"key {class}\">{name}</b>: "),
        };
        format!("<p>{name}{}</p>\n", text(report))
    });
    told.collect()
}

/// A number of things, such as `1 game` or `2,000 games`.
fn counted(count: usize, what: &str) -> String {
    let many = if count == 1 { "" } else { "s" };
    format!("{} {what}{many}", grouped(count as u64))
}

/// How far a run went, in plain words.
fn went(report: &Report) -> String {
    let state = &report.state;
    let so_far = format!(
        "{} and {} of at most {}",
        counted(report.course.len(), "generation"),
        counted(state.games as usize, "game"),
        grouped(state.limits.games)
    );
    let lost = if state.losses.is_empty() {
        String::new()
    } else {
        format!(" {}.", state.losses)
    };
    let end = match state.stopped {
        Some(reason) => format!("The search stopped after {so_far}: {reason}.{lost}"),
        None => format!("So far there were {so_far}.{lost}"),
    };
    let Some(Point { recent, .. }) = report.course.last() else {
        return end;
    };
    format!(
        "{end} Its average scores {} against the start {}; it won {} of {}.",
        told(recent).replace('-', "−"),
        match state.config.objective {
            Objective::Log => "in the mean of the logarithm",
            Objective::Sum => "in the sum",
        },
        state.challenges.iter().filter(|(one, _)| one.won).count(),
        counted(state.challenges.len(), "challenge")
    )
}

/// The options of a run: its configuration without what else the page shows.
fn options(report: &Report) -> String {
    let mut config = json!(report.state.config);
    if let Some(fields) = config.as_object_mut() {
        fields.retain(|name, _| !["axes", "start"].contains(&&**name));
    }
    escaped(&config.to_string().replace(",\"", ", \""))
}

/// The score of each search, its challenges and its looks.
fn scores(reports: &[Report], games: Axis) -> String {
    let seen = reports.iter().flat_map(shown).chain([0.0]);
    let mut plot = Plot::new(720.0, 340.0, games, Axis::around(seen, 1.0, " %"));
    plot.level(0.0);
    for (index, report) in reports.iter().enumerate() {
        draw_score(&mut plot, &class(index), report);
    }
    plot.finish("Score against the start by games played")
}

/// What is shown of the score of a run: all means, and the intervals of looks and of the later
/// generations. The first intervals are as wide as they are uncertain, and may be cut off.
fn shown(report: &Report) -> impl Iterator<Item = f64> + '_ {
    let all = &report.course;
    let means = all.iter().map(|point| point.recent.mean);
    let later = all[all.len() / 2..].iter();
    let ends = later.filter_map(|point| point.recent.interval);
    let all = means.chain(ends.flat_map(|(low, high)| [low, high]));
    let looks = report.state.looks.iter();
    let looks = looks.flat_map(|look| [look.interval.0, look.percent, look.interval.1]);
    all.chain(looks)
}

/// The line of a run's score in its band, its challenges and its looks.
fn draw_score(plot: &mut Plot, class: &str, report: &Report) {
    let all = &report.course;
    let band = all.iter().filter_map(|point| {
        let (low, high) = point.recent.interval?;
        Some((point.games, low, high))
    });
    plot.band(class, &band.collect::<Vec<_>>());
    let place = |point: &Point| (point.games, point.recent.mean);
    plot.line(class, &all.iter().map(place).collect::<Vec<_>>());
    for (challenge, games) in &report.state.challenges {
        let before = all.get((challenge.generation as usize).wrapping_sub(1));
        let at = before.map_or(0.0, |point| place(point).1);
        let told = challenge.to_string().replace('-', "−");
        plot.mark(class, challenge.won, (*games as f64, at), &told);
    }
    for look in &report.state.looks {
        let mut challenges = report.state.challenges.iter();
        let judged = challenges.find(|(one, _)| one.generation == look.generation);
        let games = judged.map_or(0.0, |(_, games)| *games as f64);
        let (low, high) = look.interval;
        plot.interval(class, games, [low, look.percent, high], &look.verdict);
    }
}

/// The course of a parameter in one of the runs: the class of the run, and the games of the run and
/// the value, from the start on.
type Course<'a> = (String, &'a axis::Axis, Vec<(f64, f64)>);

/// The courses of a parameter in all the runs that fit it.
fn courses<'a>(reports: &'a [Report], name: &str) -> Vec<Course<'a>> {
    let course = |(index, report): (usize, &'a Report)| {
        let axes = &report.state.config.axes;
        let at = axes.iter().position(|axis| axis.name == name)?;
        let course = report.course.iter();
        let points = course.filter_map(|one| Some((one.games, *one.average.get(at)?)));
        let points = once((0.0, axes[at].start)).chain(points);
        Some((class(index), &axes[at], points.collect()))
    };
    reports.iter().enumerate().filter_map(course).collect()
}

/// The plots of the parameters that went furthest, in their steps.
fn parameters(reports: &[Report], games: Axis) -> String {
    let mut all: Vec<(f64, Vec<Course>)> = Vec::new();
    for axis in reports.iter().flat_map(|report| &report.state.config.axes) {
        if !all.iter().any(|(_, same)| same[0].1.name == axis.name) {
            let same = courses(reports, &axis.name);
            let far = |(_, axis, points): &Course| {
                let last = points.last().map_or(axis.start, |point| point.1);
                (last - axis.start).abs() / axis.step
            };
            all.push((same.iter().map(far).fold(0.0, f64::max), same));
        }
    }
    all.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let shown = all.iter().take(MOST);
    shown.map(|(_, same)| plotted(same, games)).collect()
}

/// The plot of a parameter.
fn plotted(same: &[Course], games: Axis) -> String {
    let (_, axis, _) = same[0];
    let seen = same.iter().flat_map(|(.., points)| points);
    let shown = Axis::around(seen.map(|point| point.1), LEAST * axis.step, "");
    let mut plot = Plot::new(350.0, 150.0, games, shown);
    plot.level(axis.start);
    let told = same.iter().map(|(class, axis, points)| {
        plot.line(class, points);
        let last = axis.rounded(points[points.len() - 1].1);
        let [start, last] = [axis.start, last].map(|value| escaped(&axis.text(value)));
        format!(" <span class=\"key {class}\">{start} → {last}</span>")
    });
    let told: String = told.collect();
    let (name, drawn) = (
        escaped(&axis.name),
        plot.finish(&format!("{} by games played", axis.name)),
    );
    format!("<figure><figcaption><b>{name}</b>{told}</figcaption>{drawn}</figure>\n")
}
