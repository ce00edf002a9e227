//! The solver's board, as bit planes.
//!
//! Colours are numbered from 1, and 0 stands for an empty cell. Each of the `P` planes holds one bit of the
//! colour of every cell. A plane has `N` words. A word holds 64 / `B` columns of `B` bits each, and the
//! lowest bit of a column is its bottom cell. No tile is above an empty cell, and no empty column is left of
//! a non-empty one.
//!
//! A board of four rows in words of 16 bits, with `B` = 4 (real words have 64 bits, and `B` is 16, 32 or
//! 64):
//!
//! ```text
//! . . . .     colours a = 1, b = 2, c = 3
//! b . . .
//! a c . .     plane 0 (a and c): columns 0 to 3 are 0011 0011 0000 0000, written top to bottom
//! a a . .     plane 1 (b and c):                    0100 0010 0000 0000
//! ```
//!
//! The removal of a group usually changes few words. All counts of a board are sums over its words. So for a
//! child, only the changed words and their neighbours are recounted.

use std::ops::{AddAssign, Range, SubAssign};

/// A board as bit planes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Planes<const N: usize, const P: usize, const B: u32> {
    /// `words[i]` holds word i of each plane.
    words: [[u64; P]; N],
}

/// The cells that have the same colour as their upper or right neighbour.
#[derive(Debug, Clone, Copy)]
pub(super) struct Links<const N: usize> {
    /// The cells whose upper neighbour has the same colour.
    up: [u64; N],
    /// The cells whose right neighbour has the same colour.
    right: [u64; N],
}

/// The numbers of pairs, squares and linked tiles of a colour. Each takes 16 bits of one word, so that one
/// addition adds all three.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ColourCounts(u64);

impl ColourCounts {
    #[inline(always)]
    fn new(pairs: u32, squares: u32, linked: u32) -> Self {
        Self(u64::from(pairs | squares << 16) | u64::from(linked) << 32)
    }

    /// Returns the number of pairs of adjacent tiles.
    #[inline(always)]
    pub(super) fn pair_count(self) -> u32 {
        self.0 as u32 & 0xffff
    }

    /// Returns the number of 2 × 2 squares.
    #[inline(always)]
    pub(super) fn square_count(self) -> u32 {
        self.0 as u32 >> 16
    }

    /// Returns the number of tiles with a neighbour of their colour.
    #[inline(always)]
    pub(super) fn linked_tile_count(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

impl AddAssign for ColourCounts {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl SubAssign for ColourCounts {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        self.0 = self.0.wrapping_sub(other.0);
    }
}

/// A vertical run of a group. It lies within one column, and so within one word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    /// The index of the word that holds the run.
    word: u32,
    /// The cells, as bits of that word.
    cells: u64,
}

/// Returns a word with the top bit of each column set. A column has `bits` bits.
const fn tops(bits: u32) -> u64 {
    bottoms(bits) << (bits - 1)
}

/// Returns a word with the bottom bit of each column set. A column has `bits` bits.
const fn bottoms(bits: u32) -> u64 {
    if bits == 64 {
        1
    } else {
        u64::MAX / ((1 << bits) - 1)
    }
}

impl<const N: usize, const P: usize, const B: u32> Planes<N, P, B> {
    pub(super) const EMPTY: Self = Self { words: [[0; P]; N] };
    const COLUMNS_PER_WORD: usize = (64 / B) as usize;
    const TOPS: u64 = tops(B);
    const BOTTOMS: u64 = bottoms(B);
    /// The cells of the first column of a word.
    const FIRST_COLUMN_MASK: u64 = u64::MAX >> (64 - B);

    /// Returns the index of a column's word, and of the column's lowest bit in that word.
    fn word_and_lowest_bit(column: usize) -> (usize, u32) {
        let (word, slot) = (
            column / Self::COLUMNS_PER_WORD,
            column % Self::COLUMNS_PER_WORD,
        );
        (word, slot as u32 * B)
    }

