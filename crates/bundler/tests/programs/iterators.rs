struct Countdown {
    count: u32,
}
impl Iterator for Countdown {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        if self.count == 0 {
            None
        } else {
            self.count -= 1;
            Some(self.count)
        }
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.count as usize, Some(self.count as usize))
    }
}
impl Countdown {
    fn rest(&self) -> u32 {
        self.count
    }
}
fn main() {
    let c = Countdown { count: 4 };
    println!("{} {:?}", c.rest(), c.size_hint());
    println!(
        "{:?} {}",
        c.map(|x| x * 2).collect::<Vec<_>>(),
        (1..4).count()
    );
}
