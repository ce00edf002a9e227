//! `raw` as a keyword and as a name.
fn main() {
    let mut count = 1u32;
    let place = &raw mut count;
    unsafe { *place += 1 };
    let raw = [3u32, 4];
    let first = &raw const raw[0];
    println!("{} {} {}", count, raw.len(), unsafe { *first });
}
