use std::f64;
fn main() {
    let x: f64 = f64::consts::SQRT_2;
    println!("{x:.3} {}", f64::MAX > x);
}
