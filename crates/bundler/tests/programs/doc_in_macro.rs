//! A macro that prints the documentation in its arguments.

macro_rules! options {
    ($($(#[doc = $text:literal])* $name:ident = $value:expr;)*) => {
        $(fn $name() -> (&'static str, u32) { (concat!($($text),*), $value) })*
    };
}

options! {
    /// How wide
    /// the beam is
    width = 12;
    /// How deep
    depth = 1_000;
}

macro_rules! count {
    () => { 0 };
    ($first:tt $($rest:tt)*) => { 1 + count!($($rest)*) };
}

fn main() {
    println!("{:?} {:?} {}", width(), depth(), count!(a, b,));
}
