//! The features of a position: small integers, the inputs of the learned evaluation.
//!
//! Renaming colours or mirroring the board does not change the features, unless two colours have the same
//! numbers of tiles, adjacent pairs and 2 × 2 squares.

use super::evaluation::ColourShape;
use super::planes::{Planes, shl, shr};
use columns_core::network;

/// The maximum number of colours that the features describe. Boards with more colours have no learned
/// evaluation.
pub const MAX_COLOURS: usize = 5;
const FEATURES_PER_COLOUR: usize = 18;
/// The number of sets of cells from which the features of a colour are counted: see [`Planes::sets`].
const CELL_SET_COUNT: usize = 15;
/// The number of features that describe the whole board.
const BOARD_FEATURE_COUNT: usize = 8;
/// The number of features of a position, whatever its number of colours.
pub const FEATURE_COUNT: usize = MAX_COLOURS * FEATURES_PER_COLOUR + BOARD_FEATURE_COUNT;
/// The number of pairs of features. A network reads features in pairs.
pub const FEATURE_PAIR_COUNT: usize = FEATURE_COUNT / 2;

/// The features of one position: those of each colour, the most frequent colour first, then those of the
/// whole board.
pub type Features = [i16; FEATURE_COUNT];

/// The learned evaluation: a network whose value the search adds to the hand-set evaluation.
pub type Network = network::Mlp<FEATURE_PAIR_COUNT>;

/// The points of the js-games scoring that one unit of the learned evaluation represents.
pub const POINTS_PER_UNIT: f64 = 10.0;

impl<const N: usize, const P: usize, const B: u32> Planes<N, P, B> {
    const COLUMNS: usize = 64 / B as usize;

    /// Returns the cells with at least `up` cells above them in their column, empty or not.
    const fn below(up: u32) -> u64 {
        let mut cells = 0;
        let mut column = 0;
        while column < 64 / B {
            cells |= (u64::MAX >> (64 - B + up)) << (column * B);
            column += 1;
        }
        cells
    }

    /// Returns the cells whose row number has bit `bit` set.
    const fn rows(bit: u32) -> u64 {
        let mut cells = 0;
        let mut at = 0;
        while at < 64 {
            cells |= (((at % B) >> bit & 1) as u64) << at;
            at += 1;
        }
        cells
    }

    /// Returns the cells that have a cell of `cells` exactly `up` rows above them.
    #[inline(always)]
    fn above(cells: u64, up: u32) -> u64 {
        cells >> up & Self::below(up)
    }

    /// Returns the columns with at least one of the cells, one bit for each column.
    #[inline(always)]
    fn columns(cells: &[u64; N]) -> u64 {
        let mut columns = 0;
        for word in 0..N {
            for slot in 0..Self::COLUMNS {
                let any = shr(cells[word], slot as u32 * B) & (u64::MAX >> (64 - B)) != 0;
                columns |= u64::from(any) << (word * Self::COLUMNS + slot);
            }
        }
        columns
    }

    /// Returns the cells whose right neighbour is in `cells`.
    #[inline(always)]
    fn right_of(cells: &[u64; N]) -> [u64; N] {
        let mut right = [0; N];
        for word in 0..N {
            let next = if word + 1 < N { cells[word + 1] } else { 0 };
            right[word] = shr(cells[word], B) | shl(next, 64 - B);
        }
        right
    }

    /// Returns the sets of cells whose sizes describe a colour.
    ///
    /// `cells` holds the tiles of the colour, and `tops` the highest tile of each column. The last two sets
    /// are all tiles of the colour, and those with a neighbour of the colour.
    #[inline(always)]
    fn sets(cells: &[u64; N], tops: &[u64; N]) -> [[u64; N]; CELL_SET_COUNT] {
        let right = Self::right_of(cells);
        let right_2 = Self::right_of(&right);
        let (mut vertical, mut horizontal) = ([0; N], [0; N]);
        for word in 0..N {
            vertical[word] = cells[word] & Self::above(cells[word], 1);
            horizontal[word] = cells[word] & right[word];
        }
        let vertical_right = Self::right_of(&vertical);
        let horizontal_right = Self::right_of(&horizontal);
        let mut horizontal_left = [0; N];
        horizontal_left[1..].copy_from_slice(&horizontal[..N - 1]);
        // Compute all words of all sets before counting, so that the compiler vectorises over the words.
        let mut sets = [[0; N]; CELL_SET_COUNT];
        for word in 0..N {
            let (here, beside) = (cells[word], right[word]);
            let up = [1, 2, 3].map(|up| Self::above(here, up));
            let beside_up = [1, 2].map(|up| Self::above(beside, up));
            let (v, h) = (vertical[word], horizontal[word]);
            let linked = v | v << 1 | h | shl(h, B) | shr(horizontal_left[word], 64 - B);
            let word_sets = [
                v,
                h,
                // 2 × 2 squares, and vertical and horizontal lines of three.
                v & vertical_right[word],
                v & Self::above(v, 1),
                h & horizontal_right[word],
                // Near misses: diagonal neighbours, a gap of one or two cells, a knight's move.
                here & beside_up[0] & !(beside | up[0]),
                beside & up[0] & !(here | beside_up[0]),
                here & up[1] & !up[0],
                here & right_2[word] & !beside,
                here & up[2] & !(up[0] | up[1]),
                here & beside_up[1] & !(beside | beside_up[0] | up[0]),
                beside & up[1] & !(here | beside_up[0] | up[0]),
                here & tops[word],
                here,
                linked,
            ];
            for (set, cells) in sets.iter_mut().zip(word_sets) {
                set[word] = cells;
            }
        }
        sets
    }

