//! A case as the page receives it, with the properties that the results table shows.

use crate::key::Key;
use columns_cases::PaletteKind;
use columns_cases::classes::CaseProperties;
use columns_cases::digest::case_digest;
use columns_core::rules::case::Case;
use serde::{Deserialize, Serialize};

/// The digest and the properties of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CaseFacts {
    /// A hash of the case. Equal cases have the same digest, whatever their file names.
    #[serde(alias = "case_digest")]
    pub(crate) digest: String,
    #[serde(flatten)]
    pub(crate) properties: CaseProperties,
}

impl CaseFacts {
    /// Computes the facts of a case. A case does not contain the kind of its palette, so the caller passes
    /// `palette` if it is known.
    pub(crate) fn new(case: &Case, palette: Option<PaletteKind>) -> Self {
        Self {
            digest: case_digest(case),
            properties: CaseProperties::new(case, palette),
        }
    }
}

/// A case with its name and properties, as the page receives it.
#[derive(Debug, Serialize)]
pub(crate) struct NamedCase {
    pub(crate) name: String,
    /// The key that pairs the case with plans.
    pub(crate) key: Key,
    pub(crate) case: String,
    pub(crate) facts: CaseFacts,
}

impl NamedCase {
    /// Describes a case. `id` is the file name or the seed; its key pairs the case with plans.
    pub(crate) fn new(name: String, id: &str, case: &Case, palette: Option<PaletteKind>) -> Self {
        Self {
            name,
            key: Key::from_name(id),
            case: case.to_string(),
            facts: CaseFacts::new(case, palette),
        }
    }
}
