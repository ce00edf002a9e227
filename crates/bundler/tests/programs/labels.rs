fn main() {
    let mut count = 0;
    'outer: for i in 0..10 {
        'inner: loop {
            count += 1;
            if count % 3 == 0 {
                continue 'outer;
            }
            if count > 12 {
                break 'outer;
            }
            if i == 100 {
                break 'inner;
            }
        }
    }
    let found = 'search: {
        for x in [1, 4, 9] {
            if x > 3 {
                break 'search x;
            }
        }
        0
    };
    println!("{count} {found}");
}
