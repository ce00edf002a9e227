macro_rules! point { ($name:ident { $($field:ident: $of:ty = $value:expr),* $(,)? }) => { #[derive(Clone)] struct $name { $($field: $of),* } impl $name { fn new() -> Self { Self { $($field: $value),* } } fn total(&self) -> i64 { 0 $(+ self.$field as i64)* } } } }
point!(Spot {
    row: u8 = 3,
    column: i32 = -4,
});
macro_rules! max { ($x:expr) => { $x }; ($x:expr, $($rest:expr),+) => {{ let (a, b) = ($x, max!($($rest),+)); if a > b { a } else { b } }} }
macro_rules! keyed {
    (row => $x:expr) => {
        $x * 10
    };
    (column => $x:expr) => {
        $x
    };
}
fn main() {
    let row = 1;
    println!(
        "{} {} {} {}",
        Spot::new().clone().total(),
        max!(3, 9, 4),
        keyed!(row => 4),
        keyed!(column => row)
    );
}
