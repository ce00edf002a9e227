//! Lints that are errors by default, and that the program allows.

#[allow(overflowing_literals)]
fn wrapped() -> i8 {
    200
}

#[allow(unconditional_panic, arithmetic_overflow)]
fn main() {
    println!("{}", wrapped());
    if std::env::args().count() > 5 {
        println!("{}", [1, 2][2]);
    }
}
