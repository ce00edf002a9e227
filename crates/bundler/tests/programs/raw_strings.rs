fn main() {
    let name = 1;
    println!(r"{name} \u{{41}}");
    println!(r#"{name} "quoted" {0}"#, 2);
    println!("\u{41}\x41{name}\n\t{{name}}");
    let s = r##"a "# b"##;
    println!(
        "{s} {}",
        "two \
  lines"
    );
    println!(
        "{:?} {:?} {}",
        b"bytes\x00",
        br"raw\n",
        c"x".to_bytes().len()
    );
    let r#type = 4;
    println!("{}", r#type);
    println!("{}", 'a' as u32 + b'b' as u32);
}
