use finder::search;

fn main() {
    let text = "a module and a function";
    println!("{:?} {:?}", search(text, "and"), finder::search(text, "or"));
}
