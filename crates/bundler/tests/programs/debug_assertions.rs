//! Debug assertions with a side effect, and a macro of the program with a similar name.

macro_rules! debug_assert_sorted {
    ($list:expr) => {
        assert!($list.windows(2).all(|pair| pair[0] <= pair[1]))
    };
}

fn next(count: &mut u32) -> u32 {
    *count += 1;
    *count
}

fn main() {
    let mut count = 0;
    debug_assert!(next(&mut count) > 0, "never {count}");
    debug_assert_eq!(next(&mut count), next(&mut count) - 1);
    debug_assert_sorted!([1, 2, 3]);
    println!("{}", if cfg!(debug_assertions) { "debug" } else { "release" });
}
