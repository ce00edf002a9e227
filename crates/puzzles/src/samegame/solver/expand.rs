//! Ranks all children of a position. Recounts only the words whose counts can differ from the parent's.

use super::search::{Move, Position, Search, mix};
use crate::samegame::evaluation::ColourShape;
use crate::samegame::planes::{ColourCounts, Links, Planes, Run};
use columns_core::beam::{Children, Scores};
use columns_core::simd::{Isa, Kernel};

/// The counts of each colour and the hash, for a whole board and for each of its words.
struct Counts<const N: usize, const C: usize> {
    /// The counts of each colour in each word.
    words: [[ColourCounts; C]; N],
    /// The hash of each word.
    hashes: [u64; N],
    /// The counts of each colour on the whole board.
    colours: [ColourCounts; C],
    /// The number of tiles of each colour: on the board, or in the child that is being ranked.
    tiles: [u32; C],
    /// The sum of the hashes of all words.
    hash: u64,
}

impl<const N: usize, const C: usize> Counts<N, C> {
    #[inline(always)]
    fn new<const P: usize, const B: u32>(board: &Planes<N, P, B>, links: &Links<N>) -> Self {
        let mut counts = Self {
            words: [[ColourCounts::default(); C]; N],
            hashes: [0; N],
            colours: [ColourCounts::default(); C],
            tiles: [0; C],
            hash: 0,
        };
        for word in 0..N {
            counts.words[word] = board.word_counts(links, word);
            for colour in 0..C {
                counts.colours[colour] += counts.words[word][colour];
                counts.tiles[colour] += board.cells(colour + 1, word).count_ones();
            }
            counts.hashes[word] = board.word_hash(word);
            counts.hash = counts.hash.wrapping_add(counts.hashes[word]);
        }
        counts
    }

    /// Computes the shapes of the colours from the counts `colours` and the current numbers of tiles.
    #[inline(always)]
    fn shapes(&self, colours: &[ColourCounts; C]) -> [ColourShape; C] {
        std::array::from_fn(|i| ColourShape {
            tiles: self.tiles[i],
            singles: self.tiles[i] - colours[i].linked_tile_count(),
            pairs: colours[i].pair_count(),
            squares: colours[i].square_count(),
        })
    }

    /// Returns the counts and the hash of the child without the group of `runs`. Removes the
    /// group from a copy of the board, and recounts only the words whose counts can differ.
    #[inline(always)]
    fn child<const P: usize, const B: u32>(
        &self,
        board: &Planes<N, P, B>,
        links: &Links<N>,
        runs: &[Run],
    ) -> ([ColourCounts; C], u64) {
        let mut child = *board;
        let changed = child.remove_group(runs);

        // The links of a word depend on the next word, and its counts on the words on both sides.
        let linked = changed.start.saturating_sub(1)..changed.end;
        let counted = linked.start..(changed.end + 1).min(N);
        let mut links = *links;
        for word in linked {
            child.compute_word_links(word, &mut links);
        }
        let mut colours = self.colours;
        for word in counted {
            let now: [ColourCounts; C] = child.word_counts(&links, word);
            for colour in 0..C {
                colours[colour] -= self.words[word][colour];
                colours[colour] += now[colour];
            }
        }
        let hash = changed.fold(self.hash, |hash, word| {
            let change = child.word_hash(word).wrapping_sub(self.hashes[word]);
            hash.wrapping_add(change)
        });
        (colours, hash)
    }
}

/// The kernel that lists all children of a position.
pub(super) struct ExpandKernel<'a, const N: usize, const P: usize, const B: u32, const C: usize> {
    pub(super) search: &'a mut Search<N, P, B, C>,
    pub(super) position: &'a Position<N, P, B>,
    pub(super) children: &'a mut Children<Move, [u64; 1], 0>,
}

impl<const N: usize, const P: usize, const B: u32, const C: usize> Kernel
    for ExpandKernel<'_, N, P, B, C>
{
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, _: I) {
        let Self {
            search,
            position,
            children,
        } = self;
        let mut runs = std::mem::take(&mut search.runs);
        let parent = position.board.compute_links();
        let mut counts = Counts::<N, C>::new(&position.board, &parent);
        let mut remaining = Planes::<N, P, B>::all_linked_cells(&parent);
        for word in 0..N {
            while remaining[word] != 0 {
                let seed = remaining[word] & remaining[word].wrapping_neg();
                let bit = seed.trailing_zeros();
                let size =
                    Planes::<N, P, B>::take_group(&parent, &mut remaining, (word, seed), &mut runs);
                let colour = position.board.colour(word, bit) - 1;
                counts.tiles[colour] -= size;
                let (colours, hash) = counts.child(&position.board, &parent, &runs);
                let hash = mix(hash);
                let shapes = counts.shapes(&colours);
                let tiles = position.tiles_left - size;
                let points = position.points + search.scoring.group_points(size as usize);
                let value = search.noisy_value(search.value(&shapes, tiles, points), hash);
                let mv = Move {
                    word: word as u8,
                    bit: bit as u8,
                };
                let scores = Scores {
                    value,
                    quota_scores: [],
                };
                children.push(size as u16, mv, scores, [hash]);

                counts.tiles[colour] += size;
            }
        }
        search.runs = runs;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::samegame::planes::tests::{groups, to_planes};
    use crate::samegame::random_board;

    /// Plays random games. Compares the counts and the hash of each child with those of its whole board.
    fn check_children<const N: usize, const P: usize, const B: u32, const C: usize>(
        side: usize,
        games: u64,
    ) {
        let mut random = Random(N as u64 * 100 + P as u64);
        for game in 0..games {
            let (width, height) = (1 + random.below(side), 1 + random.below(side));
            let colours = 1 + random.below(C.min(26));
            let mut board: Planes<N, P, B> = to_planes(&random_board(game, width, height, colours));
            loop {
                let links = board.compute_links();
                let counts = Counts::<N, C>::new(&board, &links);
                let mut children = Vec::new();
                for (_, _, runs) in groups(&board) {
                    let mut child = board;
                    child.remove_group(&runs);
                    let expected = Counts::<N, C>::new(&child, &child.compute_links());
                    let result = counts.child(&board, &links, &runs);
                    assert_eq!(result, (expected.colours, expected.hash));
                    children.push(child);
                }
                if children.is_empty() {
                    break;
                }
                board = children[random.below(children.len())];
            }
        }
    }

    #[test]
    fn the_counts_of_a_child_are_those_of_its_board() {
        check_children::<4, 3, 16, 5>(16, 60);
        check_children::<4, 6, 16, 62>(16, 10);
        check_children::<16, 3, 32, 7>(32, 3);
        check_children::<64, 3, 64, 7>(64, 2);
    }
}
