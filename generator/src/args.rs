//! What is asked of a case: the options of every command that generates, and the form of a
//! [`Spec`](crate::Spec) in files.

use crate::magic::MagicRate;
use crate::palette::Palette;
use crate::profile::Profile;
use columns_core::rules::case::MAX_COLOURS;
use std::ops::RangeInclusive;

/// The numbers of colours that a case can have.
pub(crate) const COLOURS: RangeInclusive<usize> = 1..=MAX_COLOURS;

/// A profile, and the values that are given instead of drawn from it. The numbers are checked when
/// it becomes a [`Spec`](crate::Spec); what is not given is not mentioned in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(
    feature = "args",
    derive(clap::Args),
    command(next_help_heading = "What to generate")
)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct SpecArgs {
    /// Draw from this distribution; `generator --profiles` lists them
    #[cfg_attr(
        feature = "args",
        arg(
            long,
            value_name = "NAME",
            default_value_t,
            value_enum,
            hide_possible_values = true
        )
    )]
    pub profile: Profile,

    /// Give every field this width, 6 to 12 stacks
    #[cfg_attr(feature = "args", arg(long, value_name = "STACKS",
        value_parser = |text: &str| options::within(text, &columns_core::rules::case::WIDTHS)))]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub width: Option<usize>,

    /// Give every field this height, 13 to 19 cells
    #[cfg_attr(feature = "args", arg(long, value_name = "CELLS",
        value_parser = |text: &str| options::within(text, &columns_core::rules::case::HEIGHTS)))]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub height: Option<usize>,

    /// Give every case this many columns, 1 to 10000
    #[cfg_attr(feature = "args", arg(long, value_name = "K",
        value_parser = |text: &str| options::within(text, &columns_core::rules::case::LENGTHS)))]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub columns: Option<usize>,

    /// Use this many colours, 1 to 26; in a growing palette at the end
    #[cfg_attr(feature = "args", arg(long, value_name = "COLOURS",
        value_parser = |text: &str| options::within(text, &COLOURS)))]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub colours: Option<usize>,

    /// Keep the palette as it is, or let it grow over the case as in the sample
    #[cfg_attr(feature = "args", arg(long, value_name = "KIND", value_enum))]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub palette: Option<Palette>,

    /// Make a column magic with this chance, 0 to 1
    #[cfg_attr(feature = "args", arg(long, value_name = "CHANCE", value_parser = options::chance))]
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub magic_rate: Option<MagicRate>,
}

/// How the option parser reads the values.
#[cfg(feature = "args")]
mod options {
    use super::{MagicRate, Palette, Profile, RangeInclusive};
    use clap::builder::PossibleValue;
    use clap::ValueEnum;

    pub(super) fn within(text: &str, range: &RangeInclusive<usize>) -> Result<usize, String> {
        text.parse()
            .ok()
            .filter(|number| range.contains(number))
            .ok_or_else(|| {
                let (low, high) = (range.start(), range.end());
                format!("expected a whole number from {low} to {high}")
            })
    }

    pub(super) fn chance(text: &str) -> Result<MagicRate, &'static str> {
        text.parse().map_err(|_| "expected a number from 0 to 1")
    }

    impl ValueEnum for Profile {
        fn value_variants<'a>() -> &'a [Self] {
            &Self::ALL
        }

        fn to_possible_value(&self) -> Option<PossibleValue> {
            Some(PossibleValue::new(self.name()).help(self.description()))
        }
    }

    impl ValueEnum for Palette {
        fn value_variants<'a>() -> &'a [Self] {
            &Self::ALL
        }

        fn to_possible_value(&self) -> Option<PossibleValue> {
            let help = match self {
                Self::Fixed => "the same colours from the first to the last column",
                Self::Growing => "more and more colours, in equal stages",
            };
            Some(PossibleValue::new(self.name()).help(help))
        }
    }
}

#[cfg(all(test, feature = "args"))]
mod tests {
    use super::*;
    use crate::Spec;
    use clap::Parser;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        spec: SpecArgs,
    }

    #[test]
    fn a_spec_survives_its_own_options() {
        for line in [
            "--profile default",
            "--profile magic-rare --width 12 --height 19 --columns 10000 --colours 26 \
             --palette fixed --magic-rate 1",
            "--profile extreme --palette growing --magic-rate 0.0005",
        ] {
            let words = std::iter::once("test").chain(line.split_whitespace());
            let args = Command::try_parse_from(words).unwrap().spec;
            let spec = Spec::try_from(args).unwrap();
            let shown = spec.to_string();
            assert_eq!(shown, line.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
}
