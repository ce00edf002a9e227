//! A module's own `Result`, a re-export, an alias of a module, and an import of a variant.

mod errors {
    pub type Result<T> = std::result::Result<T, Fault>;
    #[derive(Debug, PartialEq)]
    pub enum Fault {
        Empty,
        Line { number: usize },
    }
}
mod reader {
    use super::errors::{self as e, Fault::Line, Result};
    pub fn read(text: &str) -> Result<usize> {
        if text.is_empty() {
            return Err(e::Fault::Empty);
        }
        text.trim().parse().map_err(|_| Line { number: text.lines().count() })
    }
}
pub use reader::read as parse_number;

fn checked() -> Result<u8, String> {
    "12".parse::<u8>().map_err(|error| error.to_string())
}

fn main() {
    println!("{:?} {:?} {:?} {:?}", parse_number("7"), parse_number(""), reader::read("x"), checked());
}
