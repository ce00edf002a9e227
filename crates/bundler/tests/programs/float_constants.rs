use std::f64::consts::PI;
const TURN: f64 = 2.0 * std::f64::consts::PI;
fn main() {
    println!(
        "{:.4} {:.4} {} {}",
        PI,
        TURN,
        f64::EPSILON < 1e-9,
        std::f32::consts::E
    );
}
