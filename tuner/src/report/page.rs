//! The page: what came of each run, the score and the parameters by games played, and the looks.

use super::plot::{Axis, Plot};
use super::{Point, Report};
use crate::experiment::state::RECENT;
use crate::units::{LogRatio, Percent, Unit};
use columns_core::text::grouped;

/// The number of colours for runs; further runs have the same ones again.
const COLOURS: usize = 6;

/// The most parameters that are shown.
const MOST: usize = 24;

/// The least that the axis of a parameter shows, in its steps.
const LEAST: f64 = 0.5;

const STYLE: &str = include_str!("style.css");

/// The page of a run, or of several over each other. `live` is for a page that is written again and
/// again: it loads itself anew until all runs have ended.
pub fn html(reports: &[Report], live: bool) -> String {
    let title = match reports {
        [report] => escaped(&format!("Fit “{}”", report.name)),
        _ => format!("{} fits", reports.len()),
    };
    let refresh = if live && !reports.iter().all(Report::has_ended) {
        "<meta http-equiv=refresh content=5>\n"
    } else {
        ""
    };
    let runs = Runs::new(reports);
    let body = [
        runs.outcomes(),
        runs.scores(),
        runs.paths(),
        runs.looks(),
        runs.options(),
    ];
    format!(
        "<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n{refresh}\
         <meta name=viewport content=\"width=device-width\">\n\
         <meta name=color-scheme content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n<h1>{title}</h1>\n{}</html>\n",
        body.concat()
    )
}

/// Text with the characters escaped that HTML gives a meaning.
pub(super) fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// A number of things, such as `1 game` or `2,000 games`.
fn counted(count: u64, what: &str) -> String {
    let many = if count == 1 { "" } else { "s" };
    format!("{} {what}{many}", grouped(count))
}

/// A change with its sign and two decimals.
fn signed(percent: Percent) -> String {
    format!("{percent:.2}").replace('-', "−")
}

fn percent(log: f64) -> f64 {
    LogRatio(log).percent().0
}

/// A section with a heading and a line of explanation.
fn section(heading: &str, text: &str, body: &str) -> String {
    format!("<section><h2>{heading}</h2>\n<p>{text}</p>\n{body}</section>\n")
}

/// A table in a box that scrolls. Cells are HTML.
fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let head: Vec<String> = head.iter().map(|name| format!("<th>{name}")).collect();
    let row = |cells: Vec<String>| format!("<tr><th>{}\n", cells.join("<td>"));
    let rows: String = rows.into_iter().map(row).collect();
    format!(
        "<div class=scroll tabindex=0><table>\n<thead><tr>{}\n<tbody>\n{rows}</table></div>\n",
        head.concat()
    )
}

/// The runs of a page, with the names by which they are told apart.
struct Runs<'a> {
    reports: &'a [Report],
    names: Vec<String>,
}

impl<'a> Runs<'a> {
    fn new(reports: &'a [Report]) -> Self {
        let name = |(index, report): (usize, &Report)| {
            let same = |other: &&Report| other.name == report.name;
            let before = reports[..index].iter().filter(same).count();
            let number = match reports.iter().filter(same).count() {
                1 => String::new(),
                _ => format!(" ({})", before + 1),
            };
            let class = class(index);
            format!(
                "<b class=\"key {class}\">{}{number}</b>",
                escaped(&report.name)
            )
        };
        let names = reports.iter().enumerate().map(name).collect();
        Self { reports, names }
    }

    /// Each run with its name.
    fn each(&self) -> impl Iterator<Item = (&String, &'a Report)> {
        self.names.iter().zip(self.reports)
    }

    /// The games that the axes go to.
    fn games(&self) -> Axis {
        Axis::up_to(
            self.reports
                .iter()
                .map(|report| report.state.games)
                .max()
                .unwrap_or(0),
        )
    }

    /// What came of each run, and how far it went.
    fn outcomes(&self) -> String {
        let one = |(name, report): (&String, &Report)| {
            let name = if self.names.len() > 1 {
                format!("{name}: ")
            } else {
                String::new()
            };
            let verdict = escaped(&report.verdict);
            format!(
                "<p class=claim>{name}<strong>{verdict}</strong></p>\n<p>{}</p>\n",
                went(report)
            )
        };
        self.each().map(one).collect()
    }

