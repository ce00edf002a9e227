//! The properties of a case that the results table shows.

use columns_core::rules::case::Case;
use columns_generator::classes::{Kind, CLASSES};
use columns_generator::digest::digest;
use columns_generator::Palette;
use serde::Serialize;

/// The digest, the kind and the classes of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct About {
    /// A hash of the case, which does not depend on the file name.
    pub(crate) digest: String,
    #[serde(flatten)]
    pub(crate) kind: Kind,
    /// The classes of the case, as indices into the result of [`classes()`].
    pub(crate) classes: Vec<usize>,
}

/// Returns the names of all classes of cases.
pub(crate) fn classes() -> Vec<String> {
    let name = |name: &str| {
        if name.ends_with("cells") {
            format!("fields of {name}")
        } else {
            name.to_string()
        }
    };
    CLASSES.iter().map(|&(text, _)| name(text)).collect()
}

impl About {
    /// Computes the properties of a case with the given palette.
    pub(crate) fn of(case: &Case, palette: Palette) -> Self {
        Self::new(digest(case), Kind::of(case, palette))
    }

    /// Computes the properties of a case from its digest and kind.
    pub(crate) fn new(digest: String, kind: Kind) -> Self {
        let holds = |&number: &usize| CLASSES[number].1(&kind);
        Self {
            digest,
            kind,
            classes: (0..CLASSES.len()).filter(holds).collect(),
        }
    }
}
