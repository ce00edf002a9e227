macro_rules! named { ($($name:ident),*) => { [$((stringify!($name), $name)),*] } }
fn main() {
    let (first, second) = (1, 2);
    for (name, value) in named!(first, second) {
        println!("{name} {value}");
    }
}
