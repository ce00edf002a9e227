const X: i32 = 5;
fn x() -> i32 {
    1
}
fn main() {
    let x = x();
    let x = x + X;
    {
        let x = "inner";
        println!("{x}");
    }
    let y = |x: i32| {
        let x = x * 2;
        x + 1
    };
    println!("{x} {}", y(x));
    for x in 0..2 {
        print!("{x} ");
    }
    if let Some(x) = Some(x) {
        println!("{x}");
    }
}
