use std::{error::Error, fmt};
#[derive(Debug)]
struct Wrong {
    line: usize,
}
impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}", self.line)
    }
}
impl Error for Wrong {}
fn check(line: usize) -> Result<usize, Wrong> {
    if line > 2 {
        Err(Wrong { line })
    } else {
        Ok(line)
    }
}
fn all() -> Result<usize, Box<dyn Error>> {
    let n: usize = "2".parse()?;
    check(n)?;
    Ok(check(n + 1)?)
}
fn main() {
    println!("{}", all().unwrap_err());
}
