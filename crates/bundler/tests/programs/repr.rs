#[repr(u32)]
#[derive(Clone, Copy, PartialEq)]
enum Code {
    First = 7,
    Second = 0xffff_ffff,
}
#[repr(C)]
struct Pair {
    first: u8,
    second: u32,
}
fn main() {
    let x: u32 = 1;
    println!(
        "{} {} {} {}",
        Code::First as u32 + x,
        Code::Second as u32,
        Code::First == Code::Second,
        std::mem::size_of::<Pair>()
    );
    let p = Pair {
        first: 1,
        second: 2,
    };
    println!("{}", u32::from(p.first) + p.second);
}
