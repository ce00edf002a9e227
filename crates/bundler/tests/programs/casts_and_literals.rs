fn main() {
    let a = 1_000_000u64;
    let b = 0xffi32 + 0b1010 + 0o17;
    println!("{a} {b} {} {} {}", 1e3, 2.0_f32, 1.max(3));
    println!("{} {} {}", -1i32 as u8, 200 as u8 as char, 3.99 as i32);
    let t = ((1, 2.5), 3);
    println!("{} {}", (t.0).1, (t.0).0 - 1);
    println!("{:?} {:?}", (..3), (1..=2));
    println!("{}", !0u16 >> 3 & 0x0f);
    println!("{}", i64::MAX as f64 > usize::MIN as f64);
}
