//! Shows whether equal amounts of work take equal time: `cargo bench -p columns-tuner --bench work`. With
//! `-- --fit` at the end, it also prints prices that are fitted to the measured times.
//!
//! Plays cases for each layout of the field, with several beam widths and beam settings. Compares the time of
//! each search with the work that its meter counted (`columns_bot::observe::meter`). Other programs affect
//! the times, so all searches run in several rounds, and only the fastest time of each search counts.

// A benchmark may use `println!`, which panics if standard output is a pipe whose reader has exited.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use columns_bot::eval::weights::Weights;
use columns_bot::learned::networks;
use columns_bot::observe::meter::{WORK_KIND_COUNT, counts, measure_costs, prices};
use columns_bot::search::Player;
use columns_cases::PaletteKind;
use columns_core::rules::case::Case;
use columns_core::simd::InstructionSet;
use columns_generator::{Profile, Spec, generate};
use std::time::Instant;

/// Width, height and number of colours of the fields, two fields for each layout.
const FIELDS: [[(usize, usize, usize); 2]; 6] = [
    [(6, 13, 4), (6, 16, 6)],
    [(8, 15, 5), (12, 19, 6)],
    [(6, 13, 8), (6, 19, 10)],
    [(9, 16, 9), (12, 19, 12)],
    [(6, 16, 16), (6, 19, 20)],
    [(9, 17, 16), (12, 19, 20)],
];

/// Beam widths, each with the number of columns that a search can place in about a tenth of a second.
const BEAMS: [(usize, usize); 4] = [(20, 200), (120, 80), (700, 36), (5000, 14)];

/// The beam settings to measure: the number of states built for each place in the beam, and the maximum
/// number of surviving children of a parent.
const FILLED: [(f64, f64); 6] = [
    (1.0, 2.0),
    (1.0, 12.0),
    (3.0, 3.0),
    (3.0, 12.0),
    (5.0, 2.0),
    (5.0, 12.0),
];

/// The number of times that each search runs.
const ROUNDS: usize = 5;

struct Search {
    name: String,
    case: Case,
    width: usize,
    weights: Weights,
    counts: [u64; WORK_KIND_COUNT],
    seconds: f64,
}

fn searches(fields: &[(usize, usize, usize)]) -> Vec<Search> {
    let mut searches = Vec::new();
    for &(width, height, colours) in fields {
        for (beam, columns) in BEAMS {
            let spec = Spec::new(Profile::Default)
                .with_width(width)
                .and_then(|spec| spec.with_height(height))
                .and_then(|spec| spec.with_colours(colours))
                .and_then(|spec| spec.with_columns(columns))
                .and_then(|spec| spec.with_palette(PaletteKind::Fixed))
                .expect("within the limits");
            for (built_per_place, max_siblings) in FILLED {
                searches.push(Search {
                    name: format!(
                        "{width}x{height} {colours} {beam} {built_per_place} {max_siblings}"
                    ),
                    case: generate(1000, &spec),
                    width: beam,
                    weights: Weights {
                        built_per_place,
                        max_siblings,
                        ..Weights::default()
                    },
                    counts: [0; WORK_KIND_COUNT],
                    seconds: f64::INFINITY,
                });
            }
        }
    }
    searches
}

impl Search {
    fn run(&mut self) {
        let player = Player {
            weights: &self.weights,
            networks: networks::built_in_networks(),
        };
        let start = Instant::now();
        let costs = measure_costs(&self.case, player, self.width, InstructionSet::detect());
        self.seconds = self.seconds.min(start.elapsed().as_secs_f64());
        self.counts = counts(costs);
    }

    /// Returns the work of the search divided by its time.
    fn work_per_second(&self, prices: [f64; WORK_KIND_COUNT]) -> f64 {
        let each = self.counts.iter().zip(prices);
        each.map(|(&n, price)| n as f64 * price).sum::<f64>() / self.seconds
    }
}

/// Fits nonnegative prices by least squares: minimises the sum over all searches of (1 − work / time)².
fn fit(searches: &[Search]) -> [f64; WORK_KIND_COUNT] {
    let mut prices = [0.0; WORK_KIND_COUNT];
    for _ in 0..20_000 {
        for i in 0..WORK_KIND_COUNT {
            let (mut above, mut below) = (0.0, 0.0);
            for search in searches {
                let x = search.counts[i] as f64 / search.seconds;
                above += x * (1.0 - search.work_per_second(prices));
                below += x * x;
            }
            prices[i] = (prices[i] + above / below).max(0.0);
        }
    }
    prices
}

fn main() {
    let fitting = std::env::args().any(|arg| arg == "--fit");
    let mut all: Vec<Vec<Search>> = FIELDS.iter().map(|fields| searches(fields)).collect();
    for round in 0..ROUNDS {
        eprintln!("round {round}");
        all.iter_mut().flatten().for_each(Search::run);
    }
    for searches in &all {
        let in_use = prices(&searches[0].case).map(|price| price as f64 / 1e12);
        if fitting {
            let fitted = fit(searches).map(|price| (price * 1e12).round());
            println!("prices {fitted:?}");
        }
        for search in searches {
            let ratio = search.work_per_second(in_use);
            println!(
                "{:24} {:8.1} ms {:?} {ratio:.3}",
                search.name,
                1e3 * search.seconds,
                search.counts
            );
        }
    }
}
