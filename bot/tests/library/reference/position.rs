//! Random positions: a case, and a settled field after some of its columns.

use super::grid::Grid;
use crate::random::Random;
use columns_bot::Weights;
use columns_bot::eval::context::Context;
use columns_bot::eval::potential::{FeatureInputs, evaluate};
use columns_bot::eval::state::{HISTORY_LENGTH, History, State};
use columns_bot::eval::weights::PARAMETERS;
use columns_core::field::{Chain, Field, Layout};
use columns_core::rules::case::{Case, Colour, Column, HEIGHTS, WIDTHS};
use columns_core::simd::Portable;

/// Draws each weight from its range, so that the tests do not depend on the default weights.
fn draw_weights(random: &mut Random) -> Weights {
    let mut weights = Weights::default();
    for parameter in PARAMETERS {
        let share = random.below(1000) as f64 / 999.0;
        let value = parameter.min + share * (parameter.max - parameter.min);
        weights.set(parameter.name, value).unwrap();
    }
    weights
}

/// A random position in a game, with random weights.
pub(crate) struct Position<const W: usize, const P: usize> {
    pub(crate) case: Case,
    pub(crate) weights: Weights,
    pub(crate) context: Context<W>,
    pub(crate) placed_columns: usize,
    pub(crate) grid: Grid,
    pub(crate) field: Field<W, P>,
    /// The number of colours of the case. The codes of the colours are 1 to this number.
    pub(crate) colour_count: u8,
}

impl<const W: usize, const P: usize> Position<W, P> {
    /// Draws a position in a random case with up to `colours` colours.
    fn random(random: &mut Random, width: usize, height: usize, colours: usize) -> Self {
        let columns: Vec<Column> = (0..40)
            .map(|_| match random.below(12) {
                0 => Column::Magic,
                // Some columns have only one colour.
                1 => Column::Jewels([Colour::from_index(random.below(colours)); 3]),
                _ => Column::Jewels([(); 3].map(|()| Colour::from_index(random.below(colours)))),
            })
            .collect();
        let case = Case::new(width, height, columns).unwrap();
        let weights = draw_weights(random);
        let context = Context::new(&case, &weights);
        let colour_count = context.queue.palette.len() as u8;
        // Most positions are before the last columns of the game; some are at its end.
        let placed_columns = if random.below(4) == 0 {
            40 - random.below(3)
        } else {
            random.below(36)
        };
        let mut grid = Grid::new(width, height);
        let max = if random.below(3) == 0 {
            height
        } else {
            2 + random.below(height - 1)
        };
        for x in 0..width {
            for y in 0..random.below(max + 1).max(random.below(max + 1)) {
                let first = random.below(usize::from(colour_count)) as u8;
                let mut codes_to_try = (0..colour_count).map(|i| (first + i) % colour_count + 1);
                let cell = (x as isize, y as isize);
                match codes_to_try.find(|&code| !grid.completes_any(cell, code)) {
                    Some(code) => grid.stacks[x].push((code, false)),
                    None => break,
                }
            }
        }
        Self {
            field: grid.to_field(),
            case,
            weights,
            context,
            placed_columns,
            grid,
            colour_count,
        }
    }

    /// Returns the next column as codes from bottom to top: `None` if no column is left, `Some(None)` for a
    /// magic one.
    #[allow(clippy::option_option)] // no column, or a magic one
    pub(crate) fn column(&self) -> Option<Option<[u8; 3]>> {
        let column = *self.case.columns().get(self.placed_columns)?;
        Some(
            column
                .shifted(0)
                .map(|jewels| jewels.map(|colour| self.code(colour))),
        )
    }

    /// Returns the code of a colour in the bit planes: its index in the palette, counted from 1.
    pub(crate) fn code(&self, colour: Colour) -> u8 {
        let palette = &self.context.queue.palette;
        palette.iter().position(|&c| c == colour).unwrap() as u8 + 1
    }

    /// True if a remaining column contains the colour with this code.
    pub(crate) fn has_colour_left(&self, code: u8) -> bool {
        let rest = self.case.columns()[self.placed_columns..].iter();
        let mut jewels = rest.filter_map(|column| column.shifted(0)).flatten();
        jewels.any(|colour| self.code(colour) == code)
    }

    /// Returns the weight of a colour: the sum over its upcoming jewels, 8 for a jewel of the next column,
    /// down to 1 for a jewel of the eighth column.
    pub(crate) fn upcoming_weight(&self, code: u8) -> u32 {
        let columns = self.case.columns()[self.placed_columns..].iter().take(8);
        let weighted = columns.zip((1..=8).rev()).map(|(column, weight)| {
            let jewels = column.shifted(0).into_iter().flatten();
            weight * jewels.filter(|&colour| self.code(colour) == code).count() as u32
        });
        weighted.sum()
    }

    /// Returns the evaluated state of this position, without a history, and the inputs of the features.
    pub(crate) fn evaluate(&self) -> (State<W, P>, FeatureInputs) {
        let (mut state, context) = (State::root(self.field, 0), &self.context);
        let inputs = evaluate(Portable, context, &mut state, self.placed_columns, true);
        (state, inputs)
    }

    /// Returns the state of this position, with a random history.
    pub(crate) fn state(&self, random: &mut Random) -> State<W, P> {
        let (mut state, _) = self.evaluate();
        state.points = 100 + random.below(3000) as u32;
        let mut number = |limit| random.below(limit) as u32;
        state.history = History {
            parent_chain: Chain {
                points: number(500),
                steps: number(20),
            },
            points: [(); HISTORY_LENGTH].map(|()| state.points - number(60)),
            chain_points: [(); HISTORY_LENGTH].map(|()| number(4000) as u16),
        };
        state
    }
}

/// A test that [`test_positions`] runs on positions of several layouts.
pub(crate) trait PositionTest {
    fn test<const W: usize, const P: usize>(
        &mut self,
        position: &Position<W, P>,
        random: &mut Random,
    );
}

/// Runs a test on `rounds` positions for each size of the field and each of several palette sizes. The
/// palette sizes include those on both sides of each layout's limit.
pub(crate) fn test_positions(seed: u64, rounds: usize, test: &mut impl PositionTest) {
    let random = &mut Random(seed);
    for _ in 0..rounds {
        for width in WIDTHS {
            for height in HEIGHTS {
                for colours in [
                    2,
                    3,
                    4 + random.below(3),
                    7,
                    8,
                    9 + random.below(6),
                    15,
                    16,
                    26,
                ] {
                    macro_rules! on {
                        ($name:ident, $w:literal, $p:literal) => {
                            test.test(
                                &Position::<$w, $p>::random(random, width, height, colours),
                                random,
                            )
                        };
                    }
                    on_layout!(Layout::smallest(width, colours), on);
                }
            }
        }
    }
}
