const FACTORY: u64 = 40;
const MASK: u32 = 3;
const SMALL: i8 = -7;
const HALF: f32 = 0.5;
fn main() {
    let mut x = FACTORY;
    for _ in 0..5 {
        x = x * FACTORY;
    }
    let wide = !MASK as u64;
    println!("{x} {wide:x} {}", SMALL as i64);
    let mut y = HALF;
    y = y * HALF;
    println!("{y} {:?}", 1.0 / 3.0 * HALF);
    println!("{}", u64::from(MASK) << 40);
}
