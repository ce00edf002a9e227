//! The cases that the chores play: the same on every machine.

use columns_cases::ValueError;
use columns_core::rules::case::Case;
use columns_generator::{Spec, generate};
use columns_judge::cases::CaseEntry;

/// A case with its name, such as `6x13c4`.
pub(crate) type NamedCase = (String, Case);

/// Number of columns in each case of [`cases_of_all_kinds`].
const COLUMNS_PER_CASE: usize = 80;

/// Width, height and number of colours of each case of [`cases_of_all_kinds`].
///
/// They cover every field layout of the bot (up to 6 or 12 stacks, and up to 7, 15 or 26 colours), and the
/// smallest and the largest field that the statement allows.
const CASE_KINDS: [(usize, usize, usize); 14] = [
    (6, 13, 4),
    (6, 19, 7),
    (6, 14, 10),
    (6, 16, 20),
    (7, 14, 5),
    (9, 16, 6),
    (9, 19, 12),
    (8, 13, 26),
    (10, 15, 3),
    (12, 19, 5),
    (12, 13, 7),
    (11, 17, 8),
    (12, 18, 15),
    (10, 19, 16),
];

/// Returns a short case for each entry of [`CASE_KINDS`].
pub(crate) fn cases_of_all_kinds() -> Vec<NamedCase> {
    let named = |&(width, height, colours): &(usize, usize, usize)| {
        let spec = || -> Result<Spec, ValueError> {
            Spec::default()
                .with_width(width)?
                .with_height(height)?
                .with_colours(colours)?
                .with_columns(COLUMNS_PER_CASE)
        };
        let spec = spec().expect("the kinds are within the statement's limits");
        (format!("{width}x{height}c{colours}"), generate(1, &spec))
    };
    CASE_KINDS.iter().map(named).collect()
}

/// Returns the sample of the statement (seed 1 of the generator), then `count` contest-like cases (seeds 2, 3
/// and so on).
pub(crate) fn contest_cases(count: u16) -> Vec<CaseEntry> {
    let spec = Spec::default();
    let generated = |seed| CaseEntry::Generated(seed, spec);
    (1..=u64::from(count) + 1).map(generated).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cases_match_their_names_and_cover_every_layout() {
        let list = cases_of_all_kinds();
        for ((name, case), (width, height, colours)) in list.iter().zip(CASE_KINDS) {
            assert_eq!((case.width(), case.height()), (width, height), "{name}");
            assert_eq!(case.columns().len(), COLUMNS_PER_CASE, "{name}");
            assert_eq!(case.palette().len(), colours, "{name}");
        }
        for widths in [6..=6, 7..=9, 10..=12] {
            for colours in [1..=7, 8..=15, 16..=26] {
                let is_kind = |&(w, _, c): &(usize, usize, usize)| {
                    widths.contains(&w) && colours.contains(&c)
                };
                assert!(CASE_KINDS.iter().any(is_kind), "{widths:?} {colours:?}");
            }
        }
    }

    #[test]
    fn the_cases_of_the_contest_start_with_the_sample() {
        let list = contest_cases(5);
        assert_eq!(list.len(), 6);
        assert_eq!(list[0].load().unwrap().columns().len(), 11);
        assert_eq!(list[5].name(), "0006");
    }
}
