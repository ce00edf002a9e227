mod helper {
    pub fn twice(x: u32) -> u32 {
        2 * x
    }
}
macro_rules! double {
    ($x:expr) => {
        $crate::helper::twice($x)
    };
}
fn main() {
    println!("{}", double!(21));
}
