//! How wide a layer may be, so that what a search may spend lasts to the end.

/// How wide the beam is and how it is filled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Candidates built for each place in the beam, at least 1.
    pub built_per_place: f64,
    /// How many children of one parent may survive in a layer of fewer than 64 states. In layers of
    /// 64, 128, 256 and so on it is one more each: a narrow beam must not be filled by one family,
    /// in a wide one the limit is in the way.
    pub max_children_per_parent: usize,
    /// The widest that a time or node budget may make the beam, in states.
    pub max_width: usize,
    /// How many layers a budget is shared out over, where the game is likely to be lost before the
    /// last one. A search that gets farther shares out the rest as [`Settings::planned_after`]
    /// says.
    pub planned_layers: usize,
    /// The share of the layers, at the end, that are planned to cost a quarter of the others, since
    /// few states get so far. 0 to 1.
    pub cheap_last_layers: f64,
    /// The number of threads, the calling one included. The outcome of a budget of nodes or of a width does not depend on
    /// it.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            built_per_place: 3.0,
            max_children_per_parent: usize::MAX,
            max_width: 50_000,
            planned_layers: usize::MAX,
            cheap_last_layers: 0.0,
            threads: 1,
        }
    }
}

/// Layers that a search plans for at least beyond the one it got to.
const MORE_LAYERS: usize = 10;
/// A beam twice as wide lets one more child of a parent survive, one four times as wide two more.
const NARROW: usize = 32;

impl Settings {
    /// How many layers a search plans for that got to layer `depth`: half as many again, and some.
    pub fn planned_after(depth: usize) -> usize {
        depth + depth / 2 + MORE_LAYERS
    }

    /// How many children of one parent may survive in a layer of `width` states.
    pub(super) fn max_children_per_parent(&self, width: usize) -> usize {
        let doublings = (width / NARROW).max(1).ilog2();
        self.max_children_per_parent
            .saturating_add(doublings as usize)
    }
}

/// What a search may spend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Budget {
    /// The same width for every layer.
    Width(usize),
    /// States built in all, shared out evenly over the layers. The outcome does not
    /// depend on the machine.
    Nodes(u64),
    /// Until the clock shows this many seconds. A search whose process had to wait just before the
    /// end may be late by a hundredth of its time, so that the last layers are not lost.
    Until(f64),
}

/// A running clock, in seconds. A search with [`Budget::Until`] needs a real one; with the others
/// it only measures where the time went.
pub type Clock<'a> = &'a dyn Fn() -> f64;

/// Decides how wide the next layer may be.
pub(super) struct WidthController<'a> {
    budget: Budget,
    pub(super) settings: &'a Settings,
    /// The last layer of the game.
    last: usize,
    /// The width of the present layer.
    width: usize,
    pace: Pace<'a>,
}

impl<'a> WidthController<'a> {
    /// The width of the first layer under a time limit, before anything is known of the machine.
    const FIRST_WIDTH: usize = 256;
    /// Candidates are listed for a layer this many times as wide as the previous one.
    const SLACK: f64 = 1.3;
    /// Candidates that are listed beyond that.
    const MORE_CANDIDATES: usize = 16;
    /// The cheap last layers are planned to cost this share of the others less.
    const CHEAP_SAVES: f64 = 0.75;

    pub(super) fn new(
        budget: Budget,
        clock: Clock<'a>,
        settings: &'a Settings,
        last: usize,
    ) -> Self {
        Self {
            budget,
            settings,
            last,
            width: Self::FIRST_WIDTH,
            pace: Pace::new(clock),
        }
    }

    /// The width of layer `layer`, after `nodes` states were built; `None` when the time is up.
    pub(super) fn width(&mut self, layer: usize, nodes: u64) -> Option<usize> {
        let (left, layers) = self.layers_left(layer);
        let mut widest = self.settings.max_width;
        let width = match self.budget {
            Budget::Width(width) => {
                widest = usize::MAX;
                width
            }
            Budget::Nodes(limit) => {
                let nodes = limit.saturating_sub(nodes) as f64;
                (nodes / layers / self.settings.built_per_place) as usize
            }
            Budget::Until(end) => self.pace.width(end, left, layers, self.width)?,
        };
        self.width = width.clamp(1, widest);
        Some(self.width)
    }

