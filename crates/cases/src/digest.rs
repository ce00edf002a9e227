//! Digests that show whether two texts are the same. They guard against accidents, not against malice.

use columns_core::rules::case::Case;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The 64-bit FNV-1a hash (Fowler, Noll, Vo; RFC 9923) of some bytes. JSON and messages show it as 16
/// hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Digest(u64);

impl Digest {
    /// The digest of an empty input.
    pub const EMPTY: Self = Self(0xcbf2_9ce4_8422_2325);

    /// Returns the digest of `bytes`. [`update`](Self::update) appends further bytes.
    pub fn new(bytes: &[u8]) -> Self {
        let mut digest = Self::EMPTY;
        digest.update(bytes);
        digest
    }

    /// Returns the digest as a number, for example to seed a random number generator.
    pub fn to_u64(self) -> u64 {
        self.0
    }

    /// Feeds `bytes` into the hash.
    pub fn update(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
    }
}

impl TryFrom<String> for Digest {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let digest = u64::from_str_radix(&text, 16).map(Self).ok();
        let digest = digest.filter(|digest| digest.to_string() == text);
        digest.ok_or("expected a digest, 16 hexadecimal digits")
    }
}

/// Returns the digest of a case as 16 hexadecimal digits. The name of the case's file and whitespace in the
/// file do not affect the digest.
pub fn case_digest(case: &Case) -> String {
    Digest::new(case.to_string().as_bytes()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_fnv_1a() {
        // Test vectors of RFC 9923, appendix C.
        assert_eq!(Digest::new(b"").to_u64(), 0xcbf2_9ce4_8422_2325);
        assert_eq!(Digest::new(b"a").to_u64(), 0xaf63_dc4c_8601_ec8c);
        let mut digest = Digest::new(b"foo");
        digest.update(b"bar");
        assert_eq!(digest.to_u64(), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn a_digest_survives_a_round_trip_through_json() {
        let digest = Digest::new(b"a");
        let text = serde_json::to_string(&digest).unwrap();
        assert_eq!(serde_json::from_str::<Digest>(&text).unwrap(), digest);
        for wrong in ["\"\"", "\"af63\"", "\"+f63dc4c8601ec8c\"", "7"] {
            assert!(serde_json::from_str::<Digest>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_digest_depends_only_on_the_case() {
        let digest = |text: &str| case_digest(&text.parse().unwrap());
        let one = digest("6 13\n1\nabc\n");
        assert_eq!(one, digest("6 13 1 abc"));
        assert_ne!(one, digest("6 13\n1\nabd\n"));
        assert_ne!(one, digest("6 14\n1\nabc\n"));
    }
}
