//! Functions and modules inside of functions, with the names of outer ones.

fn score(x: u32) -> u32 {
    x
}

fn outer(x: u32) -> u32 {
    fn score(x: u32) -> u32 {
        x * 10
    }
    mod inner {
        pub fn score(x: u32) -> u32 {
            x * 100
        }
    }
    const BASE: u32 = 1000;
    struct Local(u32);
    impl Local {
        fn score(&self) -> u32 {
            self.0 + BASE
        }
    }
    score(x) + inner::score(x) + Local(x).score()
}

fn main() {
    const BASE: u32 = 5;
    println!("{} {} {}", score(1), outer(1), BASE);
}
