//! A union, explicit discriminants, and bit patterns.

#[repr(C)]
union Bits {
    float: f32,
    bits: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
enum Level {
    Low = 3,
    High = 200,
}

fn main() {
    let bits = Bits { float: 1.5 };
    println!("{:#x} {} {}", unsafe { bits.bits }, Level::High as u8, Level::Low < Level::High);
    println!("{:?} {}", Level::Low, std::mem::size_of::<Bits>());
}
