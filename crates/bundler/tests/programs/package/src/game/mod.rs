pub fn double(x: u32) -> u32 {
    x * 2
}
pub(crate) fn unused() -> u32 {
    crate::twice!(3)
}
