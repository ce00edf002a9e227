use std::collections::BinaryHeap;
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Item {
    value: i32,
    place: u8,
}
fn main() {
    let mut heap = BinaryHeap::new();
    for value in [3, 9, 4] {
        heap.push(Item { value, place: 1 });
    }
    while let Some(item) = heap.pop() {
        println!("{} {}", item.value, item.place);
    }
}
