//! The named distributions of cases.

use crate::random::{WeightedRange, ranges};
use columns_cases::ValueError;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

/// A named distribution of cases. [`Profile::description`] describes a single profile; the [documentation of
/// the crate](crate#the-distributions) says what all profiles have in common.
///
/// Recorded results refer to a profile by its name, so its distribution never changes after a release. A new
/// distribution gets a new name.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    Default,
    Serialize,
    Deserialize,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", parse_err_ty = ValueError, parse_err_fn = unknown)]
pub enum Profile {
    /// A mixture: every size, 1 to 10,000 columns, 2 to 26 colours, both kinds of palette, 0 to 10 % magic
    /// columns. Its seed 1 is the sample of the statement.
    #[default]
    Default,
    /// Fixed palettes only.
    Constant,
    /// Growing palettes only, as in the sample.
    Growing,
    /// 1 to 99 columns.
    Short,
    /// 5,000 to 10,000 columns.
    Long,
    /// Fields 6 or 7 stacks wide and 13 or 14 cells high.
    Small,
    /// Fields 11 or 12 stacks wide and 18 or 19 cells high.
    Large,
    /// 1 to 3 colours.
    Few,
    /// 8 to 26 colours.
    Many,
    /// No magic columns.
    MagicNone,
    /// 0.1 to 0.5 % magic columns.
    MagicRare,
    /// 10 to 30 % magic columns.
    MagicFrequent,
    /// Width, height, number of columns, number of colours and magic rate are uniformly distributed. The
    /// magic rate is at most 10 %.
    Uniform,
    /// Width, height, number of columns, number of colours and magic rate are each the lowest or the highest
    /// value of their range.
    Extreme,
}

impl Profile {
    /// All profiles. The first one is the default.
    pub const ALL: [Self; Self::VARIANTS.len()] = *Self::VARIANTS
        .first_chunk()
        .expect("the array has one place for each variant");

    /// Returns the name that commands and files use, such as `magic-rare`.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Describes in one line what the profile draws.
    pub fn description(self) -> &'static str {
        match self {
            Self::Default => {
                "any field; 60 % of 1000 or more columns, 10 % below 100; 75 % of 3-7 colours; \
                 half of the palettes growing; 70 % with 0.5-3 % magic. Seed 1 is the sample"
            }
            Self::Constant => "as default, but the palette is always fixed",
            Self::Growing => {
                "as default, but the palette always grows, from 2-4 colours, or from 1 to 2"
            }
            Self::Short => "as default, 1-99 columns",
            Self::Long => "as default, 5000-10000 columns",
            Self::Small => "as default, fields 6-7 wide and 13-14 high",
            Self::Large => "as default, fields 11-12 wide and 18-19 high",
            Self::Few => "as default, 1-3 colours",
            Self::Many => "as default, 8-26 colours",
            Self::MagicNone => "as default, no magic columns",
            Self::MagicRare => "as default, 0.1-0.5 % magic columns",
            Self::MagicFrequent => "as default, 10-30 % magic columns",
            Self::Uniform => {
                "every size, 1-10000 columns, 1-26 colours and 0-10 % magic, all evenly spread"
            }
            Self::Extreme => {
                "every number at an end of its range: 6 or 12 wide, 13 or 19 high, 1 or 10000 \
                 columns, 1 or 26 colours, no or only magic columns"
            }
        }
    }

    /// Returns the distributions of the profile: [`Distributions::DEFAULT`] with some replaced.
    pub(crate) fn distributions(self) -> Distributions {
        let mut distributions = Distributions::DEFAULT;
        match self {
            Self::Default => {}
            Self::Constant => distributions.palette_kind = ranges![1: 0..=0],
            Self::Growing => distributions.palette_kind = ranges![1: 1..=1],
            Self::Short => distributions.column_count = ranges![1: 1..=99],
            Self::Long => distributions.column_count = ranges![1: 5_000..=10_000],
            Self::Small => {
                distributions.width = ranges![1: 6..=7];
                distributions.height = ranges![1: 13..=14];
            }
            Self::Large => {
                distributions.width = ranges![1: 11..=12];
                distributions.height = ranges![1: 18..=19];
            }
            Self::Few => distributions.colour_count = ranges![1: 1..=3],
            Self::Many => distributions.colour_count = ranges![1: 8..=26],
            Self::MagicNone => distributions.magic_rate = ranges![1: 0..=0],
            Self::MagicRare => distributions.magic_rate = ranges![1: 1_000..=5_000],
            Self::MagicFrequent => distributions.magic_rate = ranges![1: 100_000..=300_000],
            Self::Uniform => {
                distributions.column_count = ranges![1: 1..=10_000];
                distributions.colour_count = ranges![1: 1..=26];
                distributions.magic_rate = ranges![1: 0..=100_000];
            }
            Self::Extreme => {
                distributions.width = ranges![1: 6..=6, 1: 12..=12];
                distributions.height = ranges![1: 13..=13, 1: 19..=19];
                distributions.column_count = ranges![1: 1..=1, 1: 10_000..=10_000];
                distributions.colour_count = ranges![1: 1..=1, 1: 26..=26];
                distributions.magic_rate = ranges![3: 0..=0, 1: 1_000_000..=1_000_000];
            }
        }
        distributions
    }
}

