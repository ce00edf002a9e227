fn main() {
    let (value, width, precision) = (3.14159, 10, 2);
    println!(
        "[{value:>width$.precision$}] [{value:<+8.1}] [{:^1$}] [{0:#x} {0:#010b} {0:e}]",
        255, 9
    );
    println!("{value:?} {v:>w$}", v = value, w = width);
    println!("{:02}:{:02} {:*^9} {:?}", 5, 7, "mid", "q\"q");
    eprintln!("{width}");
}
