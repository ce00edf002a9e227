pub fn name() -> u8 { 2 }
