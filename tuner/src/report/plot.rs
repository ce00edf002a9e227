//! Plots as inline SVG, in colours that the page's style sheet defines for light and dark.

use std::fmt::Write as _;

/// Room for the numbers left of a plot and below it, in pixels.
const LEFT: f64 = 56.0;
const BOTTOM: f64 = 24.0;
/// Room above and right.
const TOP: f64 = 8.0;
const RIGHT: f64 = 12.0;

/// An axis: which values it shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    logarithmic: bool,
    unit: &'static str,
}

impl Axis {
    /// From `low` to `high`.
    pub(super) fn new(low: f64, high: f64) -> Self {
        // One value only: there must be something to divide by.
        let spread = if high > low { 0.0 } else { 0.5 };
        Self {
            low: low - spread,
            high: high + spread,
            logarithmic: false,
            unit: "",
        }
    }

    /// All of these values, and some room above and below.
    pub(super) fn around(values: impl IntoIterator<Item = f64>) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        let room = 0.04 * (high - low);
        Self::new(low - room, high + room)
    }

    /// All of these values, which are above 0, in equal ratios.
    pub(super) fn ratios(values: impl IntoIterator<Item = f64>) -> Self {
        let logarithms = Self::around(values.into_iter().map(f64::log10));
        Self {
            // At least a factor of two, lest the numbers beside it become long.
            low: logarithms.low.min(logarithms.high - 0.3),
            logarithmic: true,
            ..logarithms
        }
    }

    /// With a unit behind the numbers.
    pub(super) fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// Where a value is, 0 at the low and 1 at the high end.
    fn place(&self, value: f64) -> f64 {
        let value = if self.logarithmic {
            value.log10()
        } else {
            value
        };
        (value - self.low) / (self.high - self.low)
    }

    /// Whether a value is on the axis.
    pub(super) fn shows(&self, value: f64) -> bool {
        (0.0..=1.0).contains(&self.place(value))
    }

    /// Round numbers on the axis, at most about `most`, and how they are written.
    fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        let mut ticks = Vec::new();
        if self.logarithmic {
            let decades = self.high - self.low;
            let digits: &[f64] = match decades {
                d if d < 1.5 => &[1.0, 2.0, 5.0],
                d if d < 3.0 => &[1.0, 3.0],
                _ => &[1.0],
            };
            for decade in self.low.floor() as i32..=self.high.ceil() as i32 {
                for digit in digits {
                    let value = digit * 10_f64.powi(decade);
                    if (self.low..=self.high).contains(&value.log10()) {
                        let decimals = (-decade).max(0) as usize;
                        ticks.push((value, format!("{value:.decimals$}{}", self.unit)));
                    }
                }
            }
            return ticks;
        }
        let rough = (self.high - self.low) / most as f64;
        let decade = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .into_iter()
            .map(|digit| digit * decade)
            .find(|step| *step >= rough * 0.999)
            .unwrap_or(10.0 * decade);
        let decimals = (-(step.log10() + 1e-9).floor()).max(0.0) as usize;
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        for index in first..=last {
            let value = index as f64 * step;
            let minus = if index < 0 { "−" } else { "" };
            ticks.push((
                value,
                format!("{minus}{:.decimals$}{}", value.abs(), self.unit),
            ));
        }
        ticks
    }
}

/// A plot under construction.
#[derive(Debug, Clone)]
pub(super) struct Plot {
    width: f64,
    height: f64,
    x: Axis,
    y: Axis,
    body: String,
}

