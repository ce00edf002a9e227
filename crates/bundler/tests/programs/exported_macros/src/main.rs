use library::my_bot::inner;

mod library {
    pub use my_bot;
}

fn main() {
    println!("{} {}", my_bot::before(), my_bot::after());
    println!("{} {} {}", inner::own(), inner::deep::both(), my_bot::level!());
    println!("{} {} {:?}", my_bot::build!(), my_bot::standard::length(), my_bot::vec![1]);
}
