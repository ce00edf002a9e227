//! Plots as inline SVG. Their elements have classes, such as `line`, `band` and `grid`: the style sheet of
//! the page defines the colours of these classes, for light and dark mode.

use columns_core::text::group_digits;

/// The margins of a plot, in pixels.
const LEFT_MARGIN: f64 = 56.0;
const BOTTOM_MARGIN: f64 = 22.0;
const TOP_MARGIN: f64 = 10.0;
const RIGHT_MARGIN: f64 = 14.0;

/// A range of values, and the unit that its labels show.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlotRange {
    low: f64,
    high: f64,
    unit: &'static str,
}

impl PlotRange {
    /// Returns the range of the values, of which there must be at least one, with a margin on both sides. The
    /// range is at least `min_length` long.
    pub(super) fn around(
        values: impl Iterator<Item = f64>,
        min_length: f64,
        unit: &'static str,
    ) -> Self {
        let ends = (f64::INFINITY, f64::NEG_INFINITY);
        let (low, high) = values.fold(ends, |(low, high), x| (low.min(x), high.max(x)));
        let margin = (0.06 * (high - low)).max((min_length - (high - low)) / 2.0);
        let (low, high) = (low - margin, high + margin);
        Self { low, high, unit }
    }

    /// Returns the range from 0 to a count, or to 1 if the count is 0.
    pub(super) fn from_zero(count: u64) -> Self {
        let (low, high, unit) = (0.0, count.max(1) as f64, "");
        Self { low, high, unit }
    }

    /// Returns the position of a value in the range, from 0 at the low end to 1 at the high end. A value
    /// outside the range gets the position of the nearest end.
    fn place(&self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// Returns at most `max_steps` + 1 round numbers in the range, but at least one, with their labels.
    fn ticks(&self, max_steps: f64) -> Vec<(f64, String)> {
        // Rounding up makes the step at most 2.5 times as long, and one step must fit into the range.
        let least = (self.high - self.low) / max_steps.max(2.5);
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
                0 => group_digits(value.abs().round() as u64),
                _ => format!("{:.decimals$}", value.abs()),
            };
            let minus = if index < 0 { "−" } else { "" };
            (value, format!("{minus}{digits}{}", self.unit))
        };
        (first..=last).map(label).collect()
    }
}

