//! The page of a run.

use super::plot::{escaped, groups, shares, Axis, Group, Plot};
use super::{Report, Spent};
use crate::fit::runner::{Stage, RECENT};
use columns_judge::compare::{Comparison, Difference};
use columns_judge::stats::Estimate;
use std::fmt::Write as _;

/// The whole page.
pub(super) fn page(report: &Report) -> String {
    let title = format!("Fit “{}”", escaped(&report.name));
    let mut body = format!("<h1>{title}</h1>\n{}", summary(report));
    for (heading, text, drawing, numbers) in [
        Some(score(report)),
        Some(parameters(report)),
        Some(step_size(report)),
        held_out(report),
        time(report),
    ]
    .into_iter()
    .flatten()
    {
        let _ = write!(
            body,
            "<section><h2>{heading}</h2>\n<p>{text}</p>\n{drawing}\n\
             <details><summary>The numbers</summary>\n{numbers}</details></section>\n"
        );
    }
    format!(
        "<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n\
         <meta name=viewport content=\"width=device-width\">\n\
         <meta name=color-scheme content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n{body}</html>\n"
    )
}

/// Heading, text, drawing and the numbers behind it.
type Section = (&'static str, String, String, String);

/// What was asked for and what came of it.
fn summary(report: &Report) -> String {
    let config = &report.config;
    let done = report.generations.len();
    let claim = match &report.outcome {
        Some(outcome) => format!(
            "On the held-out seeds the fitted weights are <strong>{}</strong>: {}.",
            if outcome.is_better() {
                "better than the start"
            } else {
                "not shown to be better than the start"
            },
            escaped(&outcome.claim())
        ),
        None => format!(
            "The run has not ended: {done} of {} generations are done, nothing is validated yet.",
            config.generations
        ),
    };
    let fit_seeds = config
        .fit_seeds()
        .map_or(String::new(), |seeds| seeds.to_string());
    let rows = [
        (
            "objective",
            format!("{} ({})", config.objective, meaning(report)),
        ),
        ("cases", config.cases.to_string()),
        ("budget", format!("{} nodes a game", grouped(config.work))),
        (
            "generations",
            format!(
                "{done} of {}, {} candidates on {} seeds each",
                config.generations, config.population, config.games
            ),
        ),
        ("seeds to fit on", fit_seeds),
        ("held-out seeds", config.held_out.to_string()),
        (
            "search",
            format!("seed {}, first step size {}", config.seed, config.step_size),
        ),
        (
            "build",
            format!("tuner {}, behaviour {}", config.tuner, config.behaviour),
        ),
    ];
    let mut text = format!("<p class=claim>{claim}</p>\n<table class=facts>\n");
    for (name, value) in rows {
        let _ = writeln!(text, "<tr><th>{name}<td>{}", escaped(&value));
    }
    text + "</table>\n"
}

fn meaning(report: &Report) -> &'static str {
    match report.config.objective {
        crate::games::objective::Objective::Log => "the mean logarithm of the score a column",
        crate::games::objective::Objective::Sum => "the mean score",
        crate::games::objective::Objective::Ratio => "the mean of score / the start's score",
    }
}

