use std::collections::BTreeMap;
fn apply<F>(f: F, times: usize) -> Vec<usize>
where
    F: Fn(usize) -> usize,
{
    (0..times).map(&f).collect()
}
fn main() {
    let max = |a: i32, b: i32| if a > b { b } else { a };
    println!("{} {}", max(1, 2), std::cmp::max(1, 2));
    let mut count = 0;
    let mut step = || {
        count += 2;
        count
    };
    step();
    println!("{} {:?}", step(), apply(|x| x * x, 4));
    let mut map: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
    map.entry("a").or_default().push(1);
    println!("{map:?}");
}
