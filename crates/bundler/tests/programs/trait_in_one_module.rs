mod tidy {
    pub trait Tidy {
        fn sort(self) -> usize;
    }
    impl Tidy for Vec<u8> {
        fn sort(self) -> usize {
            77
        }
    }
    pub fn run() -> usize {
        vec![3u8, 1].sort()
    }
}
fn main() {
    let mut v = vec![3u8, 1, 2];
    v.sort();
    println!("{v:?} {}", tidy::run());
}
