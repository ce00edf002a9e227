mod outer {
    pub const LIMIT: usize = 3;
    pub mod middle {
        use super::LIMIT;
        pub mod inner {
            use super::super::LIMIT as MOST;
            pub(in crate::outer) fn secret() -> usize {
                MOST + 1
            }
            pub fn open() -> usize {
                secret() * 2
            }
        }
        pub fn all() -> usize {
            inner::open() + LIMIT
        }
    }
    pub fn own() -> usize {
        middle::inner::secret() + self::middle::all()
    }
    pub use self::middle::inner::open as renamed;
}
use outer::{
    middle::{self, all},
    renamed,
};
fn main() {
    println!(
        "{} {} {} {}",
        outer::own(),
        all(),
        middle::inner::open(),
        renamed()
    );
}
