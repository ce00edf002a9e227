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
    /// The number of threads of [`search_ahead`](super::search_ahead), the calling one included.
    #[cfg(feature = "threads")]
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
            #[cfg(feature = "threads")]
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
    clock: Clock<'a>,
    pub(super) settings: &'a Settings,
    /// The last layer of the game.
    last: usize,
    /// The width of the present layer.
    width: usize,
    /// When the search began.
    start: f64,
    /// When the present layer began.
    began: f64,
    /// When the present layer has to end.
    deadline: f64,
    /// Seconds for each survivor, smoothed over the layers.
    cost: Option<f64>,
    /// Survivors of the present layer.
    survivors: usize,
    /// Seconds for each survivor of the layer before the last one.
    before: f64,
    /// Seconds that layers took beyond what counts for `cost`.
    waited: f64,
    /// What the clock showed last.
    seen: f64,
    /// The longest time that the clock was not looked at, and the second longest, in seconds.
    gaps: [f64; 2],
}

impl<'a> WidthController<'a> {
    /// The width of the first layer under a time limit, before anything is
    /// known of the machine.
    const FIRST_WIDTH: usize = 256;
    /// A layer is at most this many times as wide as the one before, since the
    /// cost of a survivor is an estimate.
    const GROWTH: usize = 2;
    /// How fast the estimated cost of a survivor follows that of the last layer.
    const LEARNING: f64 = 0.1;
    /// The cost of a layer counts for at most this many times the estimate, or for that of the
    /// layer before.
    const OUTLIER: f64 = 2.0;
    /// Candidates are listed for a layer this many times as wide as the one before.
    const SLACK: f64 = 1.3;
    /// Candidates that are listed beyond that.
    const MORE_CANDIDATES: usize = 16;
    /// Waiting time is divided by at least this share of the limit, so that an early stall is not
    /// overrated.
    const AT_FIRST: f64 = 0.1;
    /// This share of the time is not planned for, so that a slow last layer still ends in time.
    /// Where the last layers came late, a beam of one state goes on for as long again.
    const SPARE: f64 = 0.01;
    /// A layer leaves at least this share of the time to the others, unless it is one of the last
    /// two.
    const LEFT_AFTER: f64 = 0.5;
    /// The cheap last layers are planned to cost this share of the others less.
    const CHEAP_SAVES: f64 = 0.75;
    /// At most this share of the time is kept back for what takes long between two looks at the
    /// clock.
    const LONGEST: f64 = 0.05;
    /// The share of the remaining time, spare time included, that may always be planned with.
    const SPARED: f64 = 0.5;
    /// The least cost of a survivor, in seconds: no machine needs less.
    const LEAST_COST: f64 = 1e-9;

    pub(super) fn new(
        budget: Budget,
        clock: Clock<'a>,
        settings: &'a Settings,
        last: usize,
    ) -> Self {
        Self {
            budget,
            clock,
            settings,
            last,
            width: Self::FIRST_WIDTH,
            start: clock(),
            began: clock(),
            deadline: f64::INFINITY,
            cost: None,
            survivors: 1,
            before: 0.0,
            waited: 0.0,
            seen: clock(),
            gaps: [0.0; 2],
        }
    }

    /// The width of layer `layer`, after `nodes` states were built; `None` when
    /// the time is up.
    pub(super) fn width(&mut self, layer: usize, nodes: u64) -> Option<usize> {
        let settings = self.settings;
        let goal = settings.planned_layers.max(Settings::planned_after(layer));
        let left = (self.last.min(goal) + 1 - layer) as f64;
        // At least one, and more than one unless this layer is the last.
        let layers = left
            - Self::CHEAP_SAVES * (left - 1.0).min(settings.cheap_last_layers * self.last as f64);
        let width = match self.budget {
            Budget::Width(width) => width,
            Budget::Nodes(limit) => {
                let left = limit.saturating_sub(nodes) as f64;
                (left / layers / settings.built_per_place) as usize
            }
            Budget::Until(end) => {
                let now = self.look();
                let limit = end - self.start;
                // What took so long twice may do so again just before the end.
                let end = end - self.gaps[1].min(Self::LONGEST * limit);
                if now >= end + Self::SPARE * limit {
                    return None;
                }
                self.deadline = if left > 2.0 {
                    end - Self::LEFT_AFTER * (end - now)
                } else {
                    end
                };
                let smooth = self.cost_until(now);
                let waits = self.waited / (now - self.start).max(Self::AT_FIRST * limit);
                let wide = |time: f64| {
                    (time * (1.0 - waits) / layers / smooth.max(Self::LEAST_COST)) as usize
                };
                let planned = wide(end - Self::SPARE * limit - now);
                // With the spare time the last layers need not be narrow after waiting.
                let spared = wide((end - now) * Self::SPARED).min(self.width);
                planned.max(spared).min(self.width * Self::GROWTH)
            }
        };
        let widest = match self.budget {
            Budget::Width(_) => usize::MAX,
            _ => settings.max_width,
        };
        self.width = width.clamp(1, widest);
        Some(self.width)
    }

    /// The estimated cost of a survivor in seconds, after a layer that ended just now.
    fn cost_until(&mut self, now: f64) -> f64 {
        let survivors = self.survivors as f64;
        let cost = (now - self.began) / survivors;
        self.began = now;
        let old = self.cost.unwrap_or(cost);
        // A single layer in which the process had to wait says nothing about the next. Two in
        // succession say that each survivor has become so dear.
        let usual = Self::OUTLIER * old;
        let counted = cost.min(self.before.max(usual));
        let smooth = if counted > usual {
            counted
        } else {
            old + Self::LEARNING * (counted - old)
        };
        self.before = cost;
        // A coarse clock may not have moved yet, and 0 is no estimate.
        self.cost = Some(smooth).filter(|&cost| cost > 0.0);
        // But a process that had to wait before will have to wait again.
        self.waited += (cost - counted) * survivors;
        smooth
    }

    /// Looks at the clock.
    fn look(&mut self) -> f64 {
        let now = (self.clock)();
        let gap = now - self.seen;
        self.seen = now;
        let [longest, second] = self.gaps;
        self.gaps = [longest.max(gap), second.max(gap.min(longest))];
        now
    }

    /// The number of states to build for layer `layer` of `width` states, after `nodes` states were
    /// built. Where a budget of states allows no width of one, one state is left for each layer
    /// after this one, and one is built in any case: the game continues to its end.
    pub(super) fn states_to_build(&self, layer: usize, width: usize, nodes: u64) -> usize {
        let mut count = (width as f64 * self.settings.built_per_place) as usize;
        if let Budget::Nodes(limit) = self.budget {
            let later = match width {
                1 => self.last - layer,
                _ => 0,
            } as u64;
            count = count.min(limit.saturating_sub(nodes + later) as usize);
        }
        count.max(1)
    }

    /// About the most candidates that will be chosen for the next layer. Its width is not known
    /// yet, and some candidates may turn out to be equal.
    pub(super) fn candidates(&self) -> usize {
        let built = self.width as f64 * self.settings.built_per_place;
        ((built * Self::SLACK) as usize).saturating_add(Self::MORE_CANDIDATES)
    }

    /// Tells how many states survived in the present layer.
    pub(super) fn keep_up(&mut self, survivors: usize) {
        self.survivors = survivors.max(1);
    }

    /// Whether the present layer has to end.
    pub(super) fn late(&mut self) -> bool {
        matches!(self.budget, Budget::Until(_)) && self.look() >= self.deadline
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
            controller.keep_up(width);
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
