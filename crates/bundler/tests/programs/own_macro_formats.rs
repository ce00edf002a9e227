macro_rules! log { ($($t:tt)*) => { println!($($t)*) } }
macro_rules! text {
    ($t:expr) => {
        $t
    };
}
fn main() {
    let value = 3;
    log!("{value} {}", text!("{value}"));
}
