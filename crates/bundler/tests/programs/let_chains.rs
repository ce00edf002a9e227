// edition 2024
//! Syntax of edition 2024.

fn tail() -> usize {
    let cell = std::cell::RefCell::new(vec![1, 2]);
    cell.borrow().len()
}

fn pick(list: &[Option<u32>]) -> impl Iterator<Item = u32> {
    list.iter().filter_map(|entry| {
        if let Some(value) = entry
            && *value > 1
        {
            Some(*value)
        } else {
            None
        }
    })
}

fn main() {
    println!("{} {:?}", tail(), pick(&[None, Some(1), Some(2)]).collect::<Vec<_>>());
}