    /// The number of layers that what is left of the budget is shared out over, from layer `layer` on; and by their cost,
    /// in layers that are not cheap.
    fn layers_left(&self, layer: usize) -> (f64, f64) {
        let settings = self.settings;
        let goal = settings.planned_layers.max(Settings::planned_after(layer));
        let left = (self.last.min(goal) + 1 - layer) as f64;
        let cheap = (left - 1.0).min(settings.cheap_last_layers * self.last as f64);
        // At least one, and more than one unless this layer is the last.
        (left, left - Self::CHEAP_SAVES * cheap)
    }

    /// The number of states to build for a layer of `width` states, after `nodes` states were built.
    pub(super) fn states_to_build(&self, width: usize, nodes: u64) -> usize {
        let count = (width as f64 * self.settings.built_per_place).max(1.0) as usize;
        match self.budget {
            // One even where nothing is left: the game continues to its end.
            Budget::Nodes(limit) => count.min(limit.saturating_sub(nodes).max(1) as usize),
            _ => count,
        }
    }

    /// About the most candidates that will be chosen for the next layer. Its width is not known
    /// yet, and some candidates may turn out to be equal.
    pub(super) fn candidates(&self) -> usize {
        let built = self.width as f64 * self.settings.built_per_place;
        ((built * Self::SLACK) as usize).saturating_add(Self::MORE_CANDIDATES)
    }

    /// Records the number of states that survived in the present layer.
    pub(super) fn record_survivors(&mut self, survivors: usize) {
        self.pace.survivors = survivors.max(1) as f64;
    }

    /// True if the present layer has to end.
    pub(super) fn is_late(&mut self) -> bool {
        matches!(self.budget, Budget::Until(_)) && self.pace.guard.check() >= self.pace.deadline
    }
}

/// Shares out the time of [`Budget::Until`] over the layers.
struct Pace<'a> {
    guard: StallGuard<'a>,
    cost: CostEstimate,
    /// When the search began.
    start: f64,
    /// When the present layer began.
    began: f64,
    /// When the present layer has to end.
    deadline: f64,
    /// Survivors of the present layer.
    survivors: f64,
}

impl<'a> Pace<'a> {
    /// A layer is at most this many times as wide as the previous one, since the cost of a survivor is an estimate.
    const GROWTH: usize = 2;
    /// Lower bound of the denominator of the waiting ratio, as a share of the limit: an early stall is not overrated.
    const AT_FIRST: f64 = 0.1;
    /// This share of the time is not planned for, so that a slow last layer still ends in time. Where the last layers
    /// came late, a beam of one state continues for as long again.
    const SPARE: f64 = 0.01;
    /// A layer leaves at least this share of the time to the others, unless it is one of the last two.
    const LEFT_AFTER: f64 = 0.5;
    /// Share of the remaining time, spare time included, that the plan may always use.
    const SPARED: f64 = 0.5;

    fn new(clock: Clock<'a>) -> Self {
        let now = clock();
        Self {
            guard: StallGuard {
                clock,
                last: now,
                gaps: [0.0; 2],
            },
            cost: CostEstimate::default(),
            start: now,
            began: now,
            deadline: f64::INFINITY,
            survivors: 1.0,
        }
    }

    /// The width of the next layer, after one of width `previous`. `left` layers are left, which cost as much as `layers`
    /// that are not cheap. `None` when the time is up.
    fn width(&mut self, end: f64, left: f64, layers: f64, previous: usize) -> Option<usize> {
        let now = self.guard.check();
        let limit = end - self.start;
        let end = end - self.guard.reserve(limit);
        if now >= end + Self::SPARE * limit {
            return None;
        }
        self.deadline = if left > 2.0 {
            end - Self::LEFT_AFTER * (end - now)
        } else {
            end
        };
        let cost = self.cost.record(now - self.began, self.survivors);
        self.began = now;
        let waits = self.cost.waited / (now - self.start).max(Self::AT_FIRST * limit);
        let wide = |time: f64| (time * (1.0 - waits) / layers / cost) as usize;
        let planned = wide(end - Self::SPARE * limit - now);
        // With the spare time the last layers need not be narrow after waiting.
        let spared = wide((end - now) * Self::SPARED).min(previous);
        Some(planned.max(spared).min(previous * Self::GROWTH))
    }
}