/// The mean of the distribution against the start, generation by generation.
fn score(report: &Report) -> Section {
    let at = |generation: &crate::fit::record::Generation| f64::from(generation.generation);
    let dots: Vec<(f64, f64)> = report
        .generations
        .iter()
        .map(|(generation, _)| (at(generation), percent(generation.gain)))
        .collect();
    let line: Vec<(f64, f64)> = report
        .generations
        .iter()
        .map(|(generation, recent)| (at(generation), percent(recent.mean)))
        .collect();
    // With fewer generations an interval is mostly about how few they are.
    let band: Vec<(f64, f64, f64)> = report
        .generations
        .iter()
        .filter(|(generation, _)| generation.generation >= 5)
        .filter_map(|(generation, recent)| {
            let (low, high) = recent.interval?;
            Some((at(generation), percent(low), percent(high)))
        })
        .collect();
    // The dots have long tails: what the line and its band need decides, and most of the dots.
    let mut sizes: Vec<f64> = dots.iter().map(|dot| dot.1).collect();
    sizes.sort_by(f64::total_cmp);
    let inner = sizes.len() / 20;
    let kept = sizes[inner..sizes.len() - inner].iter().copied();
    let needed = line.iter().map(|point| point.1);
    let needed = needed.chain(band.iter().flat_map(|&(_, low, high)| [low, high]));
    let y = Axis::around(kept.chain(needed).chain([0.0])).unit(" %");
    let beyond = dots.iter().filter(|dot| !y.shows(dot.1)).count();
    let outside = match beyond {
        0 => String::new(),
        1 => " One dot lies outside.".into(),
        more => format!(" {more} dots lie outside."),
    };
    let drawing = Plot::new(720, 300, generations(report), y)
        .level("start", 0.0)
        .band("mean", &band)
        .dots("single", &dots)
        .line("mean", &line)
        .finish("Score of the mean against the start by generation");
    let rows = report.generations.iter().map(|(generation, recent)| {
        let [mean, lowest, highest] = generation.candidates;
        vec![
            generation.generation.to_string(),
            generation.seeds.to_string(),
            number(generation.start),
            number(generation.mean),
            number(mean),
            number(lowest),
            number(highest),
            signed(percent(generation.gain)),
            signed(percent(recent.mean)),
            interval(
                recent
                    .interval
                    .map(|(low, high)| (percent(low), percent(high))),
            ),
        ]
    });
    (
        "Score by generation",
        format!(
            "What the mean of the distribution scores against the start, on each generation’s fresh seeds, as a change \
             of score (mean of the logarithms). A dot is one generation; the line is the mean of the last {RECENT}, with \
             its 95 % interval.{outside}"
        ),
        drawing,
        table(
            &[
                "generation",
                "seeds",
                "start",
                "mean",
                "candidates",
                "lowest",
                "highest",
                "mean − start, %",
                "last 20, %",
                "95 %",
            ],
            rows,
        ),
    )
}

/// Every parameter's path between its bounds.
fn parameters(report: &Report) -> Section {
    let mut drawing = String::from("<div class=grid-of-plots>\n");
    for (index, axis) in report.config.parameters.iter().enumerate() {
        let each = |value: fn(f64, f64) -> f64| -> Vec<(f64, f64)> {
            let generations = report.generations.iter();
            generations
                .map(|(generation, _)| {
                    let value = value(generation.values[index], generation.deviations[index]);
                    let x = f64::from(generation.generation);
                    (x, value.clamp(axis.lowest, axis.highest))
                })
                .collect()
        };
        let band: Vec<(f64, f64, f64)> = each(|value, deviation| value - deviation)
            .into_iter()
            .zip(each(|value, deviation| value + deviation))
            .map(|((x, low), (_, high))| (x, low, high))
            .collect();
        let path = each(|value, _| value);
        let last = path.last().map_or(axis.start, |point| point.1);
        let bounds = Axis::new(axis.lowest, axis.highest);
        let plot = Plot::new(340, 140, generations(report), bounds)
            .level("start", axis.start)
            .band("parameter", &band)
            .line("parameter", &path)
            .finish(&format!("{} by generation", axis.name));
        let _ = writeln!(
            drawing,
            "<figure><figcaption><b>{}</b> {} → {}</figcaption>{plot}</figure>",
            escaped(&axis.name),
            axis.start,
            axis.rounded(last)
        );
    }
    drawing += "</div>";
    let mut head = vec!["generation"];
    head.extend(
        report
            .config
            .parameters
            .iter()
            .map(|axis| axis.name.as_str()),
    );
    let rows =
        report.generations.iter().map(|(generation, _)| {
            let mut cells = vec![generation.generation.to_string()];
            let values = generation.values.iter().zip(&generation.deviations);
            cells.extend(values.zip(&report.config.parameters).map(
                |((value, deviation), axis)| {
                    format!("{} ± {}", axis.rounded(*value), significant(*deviation))
                },
            ));
            cells
        });
    (
        "Parameters",
        "The mean of the distribution between the bounds of each parameter, with one standard deviation to either side; \
         dashed: the start. A band as wide as its plot says that the games so far do not tell which value is better."
            .into(),
        drawing,
        table(&head, rows),
    )
}

