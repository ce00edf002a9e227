//! Every module has a `solve`, and two of them have an `Error`, as in many bots.

mod greedy {
    #[derive(Debug)]
    pub struct Error;
    pub fn solve(x: i32) -> Result<i32, Error> {
        if x > 0 { Ok(x) } else { Err(Error) }
    }
}

mod beam {
    use std::fmt::Error;
    pub fn solve(x: i32) -> Result<i32, Error> {
        let first = super::greedy::solve(x).map_err(|_| Error)?;
        Ok(first * 2 + helper::solve())
    }
    mod helper {
        pub(super) fn solve() -> i32 {
            super::super::greedy::solve(5).unwrap()
        }
    }
}

fn main() {
    println!("{:?} {:?} {:?}", greedy::solve(-1), beam::solve(3), beam::solve(-3));
}
