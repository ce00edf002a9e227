//! What a table says of a case.

use columns_core::rules::case::Case;
use columns_generator::classes::{Kind, CLASSES};
use columns_generator::digest::digest;
use columns_generator::Palette;
use serde::Serialize;

/// What a table says of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct About {
    /// What the case is known by, whatever its name.
    pub digest: String,
    /// Its size and its colours.
    #[serde(flatten)]
    pub kind: Kind,
    /// The numbers of the classes that it is in, among those that [`classes`] names.
    pub classes: Vec<usize>,
}

/// The names of the classes of cases, each to be understood by itself.
pub fn classes() -> Vec<String> {
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
    /// What there is to say of a case with this palette.
    pub fn of(case: &Case, palette: Palette) -> Self {
        Self::new(digest(case), Kind::of(case, palette))
    }

    /// What there is to say of a case with this digest.
    pub fn new(digest: String, kind: Kind) -> Self {
        let holds = |&number: &usize| CLASSES[number].1(&kind);
        Self {
            digest,
            kind,
            classes: (0..CLASSES.len()).filter(holds).collect(),
        }
    }
}
