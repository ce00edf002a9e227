//! The beam search for a simple game: a state, its children, and a score.

use super::game::{Children, Game};
use super::repeat::search_repeatedly;
use super::search::{SearchResult, search};
use super::selector::Scores;
use super::width::{Budget, Clock, Settings};
use std::marker::PhantomData;

/// A state of a game in which every move leads to the next layer. A state may borrow data that does not
/// change during a game.
///
/// This example finds the path with the largest sum down a triangle of numbers. Each step leads to
/// the left or to the right:
///
/// ```
/// use columns_core::beam::{find_best_path, Budget, Position};
///
/// const ROWS: [&[i64]; 4] = [&[3], &[7, 4], &[2, 4, 6], &[8, 5, 9, 3]];
///
/// #[derive(Clone, Copy)]
/// struct Way { row: usize, place: usize, sum: i64 }
///
/// impl Position for Way {
///     type Move = char;
///
///     fn children(&self, list: &mut dyn FnMut(char, Self)) {
///         for (letter, place) in [('L', self.place), ('R', self.place + 1)] {
///             let row = self.row + 1;
///             list(letter, Way { row, place, sum: self.sum + ROWS[row][place] });
///         }
///     }
///
///     fn score(&self) -> i64 {
///         self.sum
///     }
///
///     fn hash(&self) -> u64 {
///         self.place as u64 // the remaining moves depend only on the place
///     }
/// }
///
/// let root = Way { row: 0, place: 0, sum: 3 };
/// let found = find_best_path(root, 3, Budget::Width(2), &|| 0.0);
/// assert_eq!((found.score, found.path), (23, vec!['L', 'R', 'R']));
/// ```
pub trait Position: Copy + Send + Sync {
    /// A move, which leads from a position to one in the next layer.
    type Move: Copy + PartialEq + Send + Sync;

    /// The share of each layer, 0 to 1, that goes to the positions with the highest
    /// [`quota_score`](Self::quota_score). The other places go to the positions with the highest
    /// [`value`](Self::value). If the game can end early, try 0.1 first.
    const QUOTA_SHARE: f64 = 0.0;

    /// Calls `list` with each move and the position that it leads to.
    ///
    /// The search calls this method once for each state of the beam, and again for each child that it
    /// builds, unless [`child`](Self::child) returns the child. Each call must list the same moves,
    /// each of them once. Evaluate children in [`value`](Self::value), which the search calls about once
    /// for each listed child, or in [`evaluate`](Self::evaluate).
    fn children(&self, list: &mut dyn FnMut(Self::Move, Self));

    /// Returns the child that `mv` leads to. Implement this method if it is cheaper than listing all
    /// children. The default returns `None`, and the search takes the child from the list. In both
    /// cases, the search then [evaluates](Self::evaluate) the child.
    fn child(&self, _mv: Self::Move) -> Option<Self> {
        None
    }

    /// Prepares the root, and each child that was built, for a more exact [`value`](Self::value). Listed
    /// children compete before this step, with the data that they copied from their parent. The default does
    /// nothing.
    fn evaluate(&mut self) {}

    /// Returns the score of a game that ends in this position, even if the game can continue. The search
    /// returns the path to the position with the highest score, and on a tie the longer path.
    fn score(&self) -> i64;

    /// Returns the value by which the positions of a layer compete, in any unit. The default returns the
    /// score. A better value also estimates the points to come.
    ///
    /// Values up to ±2³⁰ compare exactly. Of larger values, only the leading 25 bits count.
    fn value(&self) -> i64 {
        self.score()
    }

    /// Returns the score by which positions compete for a part of each layer, [`Self::QUOTA_SHARE`].
    /// Return high scores for positions that are safe rather than valuable. The search calls this method
    /// as often as [`value`](Self::value).
    fn quota_score(&self) -> i64 {
        self.value()
    }

    /// Returns a hash that identifies the position within its layer. Of several positions with the
    /// same hash, the search keeps one, usually the one with the highest value. So the hash need not
    /// include the points.
    fn hash(&self) -> u64;
}