    /// Computes the shape and the features of a colour. `tops` holds the highest tile of each column.
    #[inline(always)]
    fn colour_features(
        &self,
        colour: usize,
        tops: &[u64; N],
    ) -> (ColourShape, [u32; FEATURES_PER_COLOUR]) {
        let mut cells = [0; N];
        for word in 0..N {
            cells[word] = self.cells(colour, word);
        }
        let mut counts = [0; CELL_SET_COUNT];
        for (count, set) in counts.iter_mut().zip(&Self::sets(&cells, tops)) {
            *count = set.iter().map(|cells| cells.count_ones()).sum();
        }
        let mut rows = 0;
        for bit in 0..B.trailing_zeros() {
            for here in cells {
                rows += (here & Self::rows(bit)).count_ones() << bit;
            }
        }
        let columns = Self::columns(&cells);
        let [v, h, squares, v3, h3, corner, other_corner, ..] = counts;
        let [
            ..,
            gap,
            gap_right,
            gap_2,
            knight,
            other_knight,
            tops,
            tiles,
            linked,
        ] = counts;
        let shape = ColourShape {
            tiles,
            singles: tiles - linked,
            pairs: v + h,
            squares,
        };
        let numbers = [
            tiles,
            tiles * tiles / 16,
            v,
            h,
            squares,
            shape.singles,
            shape.group_count().max(0) as u32,
            v3,
            h3,
            corner + other_corner,
            gap,
            gap_right,
            gap_2,
            knight + other_knight,
            tops,
            columns.count_ones(),
            (columns & !(columns << 1)).count_ones(),
            rows,
        ];
        (shape, numbers)
    }

    /// Computes the shape of each colour, in the order of the colours' numbers, and the features of the
    /// position. The position has at most [`MAX_COLOURS`] colours, numbered from 1.
    #[inline(always)]
    pub(super) fn compute_shapes_and_features<const C: usize>(
        &self,
        colours: usize,
    ) -> ([ColourShape; C], Features) {
        let mut occupied = [0; N];
        let mut tops = [0; N];
        for word in 0..N {
            occupied[word] = self.occupied_cells(word);
            tops[word] = occupied[word] & !Self::above(occupied[word], 1);
        }
        let mut shapes = [ColourShape::default(); C];
        let mut numbers = [[0; FEATURES_PER_COLOUR]; MAX_COLOURS];
        let mut order = [(0, 0); MAX_COLOURS];
        let (mut linked, mut groups, mut left, mut single_tile_colours) = (0, 0, 0, 0);
        for colour in 0..colours.min(MAX_COLOURS) {
            let (shape, counts) = self.colour_features(colour + 1, &tops);
            linked += shape.tiles - shape.singles;
            groups += shape.group_count();
            left += i32::from(shape.tiles > 0);
            single_tile_colours += i32::from(shape.tiles == 1);
            shapes[colour] = shape;
            numbers[colour] = counts;
        }
        for colour in 0..MAX_COLOURS {
            // The most frequent colour comes first. Ties go to the colour with more pairs, then more squares.
            let [tiles, _, v, h, squares, ..] = numbers[colour];
            let key = u64::from(tiles) << 32 | u64::from(v + h) << 16 | u64::from(squares);
            order[colour] = (!key, colour);
        }
        order.sort_unstable();
        let mut features = [0; FEATURE_COUNT];
        for (place, &(_, colour)) in order.iter().enumerate() {
            for i in 0..FEATURES_PER_COLOUR {
                // Only boards far larger than those of the training data exceed the range of `i16`.
                features[place * FEATURES_PER_COLOUR + i] =
                    numbers[colour][i].min(i16::MAX as u32) as i16;
            }
        }
        let [tiles, columns, highest, rough] = Self::surface(&occupied);
        let global: [i32; BOARD_FEATURE_COUNT] = [
            tiles,
            columns,
            highest,
            rough,
            linked as i32,
            groups,
            left,
            single_tile_colours,
        ];
        for (feature, number) in features[MAX_COLOURS * FEATURES_PER_COLOUR..]
            .iter_mut()
            .zip(global)
        {
            *feature = number.clamp(0, i16::MAX.into()) as i16;
        }
        (shapes, features)
    }

