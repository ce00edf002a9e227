//! A type that needs its derived order, through `cmp`, and a type that does not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    score: u32,
    name: String,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Cell(u8);
fn main() {
    let new = |score, name: &str| Candidate { score, name: name.to_string() };
    let mut all = vec![new(2, "b"), new(1, "c"), new(2, "a")];
    all.sort_by(|one, other| other.cmp(one));
    let cells = [Cell(1), Cell(2)];
    for candidate in &all {
        println!("{} {}", candidate.score, candidate.name);
    }
    println!("{}", cells.iter().map(|cell| cell.0 as u32).sum::<u32>());
}
