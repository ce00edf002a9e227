//! The page of one or several runs: a self-contained HTML file with the outcome of each run, plots
//! of the score and of the parameters by games played, and the judgements.

mod plot;

use crate::bot_player::{beam_width_text, narrow_beam_warning};
use crate::experiment::folder::{PAGE_FILE, PART_SUFFIX};
use crate::experiment::state::{RECENT_GENERATIONS, RunState};
use crate::player::Player;
use crate::search::{axis::Axis, space::Target};
use anyhow::Result;
use columns_cli::{file, options::duration_text, output::count_text};
use columns_core::text::group_digits;
use columns_stats::{Estimate, Objective};
use plot::{Plot, PlotRange, escape_html};
use std::{fmt::Write as _, iter::once, path::Path};

/// The number of colours that distinguish runs. If there are more runs, they use the same colours again.
const RUN_COLOURS: usize = 6;

/// The maximum number of parameters on the page.
const MAX_PARAMETERS_SHOWN: usize = 24;

/// The minimum range of the vertical axis in a parameter's plot, in steps of that parameter.
const MIN_RANGE_STEPS: f64 = 0.5;

const STYLE: &str = include_str!("style.css");

/// A run to draw, whether it has ended or not.
#[derive(Debug, Clone)]
pub struct Report<'a> {
    /// The path of the folder, as the user gave it.
    name: String,
    state: &'a RunState,
}

impl<'a> Report<'a> {
    /// Creates the report of a run in this state. The page names the run by the path of its folder.
    pub fn new(folder: &Path, state: &'a RunState) -> Self {
        let name = folder.display().to_string();
        Self { name, state }
    }

    /// Lists a point for each generation that has an estimate: the number of games at its end, and its
    /// [`RunState::estimate_recent_change`].
    fn scores(&self) -> Vec<(f64, Estimate)> {
        let points = (1..).zip(&self.state.search_game_counts);
        let points = points.filter_map(|(count, &games)| {
            let recent = self.state.estimate_recent_change(count)?;
            Some((games as f64, recent))
        });
        points.collect()
    }
}

/// Writes the page of a run into its folder. If `is_live`, a process is working on the run, and the page
/// refreshes itself.
///
/// # Errors
/// Returns an error if the file cannot be written. The error names the file.
pub fn write_page(folder: &Path, state: &RunState, is_live: bool) -> Result<()> {
    let path = folder.join(PAGE_FILE);
    let page = render_html(&[Report::new(folder, state)], is_live);
    file::write_with_suffix(&path, PART_SUFFIX, page.as_bytes())
}

/// Returns the page of a run, or of several runs in the same plots. It refreshes itself if `is_live`.
pub fn render_html(reports: &[Report], is_live: bool) -> String {
    let title = match reports {
        [report] => escape_html(&format!("Fit “{}”", report.name)),
        _ => format!("{} fits", reports.len()),
    };
    let games = reports
        .iter()
        .map(|report| report.state.search_game_count)
        .max();
    let games = PlotRange::from_zero(games.unwrap_or(0));
    let refresh = if is_live {
        "<meta http-equiv=refresh content=10>\n"
    } else {
        ""
    };
    let outcomes = paragraphs(reports, |report| {
        let verdict = escape_html(&verdict(report.state));
        format!("<strong>{verdict}</strong><br>{}", course(report))
    });
    format!(
        include_str!("page.html"),
        refresh = refresh,
        title = title,
        style = STYLE,
        outcomes = outcomes,
        recent = RECENT_GENERATIONS,
        scores = scores(reports, games),
        plots = parameters(reports, games),
        judgements = paragraphs(reports, judgements),
        options = paragraphs(reports, options),
    )
}

/// Returns the CSS class with the colour of a run.
fn class(index: usize) -> String {
    format!("run{}", index % RUN_COLOURS)
}

/// Returns a paragraph for each run. If there are several runs, each paragraph begins with the name
/// of its run.
fn paragraphs(reports: &[Report], text: impl Fn(&Report) -> String) -> String {
    let paragraphs = reports.iter().enumerate().map(|(index, report)| {
        let (class, name) = (class(index), escape_html(&report.name));
        let name = match reports {
            [_] => String::new(),
            _ => format!("<b class=\"key {class}\">{name}</b>: "),
        };
        format!("<p>{name}{}</p>\n", text(report))
    });
    paragraphs.collect()
}

/// Formats the verdict of each judgement as a line of HTML; `None.` if there are no judgements.
fn judgements(report: &Report) -> String {
    let judgements = report.state.judgements.iter();
    let lines =
        judgements.map(|one| format!("Generation {}. {}", one.generation, one.verdict_text));
    let lines: Vec<String> = lines.map(|line| escape_html(&line)).collect();
    match &lines[..] {
        [] => "None.".into(),
        lines => lines.join("<br>"),
    }
}

