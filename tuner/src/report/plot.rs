//! Plots as inline SVG, in colours that the page's style sheet defines for light and dark.

use super::axis::Axis;
use super::text::escaped;
use std::fmt::Write as _;

/// The margins left of a plot and below it, for the numbers, in pixels.
const LEFT: f64 = 56.0;
const BOTTOM: f64 = 24.0;
/// The margin above and right, in pixels.
const TOP: f64 = 8.0;
const RIGHT: f64 = 12.0;
/// The margin for a strip of marks above, in pixels.
const STRIP: f64 = 20.0;

/// How wide a large plot is drawn for wide and for narrow windows, in pixels: letters have the same
/// size in both.
const WIDTHS: [(&str, u32); 2] = [("wide", 720), ("narrow", 358)];

/// A large drawing, made for wide and for narrow windows; the style sheet shows one of the two.
pub(super) fn at_both_widths(draw: impl Fn(u32) -> String) -> String {
    let each = WIDTHS.map(|(class, width)| format!("<div class={class}>{}</div>\n", draw(width)));
    each.concat()
}

/// A plot under construction.
#[derive(Debug, Clone)]
pub(super) struct Plot {
    width: f64,
    height: f64,
    top: f64,
    x: Axis,
    y: Axis,
    body: String,
}

/// A mark in the strip above a plot.
#[derive(Debug, Clone)]
pub(super) struct Mark {
    /// Its horizontal place.
    pub(super) x: f64,
    /// Whether it is a good one.
    pub(super) good: bool,
    /// Its label, shown if there is room.
    pub(super) text: String,
    /// The text that is shown when the pointer is on it.
    pub(super) told: String,
}

impl Plot {
    /// An empty plot of this size in pixels, with a grid.
    pub(super) fn new(width: u32, height: u32, x: Axis, y: Axis) -> Self {
        Self::below(TOP, width, height, x, y)
    }

    /// An empty plot with a strip for [`Plot::marks`].
    pub(super) fn with_strip(width: u32, height: u32, x: Axis, y: Axis) -> Self {
        Self::below(TOP + STRIP, width, height, x, y)
    }

    fn below(top: f64, width: u32, height: u32, x: Axis, y: Axis) -> Self {
        let mut plot = Self {
            width: f64::from(width),
            height: f64::from(height),
            top,
            x,
            y,
            body: String::new(),
        };
        for (value, text) in y.ticks((height / 36) as usize) {
            let at = plot.down(value);
            let (from, to) = (LEFT, plot.width - RIGHT);
            let _ = write!(
                plot.body,
                "<path class=grid d=\"M{from:.1} {at:.1}H{to:.1}\"/>\
                 <text class=y x={:.1} y={at:.1}>{text}</text>",
                LEFT - 6.0
            );
        }
        for (value, text) in x.ticks((width / 70) as usize) {
            let at = plot.across(value);
            let to = plot.height - BOTTOM;
            // The last number would be cut off at the edge.
            let end = if at > plot.width - 20.0 { " end" } else { "" };
            let _ = write!(
                plot.body,
                "<path class=grid d=\"M{at:.1} {top:.1}V{to:.1}\"/>\
                 <text class=\"x{end}\" x={:.1} y={:.1}>{text}</text>",
                if end.is_empty() { at } else { plot.width },
                to + 16.0
            );
        }
        plot
    }

    fn across(&self, x: f64) -> f64 {
        LEFT + self.x.place(x) * (self.width - LEFT - RIGHT)
    }

    fn down(&self, y: f64) -> f64 {
        self.height - BOTTOM - self.y.place(y) * (self.height - self.top - BOTTOM)
    }

    fn path(&self, points: impl IntoIterator<Item = (f64, f64)>) -> String {
        let mut path = String::new();
        for (x, y) in points {
            let command = if path.is_empty() { 'M' } else { 'L' };
            let _ = write!(path, "{command}{:.1} {:.1}", self.across(x), self.down(y));
        }
        path
    }

    /// A line through points, in the colour of a class of the style sheet.
    pub(super) fn line(mut self, class: &str, points: &[(f64, f64)]) -> Self {
        let path = self.path(points.iter().copied());
        let _ = write!(self.body, "<path class=\"line {class}\" d=\"{path}\"/>");
        if let [(x, y)] = *points {
            // A line through one point cannot be seen.
            let (x, y) = (self.across(x), self.down(y));
            let _ = write!(
                self.body,
                "<circle class=\"end {class}\" cx={x:.1} cy={y:.1} r=2.5 />"
            );
        }
        self
    }