/// Step size and learning rates.
fn step_size(report: &Report) -> Section {
    let each = |value: fn(&crate::fit::record::Generation) -> f64| -> Vec<(f64, f64)> {
        let generations = report.generations.iter();
        generations
            .map(|(g, _)| (f64::from(g.generation), value(g)))
            .collect()
    };
    let sigma = each(|g| g.sigma);
    let (mean, covariance) = (each(|g| g.rates[0]), each(|g| g.rates[1]));
    let steps = Plot::new(
        720,
        200,
        generations(report),
        Axis::ratios(sigma.iter().map(|p| p.1)),
    )
    .line("mean", &sigma)
    .finish("Step size by generation");
    let both = mean.iter().chain(&covariance).map(|point| point.1);
    let rates = Plot::new(720, 200, generations(report), Axis::ratios(both))
        .line("mean", &mean)
        .line("parameter", &covariance)
        .finish("Learning rates by generation");
    let rows = report.generations.iter().map(|(generation, _)| {
        vec![
            generation.generation.to_string(),
            significant(generation.sigma),
            significant(generation.rates[0]),
            significant(generation.rates[1]),
        ]
    });
    (
        "Step size and learning rates",
        "Above: the step size of the search, in steps of the parameters. Below: the learning rates of \
         <span class=\"key mean\">the mean</span> and of <span class=\"key parameter\">the covariance</span>, 1 at \
         the most; the noisier the games, the lower they go."
            .into(),
        format!("{steps}\n{rates}"),
        table(
            &["generation", "step size", "rate of the mean", "rate of the covariance"],
            rows,
        ),
    )
}

/// The validation, group by group.
fn held_out(report: &Report) -> Option<Section> {
    let outcome = report.outcome.as_ref()?;
    let comparison = &outcome.validation;
    let group = |(name, difference): (&str, &Difference)| Group {
        name: format!("{name} ({})", difference.cases),
        mean: difference.log_percent.mean,
        interval: difference.log_percent.interval,
    };
    let all: Vec<Group> = rows_of(comparison).map(group).collect();
    let rows = rows_of(comparison).map(|(name, difference)| {
        let sum = difference.sum_percent;
        let shown = |estimate: &Estimate| signed(estimate.mean);
        vec![
            name.to_string(),
            difference.cases.to_string(),
            format!("{:.0}", difference.mean_a),
            format!("{:.0}", difference.mean_b),
            shown(&difference.log_percent),
            interval(difference.log_percent.interval),
            sum.as_ref().map_or("–".into(), shown),
            interval(sum.and_then(|estimate| estimate.interval)),
            difference.wins.to_string(),
            difference.losses.to_string(),
            difference.ties.to_string(),
            format!("{:.4}", difference.wilcoxon_p),
        ]
    });
    Some((
        "Held-out seeds",
        format!(
            "The fitted weights against the start on seeds {} that the fit has not seen: change of score (mean of the \
             logarithms) with its 95 % interval, and in parentheses the number of cases. Groups are no separate tests: of \
             a dozen of them about one in two runs leaves out zero by chance somewhere.",
            outcome.held_out
        ),
        groups(&all, "Change of score by group"),
        table(
            &[
                "cases", "number", "mean, start", "mean, fitted", "log score, %", "95 %", "score, %", "95 %", "won",
                "lost", "tied", "p",
            ],
            rows,
        ),
    ))
}

fn rows_of(comparison: &Comparison) -> impl Iterator<Item = (&str, &Difference)> {
    let classes = comparison.classes.iter();
    std::iter::once(("all", &comparison.all))
        .chain(classes.map(|class| (class.name.as_str(), &class.difference)))
}

