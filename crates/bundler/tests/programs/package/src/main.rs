mod play;
use my_bot::{answer, best, twice};

fn main() {
    #[cfg(feature = "deep")]
    println!("deep");
    println!("{:?} {} {}", best(&[1, 2]), twice!(play::moves()), my_bot::WIDTH);
    println!("{}", answer!());
}
