//! The command-line options that describe a case. A [`Spec`](crate::Spec) in a file has the same fields.

use crate::error::SpecError;
use crate::magic::MagicRate;
use crate::palette::Palette;
use crate::profile::Profile;
use columns_core::rules::case::{HEIGHTS, LENGTHS, MAX_COLOURS, WIDTHS};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// A profile, and values that override what the profile draws.
///
/// The conversion to a [`Spec`](crate::Spec) checks the values. Files omit overrides that are not set.
///
/// Each option is a field here and an entry of `OPTIONS`, the table behind [`given`](Self::given) and [`set`](Self::set).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(
    feature = "args",
    derive(clap::Args),
    command(next_help_heading = "What to generate")
)]
#[serde(default, deny_unknown_fields)]
pub struct SpecArgs {
    /// Draw from this distribution; `generator --profiles` lists them
    #[cfg_attr(
        feature = "args",
        arg(
            long,
            value_name = "NAME",
            default_value_t,
            hide_possible_values = true
        )
    )]
    pub profile: Profile,

    /// Give every field this width, 6 to 12 stacks
    #[cfg_attr(feature = "args", arg(long, value_name = "STACKS", value_parser = width))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<usize>,

    /// Give every field this height, 13 to 19 cells
    #[cfg_attr(feature = "args", arg(long, value_name = "CELLS", value_parser = height))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<usize>,

    /// Give every case this many columns, 1 to 10000
    #[cfg_attr(feature = "args", arg(long, value_name = "K", value_parser = columns))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<usize>,

    /// Use this many colours, 1 to 26; a growing palette ends with this number
    #[cfg_attr(feature = "args", arg(long, value_name = "COLOURS", value_parser = colours))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colours: Option<usize>,

    /// Use all colours from the start, or let the palette grow over the case as in the sample
    #[cfg_attr(feature = "args", arg(long, value_name = "KIND"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub palette: Option<Palette>,

    /// Make a column magic with this probability, 0 to 1
    #[cfg_attr(feature = "args", arg(long, value_name = "CHANCE"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub magic_rate: Option<MagicRate>,
}

/// An option: its name, a function that returns its value as text if it is set, and a function that parses and sets it.
type Opt = (
    &'static str,
    fn(&SpecArgs) -> Option<String>,
    fn(&mut SpecArgs, &str) -> Result<(), SpecError>,
);

/// Creates an entry of [`OPTIONS`] from a name, a field of type `Option`, and a parser of the value.
macro_rules! option {
    ($name:literal, $field:ident, $parse:expr) => {
        (
            $name,
            |args| args.$field.map(|value| value.to_string()),
            |args, text| {
                args.$field = Some($parse(text)?);
                Ok(())
            },
        )
    };
}

/// All options, in the order in which they are printed.
const OPTIONS: [Opt; 7] = [
    (
        "profile",
        |args| Some(args.profile.to_string()),
        |args, text| {
            args.profile = text.parse()?;
            Ok(())
        },
    ),
    option!("width", width, width),
    option!("height", height, height),
    option!("columns", columns, columns),
    option!("colours", colours, colours),
    option!("palette", palette, str::parse),
    option!("magic-rate", magic_rate, str::parse),
];

fn width(text: &str) -> Result<usize, SpecError> {
    number("the width", text, WIDTHS)
}

fn height(text: &str) -> Result<usize, SpecError> {
    number("the height", text, HEIGHTS)
}

fn columns(text: &str) -> Result<usize, SpecError> {
    number("the number of columns", text, LENGTHS)
}

fn colours(text: &str) -> Result<usize, SpecError> {
    number("the number of colours", text, 1..=MAX_COLOURS)
}

fn number(what: &str, text: &str, range: RangeInclusive<usize>) -> Result<usize, SpecError> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        SpecError::new(what, &expected, text)
    })
}

impl SpecArgs {
    /// Returns the names of the options that are set, each with its value as text.
    pub fn given(&self) -> impl Iterator<Item = (&'static str, String)> + '_ {
        let with_value = |(name, value, _): Opt| Some((name, value(self)?));
        OPTIONS.into_iter().filter_map(with_value)
    }

    /// Sets an option by its name, without the dashes.
    ///
    /// # Errors
    /// If there is no option of this name, or if the value is not valid.
    pub fn set(&mut self, option: &str, value: &str) -> Result<(), SpecError> {
        let entry = OPTIONS.iter().find(|(name, ..)| *name == option);
        let unknown = || {
            let names = OPTIONS.map(|(name, ..)| name).join(", ");
            SpecError::new("an option", &format!("one of {names}"), option)
        };
        let (_, _, parse) = entry.ok_or_else(unknown)?;
        parse(self, value)
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
    fn a_spec_prints_the_options_that_it_was_parsed_from() {
        for line in [
            "--profile default",
            "--profile magic-rare --width 12 --height 19 --columns 10000 --colours 26 \
             --palette fixed --magic-rate 1",
            "--profile extreme --palette growing --magic-rate 0.0005",
        ] {
            let words = std::iter::once("test").chain(line.split_whitespace());
            let args = Command::try_parse_from(words).unwrap().spec;
            let spec = Spec::try_from(args).unwrap();
            let options = spec.to_string();
            assert_eq!(
                options,
                line.split_whitespace().collect::<Vec<_>>().join(" ")
            );
        }
    }
}
