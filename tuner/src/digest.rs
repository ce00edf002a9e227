//! A digest that shows whether bytes have changed since they were written.

use columns_generator::digest::{self, fnv1a};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The 64-bit FNV-1a hash (Fowler, Noll, Vo; RFC 9923) of the bytes added so far. JSON and messages
/// show the digest as 16 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Digest(u64);

impl Digest {
    /// The digest of no bytes.
    pub const EMPTY: Self = Self(digest::EMPTY);

    /// Computes the digest of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(fnv1a(digest::EMPTY, bytes))
    }

    /// Computes the digest of a value in JSON.
    ///
    /// # Errors
    /// If the value cannot be serialised to JSON.
    pub fn of_json(value: &impl Serialize) -> serde_json::Result<Self> {
        Ok(Self::of(&serde_json::to_vec(value)?))
    }

    /// Returns the digest as a number, for example to seed a random number generator.
    pub fn number(self) -> u64 {
        self.0
    }

    /// Appends `bytes` to the bytes that the digest covers.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0 = fnv1a(self.0, bytes);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_survives_a_round_trip_through_json() {
        let digest = Digest::of(b"a");
        let text = serde_json::to_string(&digest).unwrap();
        assert_eq!(serde_json::from_str::<Digest>(&text).unwrap(), digest);
        for wrong in ["\"\"", "\"af63\"", "\"+f63dc4c8601ec8c\"", "7"] {
            assert!(serde_json::from_str::<Digest>(wrong).is_err(), "{wrong}");
        }
    }
}