    /// Returns the index of a cell's word, and of its bit in that word.
    pub(super) fn word_and_bit(column: usize, row: usize) -> (usize, u32) {
        let (word, low) = Self::word_and_lowest_bit(column);
        (word, low + row as u32)
    }

    /// Returns the column and the row of the cell at a bit of a word.
    pub(super) fn column_and_row(word: usize, bit: u32) -> (usize, usize) {
        let column = word * Self::COLUMNS_PER_WORD + (bit / B) as usize;
        (column, (bit % B) as usize)
    }

    /// Puts a tile into an empty cell.
    pub(super) fn put_tile(&mut self, column: usize, row: usize, colour: usize) {
        let (word, bit) = Self::word_and_bit(column, row);
        for (plane, bits) in self.words[word].iter_mut().enumerate() {
            *bits |= (colour as u64 >> plane & 1) << bit;
        }
    }

    /// Returns the cells of a word that hold tiles.
    #[inline(always)]
    fn occupied_cells(&self, word: usize) -> u64 {
        self.words[word].iter().fold(0, |all, bits| all | bits)
    }

    /// Returns the colour of the cell at a bit of a word, 0 if the cell is empty.
    #[inline(always)]
    pub(super) fn colour(&self, word: usize, bit: u32) -> usize {
        (0..P).fold(0, |colour, plane| {
            colour | ((self.words[word][plane] >> bit & 1) as usize) << plane
        })
    }

    #[inline(always)]
    pub(super) fn tile_count(&self, colour: usize) -> u32 {
        (0..N)
            .map(|word| self.cells(colour, word).count_ones())
            .sum()
    }

    /// Returns the cells of word `word` whose right neighbour belongs to the set of cells `words`. Right
    /// neighbours are in higher bits, so the function shifts the set right by one column, across words.
    #[inline(always)]
    fn left_neighbours(words: &[u64; N], word: usize) -> u64 {
        let next = if word + 1 < N { words[word + 1] } else { 0 };
        words[word].unbounded_shr(B) | next.unbounded_shl(64 - B)
    }

    /// Computes one word of `links`, from this word of the planes and the next one.
    #[inline(always)]
    pub(super) fn compute_word_links(&self, word: usize, links: &mut Links<N>) {
        let here = &self.words[word];
        let none = [0; P];
        let next = if word + 1 < N {
            &self.words[word + 1]
        } else {
            &none
        };
        let (mut up, mut right) = (0, 0);
        let (mut occupied, mut occupied_right) = (0, 0);
        for plane in 0..P {
            let bits = here[plane];
            let beside = bits.unbounded_shr(B) | next[plane].unbounded_shl(64 - B);
            up |= bits ^ bits >> 1;
            right |= bits ^ beside;
            occupied |= bits;
            occupied_right |= beside;
        }
        // Two empty cells are equal but not linked. The top cell of a column is not linked to the bottom
        // cell of the next column.
        links.up[word] = !up & occupied & !Self::TOPS;
        links.right[word] = !right & occupied & occupied_right;
    }

    #[inline(always)]
    pub(super) fn compute_links(&self) -> Links<N> {
        let mut links = Links {
            up: [0; N],
            right: [0; N],
        };
        for word in 0..N {
            self.compute_word_links(word, &mut links);
        }
        links
    }

    /// Returns the cells of a word that have a neighbour of their colour.
    #[inline(always)]
    fn linked_cells(links: &Links<N>, word: usize) -> u64 {
        let (up, right) = (links.up[word], links.right[word]);
        let before = if word > 0 { links.right[word - 1] } else { 0 };
        up | up << 1 | right | right.unbounded_shl(B) | before.unbounded_shr(64 - B)
    }

    /// Returns the linked cells of each word.
    #[inline(always)]
    pub(super) fn all_linked_cells(links: &Links<N>) -> [u64; N] {
        let mut linked = [0; N];
        for word in 0..N {
            linked[word] = Self::linked_cells(links, word);
        }
        linked
    }

