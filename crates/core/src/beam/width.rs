//! Decides the width of each layer, so that the budget lasts until the end of the search.

use super::costs::Costs;

/// The width of the beam, and how it is filled. The defaults suit most games.
///
/// ```
/// # use columns_core::beam::Settings;
/// let settings = Settings::default().with_built_per_place(2.0).with_max_width(1000);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    pub(super) built_per_place: f64,
    max_children_per_parent: usize,
    max_width: usize,
    /// The number of layers over which the budget is divided, by default all. `search_repeatedly` sets a
    /// smaller number after the game has ended early. If [`Settings::planned_layers_after`] returns a larger
    /// number for the current layer, the search uses that number instead.
    pub(super) planned_layers: usize,
    /// The width from which the beam grows under a time limit: layer 1 may be up to
    /// [`WidthController::MAX_GROWTH`] times as wide. Layer 0 has only the root.
    pub(super) first_width: usize,
    cheap_layer_share: f64,
    pub(super) catch_panics: bool,
    pub(super) threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            built_per_place: 3.0,
            max_children_per_parent: usize::MAX,
            max_width: 50_000,
            planned_layers: usize::MAX,
            first_width: 256,
            cheap_layer_share: 0.0,
            catch_panics: false,
            threads: 1,
        }
    }
}

/// The minimum number of layers that a search plans for beyond the layer that it has reached.
const MIN_LAYERS_AHEAD: usize = 10;
/// The width of a narrow beam, in states. With each doubling of this width, one more child of each
/// parent may survive.
const NARROW_WIDTH: usize = 32;

impl Settings {
    /// Sets the number of candidates built for each place in the beam. The default is 3.
    ///
    /// # Panics
    /// If the number is below 1, infinite or NaN.
    #[must_use]
    pub fn with_built_per_place(self, built_per_place: f64) -> Self {
        assert!((1.0..f64::INFINITY).contains(&built_per_place));
        Self {
            built_per_place,
            ..self
        }
    }

    /// Sets the number of children of one parent that may survive in a layer of fewer than 64
    /// states. One more may survive from 64 states on, another from 128, and so on. Siblings must
    /// not fill a narrow beam, but in a wide beam a low limit would drop good states. By default,
    /// there is no limit.
    ///
    /// # Panics
    /// If the number is 0.
    #[must_use]
    pub fn with_max_children_per_parent(self, max_children_per_parent: usize) -> Self {
        assert!(max_children_per_parent > 0);
        Self {
            max_children_per_parent,
            ..self
        }
    }

    /// Sets the maximum width under a time or node budget, in states. The default is 50,000.
    ///
    /// # Panics
    /// If the width is 0.
    #[must_use]
    pub fn with_max_width(self, max_width: usize) -> Self {
        assert!(max_width > 0);
        Self { max_width, ..self }
    }

    /// Sets the share of the layers, 0 to 1, that are cheap: the last ones, since few states reach them.
    /// The schedule expects each of them to cost a quarter of a normal layer. The default is 0.
    ///
    /// # Panics
    /// If the share is out of range.
    #[must_use]
    pub fn with_cheap_layer_share(self, cheap_layer_share: f64) -> Self {
        assert!((0.0..=1.0).contains(&cheap_layer_share));
        Self {
            cheap_layer_share,
            ..self
        }
    }

    /// Makes the search catch panics of the game. After a panic, the search returns the best result so far,
    /// with [`SearchResult::panicked`](super::SearchResult::panicked) set. By default, panics propagate to
    /// the caller.
    #[must_use]
    pub fn catch_panics(self) -> Self {
        Self {
            catch_panics: true,
            ..self
        }
    }

