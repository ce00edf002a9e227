//! The field, five stacks of blocks: four bits for each block.

/// Number of stacks.
pub const WIDTH: usize = 5;
/// Number of blocks a stack can hold.
pub const HEIGHT: usize = 7;

/// Dragging one block one cell to the side.
///
/// Moves compare as the statement orders solutions: by stack, by row, right
/// before left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// The stack of the block, 0 to 4 from the left.
    pub stack: usize,
    /// Its row, 0 to 6 from the bottom.
    pub row: usize,
    /// To the right, otherwise to the left.
    pub right: bool,
}

/// A field at rest: colours 1 to 10 from the bottom of each stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stacks {
    /// Seven nibbles a stack, the lowest block in the lowest nibble, 0 for an
    /// empty cell.
    stacks: [u32; WIDTH],
}

/// The lowest bit of each nibble of a stack.
const UNITS: u32 = 0x0111_1111;

/// The lowest bit of every nibble that is not 0.
fn filled(stack: u32) -> u32 {
    (stack | stack >> 1 | stack >> 2 | stack >> 3) & UNITS
}

impl Stacks {
    /// Colours 1 to 15, at most seven a stack.
    pub(super) fn new(stacks: &[Vec<u8>; WIDTH]) -> Self {
        Self {
            stacks: std::array::from_fn(|x| {
                (stacks[x].iter().rev()).fold(0, |word, &colour| word << 4 | u32::from(colour))
            }),
        }
    }

    /// The colour of a block, 0 for an empty cell.
    pub fn colour(&self, stack: usize, row: usize) -> u8 {
        (self.stacks[stack] >> (4 * row) & 15) as u8
    }

    /// Number of blocks in a stack.
    pub fn stack_height(&self, stack: usize) -> usize {
        filled(self.stacks[stack]).count_ones() as usize
    }

    /// Whether no block is left.
    pub fn is_empty(&self) -> bool {
        self.stacks == [0; WIDTH]
    }

    /// Whether there is a match, which would be cleared.
    pub(super) fn has_match(&self) -> bool {
        self.matches() != [0; WIDTH]
    }

    /// The field after a move, once everything has cleared and fallen; `None` if there is no block
    /// at the move's cell or the move leads out of the field.
    pub fn after(&self, m: Move) -> Option<Self> {
        let mut next = self.moved(m)?;
        while next.clear() {}
        Some(next)
    }

    /// Every field on the way to [`Stacks::after`]: with the block moved, then after each clearing,
    /// once the blocks have fallen.
    pub fn way(&self, m: Move) -> Option<Vec<Self>> {
        let mut way = vec![self.moved(m)?];
        loop {
            let mut next = way[way.len() - 1];
            if !next.clear() {
                return Some(way);
            }
            way.push(next);
        }
    }

    /// The field after a move, before anything clears.
    fn moved(&self, m: Move) -> Option<Self> {
        let Move { stack, row, right } = m;
        if stack >= WIDTH || row >= HEIGHT || self.colour(stack, row) == 0 {
            return None;
        }
        let target = match (right, stack) {
            (true, _) if stack + 1 < WIDTH => stack + 1,
            (false, 1..) => stack - 1,
            _ => return None,
        };
        let mut next = *self;
        let (from, to) = (self.stacks[stack], self.stacks[target]);
        let nibble = 15 << (4 * row);
        if to & nibble == 0 {
            // The block drops onto the target, those above it fall by one.
            let below = (1 << (4 * row)) - 1;
            next.stacks[stack] = from & below | (from >> 4) & !below;
            let colour = u32::from(self.colour(stack, row));
            next.stacks[target] = to | colour << (4 * self.stack_height(target));
        } else {
            let swap = (from ^ to) & nibble;
            next.stacks[stack] ^= swap;
            next.stacks[target] ^= swap;
        }
        Some(next)
    }

    /// Clears all matches at once and lets the blocks fall. Returns whether there were any.
    fn clear(&mut self) -> bool {
        let matches = self.matches();
        if matches == [0; WIDTH] {
            return false;
        }
        for (stack, &gone) in self.stacks.iter_mut().zip(&matches) {
            let mut gone = gone;
            while gone != 0 {
                // From the top down, so that the lower ones stay where they are.
                let top = gone.ilog2();
                let below = (1 << top) - 1;
                *stack = *stack & below | (*stack >> 4) & !below;
                gone ^= 1 << top;
            }
        }
        true
    }

    /// The blocks that lie in a line of three or more of one colour: for each stack the lowest bits
    /// of their nibbles.
    fn matches(&self) -> [u32; WIDTH] {
        let mut matches = [0; WIDTH];
        let same = |a: u32, b: u32| !filled(a ^ b) & filled(a);
        for x in 0..WIDTH {
            let stack = self.stacks[x];
            let pairs = same(stack, stack >> 4);
            let threes = pairs & pairs >> 4;
            matches[x] |= threes | threes << 4 | threes << 8;
            if x + 2 < WIDTH {
                let middle = self.stacks[x + 1];
                let threes = same(stack, middle) & same(middle, self.stacks[x + 2]);
                for part in &mut matches[x..x + 3] {
                    *part |= threes;
                }
            }
        }
        matches
    }

    /// Whether some colour has one or two blocks left. Such a field can never be emptied, since
    /// blocks go three or more of a colour at a time.
    pub(super) fn is_hopeless(&self) -> bool {
        // The colours seen at least once, twice, three times, one bit a colour.
        let (mut once, mut twice, mut thrice) = (0_u32, 0_u32, 0_u32);
        for mut stack in self.stacks {
            while stack != 0 {
                let bit = 1 << (stack & 15);
                thrice |= twice & bit;
                twice |= once & bit;
                once |= bit;
                stack >>= 4;
            }
        }
        once & !thrice != 0
    }
}
