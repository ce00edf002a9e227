//! Rows of bars and intervals about a line at zero, and the shares of a whole.

use super::axis::Axis;
use super::plot::drawing;
use super::text::escaped;
use std::fmt::Write as _;

/// A row: an estimate, in percent, with its interval.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) mean: f64,
    pub(super) interval: Option<(f64, f64)>,
}

impl Row {
    fn ends(&self) -> (f64, f64) {
        self.interval.unwrap_or((self.mean, self.mean))
    }

    /// The largest distance from zero.
    fn reach(&self) -> f64 {
        let (low, high) = self.ends();
        low.abs().max(high.abs())
    }
}

/// How rows are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A bar from zero to the mean, with the interval over it. All bars are shown whole.
    Bars,
    /// A dot in the interval. The first row and the median of the others decide on the range shown.
    Dots,
}

/// Rows below each other, in percent, with a line at zero. An interval that goes beyond what is
/// shown ends in an arrow.
pub(super) fn rows(width: u32, kind: Kind, rows: &[Row], description: &str) -> String {
    let narrow = width < 500;
    // Names stand left of the rows, or above each.
    let (left, row_height, above) = if narrow {
        (8.0, 36.0, 9.0)
    } else {
        (210.0, 22.0, 0.0)
    };
    let (top, bottom, right) = (8.0, 24.0, 16.0);
    let width = f64::from(width);
    let axis = axis(kind, rows);
    let height = row_height * rows.len() as f64 + top + bottom;
    let across = |value: f64| left + axis.place(value).clamp(0.0, 1.0) * (width - left - right);

    let mut body = String::new();
    for (value, text) in axis.ticks(((width - left) / 75.0) as usize) {
        let (at, to) = (across(value), height - bottom);
        let class = if value == 0.0 { "zero" } else { "grid" };
        let at_text = at.clamp(20.0, width - 22.0);
        let _ = write!(
            body,
            "<path class={class} d=\"M{at:.1} {top:.1}V{to:.1}\"/>\
             <text class=x x={at_text:.1} y={:.1}>{text}</text>",
            to + 16.0
        );
    }
    for (index, row) in rows.iter().enumerate() {
        let middle = top + row_height * (index as f64 + 0.5);
        let y = middle + above;
        let (class, x) = if narrow {
            ("name above", left)
        } else {
            ("name", left - 10.0)
        };
        let _ = write!(
            body,
            "<text class=\"{class}\" x={x:.1} y={:.1}>{}</text>",
            middle - above,
            escaped(&row.name)
        );
        if kind == Kind::Bars {
            let (zero, end) = (across(0.0), across(row.mean));
            let _ = write!(
                body,
                "<rect class=bar x={:.1} y={:.1} width={:.1} height=12 />",
                zero.min(end),
                y - 6.0,
                (end - zero).abs()
            );
        }
        if let Some(ends) = row.interval {
            let class = match ends {
                (low, _) if low > 0.0 => "better",
                (_, high) if high < 0.0 => "worse",
                _ => "even",
            };
            let (from, to) = (across(ends.0), across(ends.1));
            let _ = write!(
                body,
                "<path class=\"span {class}\" d=\"M{from:.1} {y:.1}H{to:.1}\"/>"
            );
            for (value, end, way) in [(ends.0, from, -1.0), (ends.1, to, 1.0)] {
                if !axis.shows(value) {
                    let tip = end + way * 7.0;
                    let _ = write!(
                        body,
                        "<path class=\"arrow {class}\" \
                         d=\"M{tip:.1} {y:.1}L{end:.1} {:.1}V{:.1}Z\"/>",
                        y - 4.5,
                        y + 4.5
                    );
                }
            }
        }
        if kind == Kind::Dots && axis.shows(row.mean) {
            let _ = write!(
                body,
                "<circle class=mean cx={:.1} cy={y:.1} r=4 />",
                across(row.mean)
            );
        }
    }
    drawing(width, height, description, &body)
}

fn axis(kind: Kind, rows: &[Row]) -> Axis {
    let mut reaches: Vec<f64> = rows.iter().map(Row::reach).collect();
    let first = reaches.first().copied().unwrap_or(1.0);
    reaches.sort_by(f64::total_cmp);
    let middle = reaches.get(reaches.len() / 2).copied().unwrap_or(1.0);
    let most = rows.iter().map(|row| row.mean.abs()).fold(0.0, f64::max);
    let reach = match kind {
        Kind::Bars => 1.5 * most,
        Kind::Dots => (1.2 * first).max(1.6 * middle),
    };
    let ends = rows.iter().flat_map(|row| {
        let (low, high) = row.ends();
        [low.clamp(-reach, reach), high.clamp(-reach, reach)]
    });
    Axis::around(ends.chain([0.0]), 0.1).unit(" %")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, low: f64, high: f64) -> Row {
        Row {
            name: name.into(),
            mean: f64::midpoint(low, high),
            interval: Some((low, high)),
        }
    }

    #[test]
    fn an_interval_beyond_the_axis_ends_in_an_arrow() {
        let all = [
            row("all", 1.0, 2.0),
            row("few", -1.0, 2.0),
            row("one", -900.0, -2.0),
        ];
        for width in [720, 358] {
            let drawn = rows(width, Kind::Dots, &all, "groups");
            assert_eq!(drawn.matches("class=\"arrow worse\"").count(), 1);
            assert_eq!(drawn.matches("class=\"span better\"").count(), 1);
            assert_eq!(drawn.matches("class=\"span even\"").count(), 1);
            assert_eq!(drawn.matches("class=mean").count(), 2);
            assert!(!drawn.contains("NaN"));
        }
    }

    #[test]
    fn bars_are_drawn_for_nothing_too() {
        let none = |name: &str| Row {
            name: name.into(),
            mean: 0.0,
            interval: None,
        };
        let drawn = rows(720, Kind::Bars, &[none("a"), none("b")], "bars");
        assert_eq!(drawn.matches("class=bar").count(), 2);
        assert!(!drawn.contains("NaN"));
    }
}
