//! What to generate: a profile and what is overridden in it.

use crate::profile::Profile;
use columns_core::case::{HEIGHTS, LENGTHS, MAX_COLOURS, WIDTHS};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Numbers of colours there can be.
pub(crate) const COLOURS: RangeInclusive<usize> = 1..=MAX_COLOURS;

/// A profile and the numbers that are not drawn from it but given.
///
/// `Display` writes it as the options of the command `generator`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "stored::Spec", into = "stored::Spec")
)]
pub struct Spec {
    profile: Profile,
    pub(crate) width: Option<usize>,
    pub(crate) height: Option<usize>,
    pub(crate) columns: Option<usize>,
    pub(crate) colours: Option<usize>,
    pub(crate) palette: Option<Palette>,
    pub(crate) magic_rate: Option<MagicRate>,
}

impl Spec {
    /// Everything as the profile draws it.
    pub fn new(profile: Profile) -> Self {
        Self {
            profile,
            ..Self::default()
        }
    }

    /// Fields of this width, 6 to 12 stacks.
    ///
    /// # Errors
    /// If `width` is out of range.
    pub fn with_width(self, width: usize) -> Result<Self, SpecError> {
        let width = Some(within("the width", width, WIDTHS)?);
        Ok(Self { width, ..self })
    }

    /// Fields of this height, 13 to 19 cells.
    ///
    /// # Errors
    /// If `height` is out of range.
    pub fn with_height(self, height: usize) -> Result<Self, SpecError> {
        let height = Some(within("the height", height, HEIGHTS)?);
        Ok(Self { height, ..self })
    }

    /// Cases of this many columns, 1 to 10,000.
    ///
    /// # Errors
    /// If `columns` is out of range.
    pub fn with_columns(self, columns: usize) -> Result<Self, SpecError> {
        let columns = Some(within("the number of columns", columns, LENGTHS)?);
        Ok(Self { columns, ..self })
    }

    /// This many colours in play, 1 to 26; with a growing palette, at the end. A
    /// short case need not show all of them.
    ///
    /// # Errors
    /// If `colours` is out of range.
    pub fn with_colours(self, colours: usize) -> Result<Self, SpecError> {
        let colours = Some(within("the number of colours", colours, COLOURS)?);
        Ok(Self { colours, ..self })
    }

    /// Palettes of this kind.
    #[must_use]
    pub fn with_palette(self, palette: Palette) -> Self {
        Self {
            palette: Some(palette),
            ..self
        }
    }

    /// Columns that are magic with this chance.
    #[must_use]
    pub fn with_magic_rate(self, rate: MagicRate) -> Self {
        Self {
            magic_rate: Some(rate),
            ..self
        }
    }

    /// The profile that everything else is drawn from.
    pub fn profile(&self) -> Profile {
        self.profile
    }
}

impl From<Profile> for Spec {
    fn from(profile: Profile) -> Self {
        Self::new(profile)
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--profile {}", self.profile)?;
        for (option, number) in [
            ("--width", self.width),
            ("--height", self.height),
            ("--columns", self.columns),
            ("--colours", self.colours),
        ] {
            if let Some(number) = number {
                write!(f, " {option} {number}")?;
            }
        }
        if let Some(palette) = self.palette {
            write!(f, " --palette {palette}")?;
        }
        if let Some(rate) = self.magic_rate {
            write!(f, " --magic-rate {rate}")?;
        }
        Ok(())
    }
}

/// Whether the number of colours in play stays or grows over a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum Palette {
    /// The same colours from the first to the last column.
    Fixed,
    /// More and more colours in equal stages, as in the statement's sample.
    Growing,
}

impl Palette {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Fixed, Self::Growing];

    /// `fixed` or `growing`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Growing => "growing",
        }
    }
}

impl fmt::Display for Palette {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Palette {
    type Err = SpecError;

    /// Reads `fixed` or `growing`.
    fn from_str(name: &str) -> Result<Self, SpecError> {
        Self::ALL
            .into_iter()
            .find(|palette| palette.name() == name)
            .ok_or_else(|| SpecError::new("the palette", "fixed or growing", name))
    }
}

/// The chance that a column is magic, 0 to 1, kept to the millionth so that
/// drawing needs no floating point.
///
/// Its text form and its form in files are the number from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "f64", into = "f64")
)]
pub struct MagicRate {
    per_million: u32,
}

