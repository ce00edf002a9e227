//! Two modules of one name, for different processors, and a condition in an expression.
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
    println!("{}", arch::name());
    if cfg!(unix) {
        println!("unix");
    }
}
