//! A module and an implementation that only the contest's build has.
#[cfg(debug_assertions)]
mod table {
    pub fn value(x: u32) -> u32 {
        assert!(x < 10);
        x
    }
}
#[cfg(not(debug_assertions))]
mod table {
    pub fn value(x: u32) -> u32 {
        x.wrapping_mul(3)
    }
}
trait Step {
    fn step(self) -> u32;
}
#[cfg(not(debug_assertions))]
impl Step for u32 {
    fn step(self) -> u32 {
        self.wrapping_sub(7)
    }
}
#[cfg(debug_assertions)]
impl Step for u32 {
    fn step(self) -> u32 {
        self - 7
    }
}
fn main() {
    println!("{} {}", table::value(20), 3u32.step());
}
