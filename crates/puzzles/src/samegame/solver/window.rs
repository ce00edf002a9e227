//! Windows: a few columns of a board in one word.
//!
//! Most groups lie in one or two columns. Unless a column vanishes, the removal of such a group changes only
//! links of these columns and their neighbours. On boards of up to 16 × 16, a window holds all of these
//! columns in one word. Counting this word is cheaper than recounting the words of the board whose counts can
//! change. On larger boards, hardly any group fits into a window.

use crate::samegame::planes::{ColourCounts, Links, Planes, Run};

/// Consecutive columns of a position, as many as fit into a word.
#[derive(Clone, Copy)]
struct Window<const P: usize, const B: u32, const C: usize> {
    planes: Planes<1, P, B>,
    /// Cells linked to a cell outside the window.
    linked_outside: u64,
    counts: [ColourCounts; C],
}

impl<const P: usize, const B: u32, const C: usize> Window<P, B, C> {
    const EMPTY: Self = Self {
        planes: Planes::EMPTY,
        linked_outside: 0,
        counts: [ColourCounts::ZERO; C],
    };

    /// Creates the window that starts at column `first`.
    #[inline(always)]
    fn new<const N: usize>(board: &Planes<N, P, B>, links: &Links<N>, first: usize) -> Self {
        let columns = Planes::<N, P, B>::COLUMNS_PER_WORD;
        let (word, low) = (first / columns, (first % columns) as u32 * B);
        let mut window = Self::EMPTY;
        for plane in 0..P {
            let next = board.words.get(word + 1).map_or(0, |next| next[plane]);
            let here = board.words[word][plane];
            window.planes.words[0][plane] = here.unbounded_shr(low) | next.unbounded_shl(64 - low);
        }
        // Links into the first column from the left, and out of the last column to the right.
        let (before, after) = if low == 0 {
            let before = word.checked_sub(1).map_or(0, |word| links.right[word]);
            (before.unbounded_shr(64 - B), links.right[word])
        } else {
            let next = links.right.get(word + 1).copied().unwrap_or(0);
            let before =
                links.right[word].unbounded_shr(low - B) & Planes::<N, P, B>::FIRST_COLUMN_MASK;
            (before, next.unbounded_shl(64 - low))
        };
        window.linked_outside = before | after & !(u64::MAX >> B);
        window.counts = window.planes.counts(window.linked_outside);
        window
    }
}

/// The change in a board's counts and hash when a group is removed.
pub(super) struct RemovalEffect<const C: usize> {
    /// The counts of a window that contains every changed link, before and after the removal.
    pub(super) counts: [[ColourCounts; C]; 2],
    /// The change in the board's hash. A board's hash is the sum of its words' hashes.
    pub(super) hash: u64,
}

/// The windows of a position, computed on demand.
#[derive(Clone)]
pub(super) struct Windows<const P: usize, const B: u32, const C: usize> {
    /// For each column, the window that starts there.
    windows: Vec<Window<P, B, C>>,
    /// The set of computed windows, one bit for each.
    computed: u64,
}

impl<const P: usize, const B: u32, const C: usize> Windows<P, B, C> {
    pub(super) fn new() -> Self {
        Self {
            windows: Vec::new(),
            computed: 0,
        }
    }

    /// Discards all windows, so that the next position computes its own.
    #[inline(always)]
    pub(super) fn clear<const N: usize>(&mut self) {
        let columns = N * Planes::<N, P, B>::COLUMNS_PER_WORD;
        self.windows.resize(columns, Window::EMPTY);
        self.computed = 0;
    }

    /// Computes how removing the group of `runs` changes the counts and the hash of `board`. Returns `None`
    /// if no window contains every changed link. `hashes` holds the hash of each word of the board.
    #[inline(always)]
    pub(super) fn predict_removal<const N: usize>(
        &mut self,
        board: &Planes<N, P, B>,
        links: &Links<N>,
        hashes: &[u64; N],
        runs: &[Run],
    ) -> Option<RemovalEffect<C>> {
        let columns = Planes::<N, P, B>::COLUMNS_PER_WORD;
        let (mut left, mut right) = (usize::MAX, 0);
        for run in runs {
            let (column, _) =
                Planes::<N, P, B>::column_and_row(run.word as usize, run.cells.trailing_zeros());
            left = left.min(column);
            right = right.max(column);
        }
        let first = left.saturating_sub(1);
        // The window must also contain the column to the right of the group.
        if right + 2 > first + columns {
            return None;
        }
        if self.computed >> first & 1 == 0 {
            self.windows[first] = Window::new(board, links, first);
            self.computed |= 1 << first;
        }
        let window = &self.windows[first];

        // The number of bits by which a word of the board is shifted up in the window.
        let offset = |word: usize| ((word * columns) as i32 - first as i32) * B as i32;
        let cells_in_window = |run: &Run| shift(run.cells, offset(run.word as usize));
        let removed = runs
            .iter()
            .fold(0, |removed, run| removed | cells_in_window(run));
        let mut planes = window.planes;
        Planes::<1, P, B>::settle(&mut planes.words[0], removed);
        if planes.occupied_bottoms() != window.planes.occupied_bottoms() {
            // A column has vanished, so columns outside the window may move as well.
            return None;
        }
        let mut hash = 0_u64;
        for word in left / columns..=right / columns {
            let in_window = shift(u64::MAX, -offset(word));
            let word_planes = std::array::from_fn(|plane| {
                board.words[word][plane] & !in_window | shift(planes.words[0][plane], -offset(word))
            });
            let change =
                Planes::<N, P, B>::hash_planes(word, &word_planes).wrapping_sub(hashes[word]);
            hash = hash.wrapping_add(change);
        }
        Some(RemovalEffect {
            counts: [window.counts, planes.counts(window.linked_outside)],
            hash,
        })
    }
}

