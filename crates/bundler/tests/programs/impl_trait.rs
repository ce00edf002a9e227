fn evens(limit: u32) -> impl Iterator<Item = u32> + Clone {
    (0..limit).filter(|x| x % 2 == 0)
}
fn total(all: impl IntoIterator<Item = u32>) -> u32 {
    all.into_iter().sum()
}
fn adder(by: i32) -> impl Fn(i32) -> i32 {
    move |x| x + by
}
fn boxed(by: i32) -> Box<dyn Fn(i32) -> i32> {
    Box::new(move |x| x * by)
}
fn main() {
    let e = evens(9);
    println!(
        "{} {} {} {}",
        total(e.clone()),
        e.count(),
        adder(3)(4),
        boxed(3)(4)
    );
}