    /// Returns what a word adds to the hash of the position.
    #[inline(always)]
    pub(super) fn word_hash(&self, word: usize) -> u64 {
        let mut hash = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(word as u64 + 1);
        for bits in self.words[word] {
            hash = (hash ^ bits).wrapping_mul(0xd6e8_feb8_6659_fd93);
            hash ^= hash >> 32;
        }
        hash.wrapping_mul(0xd6e8_feb8_6659_fd93)
    }

    /// Returns what a word adds to the counts of each colour. `links` must hold the links of the word and its
    /// neighbours.
    #[inline(always)]
    pub(super) fn word_counts<const C: usize>(
        &self,
        links: &Links<N>,
        word: usize,
    ) -> [ColourCounts; C] {
        let (up, right) = (links.up[word], links.right[word]);
        let squares = up & right & Self::left_neighbours(&links.up, word);
        let linked = Self::linked_cells(links, word);
        let mut sums = [ColourCounts::default(); C];
        for (colour, counts) in (1..).zip(&mut sums) {
            let cells = self.cells(colour, word);
            *counts = ColourCounts::new(
                (up & cells).count_ones() + (right & cells).count_ones(),
                (squares & cells).count_ones(),
                (linked & cells).count_ones(),
            );
        }
        sums
    }

    /// Returns the cells of a colour in a word.
    #[inline(always)]
    pub(super) fn cells(&self, colour: usize, word: usize) -> u64 {
        let differs = (0..P).fold(0, |differs, plane| {
            let expected = (colour as u64 >> plane & 1).wrapping_neg();
            differs | self.words[word][plane] ^ expected
        });
        !differs
    }

    /// Removes the group around the bit `seed` of word `word` from `remaining`, which consists of whole
    /// groups. Writes the runs of the group to `runs`, and returns its size.
    #[inline(always)]
    pub(super) fn take_group(
        links: &Links<N>,
        remaining: &mut [u64; N],
        (word, seed): (usize, u64),
        runs: &mut Vec<Run>,
    ) -> u32 {
        runs.clear();
        let mut size = Self::take_runs(links, remaining, runs, word, seed);
        let mut next = 0;
        while next < runs.len() {
            let Run { word, cells } = runs[next];
            let word = word as usize;
            next += 1;
            let rightward = cells & links.right[word];
            let seeds = rightward.unbounded_shl(B) | cells.unbounded_shr(B) & links.right[word];
            size += Self::take_runs(links, remaining, runs, word, seeds);
            if word + 1 < N {
                let seeds = rightward.unbounded_shr(64 - B);
                size += Self::take_runs(links, remaining, runs, word + 1, seeds);
            }
            if word > 0 {
                let seeds = cells.unbounded_shl(64 - B) & links.right[word - 1];
                size += Self::take_runs(links, remaining, runs, word - 1, seeds);
            }
        }
        size
    }

    /// Removes the vertical runs around the bits `seeds` of a word from `remaining`. Appends them to
    /// `runs` and returns the number of their cells.
    #[inline(always)]
    fn take_runs(
        links: &Links<N>,
        remaining: &mut [u64; N],
        runs: &mut Vec<Run>,
        word: usize,
        seeds: u64,
    ) -> u32 {
        let mut size = 0;
        let mut seeds = seeds & remaining[word];
        while seeds != 0 {
            let seed = seeds & seeds.wrapping_neg();
            let up = links.up[word];
            let starts = remaining[word] & !(up << 1);
            let start = 1 << (starts & (seed | (seed - 1))).ilog2();
            // The carry of the addition runs up the links from `start`.
            let cells = up.wrapping_add(start) ^ up;
            remaining[word] &= !cells;
            seeds &= !cells;
            size += cells.count_ones();
            runs.push(Run {
                word: word as u32,
                cells,
            });
        }
        size
    }

