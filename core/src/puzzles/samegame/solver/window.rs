//! A few columns of a board, in one word.
//!
//! Most groups lie in one column or two. Their removal changes no link but those of these columns
//! and of the ones beside them. A window, a word that holds these columns, is counted in less time
//! than the two or three words of the board that they may lie in.

use crate::puzzles::samegame::planes::{shl, shr, ColourCounts, Links, Planes, Run};

/// As many columns of a position as a word holds.
#[derive(Clone, Copy)]
struct Window<const P: usize, const B: u32, const C: usize> {
    planes: Planes<1, P, B>,
    /// The cells that are linked to a cell outside.
    outside: u64,
    counts: [ColourCounts; C],
}

impl<const P: usize, const B: u32, const C: usize> Window<P, B, C> {
    const EMPTY: Self = Self {
        planes: Planes::EMPTY,
        outside: 0,
        counts: [ColourCounts::ZERO; C],
    };

    /// The window that starts at column `first`.
    #[inline(always)]
    fn new<const N: usize>(board: &Planes<N, P, B>, links: &Links<N>, first: usize) -> Self {
        let columns = Planes::<N, P, B>::COLUMNS_PER_WORD;
        let (word, low) = (first / columns, (first % columns) as u32 * B);
        let mut window = Self::EMPTY;
        for plane in 0..P {
            let next = board.words.get(word + 1).map_or(0, |next| next[plane]);
            let here = board.words[word][plane];
            window.planes.words[0][plane] = shr(here, low) | shl(next, 64 - low);
        }
        // The links into the first column, and out of the last one.
        let (before, after) = if low == 0 {
            let before = word.checked_sub(1).map_or(0, |word| links.right[word]);
            (shr(before, 64 - B), links.right[word])
        } else {
            let next = links.right.get(word + 1).copied().unwrap_or(0);
            let before = shr(links.right[word], low - B) & Planes::<N, P, B>::COLUMN;
            (before, shl(next, 64 - low))
        };
        window.outside = before | after & !(u64::MAX >> B);
        window.counts = window.planes.counts(window.outside);
        window
    }
}

/// What the removal of a group changes.
pub(super) struct Change<const C: usize> {
    /// The counts of a part of the board, before and after.
    pub(super) counts: [[ColourCounts; C]; 2],
    /// What is added to the sum of the words' hashes.
    pub(super) hash: u64,
}

/// The windows of a position. Each is made when it is first asked for.
pub(super) struct Windows<const P: usize, const B: u32, const C: usize> {
    windows: Vec<Window<P, B, C>>,
    /// Which are made, a bit each.
    made: u64,
}

impl<const P: usize, const B: u32, const C: usize> Windows<P, B, C> {
    pub(super) fn new() -> Self {
        Self {
            windows: Vec::new(),
            made: 0,
        }
    }

    /// Goes on to another position.
    #[inline(always)]
    pub(super) fn clear<const N: usize>(&mut self) {
        let columns = N * Planes::<N, P, B>::COLUMNS_PER_WORD;
        self.windows.resize(columns, Window::EMPTY);
        self.made = 0;
    }

