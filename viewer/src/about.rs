//! What a table says of a case.

use columns_core::rules::case::{Case, Column};
use columns_generator::classes::{Kind, CLASSES};
use columns_generator::digest::digest;
use columns_generator::Palette;
use serde::{Deserialize, Serialize};

/// What a report of the judge tells of a case, by the names that it has there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// What the case is known by, whatever its name.
    pub digest: String,
    /// Width of the field in stacks.
    pub width: usize,
    /// Height of the field in cells.
    pub height: usize,
    /// Number of columns.
    pub columns: usize,
    /// How many of them are magic.
    pub magic: usize,
    /// Number of colours.
    pub colours: usize,
    /// Whether there are more and more colours.
    pub palette: Palette,
}

/// What a table says of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct About {
    /// Its size and its colours.
    #[serde(flatten)]
    pub facts: Facts,
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
        let columns = case.columns();
        Self::from(Facts {
            digest: digest(case),
            width: case.width(),
            height: case.height(),
            columns: columns.len(),
            magic: columns.iter().filter(|&&c| c == Column::Magic).count(),
            colours: case.palette().len(),
            palette,
        })
    }
}

impl From<Facts> for About {
    fn from(facts: Facts) -> Self {
        let kind = Kind {
            cells: facts.width * facts.height,
            columns: facts.columns,
            colours: facts.colours,
            palette: facts.palette,
        };
        let holds = |&number: &usize| CLASSES[number].1(&kind);
        let classes = (0..CLASSES.len()).filter(holds).collect();
        Self { facts, classes }
    }
}
