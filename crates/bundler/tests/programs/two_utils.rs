//! Two modules named `util` in different modules, each with a function `name`.

mod left {
    pub mod util {
        pub fn name() -> &'static str {
            "left"
        }
        pub fn only_left() -> u8 {
            1
        }
    }
    pub fn run() -> String {
        format!("{} {} {}", util::name(), self::util::only_left(), super::name())
    }
}

mod right {
    pub mod util {
        pub fn name() -> &'static str {
            "right"
        }
    }
    pub fn run() -> String {
        use super::left::util::only_left;
        format!("{} {} {}", util::name(), crate::left::util::name(), only_left())
    }
}

fn name() -> &'static str {
    "root"
}

fn main() {
    println!("{} / {} / {}", left::run(), right::run(), name());
}
