mod one {
    use std::fmt::Write;
    pub fn text() -> String {
        let mut s = String::new();
        write!(s, "{}", 1).unwrap();
        s
    }
}
mod two {
    use std::io::Write;
    pub fn print(s: &str) {
        let mut out = std::io::stdout();
        writeln!(out, "{s}").unwrap();
    }
}
fn main() {
    two::print(&one::text());
}
