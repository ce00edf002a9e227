//! The properties of a case that the results table shows.

use columns_core::rules::case::Case;
use columns_generator::Palette;
use columns_generator::classes::Kind;
use columns_generator::digest::digest;
use serde::{Deserialize, Serialize};

/// The digest and the kind of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct About {
    /// A hash of the case, which does not depend on the file name.
    #[serde(alias = "case_digest")]
    pub(crate) digest: String,
    #[serde(flatten)]
    pub(crate) kind: Kind,
}

impl About {
    /// Computes the properties of a case with the given palette.
    pub(crate) fn new(case: &Case, palette: Palette) -> Self {
        Self {
            digest: digest(case),
            kind: Kind::new(case, palette),
        }
    }
}