/// Shifts left by fewer than 64 bits, or right if `amount` is negative.
#[inline(always)]
fn shift(bits: u64, amount: i32) -> u64 {
    if amount < 0 {
        bits >> -amount
    } else {
        bits << amount
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Returns the counts and the hash of a whole board.
    fn sums<const N: usize, const P: usize, const B: u32, const C: usize>(
        board: &Planes<N, P, B>,
    ) -> ([ColourCounts; C], u64) {
        let links = board.compute_links();
        let mut sums = [ColourCounts::ZERO; C];
        let mut hash = 0_u64;
        for word in 0..N {
            let counts: [ColourCounts; C] = board.word_counts(&links, word, 0);
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += count;
            }
            hash = hash.wrapping_add(board.word_hash(word));
        }
        (sums, hash)
    }

    /// Checks that the predictions of `windows` agree with the counts and the hashes of the children. Returns
    /// the children of the board. Adds the numbers of groups without and with a prediction to `groups`.
    fn check_children<const N: usize, const P: usize, const B: u32, const C: usize>(
        board: &Planes<N, P, B>,
        windows: &mut Windows<P, B, C>,
        groups: &mut [usize; 2],
    ) -> Vec<Planes<N, P, B>> {
        let links = board.compute_links();
        let (before, hash) = sums::<N, P, B, C>(board);
        let hashes = std::array::from_fn(|word| board.word_hash(word));
        let mut remaining = Planes::<N, P, B>::all_linked_cells(&links);
        let mut runs = Vec::new();
        windows.clear::<N>();
        let mut children = Vec::new();
        for word in 0..N {
            while remaining[word] != 0 {
                let seed = remaining[word] & remaining[word].wrapping_neg();
                Planes::<N, P, B>::take_group(&links, &mut remaining, (word, seed), &mut runs);
                let mut child = *board;
                child.remove_group(&runs);
                let change = windows.predict_removal(board, &links, &hashes, &runs);
                groups[usize::from(change.is_some())] += 1;
                if let Some(RemovalEffect { counts, hash: more }) = change {
                    let mut after = before;
                    for colour in 0..C {
                        after[colour] -= counts[0][colour];
                        after[colour] += counts[1][colour];
                    }
                    assert_eq!((after, hash.wrapping_add(more)), sums(&child));
                }
                children.push(child);
            }
        }
        children
    }

    /// Plays random games and checks the children of every position. Returns the numbers of groups without
    /// and with a prediction.
    fn compare<const N: usize, const P: usize, const B: u32, const C: usize>(
        side: usize,
        games: usize,
    ) -> [usize; 2] {
        let mut random = Random(N as u64 * 100 + P as u64);
        let mut windows = Windows::<P, B, C>::new();
        let mut groups = [0; 2];
        for _ in 0..games {
            let mut board = Planes::<N, P, B>::EMPTY;
            let (width, height) = (1 + random.below(side), 1 + random.below(side));
            for column in 0..width {
                for row in 0..height {
                    board.put_tile(column, row, 1 + random.below(C));
                }
            }
            loop {
                let children = check_children(&board, &mut windows, &mut groups);
                if children.is_empty() {
                    break;
                }
                board = children[random.below(children.len())];
            }
        }
        groups
    }

    #[test]
    fn windows_predict_the_counts_and_hashes_of_children() {
        let [without, with] = compare::<4, 3, 16, 5>(16, 60);
        assert!(without > 1000 && with > 3 * without, "{without} {with}");
        compare::<4, 6, 16, 62>(16, 3);
        // Here a word holds few columns, and hardly any group fits into a window.
        compare::<16, 3, 32, 7>(32, 3);
        compare::<64, 3, 64, 7>(20, 2);
    }
}
