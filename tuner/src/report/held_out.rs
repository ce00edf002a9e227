//! The section of the looks at held-out seeds.

use super::bars::{rows, Kind, Row};
use super::page::Section;
use super::plot::at_both_widths;
use super::text::{escaped, interval, signed, table};
use super::Report;
use crate::experiment::event::Look;
use columns_core::text::grouped;

fn row(look: &Look) -> Row {
    Row {
        name: format!("judgement {}", look.look),
        mean: look.percent,
        interval: Some(look.interval),
    }
}

/// The looks, if there were any.
pub(super) fn section(report: &Report) -> Option<Section> {
    let last = report.looks.last()?;
    let all: Vec<Row> = report.looks.iter().map(row).collect();
    let cells = report.looks.iter().map(|look| {
        let against = match look.against {
            0 => "the start".into(),
            before => format!("the result of judgement {before}"),
        };
        vec![
            look.look.to_string(),
            look.generation.to_string(),
            against,
            grouped(look.seeds.count() as u64),
            signed(look.percent),
            interval(Some(look.interval)),
            if look.better {
                "better"
            } else {
                "not shown to be better"
            }
            .into(),
        ]
    });
    let head = [
        "judgement",
        "of generation",
        "against",
        "pairs",
        "change of score, %",
        "interval",
        "result",
    ];
    let earlier = if report.has_ended() {
        ""
    } else {
        " The run has gone on since."
    };
    Some(Section {
        heading: "Held-out seeds",
        text: format!(
            "The best of the search against the start, or against the result so far, on seeds that \
             the search has not seen.{earlier} {} The intervals may be looked at at any time.",
            escaped(&last.verdict)
        ),
        drawing: at_both_widths(|width| rows(width, Kind::Dots, &all, "Change of score by look")),
        numbers: table(&head, cells),
    })
}
