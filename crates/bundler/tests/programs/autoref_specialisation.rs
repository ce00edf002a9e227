//! Specialisation by autoref: the compiler tries the implementation for `&Shown<T>` last.

struct Shown<T>(T);

trait ByDisplay {
    fn kind(&self) -> String;
}
impl<T: std::fmt::Display> ByDisplay for Shown<T> {
    fn kind(&self) -> String {
        format!("display {}", self.0)
    }
}

trait ByAny {
    fn kind(&self) -> String;
}
impl<T> ByAny for &Shown<T> {
    fn kind(&self) -> String {
        "any".to_string()
    }
}

struct Opaque;

fn main() {
    println!("{}", (&Shown(7)).kind());
    println!("{}", (&Shown(Opaque)).kind());
}
