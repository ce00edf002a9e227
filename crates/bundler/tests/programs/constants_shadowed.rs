const N: usize = 4;
const LIMIT: u8 = 3;
fn of<const N: usize>() -> usize {
    N
}
struct LIMITS {
    N: usize,
}
fn inner() -> u8 {
    const LIMIT: u8 = 9;
    LIMIT
}
fn main() {
    let s = LIMITS { N: 7 };
    println!("{} {} {} {} {}", of::<2>(), N, s.N, inner(), LIMIT);
}
