//! What a case is known by, whatever its file is called.

use columns_core::case::Case;

/// 64 bits of FNV-1a of the text of a case: whether two runs played the same.
pub fn digest(case: &Case) -> String {
    let text = case.to_string();
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn digests_differ() {
        let digest = |text: &str| super::digest(&text.parse().unwrap());
        let one = digest("6 13\n1\nabc\n");
        assert_eq!(one, digest("6 13 1 abc"));
        assert_ne!(one, digest("6 13\n1\nabd\n"));
        assert_ne!(one, digest("6 14\n1\nabc\n"));
    }
}
