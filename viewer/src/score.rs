//! The score of a plan, by the fast simulator: a table has hundreds of games, and the referee
//! takes a tenth of a second for the longest. The tests compare the two.

use crate::reading::Reading;
use columns_core::field::Field;
use columns_core::rules::case::{Case, Column, MATCH_POINTS};
use columns_core::rules::plan::{Placement, Plan};
use columns_core::rules::quickstart;
use columns_core::simd::{self, Cpu, Isa, Kernel};
use serde::Serialize;

/// What a plan is worth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Score {
    /// Points in all; 0 for an invalid plan.
    pub points: u64,
    /// The number of columns that landed.
    pub placed: usize,
    /// The number of placements in the plan; later columns go to the default place.
    pub planned: usize,
    /// Why the plan is invalid.
    pub broken: Option<String>,
    /// The plan of the sample solution, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
}

/// What a plan is worth on a case; without one, that of the sample solution.
pub fn score(case: &Case, plan: Option<&str>) -> Score {
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

struct Play<'a> {
    case: &'a Case,
    /// Without one, quickstart plays.
    reading: Option<&'a Reading>,
}

impl Kernel for Play<'_> {
    /// Points in matches of combo 1, and where the columns landed.
    type Output = (u64, Vec<Placement>);

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        // Room for any size and all 26 colours.
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
    use columns_generator::{generate, Profile, Spec};

    #[test]
    fn it_is_what_the_referee_says() {
        for (seed, profile) in (1..).zip(Profile::ALL.into_iter().cycle().take(40)) {
            let case = generate(seed, &Spec::new(profile));
            let mut plan = quickstart::quickstart(&case);
            let found = score(&case, None);
            assert_eq!(found.points, replay::score(&case, &plan).points, "{seed}");
            assert_eq!(found.plan, Some(plan.to_string()), "{seed}");
            // Some plans mention only a part of the columns.
            if seed % 3 == 0 {
                plan.placements.truncate(case.columns().len() / 2);
            }
            let expected = replay::score(&case, &plan);
            let found = score(&case, Some(&plan.to_string()));
            assert_eq!(found.points, expected.points, "{seed}");
            assert_eq!(found.placed, expected.placed, "{seed}");
        }
    }

    #[test]
    fn an_invalid_plan_scores_nothing() {
        let case = "6 13\n2\naaa\naaa\n".parse().unwrap();
        let found = score(&case, Some("2\n1 0\n7 0\n"));
        assert_eq!((found.points, found.placed), (0, 1));
        let broken = found.broken.unwrap();
        assert!(broken.starts_with("line 3: expected the position"));
    }
}
