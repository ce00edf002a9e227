const DEPTH: usize = 5;
const NAME: &str = "deep";
fn main() {
    println!("{DEPTH} {NAME:>8} {DEPTH:03}");
    let width = 7;
    let digits = 2;
    println!("[{DEPTH:width$}] [{:.digits$}] [{:>1$}]", 1.2345, 6);
}
