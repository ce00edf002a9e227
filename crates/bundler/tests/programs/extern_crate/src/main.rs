extern crate util;
fn main() {
    println!("{}", util::rules::POINTS);
}
