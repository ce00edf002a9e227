//! The weights in use. `tuner export` writes this file; [`weights`](super::weights) describes the
//! parameters.
//!
//! The values were found by hand and by the searches in docs/experiments.

use super::weights::Weights;

/// The weights in use.
pub(super) const TUNED: Weights = Weights {
    potential: 0.85,
    steps: 3.5,
    steps_large: 2.5,
    spot: 1.5,
    second_spot: 1.5,
    completion: -0.6,
    placeable: 3.0,
    reserve_rest: 0.6,
    reserve_cell: 0.1,
    reserve_cell_crowded: 1.4,
    reserve_stack: 20.0,
    reserve_share: 0.03,
    reserve_share_crowded: 0.18,
    refuge_rest: 0.2,
    refuge_cell: 4.0,
    refuge_share: 0.03,
    siblings: 3.0,
    built: 3.0,
};
