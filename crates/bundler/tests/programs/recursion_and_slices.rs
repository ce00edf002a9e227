fn sort(all: &mut [i32]) {
    if all.len() < 2 {
        return;
    }
    let (pivot, mut place) = (all[all.len() - 1], 0);
    for i in 0..all.len() - 1 {
        if all[i] < pivot {
            all.swap(i, place);
            place += 1;
        }
    }
    let last = all.len() - 1;
    all.swap(place, last);
    let (left, right) = all.split_at_mut(place);
    sort(left);
    sort(&mut right[1..]);
}
fn main() {
    let mut v = [5, 3, 8, 1, 9, 2];
    sort(&mut v);
    println!(
        "{v:?} {:?}",
        v.windows(2).map(|w| w[1] - w[0]).collect::<Vec<_>>()
    );
    println!("{:?}", v.binary_search(&8));
}