    /// The score of each search, its challenges and its looks.
    fn scores(&self) -> String {
        let mut plot = Plot::new(720.0, 340.0, self.games(), self.shown());
        plot.level(0.0);
        for (index, report) in self.reports.iter().enumerate() {
            draw_score(&mut plot, &class(index), report);
        }
        let plot = plot.finish("Score against the start by games played");
        let rows = self.each().map(|(name, report)| {
            let recent = report.course.last().map(|point| point.recent);
            let ends = recent.and_then(|recent| recent.interval);
            let shown = |log: f64| signed(LogRatio(log).percent());
            let won = report
                .state
                .challenges
                .iter()
                .filter(|(one, _)| one.won)
                .count();
            vec![
                name.clone(),
                report.course.len().to_string(),
                grouped(report.state.games),
                recent.map_or("–".into(), |recent| shown(recent.mean)),
                ends.map_or("–".into(), |(low, high)| {
                    format!("{} to {}", shown(low), shown(high))
                }),
                format!("{won} of {}", report.state.challenges.len()),
            ]
        });
        let head = [
            "run",
            "generations",
            "games",
            "average, %",
            "95 %",
            "challenges won",
        ];
        let text = format!(
            "What the average of the search scores against the start (dashed), as a change of the \
             score: the mean over the last {RECENT} generations, on fresh seeds, in its 95 % \
             interval. ▲ a challenge that the average won: it is the best from then on; ▽ one that \
             it lost. ┃ a judgement: the best on held-out seeds, in the interval of its verdict."
        );
        let plot = format!("<div class=wide>{plot}</div>\n");
        section(
            "Score by games played",
            &text,
            &(plot + &table(&head, rows)),
        )
    }

    /// The range of scores: all means, and the intervals of looks and of the later generations. The
    /// first intervals are as wide as they are uncertain, and may be cut off.
    fn shown(&self) -> Axis {
        let of = |report: &'a Report| {
            let all = &report.course;
            let means = all.iter().map(|point| point.recent.mean);
            let later = all[all.len() / 2..].iter();
            let ends = later.filter_map(|point| point.recent.interval);
            let logs = means.chain(ends.flat_map(|(low, high)| [low, high]));
            let looks = report.state.looks.iter();
            let looks = looks.flat_map(|look| [look.interval.0, look.percent, look.interval.1]);
            logs.map(percent).chain(looks)
        };
        Axis::around(self.reports.iter().flat_map(of).chain([0.0]), 1.0, " %")
    }

    /// The names of the parameters that went furthest in any of the runs, by their steps.
    fn parameters(&self) -> Vec<&'a str> {
        let mut names: Vec<(f64, &str)> = Vec::new();
        for report in self.reports {
            for (at, axis) in report.config.axes.iter().enumerate() {
                let last = report
                    .course
                    .last()
                    .map_or(axis.start, |last| last.average[at]);
                let steps = (last - axis.start).abs() / axis.step;
                match names.iter_mut().find(|(_, name)| *name == axis.name) {
                    Some((furthest, _)) => *furthest = furthest.max(steps),
                    None => names.push((steps, &axis.name)),
                }
            }
        }
        names.sort_by(|a, b| b.0.total_cmp(&a.0));
        names.into_iter().take(MOST).map(|(_, name)| name).collect()
    }

    /// The course of each parameter, from its start on.
    fn paths(&self) -> String {
        let plots = self.parameters().into_iter().map(|name| {
            let mut lines = Vec::new();
            let (mut told, mut least, mut start) = (Vec::new(), 0.0_f64, None);
            for (index, report) in self.reports.iter().enumerate() {
                let mut axes = report.config.axes.iter();
                let Some(at) = axes.position(|axis| axis.name == name) else {
                    continue;
                };
                let axis = &report.config.axes[at];
                let each = report.course.iter();
                let each = each.map(|point| (point.games, point.average[at]));
                let line: Vec<_> = [(0.0, axis.start)].into_iter().chain(each).collect();
                let last = axis.rounded(line[line.len() - 1].1);
                told.push(format!(
                    "<span class=\"key {}\">{} → {last}</span>",
                    class(index),
                    axis.start
                ));
                least = least.max(LEAST * axis.step);
                start = start.or(Some(axis.start));
                lines.push((class(index), line));
            }
            let seen = lines.iter().flat_map(|(_, line)| line).map(|point| point.1);
            let mut plot = Plot::new(350.0, 150.0, self.games(), Axis::around(seen, least, ""));
            if let Some(start) = start {
                plot.level(start);
            }
            for (class, line) in &lines {
                plot.line(class, line);
            }
            format!(
                "<figure><figcaption><b>{name}</b> {}</figcaption>{}</figure>\n",
                told.join(" "),
                plot.finish(&format!("{name} by games played"))
            )
        });
        let plots: String = plots.collect();
        section(
            "Where the parameters went",
            "The average of the search by games played, from its start (dashed) on; what went furthest, \
             in its steps, comes first. Each axis shows what was visited.",
            &format!("<div class=plots>\n{plots}</div>\n"),
        )
    }

    /// All looks with their intervals.
    fn looks(&self) -> String {
        let rows = self.each().flat_map(|(name, report)| {
            report.state.looks.iter().map(move |look| {
                let against = match look.against {
                    0 => "the start".into(),
                    before => format!("the result of judgement {before}"),
                };
                let [mean, low, high] =
                    [look.percent, look.interval.0, look.interval.1].map(|x| signed(Percent(x)));
                vec![
                    name.clone(),
                    look.look.to_string(),
                    format!("generation {}", look.generation),
                    against,
                    grouped(look.seeds.count() as u64),
                    mean,
                    format!("{low} to {high}"),
                    if look.better {
                        "better"
                    } else {
                        "not shown to be better"
                    }
                    .into(),
                ]
            })
        });
        let rows: Vec<_> = rows.collect();
        if rows.is_empty() {
            return String::new();
        }
        let head = [
            "run",
            "judgement",
            "of",
            "against",
            "pairs",
            "change, %",
            "interval",
            "verdict",
        ];
        section(
            "Judgements",
            "The best against the start, or against the result so far, on held-out seeds, pair by pair \
             until that is decided. The intervals hold whenever the games end.",
            &table(&head, rows),
        )
    }

    /// The options of each run; where there are several, only those that differ.
    fn options(&self) -> String {
        let all: Vec<_> = self.reports.iter().map(options).collect();
        let rows = (0..all[0].len()).filter_map(|index| {
            let values: Vec<&String> = all.iter().map(|options| &options[index].1).collect();
            let differ = values.len() == 1 || values.iter().any(|value| *value != values[0]);
            let name = all[0][index].0.to_string();
            let cells = values.iter().map(|value| escaped(value));
            differ.then(|| [name].into_iter().chain(cells).collect())
        });
        let rows: Vec<Vec<String>> = rows.collect();
        if rows.is_empty() {
            return section("Options", "The runs have the same options.", "");
        }
        let head: Vec<&str> = ["option"]
            .into_iter()
            .chain(self.names.iter().map(String::as_str))
            .collect();
        let which = if self.names.len() > 1 {
            "Those that differ."
        } else {
            "All that decides the outcome, beside the start."
        };
        section("Options", which, &table(&head, rows))
    }
}

