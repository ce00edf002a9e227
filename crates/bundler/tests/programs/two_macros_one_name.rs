macro_rules! value {
    () => {
        0
    };
}
mod inner {
    macro_rules! value {
        () => {
            1
        };
    }
    pub fn get() -> u8 {
        value!()
    }
}
fn get() -> u8 {
    value!()
}
fn main() {
    println!("{} {}", inner::get(), get());
}
