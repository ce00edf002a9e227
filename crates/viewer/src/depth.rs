//! The comparison of two players, with the statistics code of `judge compare`.

use columns_stats::{Pair, Table};

/// Compares two players. Returns `None` if `cases` is empty.
pub(crate) fn depth(cases: &[Pair]) -> Option<Table> {
    (!cases.is_empty()).then(|| Table::new(cases))
}
