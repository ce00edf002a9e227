//! Modules in files that `#[path]` names.

#[path = "deep/one.rs"]
mod first;
mod group {
    #[path = "two.rs"]
    pub mod second;
}
fn main() {
    println!("{} {}", first::name(), group::second::name());
}