/// The estimated cost of a survivor, and the time that was lost by waiting.
#[derive(Default)]
struct CostEstimate {
    /// Seconds for each survivor, smoothed over the layers.
    smooth: Option<f64>,
    /// Seconds for each survivor of the previous layer.
    previous: f64,
    /// Seconds that layers took beyond what counts for `smooth`.
    waited: f64,
}

impl CostEstimate {
    /// How fast the estimate follows the cost of the last layer.
    const LEARNING: f64 = 0.1;
    /// A layer's cost is capped at this multiple of the estimate, or at the cost of the previous layer.
    const OUTLIER: f64 = 2.0;
    /// The least cost of a survivor, in seconds: no machine needs less.
    const LEAST: f64 = 1e-9;

    /// Records a layer, and returns the estimate.
    fn record(&mut self, seconds: f64, survivors: f64) -> f64 {
        let cost = seconds / survivors;
        let old = self.smooth.unwrap_or(cost);
        // A single layer in which the process had to wait says nothing about the next. Two in
        // succession say that each survivor has become so dear.
        let usual = Self::OUTLIER * old;
        let counted = cost.min(self.previous.max(usual));
        let smooth = if counted > usual {
            counted
        } else {
            old + Self::LEARNING * (counted - old)
        };
        self.previous = cost;
        // A coarse clock may not have moved yet, and 0 is no estimate.
        self.smooth = Some(smooth).filter(|&cost| cost > 0.0);
        // But a process that had to wait before will have to wait again.
        self.waited += (cost - counted) * survivors;
        smooth.max(Self::LEAST)
    }
}

/// Reads the clock, and keeps time back for stalls of the machine.
struct StallGuard<'a> {
    clock: Clock<'a>,
    /// The time of the last check.
    last: f64,
    /// The longest time between two checks, and the second longest, in seconds.
    gaps: [f64; 2],
}

