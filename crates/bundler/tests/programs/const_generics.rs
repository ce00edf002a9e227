//! Const parameters, arrays, and constants that are computed from other constants.

const fn square(n: usize) -> usize {
    n * n
}
struct Grid<const W: usize, const H: usize>([[u8; W]; H]);
impl<const W: usize, const H: usize> Grid<W, H> {
    const CELLS: usize = W * H;
    fn filled(value: u8) -> Self {
        Self([[value; W]; H])
    }
    fn sum(&self) -> usize {
        self.0.iter().flatten().map(|&cell| usize::from(cell)).sum::<usize>() + Self::CELLS
    }
}
static TABLE: [usize; square(3)] = [square(2); square(3)];

fn main() {
    println!("{} {}", Grid::<3, 4>::filled(2).sum(), TABLE.iter().sum::<usize>());
}
