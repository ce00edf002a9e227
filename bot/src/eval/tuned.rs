//! The table of weights. `tuner export` writes the values in use. [`weights`](super::weights) expands the
//! table into types and constants. docs/experiments describes how the values were found.

/// Calls the macro `$expand` with the table. Each row documents a weight, and gives its name and its value in
/// use. Unless a row names another unit, a worth or a penalty is in matches of the first step (47 points).
macro_rules! table {
    ($expand:ident) => {
        $expand! {
            /// Worth of each point of the best chain, as a fraction of a point that is already
            /// scored.
            potential: 0.85;
            /// Worth of each step of the best chain.
            steps: 3.5;
            /// Added to `steps` on fields of 150 cells or more.
            steps_large: 2.5;
            /// After the best chain: worth of each empty cell on top of a stack at which one jewel
            /// would complete a line.
            spot: 1.5;
            /// After the best chain: worth of the second empty cell of each stack if one jewel
            /// would complete a line there.
            second_spot: 1.5;
            /// After the best chain: worth of each empty cell, at any height, at which one jewel
            /// would complete a line.
            completion: -0.6;
            /// Worth of each stack with room for a column.
            open_stacks: 3.0;
            /// In the quota for room: multiplies the hand-set value of the field.
            room_value_factor: 0.6;
            /// In the quota for room: penalty for each occupied cell.
            room_cell: 0.1;
            /// In the quota for room: added to `room_cell` with ten colours or more. A third of it
            /// is added with eight colours, two thirds with nine.
            room_cell_crowded: 1.4;
            /// In the quotas for room and for survival: penalty for each stack without room for a
            /// column.
            room_stack: 20.0;
            /// Share of the beam that is filled by the quota for room.
            room_share: 0.03;
            /// Added to `room_share` with ten colours or more. A third of it is added with eight
            /// colours, two thirds with nine.
            room_share_crowded: 0.18;
            /// In the quota for survival, which keeps states that survive a bad placement: multiplies
            /// the hand-set value of the field.
            survival_value_factor: 0.2;
            /// In the quota for survival: penalty for each occupied cell.
            survival_cell: 4.0;
            /// Share of the beam that is filled by the quota for survival.
            survival_share: 0.03;
            /// The number of children of one parent that may survive in a beam of fewer than 64
            /// states. One more may survive from 64 states on, another from 128, and so on.
            max_siblings: 3.0;
            /// The number of states built for each place in the beam.
            built_per_place: 3.0;
        }
    };
}