/// Searches for the path of at most `layers` moves that leads from `root` to the highest score. Uses only the
/// calling thread. In the Columns Game, `layers` is the number of columns.
///
/// With [`Budget::Deadline`], the search ends when `clock` shows that time, in seconds. Start the clock
/// at the beginning of `main`, so that it includes the time for reading the case:
///
/// ```
/// # use columns_core::beam::{find_best_path, Budget, Position};
/// # #[derive(Clone, Copy)]
/// # struct Sum(i64);
/// # impl Position for Sum {
/// #     type Move = i64;
/// #     fn children(&self, list: &mut dyn FnMut(i64, Self)) {
/// #         (0..3).for_each(|digit| list(digit, Sum(self.0 + digit)));
/// #     }
/// #     fn score(&self) -> i64 { self.0 }
/// #     fn hash(&self) -> u64 { self.0 as u64 }
/// # }
/// let start = std::time::Instant::now();
/// let clock = || start.elapsed().as_secs_f64();
/// // The contest allows 4 seconds. The margin is for a busy machine.
/// # let (root, layers) = (Sum(0), 10);
/// let found = find_best_path(root, layers, Budget::Deadline(3.5), &clock);
/// # assert_eq!(found.score, 20);
/// ```
///
/// The search builds two children for each state of the beam. To choose them, it lists many more, and
/// computes their values. With [`Budget::Nodes`], only the built children count: in the Columns Game, a node
/// costs 10 to 20 calls to [`Position::value`].
///
/// The game may end after far fewer than `layers` moves, by the rules or for lack of moves. The search is
/// then repeated with the rest of the budget; see [`search_repeatedly`].
///
/// # Panics
/// If a position does not list the same moves each time.
pub fn find_best_path<S: Position>(
    root: S,
    layers: usize,
    budget: Budget,
    clock: Clock,
) -> SearchResult<S::Move> {
    let settings = Settings::default().with_built_per_place(2.0);
    let game = &mut PositionGame(PhantomData);
    let meter = &|_: &_| clock();
    search_repeatedly(
        layers,
        &settings,
        budget,
        meter,
        &mut |settings, budget, meter| search(game, root, layers, settings, budget, meter, &mut ()),
    )
}

/// Adapts a [`Position`] to [`Game`].
#[derive(Clone)]
struct PositionGame<S>(PhantomData<S>);

impl<S: Position> Game<1> for PositionGame<S> {
    type State = S;
    type Move = S::Move;
    type ListedHash = [u64; 1];
    type Memo = ();

    fn expand(
        &mut self,
        _: usize,
        state: &S,
        _: Scores<1>,
        children: &mut Children<S::Move, [u64; 1], 1>,
    ) {
        state.children(&mut |mv, child| {
            children.push(1, mv, compute_scores(&child), [child.hash()]);
        });
    }

    fn build(&mut self, _: usize, mv: S::Move, _: Option<&()>, state: &mut S) {
        let mut built = state.child(mv);
        if built.is_none() {
            state.children(&mut |listed, child| {
                if listed == mv {
                    built = Some(child);
                }
            });
        }
        *state = built.expect("each listed move leads to a child");
    }

    fn hash(&self, child: &S) -> u64 {
        child.hash()
    }

    fn evaluate(&mut self, _: usize, states: &mut [S], scores: &mut Vec<Scores<1>>) {
        for state in states {
            state.evaluate();
            scores.push(compute_scores(state));
        }
    }

    fn score(&self, state: &S) -> i64 {
        state.score()
    }

    fn quota_shares(&self, _: usize) -> [f64; 1] {
        [S::QUOTA_SHARE]
    }
}

fn compute_scores<S: Position>(position: &S) -> Scores<1> {
    Scores {
        value: rank(position.value()),
        quota_scores: [rank(position.quota_score())],
    }
}

/// The largest absolute value up to which all values have different ranks.
const MAX_EXACT: i64 = 1 << 30;

