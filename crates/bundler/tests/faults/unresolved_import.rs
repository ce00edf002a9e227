use rand::random;

fn main() {
    random::<u8>();
}
