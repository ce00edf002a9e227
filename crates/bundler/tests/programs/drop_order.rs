struct Noisy(&'static str);
impl Drop for Noisy {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}
fn make() -> Noisy {
    let _first = Noisy("first");
    let _ = Noisy("ignored");
    Noisy("kept")
}
fn main() {
    let _k = make();
    {
        let _inner = Noisy("inner");
    }
    println!("end");
}