    /// The area between a lower and an upper value at each place.
    pub(super) fn band(mut self, class: &str, points: &[(f64, f64, f64)]) -> Self {
        let lower = points.iter().map(|&(x, low, _)| (x, low));
        let upper = points.iter().rev().map(|&(x, _, high)| (x, high));
        let path = self.path(lower.chain(upper));
        if !path.is_empty() {
            let _ = write!(self.body, "<path class=\"band {class}\" d=\"{path}Z\"/>");
        }
        self
    }

    /// Dots; those beyond the axis are left out.
    pub(super) fn dots(mut self, class: &str, points: &[(f64, f64)]) -> Self {
        for &(x, y) in points {
            if !self.y.shows(y) {
                continue;
            }
            let (x, y) = (self.across(x), self.down(y));
            let _ = write!(
                self.body,
                "<circle class={class} cx={x:.1} cy={y:.1} r=2 />"
            );
        }
        self
    }

    /// A dashed line at a height, unless that is beyond the axis.
    pub(super) fn level(mut self, class: &str, y: f64) -> Self {
        if self.y.shows(y) {
            let (y, from, to) = (self.down(y), LEFT, self.width - RIGHT);
            let _ = write!(
                self.body,
                "<path class=\"level {class}\" d=\"M{from:.1} {y:.1}H{to:.1}\"/>"
            );
        }
        self
    }

    /// Marks in the strip above: a triangle that points up for a good one and down for others.
    pub(super) fn marks(mut self, marks: &[Mark]) -> Self {
        // Where the triangle before ends.
        let mut free = LEFT - 30.0;
        for mark in marks {
            let (x, y, to) = (self.across(mark.x), STRIP / 2.0 + 2.0, self.height - BOTTOM);
            let (class, way) = if mark.good {
                ("good", -1.0)
            } else {
                ("bad", 1.0)
            };
            let _ = write!(
                self.body,
                "<g class=\"mark {class}\"><title>{}</title>\
                 <path class=stem d=\"M{x:.1} {:.1}V{to:.1}\"/>\
                 <path class=head d=\"M{:.1} {:.1}h9l-4.5 {:.1}z\"/>",
                escaped(&mark.told),
                y + 6.0,
                x - 4.5,
                y - 4.0 * way,
                8.0 * way
            );
            let wide = 6.2 * mark.text.chars().count() as f64;
            if x - 8.0 - wide >= free {
                let _ = write!(
                    self.body,
                    "<text x={:.1} y={:.1} class=gain>{}</text>",
                    x - 7.0,
                    y + 4.0,
                    escaped(&mark.text)
                );
            }
            self.body += "</g>";
            free = x + 6.0;
        }
        self
    }

    /// The plot, with a description in one line for screen readers.
    pub(super) fn finish(self, description: &str) -> String {
        drawing(self.width, self.height, description, &self.body)
    }
}

/// A drawing of this size in pixels, with a description in one line.
pub(super) fn drawing(width: f64, height: f64, description: &str, body: &str) -> String {
    format!(
        "<svg role=img viewBox=\"0 0 {width:.0} {height:.0}\" style=\"max-width:{width:.0}px\">\
         <title>{}</title>{body}</svg>",
        escaped(description)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_where_the_axes_say() {
        let plot = Plot::new(168, 132, Axis::counts(10), Axis::counts(2));
        let drawn = plot.line("a", &[(0.0, 0.0), (10.0, 2.0)]).finish("x < y");
        assert!(drawn.contains("d=\"M56.0 108.0L156.0 8.0\""), "{drawn}");
        assert!(drawn.contains("<title>x &lt; y</title>"));
    }

    #[test]
    fn marks_too_near_to_each_other_have_one_text() {
        let mark = |x, good| Mark {
            x,
            good,
            text: format!("+{x} %"),
            told: "a challenge".into(),
        };
        let plot = Plot::with_strip(720, 200, Axis::counts(100), Axis::counts(10));
        let drawn = plot
            .marks(&[mark(5.0, true), mark(50.0, false), mark(51.0, true)])
            .finish("marks");
        assert_eq!(drawn.matches("class=\"mark good\"").count(), 2);
        assert_eq!(drawn.matches("class=\"mark bad\"").count(), 1);
        assert_eq!(drawn.matches("class=gain").count(), 2);
        assert!(drawn.contains("+50 %") && !drawn.contains("+51 %"));
    }

    #[test]
    fn a_single_point_is_seen() {
        let plot = Plot::new(168, 132, Axis::counts(10), Axis::counts(2));
        assert!(plot
            .line("a", &[(1.0, 1.0)])
            .finish("one")
            .contains("<circle"));
    }
}
