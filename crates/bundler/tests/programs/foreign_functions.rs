//! C functions keep their names, by which the linker finds them.

extern "C" {
    fn abs(value: i32) -> i32;
}

mod long {
    extern {
        fn labs(value: i64) -> i64;
    }

    pub fn distance(value: i64) -> i64 {
        unsafe { labs(value) }
    }
}

fn main() {
    println!("{} {}", unsafe { abs(-3) }, long::distance(-4));
}