impl StallGuard<'_> {
    /// At most this share of the time is kept back.
    const MAX_RESERVE: f64 = 0.05;

    /// Reads the clock.
    fn check(&mut self) -> f64 {
        let now = (self.clock)();
        let gap = now - self.last;
        self.last = now;
        let [longest, second] = self.gaps;
        self.gaps = [longest.max(gap), second.max(gap.min(longest))];
        now
    }

    /// The time to keep back before the end. What took so long twice may do so again.
    fn reserve(&self, limit: f64) -> f64 {
        self.gaps[1].min(Self::MAX_RESERVE * limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_budget_that_is_shared_out_is_held_to_the_widest_beam() {
        let settings = Settings::default();
        let width = |budget| WidthController::new(budget, &|| 0.0, &settings, 1).width(1, 0);
        assert_eq!(width(Budget::Width(60_000)), Some(60_000));
        assert_eq!(width(Budget::Nodes(1 << 30)), Some(settings.max_width));
    }

    #[test]
    fn cheap_last_layers_leave_more_for_those_before() {
        let widths = |cheap_last_layers: f64| -> Vec<usize> {
            let settings = Settings {
                built_per_place: 1.0,
                cheap_last_layers,
                ..Settings::default()
            };
            let mut controller = WidthController::new(Budget::Nodes(1000), &|| 0.0, &settings, 20);
            let mut nodes = 0;
            let spend = |layer| {
                let width = controller.width(layer, nodes).unwrap();
                // Only the first half of the layers fill up.
                nodes += if layer <= 10 { width as u64 } else { 1 };
                width
            };
            (1..=20).map(spend).collect()
        };
        assert_eq!(widths(0.0)[..10], [50; 10]);
        // Twelve and a half layers' worth: ten of them and ten quarters.
        assert_eq!(widths(0.5)[..10], [80; 10]);
    }

    #[test]
    fn planned_layers_take_what_there_is_and_leave_some_for_those_who_get_farther() {
        let settings = Settings {
            built_per_place: 1.0,
            planned_layers: 40,
            ..Settings::default()
        };
        let mut controller = WidthController::new(Budget::Nodes(8000), &|| 0.0, &settings, 2000);
        let mut nodes = 0;
        let spend = |layer| {
            let width = controller.width(layer, nodes).unwrap();
            nodes += width as u64;
            width
        };
        let widths: Vec<usize> = (1..=2000).map(spend).collect();
        // 40 layers of 200, as long as 20 have not been reached; then less and less.
        assert_eq!(widths[..20], [200; 20]);
        assert!(widths[40..].is_sorted_by(|a, b| a >= b));
        assert!((20..100).contains(&widths[60]), "{widths:?}");
        assert_eq!(widths[1999], 1);
    }

    const LIMIT: f64 = 3.8;

    /// The widths of so many layers, and when the last one ended, on a machine that takes 10 µs for
    /// a state. Its clock shows `shown` of the time, and after each layer it is as late as `waited`
    /// says, which gets the layer, when it began and when it would have ended.
    fn simulated(
        layers: usize,
        shown: impl Fn(f64) -> f64,
        waited: impl Fn(usize, f64, f64) -> f64,
    ) -> (Vec<usize>, f64) {
        let now = std::cell::Cell::new(0.0);
        let clock = || shown(now.get());
        let settings = Settings::default();
        let mut controller = WidthController::new(Budget::Until(LIMIT), &clock, &settings, layers);
        now.set(1e-5);
        let mut widths = Vec::new();
        for layer in 1..=layers {
            let Some(width) = controller.width(layer, 0) else {
                break;
            };
            let began = now.get();
            now.set(waited(layer, began, began + 1e-5 * width as f64));
            controller.record_survivors(width);
            widths.push(width);
        }
        (widths, now.get())
    }

    #[test]
    fn the_last_layers_are_not_narrow_after_waiting() {
        let waited = |layer, _, now| if layer == 1995 { 0.995 * LIMIT } else { now };
        let (widths, end) = simulated(2000, |now| now, waited);
        assert_eq!(widths.len(), 2000);
        let last = &widths[1995..];
        assert!(
            last.iter().all(|width| (100..300).contains(width)),
            "{last:?}"
        );
        assert!(end < LIMIT, "{end}");
    }

    #[test]
    fn a_process_that_has_to_wait_near_the_end_still_gets_there() {
        let waited = |layer, _, now| if layer == 1901 { LIMIT } else { now };
        let (widths, _) = simulated(2000, |now| now, waited);
        assert_eq!(widths.len(), 2000);
        assert!(widths[1850] > 100);
        assert!(widths[1901..].iter().all(|&width| width == 1));
        // It does not go on for ever.
        let waited = |layer, _, now| if layer == 100 { LIMIT } else { now };
        let (widths, end) = simulated(10_000, |now| now, waited);
        assert!((1000..9000).contains(&widths.len()), "{}", widths.len());
        assert!(end < 1.011 * LIMIT, "{end}");
    }

    #[test]
    fn a_coarse_clock_will_do() {
        // A browser's: tenths of a millisecond.
        let shown = |now: f64| (now * 1e4).floor() / 1e4;
        let (widths, end) = simulated(2000, shown, |_, _, now| now);
        assert_eq!(widths.len(), 2000);
        assert!((0.9 * LIMIT..LIMIT).contains(&end), "{end}");
    }

    #[test]
    fn a_process_that_has_to_wait_again_and_again_gets_to_the_end() {
        // Every fortieth layer waits; how much of the time, in all.
        for share in [0.0, 0.2, 0.5] {
            let waited = |layer, _, now| match layer % 40 {
                20 => now + share * LIMIT / 50.0,
                _ => now,
            };
            let (widths, end) = simulated(2000, |now| now, waited);
            assert_eq!(widths.len(), 2000, "{share}");
            assert!((0.9 * LIMIT..LIMIT).contains(&end), "{share}: {end}");
        }
    }
    #[test]
    fn a_core_that_is_choked_is_noticed_within_a_few_layers() {
        for layers in [150, 400, 2000, 10_000] {
            // From 3 s on a state takes ten times as long.
            let choked = |_: usize, began: f64, ended: f64| {
                began + (ended - began) * if began > 3.0 { 10.0 } else { 1.0 }
            };
            let (widths, end) = simulated(layers, |now| now, choked);
            assert_eq!(widths.len(), layers);
            assert!((0.95 * LIMIT..LIMIT).contains(&end), "{layers}: {end}");
            let (before, after) = (widths[layers / 2], widths[layers - 1]);
            assert!(after >= before / 40, "{layers}: {before} {after}");
        }
    }
}
