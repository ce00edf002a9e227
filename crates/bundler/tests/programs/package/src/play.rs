pub fn moves() -> u32 {
    my_bot::twice!(4)
}