impl Plot {
    /// An empty plot of so many pixels, with a grid.
    pub(super) fn new(width: u32, height: u32, x: Axis, y: Axis) -> Self {
        let mut plot = Self {
            width: f64::from(width),
            height: f64::from(height),
            x,
            y,
            body: String::new(),
        };
        for (value, text) in y.ticks((height / 45) as usize) {
            let at = plot.down(value);
            let (from, to) = (LEFT, plot.width - RIGHT);
            let _ = write!(
                plot.body,
                "<path class=grid d=\"M{from:.1} {at:.1}H{to:.1}\"/>\
                 <text class=y x={:.1} y={at:.1}>{text}</text>",
                LEFT - 6.0
            );
        }
        for (value, text) in x.ticks((width / 80) as usize) {
            let at = plot.across(value);
            let to = plot.height - BOTTOM;
            let _ = write!(
                plot.body,
                "<path class=grid d=\"M{at:.1} {TOP:.1}V{to:.1}\"/>\
                 <text class=x x={at:.1} y={:.1}>{text}</text>",
                to + 16.0
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
        self
    }

    /// The area between a lower and an upper value at each place.
    pub(super) fn band(mut self, class: &str, points: &[(f64, f64, f64)]) -> Self {
        let lower = points.iter().map(|&(x, low, _)| (x, low));
        let upper = points.iter().rev().map(|&(x, _, high)| (x, high));
        let path = self.path(lower.chain(upper));
        let _ = write!(self.body, "<path class=\"band {class}\" d=\"{path}Z\"/>");
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

    /// A dashed line at a height.
    pub(super) fn level(mut self, class: &str, y: f64) -> Self {
        let (x, low, high) = (self.down(y), LEFT, self.width - RIGHT);
        let _ = write!(
            self.body,
            "<path class=\"level {class}\" d=\"M{low:.1} {x:.1}H{high:.1}\"/>"
        );
        self
    }

    /// The plot, described in a line for those who do not see it.
    pub(super) fn finish(self, description: &str) -> String {
        drawing(self.width, self.height, description, &self.body)
    }
}

/// An estimate with its interval: a line of a comparison of groups.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Group {
    pub(super) name: String,
    pub(super) mean: f64,
    pub(super) interval: Option<(f64, f64)>,
}

/// Groups below each other, in percent, with their intervals about a line at zero.
///
/// The first group and the middle of the others decide what the axis shows; an interval that goes
/// beyond ends in an arrow.
pub(super) fn groups(groups: &[Group], description: &str) -> String {
    const ROW: f64 = 22.0;
    const NAMES: f64 = 210.0;
    const WIDTH: f64 = 720.0;
    let mut reaches: Vec<f64> = groups.iter().map(Group::reach).collect();
    let first = reaches.first().copied().unwrap_or(1.0);
    reaches.sort_by(f64::total_cmp);
    let middle = reaches.get(reaches.len() / 2).copied().unwrap_or(1.0);
    let reach = (1.2 * first).max(1.6 * middle).max(0.1);
    let axis = Axis::new(-reach, reach).unit(" %");
    let height = ROW * groups.len() as f64 + TOP + BOTTOM;
    let across = |value: f64| NAMES + axis.place(value).clamp(0.0, 1.0) * (WIDTH - NAMES - RIGHT);

    let mut body = String::new();
    for (value, text) in axis.ticks(7) {
        let (at, to) = (across(value), height - BOTTOM);
        let class = if value == 0.0 { "zero" } else { "grid" };
        let _ = write!(
            body,
            "<path class={class} d=\"M{at:.1} {TOP:.1}V{to:.1}\"/>\
             <text class=x x={at:.1} y={:.1}>{text}</text>",
            to + 16.0
        );
    }
    for (row, group) in groups.iter().enumerate() {
        let y = TOP + ROW * (row as f64 + 0.5);
        let _ = write!(
            body,
            "<text class=name x={:.1} y={y:.1}>{}</text>",
            NAMES - 10.0,
            escaped(&group.name)
        );
        if let Some((low, high)) = group.interval {
            let (from, to) = (across(low), across(high));
            let class = match (low > 0.0, high < 0.0) {
                (true, _) => "better",
                (_, true) => "worse",
                _ => "even",
            };
            let _ = write!(
                body,
                "<path class=\"span {class}\" d=\"M{from:.1} {y:.1}H{to:.1}\"/>"
            );
            for (value, end, way) in [(low, from, 1.0), (high, to, -1.0)] {
                if value.abs() > reach {
                    let tail = end + way * 7.0;
                    let _ = write!(
                        body,
                        "<path class=\"arrow {class}\" d=\"M{end:.1} {y:.1}L{tail:.1} {:.1}V{:.1}Z\"/>",
                        y - 4.5,
                        y + 4.5
                    );
                }
            }
        }
        if group.mean.abs() <= reach {
            let _ = write!(
                body,
                "<circle class=mean cx={:.1} cy={y:.1} r=4 />",
                across(group.mean)
            );
        }
    }
    drawing(WIDTH, height, description, &body)
}

impl Group {
    /// How far from zero it goes.
    fn reach(&self) -> f64 {
        let (low, high) = self.interval.unwrap_or((self.mean, self.mean));
        low.abs().max(high.abs())
    }
}

/// Shares of a whole: a bar of parts, each with its class.
pub(super) fn shares(parts: &[(&str, f64)], description: &str) -> String {
    const WIDTH: f64 = 720.0;
    const HEIGHT: f64 = 28.0;
    let whole: f64 = parts.iter().map(|(_, part)| part).sum();
    let (mut body, mut from) = (String::new(), 0.0);
    for (class, part) in parts {
        let width = if whole > 0.0 {
            part / whole * WIDTH
        } else {
            0.0
        };
        let _ = write!(
            body,
            "<rect class=\"part {class}\" x={from:.1} y=0 width={width:.1} height={HEIGHT:.1} />"
        );
        from += width;
    }
    drawing(WIDTH, HEIGHT, description, &body)
}

fn drawing(width: f64, height: f64, description: &str, body: &str) -> String {
    format!(
        "<svg role=img viewBox=\"0 0 {width:.0} {height:.0}\" style=\"max-width:{width:.0}px\">\
         <title>{}</title>{body}</svg>",
        escaped(description)
    )
}

/// Text as it stands in a page.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: Axis, most: usize) -> Vec<String> {
        axis.ticks(most).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(texts(Axis::new(0.0, 1.5), 4), ["0.0", "0.5", "1.0", "1.5"]);
        assert_eq!(texts(Axis::new(-5.0, 10.0), 4), ["−5", "0", "5", "10"]);
        assert_eq!(
            texts(Axis::new(-0.13, 0.11).unit(" %"), 5),
            ["−0.10 %", "−0.05 %", "0.00 %", "0.05 %", "0.10 %"]
        );
        assert_eq!(
            texts(Axis::ratios([0.01, 0.3]), 5),
            ["0.01", "0.02", "0.05", "0.1", "0.2"][..5].to_vec()
        );
        assert_eq!(texts(Axis::ratios([0.5, 700.0]), 5), ["1", "10", "100"]);
        // A single value has an axis too.
        assert!(!texts(Axis::around([3.0]), 5).is_empty());
        assert!(!texts(Axis::ratios([3.0]), 5).is_empty());
    }

    #[test]
    fn points_are_where_the_axes_say() {
        let plot = Plot::new(168, 132, Axis::new(0.0, 10.0), Axis::new(0.0, 1.0));
        let drawn = plot.line("a", &[(0.0, 0.0), (10.0, 1.0)]).finish("x < y");
        assert!(drawn.contains("d=\"M56.0 108.0L156.0 8.0\""), "{drawn}");
        assert!(drawn.contains("<title>x &lt; y</title>"));
    }

    #[test]
    fn an_interval_beyond_the_axis_ends_in_an_arrow() {
        let group = |name: &str, low, high| Group {
            name: name.into(),
            mean: f64::midpoint(low, high),
            interval: Some((low, high)),
        };
        let drawn = groups(
            &[
                group("all", 1.0, 2.0),
                group("few", -1.0, 2.0),
                group("one", -900.0, -2.0),
            ],
            "groups",
        );
        assert_eq!(drawn.matches("class=\"arrow worse\"").count(), 1);
        assert_eq!(drawn.matches("class=\"span better\"").count(), 1);
        assert_eq!(drawn.matches("class=\"span even\"").count(), 1);
        assert_eq!(drawn.matches("class=mean").count(), 2);
        assert!(!drawn.contains("NaN"));
    }
}
