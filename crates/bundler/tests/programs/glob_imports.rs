mod kinds {
    #[derive(Clone, Copy)]
    pub enum Kind {
        One,
        Two,
        Many(u8),
    }
    pub fn value(kind: Kind) -> u8 {
        use Kind::*;
        match kind {
            One => 1,
            Two => 2,
            Many(n) => n,
        }
    }
}
use kinds::Kind::*;
use kinds::*;
fn main() {
    println!("{} {} {}", value(One), value(Two), value(Many(9)));
}
