//! A run as text: a row for each game, and what it comes to.

use crate::row::{Mark, Row};
use crate::summary::Summary;
use columns_generator::Palette;
use std::fmt::Write as _;

/// Rows that are printed one by one, in columns of a fixed width.
#[derive(Debug, Clone)]
pub struct Table {
    name_width: usize,
    /// Numbers to show besides: see [`Row::number`].
    more: Vec<String>,
}

impl Table {
    /// A table for cases of these names, with a column for each of the numbers in `more`.
    pub fn new(names: impl IntoIterator<Item = String>, more: Vec<String>) -> Self {
        let widths = names.into_iter().map(|name| name.chars().count());
        Self {
            name_width: widths.max().unwrap_or(0).max("case".len()),
            more,
        }
    }

    /// The line above the rows.
    pub fn header(&self) -> String {
        let (name, width) = ("case", self.name_width);
        let more = |name: &String| format!("  {name:>8}");
        let more: String = self.more.iter().map(more).collect();
        let usual = "  size  colours      k      score  /column  wall s   cpu s    MiB";
        format!("{name:<width$} {usual}{more}")
    }

    /// The line of a game.
    pub fn row(&self, row: &Row) -> String {
        let (kind, game) = (&row.kind, &row.game);
        let size = format!("{}x{}", kind.width, kind.height);
        // `7 g` colours are a growing palette.
        let growing = match kind.palette {
            Palette::Growing => " g",
            Palette::Fixed => "",
        };
        let colours = format!("{}{growing}", kind.colours);
        let more = |name: &String| {
            let number = row.number(name).map_or("-".into(), shown);
            format!("  {number:>0$}", name.chars().count().max(8))
        };
        let more: String = self.more.iter().map(more).collect();
        let case = format!("{:<1$}  {size:>5}  {colours:>7}", row.name, self.name_width);
        let score = format!("{:>9}  {:>7.1}", game.score, row.points_per_column);
        let took = format!(
            "{:>6.2}  {:>6.2}  {:>5.0}",
            game.wall_s, game.cpu_s, game.peak_memory_mib
        );
        format!(
            "{case}  {:>5}  {score}  {took}{more}  {}",
            kind.columns,
            mark(row)
        )
    }
}

/// A number with up to four digits after its point.
pub(crate) fn shown(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// How a game ended, in words.
fn mark(row: &Row) -> String {
    let game = &row.game;
    match (&game.reason, game.placed) {
        (Some(reason), _) => format!("{}: {reason}", game.mark.name()),
        // The column that did not fit is the one after those placed.
        (None, Some(placed)) if game.mark == Mark::Died => format!("died at {}", placed + 1),
        _ => game.mark.name().into(),
    }
}

/// What a run comes to, in a few lines.
pub fn summary(summary: &Summary) -> String {
    let counts = summary.marks.iter();
    let counts = counts.map(|(mark, count)| format!("{count} {}", mark.name()));
    let counts: Vec<String> = counts.collect();
    let mut text = format!(
        "games    {}: {}\nsum      {}\nmean     {:.1}\n\
         against quickstart  {:.3} times its score (geometric mean)\n\
         at most  {:.2} s wall, {:.0} MiB; the bot had {:.0} % of a core\n",
        summary.games,
        counts.join(", "),
        summary.sum,
        summary.mean,
        summary.against_quickstart,
        summary.slowest_s,
        summary.largest_mib,
        100.0 * summary.cores
    );
    if let Some(relative) = summary.relative {
        let _ = writeln!(text, "relative {relative:.2} % of the best scores known");
    }
    if !summary.worst.is_empty() {
        let _ = writeln!(text, "worst    {}", summary.worst.join(" "));
    }
    text
}
