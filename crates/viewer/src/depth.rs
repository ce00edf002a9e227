//! The comparison of two players, with the statistics code of `judge compare`.

use columns_stats::{Difference, Pair};
use serde::Serialize;

/// The statistics of player B relative to player A.
#[derive(Debug, Serialize)]
pub(crate) struct Depth {
    /// Statistics over all cases.
    pub(crate) all: Difference,
    /// Statistics of each class of cases.
    pub(crate) classes: Vec<Difference>,
}

/// Compares two players. Returns `None` if `cases` is empty.
pub(crate) fn depth(cases: &[Pair]) -> Option<Depth> {
    (!cases.is_empty()).then(|| Depth {
        all: Difference::of("all", &cases.iter().collect::<Vec<_>>()),
        classes: Difference::by_class(cases),
    })
}
