//! Digests that show whether two texts are the same. They guard against accidents, not against malice.

use columns_core::rules::case::Case;

/// The 64-bit FNV-1a digest (Fowler, Noll, Vo; RFC 9923) of the empty text.
pub const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

/// Continues a 64-bit FNV-1a digest with more bytes. For the digest of a whole text, pass [`EMPTY`] as `hash`.
pub fn fnv1a(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Returns the digest of a case in 16 hexadecimal digits. It depends only on the case, not on the name or the whitespace
/// of its file.
pub fn digest(case: &Case) -> String {
    format!("{:016x}", fnv1a(EMPTY, case.to_string().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_fnv_1a() {
        // Test vectors of RFC 9923, appendix C.
        assert_eq!(fnv1a(EMPTY, b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(EMPTY, b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(fnv1a(EMPTY, b"foo"), b"bar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn only_equal_cases_have_equal_digests() {
        let digest = |text: &str| digest(&text.parse().unwrap());
        let one = digest("6 13\n1\nabc\n");
        assert_eq!(one, digest("6 13 1 abc"));
        assert_ne!(one, digest("6 13\n1\nabd\n"));
        assert_ne!(one, digest("6 14\n1\nabc\n"));
    }
}
