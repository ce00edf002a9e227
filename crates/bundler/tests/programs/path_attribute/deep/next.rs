pub fn name() -> &'static str { include_str!("name.txt") }
