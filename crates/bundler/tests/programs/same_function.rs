fn score() -> u8 {
    3
}
mod helper {
    pub fn score() -> u8 {
        4
    }
    pub mod deep {
        pub fn score() -> u8 {
            super::score() + super::super::score()
        }
    }
}
fn main() {
    println!("{} {} {}", score(), helper::score(), helper::deep::score());
}
