use std::ops::{AddAssign, Index, IndexMut, Mul, Neg};
#[derive(Clone, Copy, PartialEq, Debug)]
struct V(i32, i32);
impl Mul<i32> for V {
    type Output = V;
    fn mul(self, by: i32) -> V {
        V(self.0 * by, self.1 * by)
    }
}
impl Neg for V {
    type Output = V;
    fn neg(self) -> V {
        V(-self.0, -self.1)
    }
}
impl AddAssign for V {
    fn add_assign(&mut self, o: V) {
        self.0 += o.0;
        self.1 += o.1;
    }
}
struct Grid {
    cells: Vec<u8>,
    width: usize,
}
impl Index<(usize, usize)> for Grid {
    type Output = u8;
    fn index(&self, (x, y): (usize, usize)) -> &u8 {
        &self.cells[y * self.width + x]
    }
}
impl IndexMut<(usize, usize)> for Grid {
    fn index_mut(&mut self, (x, y): (usize, usize)) -> &mut u8 {
        &mut self.cells[y * self.width + x]
    }
}
fn main() {
    let mut v = -(V(1, 2) * 3);
    v += V(1, 1);
    println!("{v:?} {}", v == V(-2, -5));
    let mut g = Grid {
        cells: vec![0; 6],
        width: 3,
    };
    g[(1, 1)] = 7;
    println!("{} {:?}", g[(1, 1)], g.cells);
}
