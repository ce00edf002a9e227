//! The sections of the parameters: the gain by each, and the course of its value.

use super::axis::Axis;
use super::bars::{rows, Kind, Row};
use super::credit::{credit, Credit};
use super::page::Section;
use super::plot::{at_both_widths, Plot};
use super::text::{escaped, interval, signed, table};
use super::Report;
use crate::experiment::event::Generation;
use std::fmt::Write as _;

/// The least that the axis of a parameter shows, in its steps.
pub(super) const LEAST: f64 = 0.5;

/// The gain by each parameter.
fn credits(report: &Report) -> Vec<Credit> {
    let axes = &report.config.axes;
    let all: Vec<&Generation> = report.generations.iter().map(|d| &d.generation).collect();
    (0..axes.len())
        .map(|index| credit(axes, &all, index..index + 1))
        .collect()
}

/// The parameters, the one that brought most first.
fn order(credits: &[Credit]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..credits.len()).collect();
    order.sort_by(|&a, &b| credits[b].sum.total_cmp(&credits[a].sum));
    order
}

/// An estimate in percent, with an interval of 95 %.
fn row(report: &Report, name: &str, credit: Credit) -> Row {
    let at = |errors: f64| report.percent(credit.sum + errors * credit.error.unwrap_or(0.0));
    Row {
        name: name.into(),
        mean: at(0.0),
        interval: credit.error.map(|_| (at(-1.96), at(1.96))),
    }
}

/// Which parameters mattered.
pub(super) fn mattered(report: &Report) -> Section {
    let axes = &report.config.axes;
    let all: Vec<&Generation> = report.generations.iter().map(|d| &d.generation).collect();
    let credits = credits(report);
    let bars: Vec<Row> = order(&credits)
        .into_iter()
        .map(|index| row(report, &axes[index].name, credits[index]))
        .collect();
    let sum = row(report, "all together", credit(axes, &all, 0..axes.len()));
    let drawing = at_both_widths(|width| {
        let told = "What the movement of each parameter brought";
        rows(width, Kind::Bars, &bars, told)
    });
    let table_rows = bars
        .iter()
        .chain([&sum])
        .map(|row| vec![row.name.clone(), signed(row.mean), interval(row.interval)]);
    let ends = sum.interval.map_or(String::new(), |_| {
        format!(" (95 % sure: {})", interval(sum.interval))
    });
    Section {
        heading: "Which parameters mattered",
        text: format!(
            "What the movement of each parameter brought, in percent of the score: the sum over \
             all generations of the movement times the slope that the next generation measured, on \
             games that had no part in the movement. The thin line is the 95 % interval. All \
             together: <strong>{} %</strong>{ends}; {}. The two need not agree: slopes are \
             measured with all parameters changed at random, and what helps then need not help the \
             average, which is the result. Also, slopes become less on the way to a summit, which \
             makes the sum smaller. The last generation is left out.",
            signed(sum.mean),
            measured(report)
        ),
        drawing,
        numbers: table(&["parameter", "brought, %", "95 %"], table_rows),
    }
}

/// The gain that was measured by separate games.
fn measured(report: &Report) -> String {
    let look = report.looks.iter().rfind(|look| look.against == 0);
    if let (true, Some(look)) = (report.has_ended(), look) {
        return format!(
            "measured on the held-out seeds: {} % ({})",
            signed(look.percent),
            interval(Some(look.interval))
        );
    }
    let recent = report.generations.last().map(|done| done.recent);
    let recent = recent.map(|recent| recent.map(super::text::percent));
    recent.map_or(String::new(), |gain| {
        format!(
            "measured in the last generations, as log score: {} % ({})",
            signed(gain.mean),
            interval(gain.interval)
        )
    })
}

/// The course of each parameter.
pub(super) fn paths(report: &Report) -> Section {
    let axes = &report.config.axes;
    let order = order(&credits(report));
    let x = Axis::counts(report.generations.len() as u64);
    let mut drawing = String::from("<div class=grid-of-plots>\n");
    for &index in &order {
        let axis = &axes[index];
        // The start is generation 0.
        let path = |value: fn(&Generation) -> &[f64]| -> Vec<(f64, f64)> {
            let each = report.generations.iter().map(|done| &done.generation);
            let each = each.map(|one| (f64::from(one.generation), value(one)[index]));
            [(0.0, axis.start)].into_iter().chain(each).collect()
        };
        let (centre, average) = (path(|one| &one.centre), path(|one| &one.average));
        let seen = centre.iter().chain(&average).map(|point| point.1);
        let last = average.last().map_or(axis.start, |point| point.1);
        let plot = Plot::new(340, 150, x, Axis::around(seen, LEAST * axis.step))
            .level("start", axis.start)
            .line("centre", &centre)
            .line("parameter", &average)
            .finish(&format!("{} by generation", axis.name));
        let _ = writeln!(
            drawing,
            "<figure><figcaption><b>{}</b> {} → {} <span class=range>may be from {} to {}</span>\
             </figcaption>{plot}</figure>",
            escaped(&axis.name),
            axis.start,
            axis.rounded(last),
            axis.lowest,
            axis.highest
        );
    }
    drawing += "</div>";
    let numbers = ["average", "centre"].map(|which| {
        let mut head = vec!["generation"];
        head.extend(order.iter().map(|&index| axes[index].name.as_str()));
        let rows = report.generations.iter().map(|done| {
            let values = match which {
                "average" => &done.generation.average,
                _ => &done.generation.centre,
            };
            let values = order
                .iter()
                .map(|&i| axes[i].rounded(values[i]).to_string());
            let number = done.generation.generation.to_string();
            [number].into_iter().chain(values).collect::<Vec<String>>()
        });
        format!("<p>The {which}:</p>\n{}", table(&head, rows))
    });
    Section {
        heading: "Where each parameter went",
        text:
            "By generation: thin, the centre of the search; thick, the average of the centres, of \
               which the later ones count more, and which is what a fit finds; dashed, the start. \
               The one that brought most comes first. Each axis shows what was visited."
                .into(),
        drawing,
        numbers: numbers.concat(),
    }
}
