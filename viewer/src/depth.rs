//! Two players in depth: the numbers of `judge compare`, from the same code.

use columns_generator::classes::Kind;
use columns_stats::{Difference, Pair};
use serde::{Deserialize, Serialize};

/// The scores of two players on a case.
#[derive(Debug, Deserialize)]
pub struct Both {
    /// Width, height and colours of the case.
    #[serde(flatten)]
    pub kind: Kind,
    /// Points of player A.
    pub a: u64,
    /// Points of player B.
    pub b: u64,
}

/// Player B against player A.
#[derive(Debug, Serialize)]
pub struct Depth {
    /// Over all cases.
    pub all: Difference,
    /// By class of case.
    pub classes: Vec<Difference>,
}

/// Compares two players; `None` without cases.
pub fn depth(cases: &[Both]) -> Option<Depth> {
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
