//! Patterns that name glob-imported variants, and a function with many variables. A variant and a variable
//! must not get the same short word.

#[derive(Clone, Copy)]
enum Kind {
    Rook,
    Bishop,
    Pawn(u8),
}
use Kind::*;

mod far {
    #[derive(Clone, Copy)]
    pub enum Side {
        White,
        Black,
    }
    pub use Side::{Black, White};
}
use far::*;

fn value(kind: Kind) -> u32 {
    match kind {
        Rook => 5,
        Bishop => 3,
        Pawn(moves) => u32::from(moves),
    }
}

fn sign(side: Side) -> i32 {
    match side {
        White => 1,
        Black => -1,
    }
}

fn total(first: u32, second: u32, third: u32, fourth: i32, fifth: i32) -> i32 {
    let sixth = first + second;
    let seventh = sixth * third;
    let (eighth, ninth) = (fourth + fifth, seventh as i32);
    eighth + ninth
}

fn main() {
    println!("{}", total(value(Rook), value(Bishop), value(Pawn(2)), sign(White), sign(Black)));
}