/// Returns the verdict on a run, with a remark if the run has not ended.
fn verdict(state: &RunState) -> String {
    let verdict = state.verdict_text();
    match state.judgements.last() {
        _ if state.has_ended => verdict,
        Some(_) => format!("The run has not ended. So far: {verdict}"),
        None => "The run has not ended, and nothing is judged yet.".into(),
    }
}

/// Describes the course of a run: its games, why the search stopped, the width of the beams, and
/// the score of the average.
fn course(report: &Report) -> String {
    let state = report.state;
    let most = state.limits.max_games.map(group_digits);
    let so_far = format!(
        "{} and {}{}",
        count_text(state.generations.len(), "generation"),
        count_text(state.search_game_count as usize, "game"),
        most.map_or(String::new(), |most| format!(" of at most {most}"))
    );
    let mut text = match state.stop_reason {
        Some(reason) => format!("The search stopped after {so_far}: {reason}."),
        None => format!("So far there were {so_far}."),
    };
    if !state.failed_games.is_empty() {
        let _ = write!(text, " {}.", state.failed_games);
    }
    if let Some(width) = state.mean_beam_width() {
        let _ = match narrow_beam_warning(width) {
            None => write!(
                text,
                " The beams are {} wide on average.",
                beam_width_text(width)
            ),
            Some(warning) => write!(
                text,
                " <strong>Warning: {warning}: compare with <code>--work 100</code> before you \
                 submit.</strong>"
            ),
        };
    }
    let Some(recent) = state.estimate_recent_change(state.generations.len()) else {
        return text;
    };
    format!(
        "{text} Its average scores {} against the start {}; it won {} of {}.",
        recent.percent_text().replace('-', "−"),
        match state.config.objective {
            Objective::Log => "by the mean logarithm",
            Objective::Sum => "by the sum of scores",
        },
        state
            .challenges
            .iter()
            .filter(|(one, _)| one.is_won)
            .count(),
        count_text(state.challenges.len(), "challenge")
    )
}

/// Returns the options of a run as on a command line, and the version of the tuner.
fn options(report: &Report) -> String {
    let (config, limits) = (&report.state.config, &report.state.limits);
    let mut text = match &config.start {
        Player::Bot { work_us, .. } => format!("--work {}", *work_us as f64 / 1000.0),
        Player::Program(program) => format!(
            "--bot {} --time-limit {} --memory-limit {}",
            shell_words::quote(&program.command),
            program.time_limit_s,
            program.memory_limit_mib
        ),
    };
    let settings = config.settings;
    let _ = write!(
        text,
        " {} --objective {} --pairs {} --noise {} --learning-rate {} --seed {} --max-pairs {}",
        config.case_spec,
        config.objective,
        settings.pairs_per_generation,
        settings.noise,
        settings.learning_rate,
        settings.seed,
        report.state.max_pairs()
    );
    if let Some(games) = limits.max_games {
        let _ = write!(text, " --games {games}");
    }
    if let Some(seconds) = limits.max_time_s {
        let _ = write!(text, " --max-time {}", duration_text(seconds));
    }
    match config.target {
        Target::Network => text += " --network",
        Target::Weights => {
            let names: Vec<&str> = config.axes.iter().map(|axis| &*axis.name).collect();
            let _ = write!(text, " --parameters {}", names.join(","));
        }
        Target::Program => {}
    }
    let version = &config.tuner_version;
    format!("<code>{}</code> (tuner {version})", escape_html(&text))
}

/// Draws the scores of the runs, with their challenges and judgements.
fn scores(reports: &[Report], games: PlotRange) -> String {
    let values = reports.iter().flat_map(visible_scores).chain([0.0]);
    let mut plot = Plot::new(720.0, 340.0, games, PlotRange::around(values, 1.0, " %"));
    plot.draw_horizontal_line(0.0);
    for (index, report) in reports.iter().enumerate() {
        draw_score(&mut plot, &class(index), report);
    }
    plot.into_svg("Score against the start by games played")
}

/// Lists the scores of a run that its plot must include: all means, the intervals of judgements, and the
/// intervals of the second half of the generations. The first intervals are wide, and the plot may truncate
/// them.
fn visible_scores<'a>(report: &Report<'a>) -> impl Iterator<Item = f64> + 'a {
    let all = report.scores();
    let half = all.len() / 2;
    let scores = all
        .into_iter()
        .enumerate()
        .flat_map(move |(index, (_, score))| {
            let (low, high) = score.interval.filter(|_| index >= half).unzip();
            [Some(score.mean), low, high]
        });
    let judgements = report.state.judgements.iter();
    let judgements = judgements
        .flat_map(|one| {
            [
                Some(one.interval.0),
                one.percent_change,
                Some(one.interval.1),
            ]
        })
        .flatten();
    scores.flatten().chain(judgements)
}