    /// Sets the number of threads that `search_on_threads` uses, including the calling thread. The default is
    /// 1. All other searches use only the calling thread.
    ///
    /// # Panics
    /// If the number is 0.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        assert!(threads > 0);
        Self { threads, ..self }
    }

    /// Returns the number of layers to plan for if a search has reached layer `depth`: 1.5 times
    /// `depth`, plus 10.
    pub(super) fn planned_layers_after(depth: usize) -> usize {
        depth + depth / 2 + MIN_LAYERS_AHEAD
    }

    /// Returns the number of children of one parent that may survive in a layer of `width` states.
    pub(super) fn max_children_per_parent(&self, width: usize) -> usize {
        let doublings = (width / NARROW_WIDTH).max(1).ilog2();
        self.max_children_per_parent
            .saturating_add(doublings as usize)
    }
}

/// The budget of a search, which determines the widths of its layers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Budget {
    /// A fixed width for every layer, in states.
    Width(usize),
    /// A total number of states to build, divided evenly among the layers. Each layer gets at least one
    /// state, even beyond this number. The result does not depend on the machine.
    Nodes(u64),
    /// The time on the clock, in seconds, at which the search ends; or the reading of another [`Meter`]. If
    /// the process stalls just before the end, the search may exceed its time by 1 %, so that the last layers
    /// are not lost.
    Deadline(f64),
}

/// A function that reads a running clock, in seconds from any origin.
pub type Clock<'a> = &'a dyn Fn() -> f64;

/// A function that measures how much of a [`Budget::Deadline`] is spent: it reads a clock, or computes a
/// price from the costs so far. In the second case, the result does not depend on the machine, but the search
/// may use only one thread, since the [work](Costs::game_work) of other threads is not counted.
pub type Meter<'a> = &'a dyn Fn(&Costs) -> f64;

/// Decides how wide the next layer may be.
pub(super) struct WidthController<'a> {
    budget: Budget,
    meter: Meter<'a>,
    pub(super) settings: &'a Settings,
    /// The last layer of the search.
    last_layer: usize,
    /// The width of the current layer, in states.
    width: usize,
    /// The time at which the search began, in seconds.
    start: f64,
    /// The time at which the current layer must end, in seconds.
    layer_deadline: f64,
    cost: CostEstimate,
    stalls: StallMonitor,
}

impl<'a> WidthController<'a> {
    /// The maximum width of a layer, as a multiple of the previous width. A single cheap layer, or a coarse
    /// clock, would otherwise make the next layer far too wide.
    const MAX_GROWTH: usize = 2;
    /// The number of candidates to list, as a multiple of the number of states to build in a layer of the
    /// current width: more than 1, since the next layer may be wider.
    const LISTED_PER_BUILT: f64 = 1.3;
    /// The number of candidates to list beyond [`Self::LISTED_PER_BUILT`] times the states to build, so that
    /// narrow beams have enough candidates.
    const EXTRA_LISTED: usize = 16;
    /// The share of stalled time is computed as if at least this share of the limit had elapsed. Otherwise, a
    /// slow start, for example of the threads, would make the whole search narrow.
    const MIN_ELAPSED_SHARE: f64 = 0.1;
    /// The share of a normal layer's cost that the schedule expects each cheap last layer to save.
    const CHEAP_LAYER_SAVING: f64 = 0.75;
    /// The share of the remaining time, including the spare time, that the schedule may always use. After a
    /// stall shortly before the end, the last layers would otherwise have one state each.
    const GUARANTEED_SHARE: f64 = 0.5;

    pub(super) fn new(
        budget: Budget,
        meter: Meter<'a>,
        settings: &'a Settings,
        last_layer: usize,
    ) -> Self {
        let now = meter(&Costs::default());
        Self {
            budget,
            meter,
            settings,
            last_layer,
            width: settings.first_width,
            start: now,
            layer_deadline: f64::INFINITY,
            cost: CostEstimate {
                layer_start: now,
                smoothed_cost: 0.0,
                previous_cost: 0.0,
                stall_time: 0.0,
            },
            stalls: StallMonitor {
                last_check: now,
                gaps: [0.0; 2],
            },
        }
    }

