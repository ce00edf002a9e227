const A: u8 = 200;
const B: i16 = -300;
const C: u128 = 1 << 100;
const D: f64 = 1e9;
const E: bool = true;
const F: char = 'x';
const G: &str = "text";
const H: [u8; 3] = [1, 2, 3];
const I: (u8, i8) = (1, -1);
const J: Option<u8> = None;
static K: i64 = -5;
const L: usize = 0x1f;
const M: &[&str] = &["a", "b"];
const N: isize = -1;
struct S;
impl S {
    const P: u16 = 9;
    const Q: f32 = -2.5;
    fn all() -> f64 {
        f64::from(Self::P) * f64::from(Self::Q)
    }
}
fn main() {
    let v = [0u8; L];
    println!(
        "{A} {B} {C} {D} {E} {F} {G} {H:?} {I:?} {J:?} {K} {} {M:?} {}",
        v.len(),
        N
    );
    println!(
        "{} {} {} {}",
        S::all(),
        A.wrapping_add(100),
        B.abs(),
        S::P.pow(2)
    );
    match 200u8 {
        A => println!("A"),
        _ => println!("other"),
    }
    println!("{}", -B >> 2 << 1);
}
