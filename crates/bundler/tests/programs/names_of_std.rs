struct List {
    len: usize,
    next: Option<Box<List>>,
}
impl List {
    fn len(&self) -> usize {
        self.len
    }
    fn push(&mut self, x: usize) {
        self.len += x;
    }
    fn new() -> Self {
        List { len: 0, next: None }
    }
    fn matches(&self) -> bool {
        self.next.is_none()
    }
}
fn parse(text: &str) -> u8 {
    text.parse().unwrap_or(0)
}
fn main() {
    let (pad, take, stdin, clone) = (1, 2, 3, vec![0].len());
    let mut list = List::new();
    list.push(3);
    let mut v = Vec::new();
    v.push(list.len());
    println!(
        "{} {} {} {} {} {}",
        v.len(),
        list.matches(),
        parse("7"),
        pad + take + stdin + clone,
        "a-b".matches('-').count(),
        std::mem::take(&mut v).len()
    );
}
