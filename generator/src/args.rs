//! The command-line options that describe a case. A [`Spec`](crate::Spec) in a file has a field for each.

use crate::magic::MagicRate;
use crate::profile::Profile;
use columns_cases::PaletteKind;
use columns_cases::ValueError;
use columns_core::rules::case::{COLUMN_COUNTS, HEIGHTS, MAX_COLOURS, WIDTHS};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// A profile, and values that override what the profile draws.
///
/// The conversion to a [`Spec`](crate::Spec) checks the values. Files omit overrides that are not set.
///
/// [`SPEC_OPTIONS`] has an entry for each field. [`named_values`](Self::named_values),
/// [`set_option`](Self::set_option) and the options of the commands are derived from that table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SpecArgs {
    /// The profile, which draws all values that no override sets.
    pub profile: Profile,
    /// The width of every field, 6 to 12 stacks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<usize>,
    /// The height of every field, 13 to 19 cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<usize>,
    /// The number of columns of every case, 1 to 10,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<usize>,
    /// The number of colours, 1 to 26. A growing palette ends with this number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colours: Option<usize>,
    /// The kind of palette, fixed or growing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub palette: Option<PaletteKind>,
    /// The probability that a column is magic, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub magic_rate: Option<MagicRate>,
}

/// A command-line option that sets a field of [`SpecArgs`].
pub struct SpecOption {
    /// Name of the option, without the leading dashes.
    pub name: &'static str,
    /// Placeholder of the value in the help, such as `STACKS`.
    pub value_name: &'static str,
    /// Sentence in the help that says what the option does.
    pub help: &'static str,
    /// Formats the value; returns `None` if the option is not set.
    value: fn(&SpecArgs) -> Option<String>,
    /// Parses and sets the value.
    parse: fn(&mut SpecArgs, &str) -> Result<(), ValueError>,
}

/// Creates an entry of [`SPEC_OPTIONS`] from a name, a value name, a help text, a field of type `Option`, and
/// a parser of the value.
macro_rules! option {
    ($name:literal, $value_name:literal, $help:literal, $field:ident, $parse:expr) => {
        SpecOption {
            name: $name,
            value_name: $value_name,
            help: $help,
            value: |args| args.$field.map(|value| value.to_string()),
            parse: |args, text| {
                args.$field = Some($parse(text)?);
                Ok(())
            },
        }
    };
}

/// All options, in the order in which they are printed.
pub const SPEC_OPTIONS: [SpecOption; 7] = [
    SpecOption {
        name: "profile",
        value_name: "NAME",
        help: "Profile of the cases: see `generator --profiles` [default: default]",
        value: |args| Some(args.profile.to_string()),
        parse: |args, text| {
            args.profile = text.parse()?;
            Ok(())
        },
    },
    option!(
        "width",
        "STACKS",
        "Give every field this width, 6 to 12 stacks",
        width,
        |text| number("the width", text, WIDTHS)
    ),
    option!(
        "height",
        "CELLS",
        "Give every field this height, 13 to 19 cells",
        height,
        |text| number("the height", text, HEIGHTS)
    ),
    option!(
        "columns",
        "K",
        "Give every case this many columns, 1 to 10000",
        columns,
        |text| number("the number of columns", text, COLUMN_COUNTS)
    ),
    option!(
        "colours",
        "COLOURS",
        "Use this many colours, 1 to 26; a growing palette ends with them",
        colours,
        |text| number("the number of colours", text, 1..=MAX_COLOURS)
    ),
    option!(
        "palette",
        "KIND",
        "fixed: all colours from the start; growing: colours are added over the case",
        palette,
        str::parse
    ),
    option!(
        "magic-rate",
        "CHANCE",
        "Make a column magic with this probability, 0 to 1",
        magic_rate,
        str::parse
    ),
];

fn number(what: &str, text: &str, range: RangeInclusive<usize>) -> Result<usize, ValueError> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        ValueError::new(what, &expected, text)
    })
}

impl SpecArgs {
    /// Returns the names of the options that are set, each with its value as text.
    pub fn named_values(&self) -> impl Iterator<Item = (&'static str, String)> + '_ {
        let with_value = |option: SpecOption| Some((option.name, (option.value)(self)?));
        SPEC_OPTIONS.into_iter().filter_map(with_value)
    }

    /// Sets an option by its name, without the leading dashes.
    ///
    /// # Errors
    /// Returns an error if there is no option of this name, or if the value is not valid.
    pub fn set_option(&mut self, option: &str, value: &str) -> Result<(), ValueError> {
        let entry = SPEC_OPTIONS.iter().find(|entry| entry.name == option);
        let unknown = || {
            let names = SPEC_OPTIONS.map(|entry| entry.name).join(", ");
            ValueError::new("an option", &format!("one of {names}"), option)
        };
        (entry.ok_or_else(unknown)?.parse)(self, value)
    }
}
