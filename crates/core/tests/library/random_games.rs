//! Compares random games on the naive simulator with the same games on the fast one, with every
//! instruction set.

use crate::isas::warn_of_missing_bmi2;
use crate::placement::{CheckedPlaceKernel, place_on_both};
use crate::random::Random;
use columns_core::field::Field;
use columns_core::rules::case::{Colour, Column, HEIGHTS, MAX_COLOURS, WIDTHS};
use columns_core::rules::naive::NaiveField;
use columns_core::rules::plan::Placement;
use columns_core::simd::{InstructionSet, run};

/// How the placements of a random game are chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Random placements. Games are short.
    Random,
    /// Of two random placements, the one on the lower stack. Games are longer.
    Low,
    /// Placements that clear nothing while there is room, then the placement that scores most. Chains are
    /// long.
    Hoard,
}

/// Counts over all games played, so that a test can check that it covers enough.
#[derive(Debug, Default)]
struct Counts {
    placements: u64,
    /// Placements that clear something.
    clearing_placements: u64,
    /// Magic columns that clear something.
    clearing_magic_columns: u64,
    /// Games that ended because a column did not fit.
    lost_games: u64,
    /// The number of steps of the longest chain in any game.
    longest_chain: u32,
}

fn choose_placement<const W: usize, const P: usize>(
    field: Field<W, P>,
    (width, height): (usize, usize),
    column: Column,
    style: Style,
    random: &mut Random,
) -> Placement {
    let mut random_placement = || Placement {
        stack: random.below(width),
        shift: random.below(3),
    };
    let room = |placement: Placement| height as u32 - field.stack_height(placement.stack);
    match style {
        Style::Random => random_placement(),
        Style::Low => {
            let (a, b) = (random_placement(), random_placement());
            if room(a) > room(b) { a } else { b }
        }
        Style::Hoard => {
            let points_at = |placement| {
                let placed = run(
                    InstructionSet::detect(),
                    CheckedPlaceKernel::new(field, height, column, placement),
                );
                placed.map_or(0, |(chain, _)| chain.points)
            };
            for _ in 0..8 {
                let placement = random_placement();
                if room(placement) > 5 && points_at(placement) == 0 {
                    return placement;
                }
            }
            let all =
                (0..width).flat_map(|stack| (0..3).map(move |shift| Placement { stack, shift }));
            all.max_by_key(|&placement| (points_at(placement), room(placement)))
                .expect("a field has stacks")
        }
    }
}

/// Plays a random game on both simulators, and counts what happens.
fn play_game<const W: usize, const P: usize>(seed: u64, size: (usize, usize), counts: &mut Counts) {
    let random = &mut Random(seed);
    let (width, height) = size;
    // Few colours produce chains; many colours use every plane.
    let codes = MAX_COLOURS.min((1 << P) - 1);
    let max_colours = [3, 6, codes][random.below(3)];
    let colours = 1 + random.below(max_colours);
    let first_colour = random.below(codes - colours + 1);
    let style = [Style::Random, Style::Low, Style::Hoard, Style::Hoard][random.below(4)];
    let magic_one_in = [3, 10, 40, usize::MAX][random.below(4)];
    let mut naive = NaiveField::new(width, height);
    let mut fast = Field::<W, P>::EMPTY;
    for _ in 0..150 {
        let column = if random.below(magic_one_in) == 0 {
            Column::Magic
        } else {
            Column::Jewels([0; 3].map(|_| Colour::from_index(first_colour + random.below(colours))))
        };
        let placement = choose_placement(fast, size, column, style, random);
        let placed = place_on_both(&mut naive, fast, column, placement);
        counts.placements += 1;
        let Some((chain, after)) = placed else {
            counts.lost_games += 1;
            return;
        };
        fast = after;
        counts.clearing_placements += u64::from(chain.points > 0);
        counts.clearing_magic_columns += u64::from(chain.points > 0 && column == Column::Magic);
        counts.longest_chain = counts.longest_chain.max(chain.steps);
    }
}

/// Plays random games on fields of every size and layout, until at least `placements` columns have fallen.
fn play_games(placements: u64, first_seed: u64) -> Counts {
    warn_of_missing_bmi2();
    let mut counts = Counts::default();
    let mut seed = first_seed;
    while counts.placements < placements {
        for width in WIDTHS {
            for height in HEIGHTS {
                // Vary the layout among those with room for the width. The bot uses only the smallest.
                let play = match (width.max(1 + seed as usize % 12), seed / 12 % 3) {
                    (..=6, 0) => play_game::<2, 3>,
                    (..=6, 1) => play_game::<2, 4>,
                    (..=6, _) => play_game::<2, 5>,
                    (_, 0) => play_game::<4, 3>,
                    (_, 1) => play_game::<4, 4>,
                    (_, _) => play_game::<4, 5>,
                };
                play(seed, (width, height), &mut counts);
                seed += 1;
            }
        }
    }
    counts
}

/// Returns the number of placements to play: 100,000, or the value of the environment variable
/// `COLUMNS_PLACEMENTS`. docs/trust.md has the command for a long run.
fn placement_count() -> u64 {
    let placements = std::env::var("COLUMNS_PLACEMENTS");
    placements.map_or(100_000, |text| {
        text.parse().expect("COLUMNS_PLACEMENTS is a number")
    })
}

#[test]
fn random_games_agree() {
    let placements = placement_count();
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let threads = (placements / 1_000_000).clamp(1, cores);
    let play = |i: u64| move || play_games(placements.div_ceil(threads), i << 40);
    let workers: Vec<_> = (0..threads).map(|i| std::thread::spawn(play(i))).collect();
    for worker in workers {
        let counts = worker.join().expect("no difference");
        println!("{counts:?}");
        assert!(counts.clearing_placements > 30_000, "{counts:?}");
        assert!(counts.clearing_magic_columns > 3_000, "{counts:?}");
        assert!(counts.lost_games > 150, "{counts:?}");
        assert!(counts.longest_chain >= 10, "{counts:?}");
    }
}
