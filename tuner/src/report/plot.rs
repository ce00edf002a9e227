//! Plots as inline SVG, in colours that the page's style sheet defines for light and dark.

use columns_core::text::grouped;
use std::fmt::Write as _;

/// The margins of a plot, in pixels.
const LEFT: f64 = 56.0;
const BOTTOM: f64 = 22.0;
const TOP: f64 = 10.0;
const RIGHT: f64 = 14.0;

/// The range of values that a plot shows, with the unit of its labels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    unit: &'static str,
}

impl Axis {
    /// All of these values, of which there are some, with room on both sides; at least so much in
    /// all.
    pub(super) fn around(
        values: impl Iterator<Item = f64>,
        least: f64,
        unit: &'static str,
    ) -> Self {
        let ends = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = values.fold(ends, |(low, high), x| (low.min(x), high.max(x)));
        let room = (0.06 * (high - low)).max((least - (high - low)) / 2.0);
        let (low, high) = (low - room, high + room);
        Self { low, high, unit }
    }

    /// From 0 to a count.
    pub(super) fn up_to(count: u64) -> Self {
        Self {
            low: 0.0,
            high: count.max(1) as f64,
            unit: "",
        }
    }

    /// The place of a value, from 0 at the low end to 1 at the high one, where values beyond are
    /// shown too.
    fn place(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// Round numbers on the axis, at least one and at most `most` + 1, and their labels.
    fn ticks(&self, most: f64) -> Vec<(f64, String)> {
        // A round step is up to 2.5 times the least one: it must not be longer than the axis.
        let least = (self.high - self.low) / most.max(2.5);
        let decade = 10_f64.powf(least.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * decade);
        let step = steps.into_iter().find(|&step| step >= 0.999 * least);
        let step = step.unwrap_or(least);
        let decimals = (-(step.log10() + 1e-9).floor()).max(0.0) as usize;
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        let label = |index: i64| {
            let value = index as f64 * step;
            let digits = match decimals {
                0 => grouped(value.abs().round() as u64),
                _ => format!("{:.decimals$}", value.abs()),
            };
            let minus = if index < 0 { "−" } else { "" };
            (value, format!("{minus}{digits}{}", self.unit))
        };
        (first..=last).map(label).collect()
    }
}

/// Text with the characters escaped that HTML gives a meaning.
pub(super) fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// A plot under construction.
pub(super) struct Plot {
    width: f64,
    height: f64,
    x: Axis,
    y: Axis,
    body: String,
}

impl Plot {
    /// An empty plot of this size in pixels, with a grid.
    pub(super) fn new(width: f64, height: f64, x: Axis, y: Axis) -> Self {
        let mut plot = Self {
            width,
            height,
            x,
            y,
            body: String::new(),
        };
        let (right, bottom) = (width - RIGHT, height - BOTTOM);
        for (value, text) in y.ticks(height / 42.0) {
            let (at, x) = (plot.down(value), LEFT - 7.0);
            let _ = write!(
                plot.body,
                "<path class=grid d=\"M{LEFT} {at:.1}H{right}\"/>\
                 <text class=y x={x} y={at:.1}>{text}</text>"
            );
        }
        for (value, text) in x.ticks(width / 110.0) {
            let (at, y) = (plot.across(value), bottom + 16.0);
            let _ = write!(
                plot.body,
                "<path class=grid d=\"M{at:.1} {TOP}V{bottom}\"/>\
                 <text class=x x={at:.1} y={y}>{text}</text>"
            );
        }
        plot
    }

    fn across(&self, x: f64) -> f64 {
        LEFT + self.x.place(x) * (self.width - LEFT - RIGHT)
    }

    fn down(&self, y: f64) -> f64 {
        self.height - BOTTOM - self.y.place(y) * (self.height - TOP - BOTTOM)
    }

    fn path(&self, points: impl Iterator<Item = (f64, f64)>) -> String {
        let points = points.map(|(x, y)| format!("{:.1} {:.1}", self.across(x), self.down(y)));
        format!("M{}", points.collect::<Vec<_>>().join("L"))
    }

    /// A line through points, with a dot at its end.
    pub(super) fn line(&mut self, class: &str, points: &[(f64, f64)]) {
        if let Some(&(x, y)) = points.last() {
            let path = self.path(points.iter().copied());
            let (x, y) = (self.across(x), self.down(y));
            let _ = write!(
                self.body,
                "<path class=\"line {class}\" d=\"{path}\"/>\
                 <circle class=\"dot {class}\" cx={x:.1} cy={y:.1} r=3 />"
            );
        }
    }