    /// Computes the width of layer `layer`, given the number of survivors of the previous layer and the costs
    /// so far. Returns `None` if the time is up.
    pub(super) fn next_width(
        &mut self,
        layer: usize,
        survivors: usize,
        costs: &Costs,
    ) -> Option<usize> {
        let settings = self.settings;
        let planned_end = settings
            .planned_layers
            .max(Settings::planned_layers_after(layer));
        let layers_left = (self.last_layer.min(planned_end) - layer) as f64 + 1.0;
        // The remaining layers cost as much as this number of normal layers, at least 1.
        let normal_layers = layers_left
            - Self::CHEAP_LAYER_SAVING
                * (layers_left - 1.0).min(settings.cheap_layer_share * self.last_layer as f64);
        let width = match self.budget {
            Budget::Width(width) => width,
            Budget::Nodes(limit) => {
                let nodes_left = limit.saturating_sub(costs.nodes) as f64;
                (nodes_left / normal_layers / settings.built_per_place) as usize
            }
            Budget::Deadline(end) => {
                let now = self.check_clock(costs);
                let cost = self.cost.update(now, survivors.max(1) as f64);
                self.width_until(end, now, layers_left, normal_layers, cost)?
            }
        };
        let max_width = match self.budget {
            Budget::Width(_) => usize::MAX,
            _ => settings.max_width,
        };
        self.width = width.clamp(1, max_width);
        Some(self.width)
    }

    /// Computes the width of a layer so that the search ends at the time `end`. `now` is the reading of the
    /// meter. The `layers_left` remaining layers cost as much as `normal_layers` normal layers, in which
    /// each survivor costs `cost` seconds. Returns `None` if the time is up.
    fn width_until(
        &mut self,
        end: f64,
        now: f64,
        layers_left: f64,
        normal_layers: f64,
        cost: f64,
    ) -> Option<usize> {
        let limit = end - self.start;
        let deadlines =
            Deadlines::new(end - self.stalls.end_margin(limit), limit, now, layers_left);
        if now >= deadlines.hard {
            return None;
        }
        self.layer_deadline = deadlines.layer;
        let stalls = self.cost.stall_time / (now - self.start).max(Self::MIN_ELAPSED_SHARE * limit);
        let width_for = |time: f64| (time * (1.0 - stalls) / normal_layers / cost) as usize;
        let planned = width_for(deadlines.soft - now);
        let guaranteed = width_for((deadlines.end - now) * Self::GUARANTEED_SHARE).min(self.width);
        Some(
            planned
                .max(guaranteed)
                .min(self.width.saturating_mul(Self::MAX_GROWTH)),
        )
    }

    /// Reads the meter and records the gap since the last check.
    fn check_clock(&mut self, costs: &Costs) -> f64 {
        let now = (self.meter)(costs);
        self.stalls.check(now);
        now
    }

    /// Returns the number of states to build for layer `layer` of `width` states, after `nodes` states have
    /// been built. If a budget of states allows only a width of 1, reserves one state for each later layer.
    /// Returns at least 1, so that the game continues to its end.
    pub(super) fn states_to_build(&self, layer: usize, width: usize, nodes: u64) -> usize {
        let mut count = (width as f64 * self.settings.built_per_place) as usize;
        if let Budget::Nodes(limit) = self.budget {
            let later = match width {
                1 => self.last_layer - layer,
                _ => 0,
            } as u64;
            count = count.min(limit.saturating_sub(nodes.saturating_add(later)) as usize);
        }
        count.max(1)
    }

    /// Returns a generous estimate of the number of candidates to list for the next layer. The width of
    /// that layer is not known yet, and some candidates may be duplicates.
    pub(super) fn candidates_to_list(&self) -> usize {
        let built = self.width as f64 * self.settings.built_per_place;
        ((built * Self::LISTED_PER_BUILT) as usize).saturating_add(Self::EXTRA_LISTED)
    }

    /// Checks the meter. Returns true if the current layer must end.
    pub(super) fn is_late(&mut self, costs: &Costs) -> bool {
        matches!(self.budget, Budget::Deadline(_)) && self.check_clock(costs) >= self.layer_deadline
    }
}

