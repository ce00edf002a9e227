//! Default methods that some types override, associated constants, and trait objects.

trait Piece {
    const NAME: &'static str = "piece";
    fn value(&self) -> i32 {
        1
    }
    fn total(&self) -> i32 {
        self.value() * 10 + Self::NAME.len() as i32
    }
}
struct Plain;
struct Rich(i32);
impl Piece for Plain {}
impl Piece for Rich {
    const NAME: &'static str = "rich";
    fn value(&self) -> i32 {
        self.0
    }
}
trait Named {
    fn name(&self) -> String;
}
impl<T: Piece> Named for T {
    fn name(&self) -> String {
        format!("{}:{}", T::NAME, self.total())
    }
}
fn main() {
    let all: Vec<Box<dyn Named>> = vec![Box::new(Plain), Box::new(Rich(7))];
    for piece in &all {
        println!("{}", piece.name());
    }
}
