//! The comparison of two players, with the statistics code of `judge compare`.

use columns_generator::classes::Kind;
use columns_stats::{Difference, Pair};
use serde::{Deserialize, Serialize};

/// The scores of two players on one case.
#[derive(Debug, Deserialize)]
pub(crate) struct Both {
    #[serde(flatten)]
    pub(crate) kind: Kind,
    pub(crate) a: u64,
    pub(crate) b: u64,
}

/// The statistics of player B relative to player A.
#[derive(Debug, Serialize)]
pub(crate) struct Depth {
    /// Statistics over all cases.
    pub(crate) all: Difference,
    /// Statistics of each class of cases.
    pub(crate) classes: Vec<Difference>,
}

/// Compares two players. Returns `None` if `cases` is empty.
pub(crate) fn depth(cases: &[Both]) -> Option<Depth> {
    let pair = |&Both { kind, a, b }| Pair {
        name: String::new(),
        kind,
        a,
        b,
    };
    let pairs: Vec<Pair> = cases.iter().map(pair).collect();
    (!pairs.is_empty()).then(|| Depth {
        all: Difference::of("all", &pairs.iter().collect::<Vec<_>>()),
        classes: Difference::by_class(&pairs),
    })
}