/// The times at which a search and its current layer end, in seconds.
struct Deadlines {
    /// No layer begins after this time. Between `end` and this time, a layer has one state, so that a search
    /// that stalls near the end still reaches the last layer.
    hard: f64,
    /// The search should end at this time.
    end: f64,
    /// The end for which the widths are planned. The time from then to `end` is spare, so that even a slow
    /// last layer ends in time.
    soft: f64,
    /// The current layer ends at this time with the states built so far.
    layer: f64,
}

impl Deadlines {
    /// The time between `soft` and `end`, and between `end` and `hard`, as a share of the limit.
    const MARGIN: f64 = 0.01;
    /// The share of the remaining time that a layer must leave for the later layers, unless it is one of the
    /// last two. A layer during which the process stalls would otherwise use the time of all later ones.
    const RESERVED_FOR_LATER: f64 = 0.5;

    /// Computes the deadlines of a layer that begins at `now`. `layers_left` layers remain, including this
    /// one.
    fn new(end: f64, limit: f64, now: f64, layers_left: f64) -> Self {
        Self {
            hard: end + Self::MARGIN * limit,
            end,
            soft: end - Self::MARGIN * limit,
            layer: if layers_left > 2.0 {
                end - Self::RESERVED_FOR_LATER * (end - now)
            } else {
                end
            },
        }
    }
}

/// The estimated cost of a survivor.
struct CostEstimate {
    /// The time at which the current layer began, in seconds.
    layer_start: f64,
    /// The cost of a survivor, in seconds, smoothed over the layers. 0 if there is no estimate yet.
    smoothed_cost: f64,
    /// The cost of a survivor in the last measured layer, in seconds, before the cap.
    previous_cost: f64,
    /// The total time by which layers exceeded their capped costs, in seconds. It counts as stalled time.
    stall_time: f64,
}

impl CostEstimate {
    /// The weight of the latest layer in the estimate.
    const EMA_WEIGHT: f64 = 0.1;
    /// A survivor's cost is high if it exceeds the estimate times this number, and low if it is below the
    /// estimate divided by it. A high cost is capped at this multiple of the estimate, or at the previous
    /// layer's cost if that is higher.
    const MAX_COST_RATIO: f64 = 2.0;
    /// The minimum estimate, in seconds, so that the computed width stays finite.
    const MIN_COST: f64 = 1e-9;

    /// Updates and returns the estimate at `now`, the end of a layer with this number of survivors.
    fn update(&mut self, now: f64, survivors: f64) -> f64 {
        let cost = (now - self.layer_start) / survivors;
        self.layer_start = now;
        // Before the first layer ends, or while a coarse clock stands still, there is no estimate: start with
        // the cost of this layer.
        let estimate = if self.smoothed_cost > 0.0 {
            self.smoothed_cost
        } else {
            cost
        };
        // A single layer says nothing about the next one: the process may have stalled, or the clock may be
        // coarse. If two layers in a row cost more than twice the estimate, or less than half of it, the cost
        // of a survivor has changed.
        let high_cost = Self::MAX_COST_RATIO * estimate;
        let capped_cost = cost.min(self.previous_cost.max(high_cost));
        let highest = cost.max(self.previous_cost);
        self.smoothed_cost = if capped_cost > high_cost {
            capped_cost
        } else if highest > 0.0 && highest * Self::MAX_COST_RATIO < estimate {
            highest
        } else {
            estimate + Self::EMA_WEIGHT * (capped_cost - estimate)
        };
        self.previous_cost = cost;
        // Add the cost beyond the cap, since a process that has stalled will probably stall again.
        self.stall_time += (cost - capped_cost) * survivors;
        self.smoothed_cost.max(Self::MIN_COST)
    }
}

/// The gaps between clock checks. A long gap means that the process stalled.
struct StallMonitor {
    /// The time of the last clock check, in seconds.
    last_check: f64,
    /// The longest and the second longest gap, in seconds.
    gaps: [f64; 2],
}

impl StallMonitor {
    /// The maximum reserve, as a share of the limit.
    const MAX_RESERVE: f64 = 0.05;

