//! Scores plans with the fast simulator.
//!
//! The results table has hundreds of games, and the referee needs 0.1 s for the longest. The tests
//! compare the simulator with the referee.

use crate::reading::Reading;
use columns_core::field::Field;
use columns_core::rules::case::{Case, Column, MATCH_POINTS};
use columns_core::rules::plan::{Placement, Plan};
use columns_core::rules::quickstart;
use columns_core::simd::{self, Cpu, Isa, Kernel};
use serde::Serialize;

/// The score of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Score {
    /// Total points; 0 for an invalid plan.
    pub(crate) points: u64,
    /// The number of columns that landed.
    pub(crate) placed: usize,
    /// The number of placements in the plan. Later columns have default placements.
    pub(crate) planned: usize,
    /// The error message of an invalid plan.
    pub(crate) broken: Option<String>,
    /// Quickstart's plan, if the caller passed none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) plan: Option<String>,
}

/// Scores a plan on a case. If `plan` is `None`, scores quickstart's plan.
pub(crate) fn score(case: &Case, plan: Option<&str>) -> Score {
    let reading = plan.map(|text| Reading::of(text, case));
    let reading = reading.as_ref();
    let (matches, placements) = simd::run(Cpu::detect(), Play { case, reading });
    let broken = reading.and_then(|reading| reading.broken.clone());
    Score {
        points: match broken {
            None => matches * MATCH_POINTS,
            Some(_) => 0,
        },
        placed: placements.len(),
        planned: reading.map_or(placements.len(), |reading| reading.plan.placements.len()),
        broken,
        plan: plan.is_none().then(|| Plan { placements }.to_string()),
    }
}

/// A game to play on the fast simulator.
struct Play<'a> {
    case: &'a Case,
    /// The plan; `None` for quickstart's placements.
    reading: Option<&'a Reading>,
}

impl Kernel for Play<'_> {
    /// Points in units of [`MATCH_POINTS`], and the placements of the columns that landed.
    type Output = (u64, Vec<Placement>);

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        // Large enough for any size and all 26 colours.
        let mut field: Field<4, 5> = Field::default();
        let mut matches = 0;
        let mut landed = Vec::new();
        let columns = self.case.columns();
        let length = self.reading.map_or(usize::MAX, |r| r.length(columns.len()));
        for (index, column) in columns.iter().enumerate().take(length) {
            let placement = match self.reading {
                Some(reading) => reading.plan.placement(index),
                None => quickstart::next_placement(self.case.width(), |x| field.stack_height(x)),
            };
            let codes = match column {
                Column::Magic => None,
                jewels @ Column::Jewels(_) => jewels
                    .shifted(placement.shift)
                    .map(|jewels| jewels.map(|jewel| jewel.index() as u8 + 1)),
            };
            let height = self.case.height() as u32;
            let Some((chain, after)) = field.placed(isa, height, placement.stack, codes) else {
                break;
            };
            matches += u64::from(chain.points);
            field = after;
            landed.push(placement);
        }
        (matches, landed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_core::rules::replay;
    use columns_generator::{Profile, Spec, generate};

    #[test]
    fn scores_equal_the_referees() {
        for (seed, profile) in (1..).zip(Profile::ALL.into_iter().cycle().take(40)) {
            let case = generate(seed, &Spec::new(profile));
            let mut plan = quickstart::quickstart(&case);
            let result = score(&case, None);
            assert_eq!(result.points, replay::score(&case, &plan).points, "{seed}");
            assert_eq!(result.plan, Some(plan.to_string()), "{seed}");
            // Some plans end early.
            if seed % 3 == 0 {
                plan.placements.truncate(case.columns().len() / 2);
            }
            let expected = replay::score(&case, &plan);
            let result = score(&case, Some(&plan.to_string()));
            assert_eq!(result.points, expected.points, "{seed}");
            assert_eq!(result.placed, expected.placed, "{seed}");
        }
    }

    #[test]
    fn an_invalid_plan_scores_nothing() {
        let case = "6 13\n2\naaa\naaa\n".parse().unwrap();
        let result = score(&case, Some("2\n1 0\n7 0\n"));
        assert_eq!((result.points, result.placed), (0, 1));
        let broken = result.broken.unwrap();
        assert!(broken.starts_with("line 3: expected the position"));
    }
}
