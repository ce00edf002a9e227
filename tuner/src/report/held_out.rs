//! The section of the judgement on held-out seeds.

use super::bars::{rows, Kind, Row};
use super::page::Section;
use super::plot::at_both_widths;
use super::text::{escaped, interval, signed, table};
use super::Report;
use columns_core::text::grouped;
use columns_judge::compare::{Comparison, Difference};
use columns_judge::stats::Estimate;

/// The judgement, group by group, if there was one.
pub(super) fn section(report: &Report) -> Option<Section> {
    let judged = report.outcome.as_ref()?.judged.as_ref()?;
    let comparison = &judged.comparison;
    let all: Vec<Row> = groups(comparison)
        .map(|(name, difference)| Row {
            name: format!("{name} ({})", difference.cases),
            mean: difference.log_percent.mean,
            interval: difference.log_percent.interval,
        })
        .collect();
    let cells = groups(comparison).map(|(name, difference)| {
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
    let head = [
        "cases",
        "number",
        "mean, start",
        "mean, best",
        "log score, %",
        "95 %",
        "score, %",
        "95 %",
        "won",
        "lost",
        "tied",
        "p",
    ];
    let earlier = if report.has_ended() {
        ""
    } else {
        " This was when the run last stopped; it has gone on since."
    };
    Some(Section {
        heading: "Held-out seeds",
        text: format!(
            "Look {}: the best weights against the start on {} pairs of games with the seeds {}, \
             which the search has not seen.{earlier} {} That interval may be looked at at any time. \
             Below: change of score (mean of the logarithms) by group, with the usual 95 % \
             intervals and, in parentheses, the number of cases. Groups are no separate tests: of a \
             dozen of them about one in two runs leaves out zero by chance somewhere.",
            judged.look,
            grouped(comparison.all.cases as u64),
            judged.held_out,
            escaped(&judged.verdict)
        ),
        drawing: at_both_widths(|width| rows(width, Kind::Dots, &all, "Change of score by group")),
        numbers: table(&head, cells),
    })
}

fn groups(comparison: &Comparison) -> impl Iterator<Item = (&str, &Difference)> {
    let classes = comparison.classes.iter();
    std::iter::once(("all", &comparison.all))
        .chain(classes.map(|class| (class.name.as_str(), &class.difference)))
}