    /// Records the gap since the last check.
    fn check(&mut self, now: f64) {
        let gap = now - self.last_check;
        self.last_check = now;
        let [longest, second] = self.gaps;
        self.gaps = [longest.max(gap), second.max(gap.min(longest))];
    }

    /// Returns the time to reserve before the end, in seconds: the second longest gap, since a gap that
    /// occurred twice may occur again just before the end.
    fn end_margin(&self, limit: f64) -> f64 {
        self.gaps[1].min(Self::MAX_RESERVE * limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs_of(nodes: u64) -> Costs {
        Costs {
            nodes,
            ..Costs::default()
        }
    }

    #[test]
    fn only_a_budget_that_is_divided_among_layers_respects_the_maximum_width() {
        let settings = Settings::default();
        let width = |budget| {
            let mut controller = WidthController::new(budget, &|_| 0.0, &settings, 1);
            controller.next_width(1, 1, &Costs::default())
        };
        assert_eq!(width(Budget::Width(60_000)), Some(60_000));
        assert_eq!(width(Budget::Nodes(1 << 30)), Some(settings.max_width));
    }

    #[test]
    fn cheap_last_layers_leave_more_for_the_earlier_ones() {
        let widths = |cheap_layer_share: f64| -> Vec<usize> {
            let settings = Settings {
                built_per_place: 1.0,
                cheap_layer_share,
                ..Settings::default()
            };
            let mut controller = WidthController::new(Budget::Nodes(1000), &|_| 0.0, &settings, 20);
            let mut nodes = 0;
            let spend = |layer| {
                let width = controller.next_width(layer, 1, &costs_of(nodes)).unwrap();
                // Only the first half of the layers fills up.
                nodes += if layer <= 10 { width as u64 } else { 1 };
                width
            };
            (1..=20).map(spend).collect()
        };
        assert_eq!(widths(0.0)[..10], [50; 10]);
        // The budget pays for 12.5 normal layers: ten at the full cost and ten at a quarter of it.
        assert_eq!(widths(0.5)[..10], [80; 10]);
    }

    #[test]
    fn a_search_that_outlives_its_plan_still_has_budget() {
        let settings = Settings {
            built_per_place: 1.0,
            planned_layers: 40,
            ..Settings::default()
        };
        let mut controller = WidthController::new(Budget::Nodes(8000), &|_| 0.0, &settings, 2000);
        let mut nodes = 0;
        let spend = |layer| {
            let width = controller.next_width(layer, 1, &costs_of(nodes)).unwrap();
            nodes += width as u64;
            width
        };
        let widths: Vec<usize> = (1..=2000).map(spend).collect();
        // Up to layer 20, the budget is spread over 40 layers of 200 states. Later the plan extends beyond
        // layer 40, so the width shrinks.
        assert_eq!(widths[..20], [200; 20]);
        assert!(widths[40..].is_sorted_by(|a, b| a >= b));
        assert!((20..100).contains(&widths[60]), "{widths:?}");
        assert_eq!(widths[1999], 1);
    }

    const TIME_LIMIT: f64 = 3.8;

    /// Simulates a search of `layers` layers on a machine that takes 10 µs for each state. Returns the widths
    /// of the layers, and the time at which the last one ended. The clock shows `read_clock(time)`.
    /// `layer_end` receives a layer, the time at which it began, and the time at which it would end without a
    /// stall; it returns the time at which the layer ends.
    fn simulate(
        layers: usize,
        read_clock: impl Fn(f64) -> f64,
        layer_end: impl Fn(usize, f64, f64) -> f64,
    ) -> (Vec<usize>, f64) {
        let now = std::cell::Cell::new(0.0);
        let clock = |_: &Costs| read_clock(now.get());
        let settings = Settings::default();
        let mut controller =
            WidthController::new(Budget::Deadline(TIME_LIMIT), &clock, &settings, layers);
        now.set(layer_end(0, 0.0, 1e-5));
        let (mut widths, mut width) = (Vec::new(), 1);
        for layer in 1..=layers {
            let Some(next) = controller.next_width(layer, width, &Costs::default()) else {
                break;
            };
            width = next;
            let start = now.get();
            now.set(layer_end(layer, start, start + 1e-5 * width as f64));
            widths.push(width);
        }
        (widths, now.get())
    }

    #[test]
    fn the_last_layers_are_not_narrow_after_a_stall() {
        let layer_end = |layer, _, now| {
            if layer == 1995 {
                0.995 * TIME_LIMIT
            } else {
                now
            }
        };
        let (widths, end) = simulate(2000, |now| now, layer_end);
        assert_eq!(widths.len(), 2000);
        let last = &widths[1995..];
        assert!(
            last.iter().all(|width| (100..300).contains(width)),
            "{last:?}"
        );
        assert!(end < TIME_LIMIT, "{end}");
    }

    #[test]
    fn a_process_that_stalls_near_the_end_still_reaches_the_last_layer() {
        let layer_end = |layer, _, now| if layer == 1901 { TIME_LIMIT } else { now };
        let (widths, _) = simulate(2000, |now| now, layer_end);
        assert_eq!(widths.len(), 2000);
        assert!(widths[1850] > 100);
        assert!(widths[1901..].iter().all(|&width| width == 1));
        // If too many layers are left, the search ends when it exceeds its time limit by 1 %.
        let layer_end = |layer, _, now| if layer == 100 { TIME_LIMIT } else { now };
        let (widths, end) = simulate(10_000, |now| now, layer_end);
        assert!((1000..9000).contains(&widths.len()), "{}", widths.len());
        assert!(end < 1.011 * TIME_LIMIT, "{end}");
    }

    #[test]
    fn a_coarse_clock_is_sufficient() {
        // The clock of a browser has a resolution of 0.1 ms.
        let read_clock = |now: f64| (now * 1e4).floor() / 1e4;
        let (widths, end) = simulate(2000, read_clock, |_, _, now| now);
        assert_eq!(widths.len(), 2000);
        assert!((0.9 * TIME_LIMIT..TIME_LIMIT).contains(&end), "{end}");
    }

    #[test]
    fn a_process_that_stalls_again_and_again_gets_to_the_end() {
        // Every fortieth layer stalls. All stalls together take this share of the limit.
        for share in [0.0, 0.2, 0.5] {
            let layer_end = |layer, _, now| match layer % 40 {
                20 => now + share * TIME_LIMIT / 50.0,
                _ => now,
            };
            let (widths, end) = simulate(2000, |now| now, layer_end);
            assert_eq!(widths.len(), 2000, "{share}");
            assert!(
                (0.9 * TIME_LIMIT..TIME_LIMIT).contains(&end),
                "{share}: {end}"
            );
        }
    }

    #[test]
    fn a_slow_start_does_not_shorten_the_search() {
        // Layer 0 has only one state, but its time includes the start of the threads.
        for layers in [40, 300, 2000] {
            for delay in [0.0, 0.002, 0.02, 0.2] {
                let late = |layer, _, now| now + if layer == 0 { delay } else { 0.0 };
                let (widths, end) = simulate(layers, |now| now, late);
                assert_eq!(widths.len(), layers);
                assert!(
                    (0.93 * TIME_LIMIT..TIME_LIMIT).contains(&end),
                    "{layers} layers, {delay} s: {end}"
                );
            }
        }
    }

    #[test]
    fn a_throttled_core_is_noticed_within_a_few_layers() {
        for layers in [150, 400, 2000, 10_000] {
            // From 3 s on, each state takes ten times as long.
            let throttled = |_: usize, start: f64, end: f64| {
                start + (end - start) * if start > 3.0 { 10.0 } else { 1.0 }
            };
            let (widths, end) = simulate(layers, |now| now, throttled);
            assert_eq!(widths.len(), layers);
            assert!(
                (0.95 * TIME_LIMIT..TIME_LIMIT).contains(&end),
                "{layers}: {end}"
            );
            let (before, after) = (widths[layers / 2], widths[layers - 1]);
            assert!(after >= before / 40, "{layers}: {before} {after}");
        }
    }
}