impl MagicRate {
    /// The rate, rounded to the nearest millionth.
    ///
    /// # Errors
    /// If `rate` is not a number from 0 to 1.
    pub fn new(rate: f64) -> Result<Self, SpecError> {
        if (0.0..=1.0).contains(&rate) {
            Ok(Self::from_per_million((rate * 1e6).round() as u32))
        } else {
            Err(SpecError::new("the magic rate", "from 0 to 1", rate))
        }
    }

    pub(crate) const fn from_per_million(per_million: u32) -> Self {
        Self { per_million }
    }

    /// Magic columns in a million, 0 to 1,000,000.
    pub fn per_million(self) -> u64 {
        u64::from(self.per_million)
    }

    /// The rate as a number from 0 to 1.
    pub fn value(self) -> f64 {
        f64::from(self.per_million) / 1e6
    }
}

impl TryFrom<f64> for MagicRate {
    type Error = SpecError;

    fn try_from(rate: f64) -> Result<Self, SpecError> {
        Self::new(rate)
    }
}

impl From<MagicRate> for f64 {
    fn from(rate: MagicRate) -> Self {
        rate.value()
    }
}

impl fmt::Display for MagicRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value().fmt(f)
    }
}

impl FromStr for MagicRate {
    type Err = SpecError;

    /// Reads a number from 0 to 1.
    fn from_str(text: &str) -> Result<Self, SpecError> {
        text.parse()
            .ok()
            .and_then(|rate| Self::new(rate).ok())
            .ok_or_else(|| SpecError::new("the magic rate", "a number from 0 to 1", text))
    }
}

/// What is wrong with a profile's name or an override; shows as one line, such
/// as `the width must be from 6 to 12, not 5`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecError(String);

impl SpecError {
    pub(crate) fn new(what: &str, expected: &str, found: impl fmt::Debug) -> Self {
        Self(format!("{what} must be {expected}, not {found:?}"))
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SpecError {}

fn within(what: &str, number: usize, range: RangeInclusive<usize>) -> Result<usize, SpecError> {
    if range.contains(&number) {
        return Ok(number);
    }
    let expected = format!("from {} to {}", range.start(), range.end());
    Err(SpecError::new(what, &expected, number))
}

/// The form of a spec in files: what is not overridden is not mentioned.
#[cfg(feature = "serde")]
mod stored {
    use super::{MagicRate, Palette, Profile, SpecError};
    use serde::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Spec {
        #[serde(default)]
        profile: Profile,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        width: Option<usize>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        height: Option<usize>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        columns: Option<usize>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        colours: Option<usize>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        palette: Option<Palette>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        magic_rate: Option<MagicRate>,
    }

    impl From<super::Spec> for Spec {
        fn from(spec: super::Spec) -> Self {
            Self {
                profile: spec.profile,
                width: spec.width,
                height: spec.height,
                columns: spec.columns,
                colours: spec.colours,
                palette: spec.palette,
                magic_rate: spec.magic_rate,
            }
        }
    }

    impl TryFrom<Spec> for super::Spec {
        type Error = SpecError;

        fn try_from(stored: Spec) -> Result<Self, SpecError> {
            let mut spec = Self {
                palette: stored.palette,
                magic_rate: stored.magic_rate,
                ..Self::new(stored.profile)
            };
            if let Some(width) = stored.width {
                spec = spec.with_width(width)?;
            }
            if let Some(height) = stored.height {
                spec = spec.with_height(height)?;
            }
            if let Some(columns) = stored.columns {
                spec = spec.with_columns(columns)?;
            }
            if let Some(colours) = stored.colours {
                spec = spec.with_colours(colours)?;
            }
            Ok(spec)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for rate in [-0.1, 1.000_001, f64::NAN, f64::INFINITY] {
            assert!(MagicRate::new(rate).is_err(), "{rate}");
        }
        for text in ["", "-1", "2", "2%", "nan", "x"] {
            let error = text.parse::<MagicRate>().unwrap_err().to_string();
            assert_eq!(
                error,
                format!("the magic rate must be a number from 0 to 1, not {text:?}")
            );
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

    #[test]
    fn rates_are_kept_to_the_millionth() {
        let rate = |text: &str| text.parse::<MagicRate>().unwrap();
        assert_eq!(rate("0").per_million(), 0);
        assert_eq!(rate("1").per_million(), 1_000_000);
        assert_eq!(rate("0.0123456").per_million(), 12_346);
        for per_million in 0..=1_000_000 {
            let rate = MagicRate::from_per_million(per_million);
            assert_eq!(MagicRate::new(rate.value()), Ok(rate));
        }
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