/// Returns a rank that orders positions as `value` does, but fits into an `i32`. Beyond [`MAX_EXACT`], only
/// the highest bit of the value and the next 24 bits count.
fn rank(value: i64) -> i32 {
    if value.unsigned_abs() < MAX_EXACT as u64 {
        return value as i32;
    }
    let size = value.unsigned_abs();
    let doublings = size.ilog2() - MAX_EXACT.ilog2();
    let bits = size >> (size.ilog2() - 24) & ((1 << 24) - 1);
    let rank = MAX_EXACT as i32 + ((doublings as i32) << 24 | bits as i32);
    if value < 0 { -rank } else { rank }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::sync::atomic::{AtomicU32, Ordering};

    const LAYERS: usize = 20;

    /// A walk that may turn bold. Bold walks are worth more and branch at every step, but end at
    /// step 5. The careful walk never ends.
    #[derive(Clone, Copy)]
    struct Walk<const HAS_QUOTA: bool> {
        step: u32,
        /// Identifies the bold walk; 0 for the careful walk.
        bold: u32,
    }

    impl<const HAS_QUOTA: bool> Walk<HAS_QUOTA> {
        const START: Self = Self { step: 0, bold: 0 };
    }

    impl<const HAS_QUOTA: bool> Position for Walk<HAS_QUOTA> {
        type Move = u32;
        const QUOTA_SHARE: f64 = if HAS_QUOTA { 0.25 } else { 0.0 };

        fn children(&self, list: &mut dyn FnMut(u32, Self)) {
            let step = self.step + 1;
            if self.bold == 0 || step <= 5 {
                for bold in [2 * self.bold, 2 * self.bold + 1] {
                    list(bold, Self { step, bold });
                }
            }
        }

        fn score(&self) -> i64 {
            self.step.into()
        }

        fn value(&self) -> i64 {
            (self.step + self.bold.min(1)).into()
        }

        fn quota_score(&self) -> i64 {
            i64::from(self.bold == 0)
        }

        fn hash(&self) -> u64 {
            self.bold.into()
        }
    }

    #[test]
    fn a_quota_keeps_positions_that_outlive_the_valuable_ones() {
        let width = Budget::Width(4);
        let without_quota = find_best_path(Walk::<false>::START, LAYERS, width, &|| 0.0);
        assert_eq!(without_quota.depth, 5);
        let with_quota = find_best_path(Walk::<true>::START, LAYERS, width, &|| 0.0);
        assert_eq!(
            (with_quota.depth, &with_quota.path[..16]),
            (LAYERS, &[0; 16][..])
        );
    }

    #[test]
    fn a_search_by_nodes_or_by_a_clock_plays_to_the_last_layer_within_its_budget() {
        let seconds = Cell::new(0.0);
        let clock = || {
            seconds.set(seconds.get() + 1.0);
            seconds.get()
        };
        for budget in [Budget::Nodes(2000), Budget::Deadline(400.0)] {
            let result = find_best_path(Walk::<true>::START, LAYERS, budget, &clock);
            assert_eq!(result.depth, LAYERS, "{budget:?}");
            assert!(
                result.costs.nodes <= 2000,
                "{budget:?}: {} nodes",
                result.costs.nodes
            );
        }
        assert!(seconds.get() < 440.0, "{} clock checks", seconds.get());
    }

    /// The number of calls to [`Sum::children`].
    static CALLS: AtomicU32 = AtomicU32::new(0);

    /// The sum of the digits of a path.
    #[derive(Clone, Copy)]
    struct Sum<const BUILDS: bool>(u32);

    impl<const BUILDS: bool> Position for Sum<BUILDS> {
        type Move = u32;

        fn children(&self, list: &mut dyn FnMut(u32, Self)) {
            CALLS.fetch_add(1, Ordering::Relaxed);
            for digit in [3, 9, 4] {
                list(digit, Self(self.0 + digit));
            }
        }

        fn child(&self, digit: u32) -> Option<Self> {
            BUILDS.then_some(Self(self.0 + digit))
        }

        fn score(&self) -> i64 {
            self.0.into()
        }

        fn hash(&self) -> u64 {
            self.0.into()
        }
    }

    #[test]
    fn a_child_that_the_position_builds_is_not_listed_again() {
        let calls = || CALLS.swap(0, Ordering::Relaxed);
        let width = Budget::Width(5);
        let listed = find_best_path(Sum::<false>(0), LAYERS, width, &|| 0.0);
        let calls_without = calls();
        let built = find_best_path(Sum::<true>(0), LAYERS, width, &|| 0.0);
        assert_eq!(built, listed);
        assert_eq!(built.path, [9; LAYERS]);
        let states = u64::from(calls());
        assert_eq!(u64::from(calls_without), states + built.costs.nodes - 1);
    }

    /// A root with 61 equal children, and eight that differ. The quota prefers the equal ones.
    #[derive(Clone, Copy)]
    struct Fan(u32);

    impl Position for Fan {
        type Move = u32;
        const QUOTA_SHARE: f64 = 0.75;

        fn children(&self, list: &mut dyn FnMut(u32, Self)) {
            if self.0 == 0 {
                (0..69).for_each(|mv| list(mv, Self(mv.saturating_sub(59).max(1))));
            }
        }

        fn score(&self) -> i64 {
            -i64::from(self.0)
        }

        fn quota_score(&self) -> i64 {
            i64::from(self.0 == 1)
        }

        fn hash(&self) -> u64 {
            self.0.into()
        }
    }

    #[test]
    fn a_search_is_complete_only_if_every_distinct_child_is_chosen() {
        let is_complete =
            |width| find_best_path(Fan(0), LAYERS, Budget::Width(width), &|| 0.0).is_complete;
        assert!(is_complete(100));
        // Every child that the quota considers is a duplicate, so the quota leaves places empty. Even so, the
        // search is not complete, since distinct children were not chosen.
        assert!(!is_complete(8));
    }

    #[test]
    fn ranks_are_in_the_order_of_the_values() {
        let exact = [0, 1, 2, MAX_EXACT - 2, MAX_EXACT - 1, MAX_EXACT];
        let large = (31..63).flat_map(|bits| [(1 << bits) - (1 << (bits - 20)), 1 << bits]);
        let mut values: Vec<i64> = exact.into_iter().chain(large).chain([i64::MAX]).collect();
        values.extend(values.clone().iter().map(|value| -value - 1));
        values.sort_unstable();
        values.dedup();
        let ranks: Vec<i32> = values.iter().map(|&value| rank(value)).collect();
        assert!(ranks.is_sorted());
        // Only a few values share a rank, such as -2^30 and -2^30 - 1.
        assert!(
            ranks
                .windows(2)
                .filter(|ranks| ranks[0] == ranks[1])
                .count()
                < 4,
            "{ranks:?}"
        );
        let Scores {
            value,
            quota_scores: [quota_score],
        } = compute_scores(&Sum::<true>(u32::MAX));
        assert_eq!([value, quota_score], [rank(u32::MAX.into()); 2]);
    }

    #[test]
    fn a_search_without_a_last_layer_ends_when_the_game_ends() {
        for budget in [Budget::Width(3), Budget::Nodes(500), Budget::Deadline(1.0)] {
            let result = find_best_path(Fan(0), usize::MAX, budget, &|| 0.0);
            assert_eq!((result.depth, result.score), (1, 0), "{budget:?}");
        }
    }
}
