//! Names that are also fragment specifiers of macros, such as `expr`.

macro_rules! twice {
    ($value:expr, $item:ident) => {
        let $item = $value * 2;
    };
}

fn expr(block: i32) -> i32 {
    twice!(block, item);
    item
}

fn main() {
    println!("{}", expr(3));
}