/// The class of a run's colour.
fn class(index: usize) -> String {
    format!("run{}", index % COLOURS)
}

/// The line of a run's score in its band, its challenges and its looks.
fn draw_score(plot: &mut Plot, class: &str, report: &Report) {
    let all = &report.course;
    let band = all.iter().filter_map(|point| {
        let (low, high) = point.recent.interval?;
        Some((point.games, percent(low), percent(high)))
    });
    plot.band(class, &band.collect::<Vec<_>>());
    let place = |point: &Point| (point.games, percent(point.recent.mean));
    plot.line(class, &all.iter().map(place).collect::<Vec<_>>());
    for (challenge, games) in &report.state.challenges {
        let before = all.get((challenge.generation as usize).wrapping_sub(1));
        let at = before.map_or(0.0, |point| place(point).1);
        let won = if challenge.won { "won" } else { "lost" };
        let told = format!(
            "Challenge {} after generation {}: {won}, {} % in {} pairs of games",
            challenge.challenge,
            challenge.generation,
            signed(LogRatio(challenge.gain).percent()),
            challenge.pairs
        );
        plot.mark(class, challenge.won, (*games as f64, at), &told);
    }
    for look in &report.state.looks {
        let (low, high) = look.interval;
        let mut challenges = report.state.challenges.iter();
        let judged = challenges.find(|(one, _)| one.generation == look.generation);
        let games = judged.map_or(0, |(_, games)| *games);
        plot.interval(
            class,
            games as f64,
            [low, look.percent, high],
            &look.verdict,
        );
    }
}

/// How far a run went, in plain words.
fn went(report: &Report) -> String {
    let so_far = format!(
        "{} and {} of at most {}",
        counted(report.course.len() as u64, "generation"),
        counted(report.state.games, "game"),
        grouped(report.state.limits.games)
    );
    match report.state.stopped {
        Some(reason) => format!("The search stopped after {so_far}: {reason}."),
        None => format!("So far there were {so_far}."),
    }
}

/// The options of a run, names and values.
fn options(report: &Report) -> Vec<(&'static str, String)> {
    let config = &report.config;
    let fitted = config.axes.iter().take(MOST);
    let mut fitted: Vec<String> = fitted
        .map(|axis| format!("{} {}", axis.name, axis.start))
        .collect();
    if config.axes.len() > MOST {
        fitted.push(format!("and {} more", config.axes.len() - MOST));
    }
    vec![
        ("objective", config.objective.to_string()),
        ("cases", config.cases.to_string()),
        ("work a game", format!("{} ms", config.work as f64 / 1000.0)),
        ("games at most", grouped(config.limits.games)),
        ("held-out pairs at most", grouped(config.most_pairs)),
        ("pairs a generation", config.pace.pairs.to_string()),
        ("noise", format!("{} steps", config.pace.noise)),
        ("rate", format!("{} steps", config.pace.rate)),
        ("seed", config.pace.seed.to_string()),
        ("fitted, from", fitted.join(", ")),
        (
            "build",
            format!("tuner {}, behaviour {}", config.tuner, config.behaviour),
        ),
    ]
}
