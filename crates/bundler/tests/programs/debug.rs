#[derive(Debug, Clone, Default)]
struct Place {
    row: u8,
    column: Option<Box<Place>>,
}
#[derive(Debug)]
enum Kind {
    Empty,
    Pair(u8, u8),
    Named { first: u8 },
}
fn main() {
    let place = Place {
        row: 1,
        column: Some(Box::default()),
    };
    println!("{place:?} {:#?}", place.clone());
    println!(
        "{:?} {:?} {:?}",
        Kind::Empty,
        Kind::Pair(1, 2),
        Kind::Named { first: 3 }
    );
}
