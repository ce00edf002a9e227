pub mod rules {
    pub const POINTS: u8 = 47;
}
