mod own {
    pub fn drop(x: u8) {
        println!("own {x}");
    }
    pub type Result<T> = std::result::Result<T, u8>;
    pub fn run() -> Result<u8> {
        drop(1);
        Err(2)
    }
}
fn main() {
    let x = vec![1];
    drop(x);
    println!("{:?}", own::run());
    let y: Result<u8, String> = Ok(1);
    println!("{y:?}");
}
