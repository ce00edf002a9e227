//! The specification of a case, with checked values.

use crate::args::SpecArgs;
use crate::magic::MagicRate;
use crate::profile::Profile;
use columns_cases::PaletteKind;
use columns_cases::ValueError;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A profile, and checked values that override what the profile draws.
///
/// `Display` formats a spec as command-line options of `generator`, such as `--profile long --width 9`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "SpecArgs", into = "SpecArgs")]
pub struct Spec(SpecArgs);

impl TryFrom<SpecArgs> for Spec {
    type Error = ValueError;

    /// Checks each value, and whether the values are consistent.
    ///
    /// # Errors
    /// Returns an error if a number is out of range, or if a growing palette has only 1 colour. The error
    /// names the first such number.
    fn try_from(args: SpecArgs) -> Result<Self, ValueError> {
        let mut spec = args;
        for (option, value) in args.named_values() {
            // Setting an option checks its value.
            spec.set_option(option, &value)?;
        }
        let palette = spec.palette.unwrap_or(match spec.profile {
            Profile::Growing => PaletteKind::Growing,
            _ => PaletteKind::Fixed,
        });
        if palette == PaletteKind::Growing && spec.colours == Some(1) {
            let expected = "2 or more in a growing palette";
            return Err(ValueError::new("the number of colours", expected, "1"));
        }
        Ok(Self(spec))
    }
}

impl From<Spec> for SpecArgs {
    fn from(spec: Spec) -> Self {
        spec.0
    }
}

impl Spec {
    /// Creates a spec without overrides: the profile draws all values.
    pub fn new(profile: Profile) -> Self {
        Self(SpecArgs {
            profile,
            ..SpecArgs::default()
        })
    }

    /// Sets the width of the fields, 6 to 12 stacks.
    ///
    /// # Errors
    /// Returns an error if `width` is out of range.
    pub fn with_width(mut self, width: usize) -> Result<Self, ValueError> {
        self.0.width = Some(width);
        self.0.try_into()
    }

    /// Sets the height of the fields, 13 to 19 cells.
    ///
    /// # Errors
    /// Returns an error if `height` is out of range.
    pub fn with_height(mut self, height: usize) -> Result<Self, ValueError> {
        self.0.height = Some(height);
        self.0.try_into()
    }

    /// Sets the number of columns, 1 to 10,000.
    ///
    /// # Errors
    /// Returns an error if `columns` is out of range.
    pub fn with_columns(mut self, columns: usize) -> Result<Self, ValueError> {
        self.0.columns = Some(columns);
        self.0.try_into()
    }

    /// Sets the number of colours in play, 1 to 26. A growing palette ends with this number. A short case may
    /// lack some of these colours.
    ///
    /// # Errors
    /// Returns an error if `colours` is out of range, or 1 in a growing palette.
    pub fn with_colours(mut self, colours: usize) -> Result<Self, ValueError> {
        self.0.colours = Some(colours);
        self.0.try_into()
    }

    /// Sets the kind of palette.
    ///
    /// # Errors
    /// Returns an error if `palette` is growing and the spec sets the number of colours to 1.
    pub fn with_palette(mut self, palette: PaletteKind) -> Result<Self, ValueError> {
        self.0.palette = Some(palette);
        self.0.try_into()
    }

    /// Sets the probability that a column is magic.
    #[must_use]
    pub fn with_magic_rate(mut self, rate: MagicRate) -> Self {
        self.0.magic_rate = Some(rate);
        self
    }

    /// Returns the profile, which draws all values that no override sets.
    pub fn profile(&self) -> Profile {
        self.0.profile
    }

    /// Returns the profile and the overrides.
    pub(crate) fn args(&self) -> &SpecArgs {
        &self.0
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = self.0.named_values();
        let options: Vec<String> = options
            .map(|(name, value)| format!("--{name} {value}"))
            .collect();
        f.write_str(&options.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_growing_palette_of_one_colour_is_refused() {
        for (profile, palette, is_valid) in [
            (Profile::Default, Some(PaletteKind::Growing), false),
            (Profile::Growing, None, false),
            (Profile::Growing, Some(PaletteKind::Fixed), true),
            (Profile::Default, None, true),
        ] {
            let args = SpecArgs {
                profile,
                palette,
                colours: Some(1),
                ..SpecArgs::default()
            };
            let spec = Spec::try_from(args).map_err(|error| error.to_string());
            let message = "the number of colours must be 2 or more in a growing palette, not \"1\"";
            assert_eq!(spec.err().as_deref(), (!is_valid).then_some(message));
            // The order of the `with_…` calls makes no difference.
            let one_colour = Spec::new(Profile::Default).with_colours(1).unwrap();
            let spec = palette.map_or(Ok(one_colour), |palette| one_colour.with_palette(palette));
            assert_eq!(spec.is_ok(), palette != Some(PaletteKind::Growing));
        }
    }

    #[test]
    fn options_are_set_by_their_names() {
        let mut args = SpecArgs::default();
        for (name, value) in [
            ("profile", "long"),
            ("magic-rate", "0.5"),
            ("columns", "6000"),
        ] {
            args.set_option(name, value).unwrap();
        }
        let spec = Spec::try_from(args).unwrap();
        assert_eq!(
            spec.to_string(),
            "--profile long --columns 6000 --magic-rate 0.5"
        );
        assert!(args.set_option("width", "wide").is_err());
        let message = args.set_option("hight", "13").unwrap_err().to_string();
        assert!(
            message.starts_with("an option must be one of profile, width, height,"),
            "{message}"
        );
    }

    #[test]
    fn a_stored_spec_is_checked_when_read() {
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
