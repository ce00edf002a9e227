//! The ranges of the weights. Only tools need the ranges, so the submission does not contain them.

/// Expands to the table of ranges: for each weight, its minimum, its maximum, and a step that is likely to
/// make a measurable difference.
macro_rules! ranges {
    () => {
        WeightTable {
            potential: (0.0, 1.5, 0.05),
            steps: (0.0, 20.0, 0.5),
            steps_large: (0.0, 20.0, 0.5),
            spot: (-5.0, 10.0, 0.5),
            second_spot: (-5.0, 10.0, 0.5),
            completion: (-5.0, 5.0, 0.1),
            open_stacks: (0.0, 30.0, 1.0),
            room_value_factor: (0.0, 1.0, 0.05),
            room_cell: (0.0, 10.0, 0.25),
            room_cell_crowded: (0.0, 10.0, 0.25),
            room_stack: (0.0, 200.0, 5.0),
            room_share: (0.0, 0.5, 0.02),
            room_share_crowded: (0.0, 0.5, 0.02),
            survival_value_factor: (0.0, 1.0, 0.05),
            survival_cell: (0.0, 20.0, 1.0),
            survival_share: (0.0, 0.5, 0.01),
            max_siblings: (1.0, 12.0, 1.0),
            built_per_place: (1.0, 8.0, 0.5),
        }
    };
}