/// The distributions from which the parts of a shape are drawn.
pub(crate) struct Distributions {
    pub(crate) width: &'static [WeightedRange],
    pub(crate) height: &'static [WeightedRange],
    pub(crate) column_count: &'static [WeightedRange],
    /// Number of colours in play at the end.
    pub(crate) colour_count: &'static [WeightedRange],
    /// 1 if the palette grows, 0 if it is fixed.
    pub(crate) palette_kind: &'static [WeightedRange],
    /// Number of colours in play at the start of a growing palette. `Shape::draw` keeps this number below the
    /// number at the end, but at least 1.
    pub(crate) first_colour_count: &'static [WeightedRange],
    /// Magic rate in millionths.
    pub(crate) magic_rate: &'static [WeightedRange],
}

impl Distributions {
    /// A guess at the contest's tests. The guess is broad, so that bots tuned on these cases do well
    /// even if it is wrong.
    ///
    /// Most of the weight is on cases with 1,000 columns or more and with 3 to 7 colours, since they dominate
    /// the sum of scores.
    const DEFAULT: Self = Self {
        width: ranges![1: 6..=12],
        height: ranges![1: 13..=19],
        column_count: ranges![10: 1..=99, 30: 100..=999, 35: 1_000..=4_999, 25: 5_000..=10_000],
        colour_count: ranges![5: 2..=2, 75: 3..=7, 15: 8..=12, 5: 13..=26],
        palette_kind: ranges![1: 0..=1],
        first_colour_count: ranges![1: 2..=4],
        magic_rate: ranges![10: 0..=0, 10: 1_000..=5_000, 70: 5_000..=30_000, 10: 30_000..=100_000],
    };
}

fn unknown(name: &str) -> ValueError {
    let names = Profile::ALL.map(Profile::name).join(", ");
    ValueError::new("the profile", &format!("one of {names}"), name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_parsed_by_their_exact_names() {
        for profile in Profile::ALL {
            assert_eq!(profile.name().parse(), Ok(profile));
        }
        let error = "Long".parse::<Profile>().unwrap_err().to_string();
        assert!(
            error.starts_with("the profile must be one of default, constant,"),
            "{error}"
        );
        assert!(error.ends_with(", not \"Long\""), "{error}");
    }

    #[test]
    fn each_profile_has_a_different_description_of_one_line() {
        let mut lines = Profile::ALL.map(Profile::description);
        assert!(lines.iter().all(|line| !line.contains('\n')));
        lines.sort_unstable();
        assert!(lines.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