/// Draws the score of a run as a line in the band of its intervals, with its challenges and
/// judgements.
fn draw_score(plot: &mut Plot, class: &str, report: &Report) {
    let all = report.scores();
    let band = all.iter().filter_map(|(games, score)| {
        let (low, high) = score.interval?;
        Some((*games, low, high))
    });
    plot.draw_band(class, &band.collect::<Vec<_>>());
    let means = all.iter().map(|(games, score)| (*games, score.mean));
    plot.draw_line(class, &means.collect::<Vec<_>>());
    for (challenge, games) in &report.state.challenges {
        let change = report
            .state
            .estimate_recent_change(challenge.generation as usize);
        let mean = change.map_or(0.0, |change| change.mean);
        let title = challenge.to_string().replace('-', "−");
        plot.draw_triangle(class, challenge.is_won, (*games as f64, mean), &title);
    }
    for judgement in &report.state.judgements {
        let mut challenges = report.state.challenges.iter();
        let judged = challenges.find(|(one, _)| one.generation == judgement.generation);
        let games = judged.map_or(0.0, |(_, games)| *games as f64);
        let (low, high) = judgement.interval;
        plot.draw_interval(
            class,
            games,
            [
                low,
                judgement.percent_change.unwrap_or(f64::midpoint(low, high)),
                high,
            ],
            &judgement.verdict_text,
        );
    }
}

/// The course of a parameter in one run: the CSS class of the run, the axis, and pairs of a number of games
/// and the value after them. The first pair is the start.
type Course<'a> = (String, &'a Axis, Vec<(f64, f64)>);

/// Returns the courses of a parameter in all runs that fit it.
fn courses<'a>(reports: &[Report<'a>], name: &str) -> Vec<Course<'a>> {
    let course = |(index, report): (usize, &Report<'a>)| {
        let axes = report.state.space.axes();
        let at = axes.iter().position(|axis| axis.name == name)?;
        let state = report.state;
        let points = state.search_game_counts.iter().zip(&state.generations);
        let points = points.filter_map(|(&games, one)| Some((games as f64, *one.average.get(at)?)));
        let points = once((0.0, axes[at].start)).chain(points);
        Some((class(index), &axes[at], points.collect()))
    };
    reports.iter().enumerate().filter_map(course).collect()
}

/// Draws the parameters that moved furthest, measured in their steps.
fn parameters(reports: &[Report], games: PlotRange) -> String {
    let mut all: Vec<(f64, f64, Vec<Course>)> = Vec::new();
    for axis in reports.iter().flat_map(|report| &report.state.config.axes) {
        if !all.iter().any(|(.., same)| same[0].1.name == axis.name) {
            let same = courses(reports, &axis.name);
            let distance = |(_, axis, points): &Course| {
                let last = points.last().map_or(axis.start, |point| point.1);
                axis.coordinate(last).abs()
            };
            let distance = same.iter().map(distance).fold(0.0, f64::max);
            all.push((distance, axis.start, same));
        }
    }
    all.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
    let furthest = all.iter().take(MAX_PARAMETERS_SHOWN);
    let plots = furthest.map(|(_, start, same)| parameter(same, *start, games));
    plots.collect()
}

/// Draws the plot of a parameter, with its course in each run, and a line at the start of the first run.
fn parameter(same: &[Course], start: f64, games: PlotRange) -> String {
    let (_, axis, _) = same[0];
    let values = same.iter().flat_map(|(.., points)| points);
    let values = values.map(|point| point.1).chain([start]);
    let range = PlotRange::around(values, MIN_RANGE_STEPS * axis.step, "");
    let mut plot = Plot::new(350.0, 150.0, games, range);
    plot.draw_horizontal_line(start);
    let ends = same.iter().map(|(class, axis, points)| {
        plot.draw_line(class, points);
        let last = axis.round(points[points.len() - 1].1);
        let [start, last] = [axis.start, last].map(|value| escape_html(&axis.format(value)));
        format!(" <span class=\"key {class}\">{start} → {last}</span>")
    });
    let caption = format!(
        "<b>{}</b>{}",
        escape_html(&axis.name),
        ends.collect::<String>()
    );
    let svg = plot.into_svg(&format!("{} by games played", axis.name));
    format!("<figure><figcaption>{caption}</figcaption>{svg}</figure>\n")
}
