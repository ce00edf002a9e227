//! `dbg!`, `line!` and an assertion, on lines that the bundle does not have.

fn main() {
    let value = dbg!(1 + 1) * 2;
    assert!(value == 4);
    assert!(line!() > 0, "no line");
    let (a, b) = dbg!(value, "two");
    println!("{a} {b}");
}
