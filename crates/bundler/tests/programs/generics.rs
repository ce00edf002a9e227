use std::fmt::Display;
use std::ops::Add;
fn largest<T>(all: &[T]) -> T
where
    T: PartialOrd + Copy,
{
    let mut best = all[0];
    for &x in all {
        if x > best {
            best = x;
        }
    }
    best
}
fn sum<T: Add<Output = T> + Default + Copy, const N: usize>(all: [T; N]) -> T {
    all.iter().fold(T::default(), |a, &b| a + b)
}
struct Wrapper<'a, T: ?Sized> {
    inner: &'a T,
}
impl<'a, T> Display for Wrapper<'a, T>
where
    T: Display + ?Sized,
{
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<{}>", self.inner)
    }
}
fn main() {
    println!(
        "{} {} {} {}",
        largest(&[1, 5, 2]),
        largest(&[0.5, 0.1]),
        sum([1u8, 2, 3]),
        Wrapper { inner: "x" }
    );
}
