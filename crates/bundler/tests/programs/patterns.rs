enum Tree {
    Leaf(i32),
    Node(Box<Tree>, Box<Tree>),
}
fn sum(tree: &Tree) -> i32 {
    match tree {
        Tree::Leaf(value) => *value,
        Tree::Node(left, right) => sum(left) + sum(right),
    }
}
struct P {
    x: i32,
    y: i32,
}
fn main() {
    let tree = Tree::Node(Box::new(Tree::Leaf(1)), Box::new(Tree::Leaf(2)));
    println!("{}", sum(&tree));
    let P { x, y: renamed } = P { x: 1, y: 2 };
    println!("{x} {renamed}");
    let v = [1, 2, 3, 4];
    if let [first, .., last] = v {
        println!("{first} {last}");
    }
    let n @ 1..=9 = x + 1 else { panic!() };
    println!("{n}");
    match (x, renamed) {
        (a, b) if a > b => println!("more"),
        (0, _) | (_, 2) => println!("two"),
        _ => {}
    }
}
