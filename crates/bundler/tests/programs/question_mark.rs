use std::num::ParseIntError;
use std::str::FromStr;
#[derive(Debug, PartialEq)]
enum Error {
    Empty,
    Number(ParseIntError),
}
impl From<ParseIntError> for Error {
    fn from(e: ParseIntError) -> Self {
        Error::Number(e)
    }
}
struct Pair(i32, i32);
impl FromStr for Pair {
    type Err = Error;
    fn from_str(s: &str) -> Result<Self, Error> {
        let mut parts = s.split(',');
        let mut next =
            || -> Result<i32, Error> { Ok(parts.next().ok_or(Error::Empty)?.trim().parse()?) };
        Ok(Pair(next()?, next()?))
    }
}
fn main() {
    for text in ["1, 2", "1", "a,b"] {
        match text.parse::<Pair>() {
            Ok(Pair(a, b)) => println!("{}", a + b),
            Err(e) => println!("{e:?}"),
        }
    }
}