    /// Removes a group, given by its runs, lets the tiles above fall, and closes up empty columns.
    /// Returns the words that may have changed.
    #[inline(always)]
    pub(super) fn remove_group(&mut self, runs: &[Run]) -> Range<usize> {
        let mut removed = [0; N];
        let (mut first, mut last) = (N, 0);
        for run in runs {
            let word = run.word as usize;
            removed[word] |= run.cells;
            first = first.min(word);
            last = last.max(word);
        }
        let mut column_vanished = false;
        for word in first..=last {
            if removed[word] == 0 {
                continue;
            }
            let before = self.occupied_cells(word) & Self::BOTTOMS;
            Self::settle(&mut self.words[word], removed[word]);
            column_vanished |= self.occupied_cells(word) & Self::BOTTOMS != before;
        }
        if !column_vanished {
            return first..last + 1;
        }
        let mut end = N;
        while end > last + 1 && self.occupied_cells(end - 1) == 0 {
            end -= 1;
        }
        for word in (first..=last).rev() {
            for slot in (0..Self::COLUMNS_PER_WORD).rev() {
                let low = slot as u32 * B;
                if removed[word] >> low & 1 != 0 && self.occupied_cells(word) >> low & 1 == 0 {
                    self.close_up(word, low, end);
                }
            }
        }
        first..end
    }

    /// Removes the cells `removed` from one word, and lets the tiles above them fall.
    #[inline(always)]
    fn settle(words: &mut [u64; P], mut removed: u64) {
        while removed != 0 {
            let low = removed & removed.wrapping_neg();
            let bit = low.trailing_zeros();
            // `run` is the lowest run of removed cells. It ends at the top of its column at the latest.
            let column = Self::FIRST_COLUMN_MASK << (bit / B * B);
            let in_column = removed & column;
            let run = in_column & !in_column.wrapping_add(low);
            let length = run.count_ones();
            let above = column & !(run | (low - 1));
            for bits in words.iter_mut() {
                *bits = *bits & !(above | run) | (*bits & above).unbounded_shr(length);
            }
            removed = removed & !(above | run) | (removed & above).unbounded_shr(length);
        }
    }