    /// The area between a lower and an upper value at each place; at a single place a stroke.
    pub(super) fn band(&mut self, class: &str, points: &[(f64, f64, f64)]) {
        if !points.is_empty() {
            let lower = points.iter().map(|&(x, low, _)| (x, low));
            let upper = points.iter().rev().map(|&(x, _, high)| (x, high));
            let path = self.path(lower.chain(upper));
            let _ = write!(self.body, "<path class=\"band {class}\" d=\"{path}Z\"/>");
        }
    }

    /// A dashed line at a height.
    pub(super) fn level(&mut self, y: f64) {
        let (y, right) = (self.down(y), self.width - RIGHT);
        let _ = write!(
            self.body,
            "<path class=level d=\"M{LEFT} {y:.1}H{right}\"/>"
        );
    }

    /// A triangle at a point, which points up if it is `good`, with a text for the pointer.
    pub(super) fn mark(&mut self, class: &str, good: bool, (x, y): (f64, f64), told: &str) {
        let (x, y) = (self.across(x), self.down(y));
        let (kind, way) = if good { ("won", 1.0) } else { ("lost", -1.0) };
        let (left, low, up) = (x - 5.0, y + 4.0 * way, -8.5 * way);
        let _ = write!(
            self.body,
            "<path class=\"mark {kind} {class}\" d=\"M{left:.1} {low:.1}h10l-5 {up}z\">\
             <title>{}</title></path>",
            escaped(told)
        );
    }

    /// An interval with its mean, and a text for the pointer.
    pub(super) fn interval(
        &mut self,
        class: &str,
        x: f64,
        [low, mean, high]: [f64; 3],
        told: &str,
    ) {
        let x = self.across(x);
        let [low, mean, high] = [low, mean, high].map(|y| self.down(y));
        let left = x - 5.0;
        let _ = write!(
            self.body,
            "<g class=\"interval {class}\"><title>{}</title>\
             <path d=\"M{x:.1} {low:.1}V{high:.1}M{left:.1} {low:.1}h10M{left:.1} {high:.1}h10\"/>\
             <circle cx={x:.1} cy={mean:.1} r=4 /></g>",
            escaped(told)
        );
    }

    /// The plot, with a description in one line for screen readers.
    pub(super) fn finish(self, description: &str) -> String {
        format!(
            "<svg role=img viewBox=\"0 0 {} {}\"><title>{}</title>{}</svg>",
            self.width,
            self.height,
            escaped(description),
            self.body
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(axis: Axis, most: f64) -> Vec<String> {
        axis.ticks(most).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        let around = |values: [f64; 2], least| Axis::around(values.into_iter(), least, " %");
        let labels = ["−10 %", "−5 %", "0 %", "5 %", "10 %"];
        assert_eq!(texts(around([-9.0, 10.0], 0.0), 5.0), labels);
        assert_eq!(
            texts(around([3.0, 3.0], 1.0), 2.0),
            ["2.5 %", "3.0 %", "3.5 %"]
        );
        assert_eq!(
            texts(Axis::up_to(30_000), 4.0),
            ["0", "10,000", "20,000", "30,000"]
        );
    }

    #[test]
    fn points_are_where_the_axes_say() {
        let mut plot = Plot::new(170.0, 132.0, Axis::up_to(10), Axis::up_to(2));
        plot.line("a", &[(0.0, 0.0), (10.0, 2.0)]);
        // What is beyond an axis is shown at its end.
        plot.band("a", &[(0.0, -7.0, 9.0)]);
        let drawn = plot.finish("x < y");
        assert!(drawn.contains("d=\"M56.0 110.0L156.0 10.0\""), "{drawn}");
        assert!(drawn.contains("d=\"M56.0 110.0L56.0 10.0Z\""), "{drawn}");
        assert!(drawn.contains("<title>x &lt; y</title>"));
    }

    #[test]
    fn a_narrow_plot_has_a_tick_between_large_numbers() {
        let axis = Axis {
            low: 904_501.5,
            high: 904_989.2,
            unit: "",
        };
        assert_eq!(texts(axis, 2.0), ["904,600", "904,800"]);
    }

    proptest! {
        #[test]
        fn every_axis_has_ticks_that_differ(
            low in -1e6..1e6, spread in 0.0..1e3, least in 1e-3..10.0, most in 2.0..12.0,
        ) {
            let axis = Axis::around([low, low + spread].into_iter(), least, "");
            let ticks = axis.ticks(most);
            prop_assert!(!ticks.is_empty() && ticks.len() as f64 <= most + 1.0, "{axis:?}");
            prop_assert!(ticks.windows(2).all(|two| two[0].1 != two[1].1), "{ticks:?}");
        }
    }
}
