#[cfg(test)]
mod tests {
    #[test]
    fn fails() {
        panic!()
    }
}
#[cfg(feature = "extra")]
fn extra() -> u8 {
    1
}
#[cfg(not(feature = "extra"))]
fn extra() -> u8 {
    2
}
#[cfg(target_arch = "x86_64")]
mod arch {
    pub fn name() -> &'static str {
        "x86-64"
    }
}
#[cfg(not(target_arch = "x86_64"))]
mod arch {
    pub fn name() -> &'static str {
        "other"
    }
}
fn main() {
    debug_assert!(extra() == 9 || extra() == 2);
    println!("{} {}", extra(), arch::name() != "");
    if cfg!(unix) {
        println!("unix");
    }
}