    /// Returns the number of tiles, the number of non-empty columns, the greatest height, and the sum of the
    /// height differences of adjacent columns.
    #[inline(always)]
    fn surface(occupied: &[u64; N]) -> [i32; 4] {
        let (mut highest, mut rough, mut columns, mut previous) = (0_i32, 0, 0, None);
        let mut tiles = 0;
        for word in 0..N {
            tiles += occupied[word].count_ones() as i32;
            for slot in 0..Self::COLUMNS {
                let column = shr(occupied[word], slot as u32 * B) & (u64::MAX >> (64 - B));
                let height = column.count_ones() as i32;
                if height == 0 {
                    continue;
                }
                columns += 1;
                highest = highest.max(height);
                rough += previous.map_or(0, |previous: i32| (height - previous).abs());
                previous = Some(height);
            }
        }
        [tiles, columns, highest, rough]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::samegame::board::tests::{parse_board, random_board};
    use crate::samegame::planes::tests::to_planes;
    use crate::samegame::{Board, Cell};

    /// Returns the number of the colour of a cell, or 0 for an empty cell or one outside the board.
    fn colour(game: &Board, x: isize, y: isize) -> usize {
        if x < 0 || y < 0 {
            return 0;
        }
        let tile = game.tile(Cell::new(x as usize, y as usize));
        tile.map_or(0, |tile| tile.to_char() as usize - 'A' as usize + 1)
    }

    /// Computes the features of one colour, cell by cell. `cells` lists the cells that hold tiles.
    fn plain_colour(
        game: &Board,
        cells: &[(isize, isize)],
        number: usize,
    ) -> [i32; FEATURES_PER_COLOUR] {
        let is = |x, y| colour(game, x, y) == number;
        let own: Vec<_> = cells.iter().filter(|&&(x, y)| is(x, y)).collect();
        let count = |holds: &dyn Fn(isize, isize) -> bool| {
            own.iter().filter(|&&&(x, y)| holds(x, y)).count() as i32
        };
        // Counts pairs of tiles. (x, y) is the lower tile; the upper one is to its right (`side` 1) or to its
        // left (−1).
        let sides = |holds: &dyn Fn(isize, isize, isize) -> bool| {
            count(&|x, y| holds(x, y, 1)) + count(&|x, y| holds(x, y, -1))
        };
        let tiles = own.len() as i32;
        let vertical = count(&|x, y| is(x, y + 1));
        let horizontal = count(&|x, y| is(x + 1, y));
        let squares = count(&|x, y| is(x + 1, y) && is(x, y + 1) && is(x + 1, y + 1));
        let alone = |x, y| !(is(x + 1, y) || is(x - 1, y) || is(x, y + 1) || is(x, y - 1));
        let singles = count(&alone);
        let in_column = |x| own.iter().any(|cell| cell.0 == x);
        let columns: Vec<isize> = (0..game.width() as isize)
            .filter(|&x| in_column(x))
            .collect();
        [
            tiles,
            tiles * tiles / 16,
            vertical,
            horizontal,
            squares,
            singles,
            (tiles + squares - vertical - horizontal - singles).max(0),
            count(&|x, y| is(x, y + 1) && is(x, y + 2)),
            count(&|x, y| is(x + 1, y) && is(x + 2, y)),
            sides(&|x, y, side| is(x + side, y + 1) && !is(x + side, y) && !is(x, y + 1)),
            count(&|x, y| is(x, y + 2) && !is(x, y + 1)),
            count(&|x, y| is(x + 2, y) && !is(x + 1, y)),
            count(&|x, y| is(x, y + 3) && !is(x, y + 2) && !is(x, y + 1)),
            sides(&|x, y, side| {
                is(x + side, y + 2) && !is(x + side, y) && !is(x + side, y + 1) && !is(x, y + 1)
            }),
            count(&|x, y| colour(game, x, y + 1) == 0),
            columns.len() as i32,
            columns.iter().filter(|&&x| !in_column(x - 1)).count() as i32,
            own.iter().map(|cell| cell.1 as i32).sum(),
        ]
    }

    /// Computes the features of [`Planes::compute_shapes_and_features`] cell by cell.
    fn plain(game: &Board, colours: usize) -> Features {
        let (width, height) = (game.width() as isize, game.height() as isize);
        let cells: Vec<_> = (0..width)
            .flat_map(|x| (0..height).map(move |y| (x, y)))
            .filter(|&(x, y)| colour(game, x, y) > 0)
            .collect();
        let numbers = 1..=MAX_COLOURS.max(colours);
        let mut all: Vec<_> = numbers
            .map(|number| plain_colour(game, &cells, number))
            .collect();
        let (mut linked, mut groups) = (0, 0);
        for [tiles, _, vertical, horizontal, squares, singles, ..] in &all {
            linked += tiles - singles;
            groups += tiles + squares - vertical - horizontal - singles;
        }
        let left = all.iter().filter(|counts| counts[0] > 0).count() as i32;
        let single_tile_colours = all.iter().filter(|counts| counts[0] == 1).count() as i32;
        all.sort_by_key(|counts| (-counts[0], -(counts[2] + counts[3]), -counts[4]));
        let height_of = |x| cells.iter().filter(|cell| cell.0 == x).count() as i32;
        let heights: Vec<i32> = (0..width)
            .map(height_of)
            .filter(|&height| height > 0)
            .collect();
        let global = [
            cells.len() as i32,
            heights.len() as i32,
            heights.iter().copied().max().unwrap_or(0),
            heights
                .windows(2)
                .map(|pair| (pair[0] - pair[1]).abs())
                .sum(),
            linked,
            groups.max(0),
            left,
            single_tile_colours,
        ];
        let features = all.into_iter().flatten().chain(global);
        let features: Vec<i16> = features.map(|n| n.min(i16::MAX.into()) as i16).collect();
        features.try_into().unwrap()
    }

    /// Plays random games, and compares the features of each position with [`plain`]. Also mirrors the
    /// initial board of each game and renames its colours. This must not change the features of the whole
    /// board. The features of the most frequent colour must not change either, unless another colour ties
    /// with it.
    fn compare<const N: usize, const P: usize, const B: u32, const C: usize>(games: usize) {
        let mut random = Random(N as u64);
        let side = N * (64 / B) as usize;
        for round in 0..games {
            let (width, height) = (1 + random.below(side), 1 + random.below(side));
            let colours = 1 + round % MAX_COLOURS;
            let mut position = random_board(&mut random, width, height, colours);
            let describe =
                |game: &Board| to_planes::<N, P, B>(game).compute_shapes_and_features::<C>(colours);
            let features = describe(&position).1;
            let mirror = |letter: char| (b'A' + b'A' + colours as u8 - 1 - letter as u8) as char;
            let text = position.to_string();
            let rows = text.lines().map(|row| row.chars().rev().map(mirror));
            let rows: Vec<String> = rows.map(Iterator::collect).collect();
            let mirrored = describe(&parse_board(&rows.join("/"))).1;
            if features[..3] != features[FEATURES_PER_COLOUR..FEATURES_PER_COLOUR + 3] {
                assert_eq!(
                    features[..FEATURES_PER_COLOUR],
                    mirrored[..FEATURES_PER_COLOUR]
                );
            }
            assert_eq!(
                features[MAX_COLOURS * FEATURES_PER_COLOUR..],
                mirrored[MAX_COLOURS * FEATURES_PER_COLOUR..]
            );
            loop {
                let (shapes, features) = describe(&position);
                assert_eq!(features, plain(&position, colours), "{position}");
                let tiles: u32 = shapes.iter().map(|shape| shape.tiles).sum();
                assert_eq!(tiles as usize, position.tile_count());
                let groups = position.groups();
                if groups.is_empty() {
                    break;
                }
                position.remove_group(groups[random.below(groups.len())].0);
            }
        }
    }

    #[test]
    fn features_equal_those_counted_cell_by_cell() {
        compare::<4, 3, 16, 5>(100);
        compare::<4, 3, 16, 7>(20);
        compare::<16, 3, 32, 7>(6);
        compare::<64, 3, 64, 7>(2);
    }
}
