//! The section of the time.

use super::axis::Axis;
use super::bars::shares;
use super::page::Section;
use super::plot::{at_both_widths, Plot};
use super::text::{duration, table};
use super::Report;
use crate::fit::record::Stage;
use crate::fit::stage::Timing;
use columns_core::text::grouped;

/// How the processors spent the time of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Spent {
    games: usize,
    wall_s: f64,
    /// Processor seconds of the games.
    games_s: f64,
    /// Processor seconds of the tuner beside them.
    own_s: f64,
    /// Seconds in which a processor that should play did not: it waited, or did other work.
    idle_s: f64,
}

impl Spent {
    fn add(mut self, timing: &Timing) -> Self {
        self.games += timing.games;
        self.wall_s += timing.wall_s;
        self.games_s += timing.games_s;
        match timing.jobs {
            Some(jobs) => {
                self.own_s += (timing.process_s - timing.games_s).max(0.0);
                self.idle_s += (jobs as f64 * timing.wall_s - timing.process_s).max(0.0);
            }
            // Other machines played the games; how many processors waited is not known.
            None => self.own_s += timing.process_s,
        }
        self
    }

    fn row(&self, name: &str) -> Vec<String> {
        vec![
            name.into(),
            grouped(self.games as u64),
            duration(self.wall_s),
            format!("{:.1}", self.games as f64 / self.wall_s.max(1e-9)),
            format!("{:.1}", self.games_s),
            format!("{:.1}", self.own_s),
            format!("{:.1}", self.idle_s),
        ]
    }
}

/// The section, if the times are known.
pub(super) fn section(report: &Report) -> Option<Section> {
    let of = |kind: fn(Stage) -> bool| {
        let timings = report.timings.iter().filter(|timing| kind(timing.stage));
        timings.fold(Spent::default(), Spent::add)
    };
    let all = of(|_| true);
    if all.games == 0 {
        return None;
    }
    let parts = [
        ("games", all.games_s),
        ("own", all.own_s),
        ("idle", all.idle_s),
    ];
    let whole: f64 = parts.iter().map(|part| part.1).sum();
    let share = |part: f64| 100.0 * part / whole.max(1e-9);
    let speed: Vec<(f64, f64)> = report
        .timings
        .iter()
        .filter_map(|timing| match timing.stage {
            Stage::Generation(number) if timing.wall_s > 0.0 => {
                Some((f64::from(number), timing.games as f64 / timing.wall_s))
            }
            _ => None,
        })
        .collect();
    let highest = speed.iter().map(|point| point.1).fold(0.0, f64::max);
    let last = speed.iter().map(|point| point.0).fold(0.0, f64::max);
    let drawing = at_both_widths(|width| {
        let bar = shares(width, &parts, "Where the processors’ time went");
        let plot = Plot::new(width, 200, Axis::counts(last as u64), Axis::up_to(highest))
            .line("mean", &speed)
            .finish("Games a second by generation");
        format!("{bar}\n{plot}")
    });
    let stages = [
        of(|stage| matches!(stage, Stage::Generation(_))).row("generations"),
        of(|stage| matches!(stage, Stage::Challenge(_))).row("challenges"),
        of(|stage| matches!(stage, Stage::Look(_))).row("held-out seeds"),
        all.row("all"),
    ];
    let head = [
        "stage",
        "games",
        "wall time",
        "games/s",
        "in games, s",
        "in the tuner, s",
        "waiting, s",
    ];
    Some(Section {
        heading: "Where the time went",
        text: format!(
            "{} games in {}. Of the processors’ time <span class=\"key games\">{:.1} % went into \
             games</span>, <span class=\"key own\">{:.2} % into the tuner itself</span>, and <span \
             class=\"key idle\">{:.1} % into waiting and other programs</span>. Below: games a \
             second, by generation.",
            grouped(all.games as u64),
            duration(all.wall_s),
            share(all.games_s),
            share(all.own_s),
            share(all.idle_s),
        ),
        drawing,
        numbers: table(&head, stages),
    })
}
