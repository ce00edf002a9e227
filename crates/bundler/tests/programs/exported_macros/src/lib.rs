//! Exported macros in modules, some with the name of another macro.

macro_rules! level {
    () => {
        1
    };
}

pub fn before() -> u32 {
    level!()
}

pub mod inner {
    #[macro_export]
    macro_rules! level {
        () => {
            2
        };
    }

    pub fn own() -> u32 {
        level!()
    }

    pub mod deep {
        pub fn both() -> u32 {
            level!() * 10 + crate::level!()
        }
    }
}

pub fn after() -> u32 {
    level!()
}

#[cfg(debug_assertions)]
mod debug {
    #[macro_export]
    macro_rules! build {
        () => {
            "debug"
        };
    }
}

#[cfg(not(debug_assertions))]
mod release {
    #[macro_export]
    macro_rules! build {
        () => {
            "release"
        };
    }
}

pub mod standard {
    pub fn length() -> usize {
        vec![1, 2, 3].len()
    }
}

#[macro_export]
macro_rules! vec {
    ($($value:expr),*) => {
        [$($value),*, 100]
    };
}
