//! What to generate, checked.

use crate::args::{SpecArgs, COLOURS};
use crate::error::SpecError;
use crate::magic::MagicRate;
use crate::palette::Palette;
use crate::profile::Profile;
use columns_core::rules::case::{HEIGHTS, LENGTHS, WIDTHS};
use std::fmt;

/// A profile, and the values that are given instead of drawn from it; all of them are in range.
///
/// `Display` writes it as the options of the command `generator`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "SpecArgs", into = "SpecArgs")
)]
pub struct Spec(SpecArgs);

impl TryFrom<SpecArgs> for Spec {
    type Error = SpecError;

    /// Checks the numbers.
    ///
    /// # Errors
    /// Names the first number that is out of range.
    fn try_from(args: SpecArgs) -> Result<Self, SpecError> {
        for (what, number, range) in [
            ("the width", args.width, WIDTHS),
            ("the height", args.height, HEIGHTS),
            ("the number of columns", args.columns, LENGTHS),
            ("the number of colours", args.colours, COLOURS),
        ] {
            if let Some(number) = number.filter(|number| !range.contains(number)) {
                let expected = format!("from {} to {}", range.start(), range.end());
                return Err(SpecError::new(what, &expected, number));
            }
        }
        Ok(Self(args))
    }
}

impl From<Spec> for SpecArgs {
    fn from(spec: Spec) -> Self {
        spec.0
    }
}

impl Spec {
    /// Everything as the profile draws it.
    pub fn new(profile: Profile) -> Self {
        Self(SpecArgs {
            profile,
            ..SpecArgs::default()
        })
    }

    /// Fields of this width, 6 to 12 stacks.
    ///
    /// # Errors
    /// If `width` is out of range.
    pub fn with_width(self, width: usize) -> Result<Self, SpecError> {
        let width = Some(width);
        Self::try_from(SpecArgs { width, ..self.0 })
    }

    /// Fields of this height, 13 to 19 cells.
    ///
    /// # Errors
    /// If `height` is out of range.
    pub fn with_height(self, height: usize) -> Result<Self, SpecError> {
        let height = Some(height);
        Self::try_from(SpecArgs { height, ..self.0 })
    }

    /// Cases of this many columns, 1 to 10,000.
    ///
    /// # Errors
    /// If `columns` is out of range.
    pub fn with_columns(self, columns: usize) -> Result<Self, SpecError> {
        let columns = Some(columns);
        Self::try_from(SpecArgs { columns, ..self.0 })
    }

    /// This many colours in play, 1 to 26; with a growing palette, at the end. A
    /// short case need not show all of them.
    ///
    /// # Errors
    /// If `colours` is out of range.
    pub fn with_colours(self, colours: usize) -> Result<Self, SpecError> {
        let colours = Some(colours);
        Self::try_from(SpecArgs { colours, ..self.0 })
    }

    /// Palettes of this kind.
    #[must_use]
    pub fn with_palette(self, palette: Palette) -> Self {
        let palette = Some(palette);
        Self(SpecArgs { palette, ..self.0 })
    }

    /// Columns that are magic with this chance.
    #[must_use]
    pub fn with_magic_rate(self, rate: MagicRate) -> Self {
        let magic_rate = Some(rate);
        Self(SpecArgs {
            magic_rate,
            ..self.0
        })
    }

    /// The profile that everything else is drawn from.
    pub fn profile(&self) -> Profile {
        self.0.profile
    }

    /// What is given.
    pub(crate) fn args(&self) -> &SpecArgs {
        &self.0
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let args = &self.0;
        write!(f, "--profile {}", args.profile)?;
        for (option, number) in [
            ("--width", args.width),
            ("--height", args.height),
            ("--columns", args.columns),
            ("--colours", args.colours),
        ] {
            if let Some(number) = number {
                write!(f, " {option} {number}")?;
            }
        }
        if let Some(palette) = args.palette {
            write!(f, " --palette {palette}")?;
        }
        if let Some(rate) = args.magic_rate {
            write!(f, " --magic-rate {rate}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MagicRate, Palette, Profile};

    #[test]
    fn overrides_out_of_range_are_named() {
        let spec = Spec::default();
        for (result, shown) in [
            (spec.with_width(5), "the width must be from 6 to 12, not 5"),
            (
                spec.with_width(13),
                "the width must be from 6 to 12, not 13",
            ),
            (
                spec.with_height(12),
                "the height must be from 13 to 19, not 12",
            ),
            (
                spec.with_height(20),
                "the height must be from 13 to 19, not 20",
            ),
            (
                spec.with_columns(0),
                "the number of columns must be from 1 to 10000, not 0",
            ),
            (
                spec.with_columns(10_001),
                "the number of columns must be from 1 to 10000, not 10001",
            ),
            (
                spec.with_colours(0),
                "the number of colours must be from 1 to 26, not 0",
            ),
            (
                spec.with_colours(27),
                "the number of colours must be from 1 to 26, not 27",
            ),
        ] {
            assert_eq!(result.unwrap_err().to_string(), shown);
        }
    }

    #[test]
    fn a_spec_shows_as_options() {
        let spec = Spec::new(Profile::MagicRare)
            .with_width(9)
            .and_then(|spec| spec.with_colours(5))
            .unwrap()
            .with_palette(Palette::Growing)
            .with_magic_rate(MagicRate::new(0.025).unwrap());
        assert_eq!(
            spec.to_string(),
            "--profile magic-rare --width 9 --colours 5 --palette growing --magic-rate 0.025"
        );
        assert_eq!(Spec::default().to_string(), "--profile default");
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_stored_spec_reads_back_and_is_checked() {
        let json = r#"{"profile":"magic-none","height":13,"palette":"growing","magic_rate":0.5}"#;
        let spec: Spec = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&spec).unwrap(), json);
        for wrong in [
            r#"{"height":12}"#,
            r#"{"profile":"MagicNone"}"#,
            r#"{"magic_rate":1.5}"#,
            r#"{"hight":13}"#,
        ] {
            assert!(serde_json::from_str::<Spec>(wrong).is_err(), "{wrong}");
        }
        for profile in Profile::ALL {
            let json = format!("{:?}", profile.name());
            assert_eq!(serde_json::to_string(&profile).unwrap(), json);
        }
    }
}