/// Where the time went.
fn time(report: &Report) -> Option<Section> {
    let (fit, validation) = (report.spent(false), report.spent(true));
    let games = fit.games + validation.games;
    if games == 0 {
        return None;
    }
    let sum = |part: fn(&Spent) -> f64| part(&fit) + part(&validation);
    let (played, own, idle) = (sum(|s| s.games_s), sum(|s| s.own_s), sum(|s| s.idle_s));
    let bar = shares(
        &[("games", played), ("own", own), ("idle", idle)],
        "Where the processors' time went",
    );
    let speed: Vec<(f64, f64)> = report
        .timings
        .iter()
        .filter_map(|timing| match timing.stage {
            Stage::Generation(number) if timing.wall_s > 0.0 => {
                Some((f64::from(number), timing.games as f64 / timing.wall_s))
            }
            _ => None,
        })
        .collect();
    let highest = speed.iter().map(|point| point.1).fold(0.0, f64::max);
    let drawing = if speed.is_empty() {
        String::new()
    } else {
        Plot::new(
            720,
            200,
            generations(report),
            Axis::new(0.0, 1.05 * highest),
        )
        .line("mean", &speed)
        .finish("Games a second by generation")
    };
    let rows = [("generations", fit), ("validation", validation)].map(|(name, spent)| {
        vec![
            name.into(),
            grouped(spent.games as u64),
            duration(spent.wall_s),
            format!("{:.1}", spent.games as f64 / spent.wall_s.max(1e-9)),
            format!("{:.1}", spent.games_s),
            format!("{:.1}", spent.own_s),
            format!("{:.1}", spent.idle_s),
        ]
    });
    Some((
        "Where the time went",
        format!(
            "{} games in {}. Of the processors’ time <span class=\"key games\">{:.1} % went into games</span>, \
             <span class=\"key own\">{:.2} % into the tuner itself</span>, and <span class=\"key idle\">{:.1} % into \
             waiting and other programs</span>. Below: games a second, by generation.",
            grouped(games as u64),
            duration(fit.wall_s + validation.wall_s),
            100.0 * played / (played + own + idle),
            100.0 * own / (played + own + idle),
            100.0 * idle / (played + own + idle),
        ),
        format!("{bar}\n{drawing}"),
        table(
            &["stage", "games", "wall time", "games/s", "in games, s", "in the tuner, s", "waiting, s"],
            rows.into_iter(),
        ),
    ))
}

fn generations(report: &Report) -> Axis {
    Axis::new(1.0, report.generations.len().max(2) as f64)
}

fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut text = String::from("<div class=scroll><table>\n<tr>");
    for name in head {
        let _ = write!(text, "<th>{}", escaped(name));
    }
    text.push('\n');
    for row in rows {
        text += "<tr>";
        for cell in row {
            let _ = write!(text, "<td>{}", escaped(&cell));
        }
        text.push('\n');
    }
    text + "</table></div>\n"
}

/// A difference of logarithms as a change in percent.
fn percent(log: f64) -> f64 {
    100.0 * log.exp_m1()
}

fn signed(value: f64) -> String {
    format!("{value:+.2}").replace('-', "−")
}

fn interval(interval: Option<(f64, f64)>) -> String {
    interval.map_or("–".into(), |(low, high)| {
        format!("{} to {}", signed(low), signed(high))
    })
}

/// A number of any size, to a few digits.
fn number(value: f64) -> String {
    let text = if value.abs() < 1000.0 {
        format!("{value:.4}")
    } else {
        format!("{value:.0}")
    };
    text.replace('-', "−")
}

/// A number above 0 to three digits.
fn significant(value: f64) -> String {
    let decimals = (2.0 - value.abs().max(1e-12).log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{value:.decimals$}")
}

/// A count with its digits in groups of three.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).unwrap_or_default())
        .collect();
    groups.join(",")
}

fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, 0, _) => format!("{seconds:.1} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

/// Colours by Okabe and Ito, told apart by nearly everybody.
const STYLE: &str = include_str!("style.css");