    /// Deletes the column at bit `low` of `word`, and moves the columns to its right one place to the left.
    /// The words from `end` on are empty.
    fn close_up(&mut self, word: usize, low: u32, end: usize) {
        for plane in 0..P {
            let left = (1 << low) - 1;
            let bits = self.words[word][plane];
            self.words[word][plane] = bits & left | bits.unbounded_shr(B) & !left;
            for next in word + 1..end {
                let bits = self.words[next][plane];
                self.words[next - 1][plane] |= bits.unbounded_shl(64 - B);
                self.words[next][plane] = bits.unbounded_shr(B);
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::random::Random;
    use crate::samegame::random_board;
    use crate::samegame::{Board, Cell, Tile};

    /// Copies a playable board, whose colours are letters from `A`, to bit planes.
    pub(crate) fn to_planes<const N: usize, const P: usize, const B: u32>(
        game: &Board,
    ) -> Planes<N, P, B> {
        let mut board = Planes::EMPTY;
        for column in 0..game.width() {
            for row in 0..game.height() {
                if let Some(tile) = game.tile(Cell { column, row }) {
                    board.put_tile(column, row, 1 + (tile.to_char() as u8 - b'A') as usize);
                }
            }
        }
        board
    }

    /// Counts pairs, squares and linked tiles of a colour, tile by tile.
    fn plain_counts(game: &Board, colour: usize) -> [u32; 3] {
        let is = |x: isize, y: isize| {
            let cell = Cell::new(x.max(0) as usize, y.max(0) as usize);
            let number = |tile: Tile| (tile.to_char() as u8 - b'A') as usize + 1;
            x >= 0 && y >= 0 && game.tile(cell).map(number) == Some(colour)
        };
        let mut counts = [0; 3];
        for x in 0..game.width() as isize {
            for y in 0..game.height() as isize {
                if is(x, y) {
                    let (up, right) = (is(x, y + 1), is(x + 1, y));
                    counts[0] += u32::from(up) + u32::from(right);
                    counts[1] += u32::from(up && right && is(x + 1, y + 1));
                    counts[2] += u32::from(up || right || is(x, y - 1) || is(x - 1, y));
                }
            }
        }
        counts
    }

    /// Compares the counts of all colours with the counts on the playable board.
    fn check_counts<const N: usize, const P: usize, const B: u32, const C: usize>(
        fast: &Planes<N, P, B>,
        game: &Board,
    ) {
        let links = fast.compute_links();
        let mut sums = [ColourCounts::default(); C];
        for word in 0..N {
            for (sum, part) in sums.iter_mut().zip(fast.word_counts::<C>(&links, word)) {
                *sum += part;
            }
        }
        for (colour, sum) in (1..).zip(&sums) {
            assert_eq!(
                [
                    sum.pair_count(),
                    sum.square_count(),
                    sum.linked_tile_count()
                ],
                plain_counts(game, colour),
                "colour {colour} of\n{game}"
            );
        }
    }

    /// Returns, for each group of a board, a cell, the size and the runs.
    pub(crate) fn groups<const N: usize, const P: usize, const B: u32>(
        fast: &Planes<N, P, B>,
    ) -> Vec<(Cell, usize, Vec<Run>)> {
        let links = fast.compute_links();
        let mut remaining = Planes::<N, P, B>::all_linked_cells(&links);
        let mut groups = Vec::new();
        for word in 0..N {
            while remaining[word] != 0 {
                let seed = remaining[word] & remaining[word].wrapping_neg();
                let mut runs = Vec::new();
                let place = (word, seed);
                let size = Planes::<N, P, B>::take_group(&links, &mut remaining, place, &mut runs);
                let (column, row) = Planes::<N, P, B>::column_and_row(word, seed.trailing_zeros());
                groups.push((Cell { column, row }, size as usize, runs));
            }
        }
        groups
    }

    /// Plays random games on bit planes and on the playable board. Compares the counts, the sizes of the
    /// groups, and the cells of each position.
    fn compare<const N: usize, const P: usize, const B: u32, const C: usize>(games: usize) {
        let mut random = Random(N as u64 * 100 + P as u64);
        let side = N * (64 / B) as usize;
        for _ in 0..games {
            let (width, height) = (1 + random.below(side), 1 + random.below(side));
            let colours = 1 + random.below(C.min(9));
            let mut game = random_board(random.below(1 << 32) as u64, width, height, colours);
            loop {
                let fast: Planes<N, P, B> = to_planes(&game);
                check_counts::<N, P, B, C>(&fast, &game);
                let groups = groups(&fast);
                let mut sizes: Vec<usize> = groups.iter().map(|(_, size, _)| *size).collect();
                let mut expected: Vec<usize> = game.groups().iter().map(|&(_, n)| n).collect();
                sizes.sort_unstable();
                expected.sort_unstable();
                assert_eq!(sizes, expected);
                if groups.is_empty() {
                    break;
                }
                let (cell, size, runs) = &groups[random.below(groups.len())];
                let mut after = fast;
                let changed = after.remove_group(runs);
                assert_eq!(game.remove_group(*cell), *size);
                assert_eq!(after, to_planes(&game), "after {cell:?}:\n{game}");
                for word in (0..N).filter(|word| !changed.contains(word)) {
                    assert_eq!(after.words[word], fast.words[word]);
                }
            }
        }
    }

    #[test]
    fn all_representations_agree_with_the_playable_game() {
        compare::<4, 3, 16, 5>(150);
        compare::<4, 3, 16, 7>(150);
        compare::<4, 6, 16, 62>(40);
        compare::<16, 3, 32, 7>(10);
        compare::<16, 6, 32, 62>(3);
        compare::<64, 3, 64, 7>(2);
        compare::<64, 6, 64, 62>(1);
    }
}
