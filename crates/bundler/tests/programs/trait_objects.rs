trait Animal {
    fn name(&self) -> &str;
    fn noise(&mut self) -> u32 {
        1
    }
}
struct Dog(String);
struct Cat {
    lives: u32,
}
impl Animal for Dog {
    fn name(&self) -> &str {
        &self.0
    }
}
impl Animal for Cat {
    fn name(&self) -> &str {
        "cat"
    }
    fn noise(&mut self) -> u32 {
        self.lives -= 1;
        self.lives
    }
}
fn main() {
    let mut all: Vec<Box<dyn Animal>> =
        vec![Box::new(Dog("rex".into())), Box::new(Cat { lives: 9 })];
    for animal in &mut all {
        let noise = animal.noise();
        println!("{} {noise}", animal.name());
    }
}
