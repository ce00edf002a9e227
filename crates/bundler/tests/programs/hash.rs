use std::collections::HashSet;
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Seen {
    place: u8,
    shift: u8,
}
fn main() {
    let mut seen = HashSet::new();
    seen.insert(Seen { place: 1, shift: 2 });
    seen.insert(Seen { place: 1, shift: 2 });
    println!("{}", seen.len());
}
