trait Shape {
    const SIDES: u32;
    type Unit: std::fmt::Debug;
    fn area(&self) -> f64;
    fn name(&self) -> String {
        format!("shape of {}", Self::SIDES)
    }
    fn unit() -> Self::Unit;
}
struct Square(f64);
struct Circle {
    radius: f64,
}
impl Shape for Square {
    const SIDES: u32 = 4;
    type Unit = u8;
    fn area(&self) -> f64 {
        self.0 * self.0
    }
    fn unit() -> u8 {
        1
    }
}
impl Shape for Circle {
    const SIDES: u32 = 0;
    type Unit = &'static str;
    fn area(&self) -> f64 {
        3.0 * self.radius
    }
    fn name(&self) -> String {
        "circle".into()
    }
    fn unit() -> &'static str {
        "m"
    }
}
fn show<S: Shape>(s: &S) {
    println!("{} {:.1} {:?}", s.name(), s.area(), S::unit());
}
fn main() {
    show(&Square(2.0));
    show(&Circle { radius: 1.5 });
}
