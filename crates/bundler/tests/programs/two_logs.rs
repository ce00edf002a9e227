//! A type with a `push` and a `last` of its own, which call those of `Vec` only in the contest's build.
struct Log(Vec<u32>);
impl Log {
    fn push(&mut self, x: u32) {
        #[cfg(debug_assertions)]
        self.0.insert(0, x);
        #[cfg(not(debug_assertions))]
        self.0.push(x * 2);
    }
    fn last(&self) -> u32 {
        if cfg!(debug_assertions) { 0 } else { *self.0.last().unwrap() }
    }
}
fn main() {
    let mut log = Log(Vec::new());
    log.push(1);
    log.push(2);
    println!("{:?} {}", log.0, log.last());
}