/// Escapes `&`, `<`, `>` and `"`, for text and for attribute values in double quotes.
pub(super) fn escape_html(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// A plot under construction: its size, its ranges, and the SVG elements so far.
pub(super) struct Plot {
    width: f64,
    height: f64,
    x: PlotRange,
    y: PlotRange,
    body: String,
}

impl Plot {
    /// Creates an empty plot of this size in pixels, with a grid.
    pub(super) fn new(width: f64, height: f64, x: PlotRange, y: PlotRange) -> Self {
        let body = String::new();
        let mut plot = Self {
            width,
            height,
            x,
            y,
            body,
        };
        let (right, bottom) = (width - RIGHT_MARGIN, height - BOTTOM_MARGIN);
        for (value, text) in y.ticks(height / 42.0) {
            let (at, x) = (plot.down(value), LEFT_MARGIN - 7.0);
            plot.add(&format!(
                "<path class=grid d=\"M{LEFT_MARGIN} {at:.1}H{right}\"/>\
                 <text class=y x={x} y={at:.1}>{text}</text>"
            ));
        }
        for (value, text) in x.ticks(width / 110.0) {
            let (at, y) = (plot.across(value), bottom + 16.0);
            plot.add(&format!(
                "<path class=grid d=\"M{at:.1} {TOP_MARGIN}V{bottom}\"/>\
                 <text class=x x={at:.1} y={y}>{text}</text>"
            ));
        }
        plot
    }

    fn add(&mut self, element: &str) {
        self.body += element;
    }

    fn across(&self, x: f64) -> f64 {
        LEFT_MARGIN + self.x.place(x) * (self.width - LEFT_MARGIN - RIGHT_MARGIN)
    }

    fn down(&self, y: f64) -> f64 {
        self.height - BOTTOM_MARGIN - self.y.place(y) * (self.height - TOP_MARGIN - BOTTOM_MARGIN)
    }

    fn path(&self, points: impl Iterator<Item = (f64, f64)>) -> String {
        let points = points.map(|(x, y)| format!("{:.1} {:.1}", self.across(x), self.down(y)));
        format!("M{}", points.collect::<Vec<_>>().join("L"))
    }

    /// Draws a line through points, with a dot at its end.
    pub(super) fn draw_line(&mut self, class: &str, points: &[(f64, f64)]) {
        if let Some(&(x, y)) = points.last() {
            let path = self.path(points.iter().copied());
            let (x, y) = (self.across(x), self.down(y));
            self.add(&format!(
                "<path class=\"line {class}\" d=\"{path}\"/>\
                 <circle class=\"dot {class}\" cx={x:.1} cy={y:.1} r=3 />"
            ));
        }
    }

    /// Fills the area between a lower and an upper value at each `x`. A single point becomes a vertical
    /// stroke.
    pub(super) fn draw_band(&mut self, class: &str, points: &[(f64, f64, f64)]) {
        if !points.is_empty() {
            let lower = points.iter().map(|&(x, low, _)| (x, low));
            let upper = points.iter().rev().map(|&(x, _, high)| (x, high));
            let path = self.path(lower.chain(upper));
            self.add(&format!("<path class=\"band {class}\" d=\"{path}Z\"/>"));
        }
    }

    /// Draws a dashed horizontal line at the value `y`.
    pub(super) fn draw_horizontal_line(&mut self, y: f64) {
        let (y, right) = (self.down(y), self.width - RIGHT_MARGIN);
        self.add(&format!(
            "<path class=level d=\"M{LEFT_MARGIN} {y:.1}H{right}\"/>"
        ));
    }

    /// Draws a triangle at a point, upwards if `is_won`, otherwise downwards, with a tooltip.
    pub(super) fn draw_triangle(
        &mut self,
        class: &str,
        is_won: bool,
        (x, y): (f64, f64),
        title: &str,
    ) {
        let (kind, way) = if is_won { ("won", 1.0) } else { ("lost", -1.0) };
        let (left, low, up) = (self.across(x) - 5.0, self.down(y) + 4.0 * way, -8.5 * way);
        let title = escape_html(title);
        self.add(&format!(
            "<path class=\"mark {kind} {class}\" d=\"M{left:.1} {low:.1}h10l-5 {up}z\">\
             <title>{title}</title></path>"
        ));
    }

    /// Draws an interval with its mean and a tooltip. `values` are the low end, the mean and the high end.
    pub(super) fn draw_interval(&mut self, class: &str, x: f64, values: [f64; 3], title: &str) {
        let (x, title) = (self.across(x), escape_html(title));
        let [low, mean, high] = values.map(|y| self.down(y));
        let left = x - 5.0;
        self.add(&format!(
            "<g class=\"interval {class}\"><title>{title}</title>\
             <path d=\"M{x:.1} {low:.1}V{high:.1}M{left:.1} {low:.1}h10M{left:.1} {high:.1}h10\"/>\
             <circle cx={x:.1} cy={mean:.1} r=4 /></g>"
        ));
    }

    /// Returns the plot as an SVG element. `description` is one line for screen readers.
    pub(super) fn into_svg(self, description: &str) -> String {
        let (width, height, body) = (self.width, self.height, self.body);
        let title = escape_html(description);
        format!("<svg role=img viewBox=\"0 0 {width} {height}\"><title>{title}</title>{body}</svg>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(range: PlotRange, most: f64) -> Vec<String> {
        range
            .ticks(most)
            .into_iter()
            .map(|(_, text)| text)
            .collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        let around = |values: [f64; 2], least| PlotRange::around(values.into_iter(), least, " %");
        let labels = ["−10 %", "−5 %", "0 %", "5 %", "10 %"];
        assert_eq!(texts(around([-9.0, 10.0], 0.0), 5.0), labels);
        assert_eq!(
            texts(around([3.0, 3.0], 1.0), 2.0),
            ["2.5 %", "3.0 %", "3.5 %"]
        );
        assert_eq!(
            texts(PlotRange::from_zero(30_000), 4.0),
            ["0", "10,000", "20,000", "30,000"]
        );
    }

    #[test]
    fn points_are_placed_by_the_ranges() {
        let mut plot = Plot::new(
            170.0,
            132.0,
            PlotRange::from_zero(10),
            PlotRange::from_zero(2),
        );
        plot.draw_line("a", &[(0.0, 0.0), (10.0, 2.0)]);
        // A value outside the range is drawn at the nearest end of the range.
        plot.draw_band("a", &[(0.0, -7.0, 9.0)]);
        let svg = plot.into_svg("x < y");
        assert!(svg.contains("d=\"M56.0 110.0L156.0 10.0\""), "{svg}");
        assert!(svg.contains("d=\"M56.0 110.0L56.0 10.0Z\""), "{svg}");
        assert!(svg.contains("<title>x &lt; y</title>"));
    }

    #[test]
    fn a_narrow_plot_has_a_tick_between_large_numbers() {
        let range = PlotRange {
            low: 904_501.5,
            high: 904_989.2,
            unit: "",
        };
        assert_eq!(texts(range, 2.0), ["904,600", "904,800"]);
    }

    proptest! {
        #[test]
        fn every_range_has_ticks_that_differ(
            low in -1e6..1e6, spread in 0.0..1e3, least in 1e-3..10.0, most in 2.0..12.0,
        ) {
            let range = PlotRange::around([low, low + spread].into_iter(), least, "");
            let ticks = range.ticks(most);
            prop_assert!(!ticks.is_empty() && ticks.len() as f64 <= most + 1.0, "{range:?}");
            prop_assert!(ticks.windows(2).all(|two| two[0].1 != two[1].1), "{ticks:?}");
        }
    }
}
