//! The table of a comparison: all pairs of games, and the pairs of each kind of case.

use columns_cli::table::aligned;
use columns_stats::table::{Row, Table};
use std::iter;

/// The remark below a table if a sequential test decided how many games were played.
pub(crate) const FIXED_COUNT: &str = "The intervals of a table are for a number of games fixed beforehand: where the games ended early \
     they are too narrow.\n";

/// Formats a table with a header.
pub(crate) fn of_pairs(table: &Table) -> String {
    let header = "B against A|pairs|mean A|mean B|score|95 %|won|lost|tied";
    let rows = iter::once(&table.all).chain(&table.classes);
    let header: Vec<&str> = header.split('|').collect();
    aligned(header, rows.map(cells))
}

fn cells(row: &Row) -> [String; 9] {
    let interval = row.percent.interval;
    let interval = interval.map(|(low, high)| format!("{low:+.2} to {high:+.2}"));
    [
        row.name.into(),
        row.pairs.to_string(),
        format!("{:.0}", row.mean_a),
        format!("{:.0}", row.mean_b),
        format!("{:+.2} %", row.percent.mean),
        interval.unwrap_or("-".into()),
        row.wins.to_string(),
        row.losses.to_string(),
        row.ties.to_string(),
    ]
}