    /// What the removal of a group of `board` changes; `None` where no window shows all of it.
    /// `hashes` are those of the board's words.
    #[inline(always)]
    pub(super) fn remove<const N: usize>(
        &mut self,
        board: &Planes<N, P, B>,
        links: &Links<N>,
        hashes: &[u64; N],
        runs: &[Run],
    ) -> Option<Change<C>> {
        let columns = Planes::<N, P, B>::COLUMNS_PER_WORD;
        let (mut left, mut right) = (usize::MAX, 0);
        for run in runs {
            let (column, _) =
                Planes::<N, P, B>::cell(run.word as usize, run.cells.trailing_zeros());
            left = left.min(column);
            right = right.max(column);
        }
        let first = left.saturating_sub(1);
        // One more column to the right has to be in the window.
        if right + 2 > first + columns {
            return None;
        }
        if self.made >> first & 1 == 0 {
            self.windows[first] = Window::new(board, links, first);
            self.made |= 1 << first;
        }
        let window = &self.windows[first];

        // How far up the cells of a word of the board are in the window.
        let up = |word: usize| ((word * columns) as i32 - first as i32) * B as i32;
        let gone = (runs.iter()).fold(0, |gone, run| {
            gone | shift(run.cells, up(run.word as usize))
        });
        let mut planes = window.planes;
        Planes::<1, P, B>::settle(&mut planes.words[0], gone);
        if planes.bottoms() != window.planes.bottoms() {
            // A column has vanished, and all others move.
            return None;
        }
        let mut hash = 0_u64;
        for word in left / columns..=right / columns {
            let seen = shift(u64::MAX, -up(word));
            let now = std::array::from_fn(|plane| {
                board.words[word][plane] & !seen | shift(planes.words[0][plane], -up(word))
            });
            let change = Planes::<N, P, B>::hash_of(word, &now).wrapping_sub(hashes[word]);
            hash = hash.wrapping_add(change);
        }
        Some(Change {
            counts: [window.counts, planes.counts(window.outside)],
            hash,
        })
    }
}

/// Moves bits up by less than 64, or down where `by` is negative.
#[inline(always)]
fn shift(bits: u64, by: i32) -> u64 {
    if by < 0 {
        bits >> -by
    } else {
        bits << by
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Compares each change of random games with the board after the removal.
    fn compare<const N: usize, const P: usize, const B: u32, const C: usize>(
        side: usize,
        games: usize,
    ) -> [usize; 2] {
        let mut random = Random(N as u64 * 100 + P as u64);
        let mut windows = Windows::<P, B, C>::new();
        let mut runs = Vec::new();
        let mut seen = [0; 2];
        for _ in 0..games {
            let mut board = Planes::<N, P, B>::EMPTY;
            let (width, height) = (1 + random.below(side), 1 + random.below(side));
            for column in 0..width {
                for row in 0..height {
                    board.put(column, row, 1 + random.below(C));
                }
            }
            loop {
                let sums = |board: &Planes<N, P, B>| {
                    let links = board.links();
                    let mut sums = [ColourCounts::ZERO; C];
                    for word in 0..N {
                        let counts: [ColourCounts; C] = board.count_links(&links, word, 0);
                        sums.iter_mut()
                            .zip(counts)
                            .for_each(|(sum, count)| *sum += count);
                    }
                    (
                        sums,
                        (0..N).fold(0, |hash: u64, word| hash.wrapping_add(board.hash(word))),
                    )
                };
                let links = board.links();
                let (before, hash) = sums(&board);
                let hashes = std::array::from_fn(|word| board.hash(word));
                let mut rest = std::array::from_fn(|word| Planes::<N, P, B>::linked(&links, word));
                windows.clear::<N>();
                let mut children = Vec::new();
                for word in 0..N {
                    while rest[word] != 0 {
                        let seed = rest[word] & rest[word].wrapping_neg();
                        Planes::<N, P, B>::take_group(&links, &mut rest, (word, seed), &mut runs);
                        let mut child = board;
                        child.remove(&runs);
                        let change = windows.remove(&board, &links, &hashes, &runs);
                        seen[usize::from(change.is_some())] += 1;
                        if let Some(Change { counts, hash: more }) = change {
                            let mut counted = before;
                            for colour in 0..C {
                                counted[colour] -= counts[0][colour];
                                counted[colour] += counts[1][colour];
                            }
                            assert_eq!((counted, hash.wrapping_add(more)), sums(&child));
                        }
                        children.push(child);
                    }
                }
                if children.is_empty() {
                    break;
                }
                board = children[random.below(children.len())];
            }
        }
        seen
    }

    #[test]
    fn what_a_window_shows_is_what_changes() {
        let [not, shown] = compare::<4, 3, 16, 5>(16, 60);
        assert!(not > 1000 && shown > 3 * not, "{not} {shown}");
        compare::<4, 6, 16, 62>(16, 3);
        // Here a word holds few columns, and hardly any window is wide enough.
        compare::<16, 3, 32, 7>(32, 3);
        compare::<64, 3, 64, 7>(20, 2);
    }
}
