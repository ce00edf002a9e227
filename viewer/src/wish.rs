//! A case by seed, everything as it was typed.

use crate::about::About;
use columns_core::rules::case::Case;
use columns_generator::args::SpecArgs;
use columns_generator::{generate, shape, Profile, Spec, SpecError};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// A case by seed, everything as it was typed; what is empty is not overridden.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Wish {
    /// The seed.
    pub seed: String,
    /// The name of the profile.
    pub profile: String,
    /// Width of the field.
    pub width: String,
    /// Height of the field.
    pub height: String,
    /// Number of columns.
    pub columns: String,
    /// Number of colours.
    pub colours: String,
    /// `fixed` or `growing`.
    pub palette: String,
    /// The chance of a magic column.
    pub magic: String,
}

/// The case that a wish asks for.
#[derive(Debug, Serialize)]
pub struct Granted {
    /// What the case is called.
    pub name: String,
    /// Its text.
    pub case: String,
    /// What a table says of it.
    pub about: About,
}

#[allow(clippy::needless_pass_by_value, reason = "called by `map_err`")]
fn told(error: SpecError) -> String {
    error.to_string()
}

/// What was typed, unless it is empty.
fn given<T: FromStr<Err = SpecError>>(typed: &str) -> Result<Option<T>, String> {
    match typed.trim() {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(told),
    }
}

impl Wish {
    /// What the options of a command ask for, such as `--profile growing --width 9`; `None` where
    /// they are not those of the generator.
    pub fn of_options(seed: u64, options: &str) -> Option<Self> {
        let mut wish = Self {
            seed: seed.to_string(),
            ..Self::default()
        };
        let mut words = options.split_whitespace();
        while let Some(option) = words.next() {
            let value = words.next()?.to_string();
            match option {
                "--seeds" | "--seeds-file" => {}
                "--profile" => wish.profile = value,
                "--width" => wish.width = value,
                "--height" => wish.height = value,
                "--columns" => wish.columns = value,
                "--colours" => wish.colours = value,
                "--palette" => wish.palette = value,
                "--magic-rate" => wish.magic = value,
                _ => return None,
            }
        }
        Some(wish)
    }

    fn spec(&self) -> Result<(u64, Spec), String> {
        let number = |what: &str, text: &str| -> Result<Option<usize>, String> {
            match text.trim() {
                "" => Ok(None),
                text => text
                    .parse()
                    .map(Some)
                    .map_err(|_| format!("The {what} must be a number, not {text:?}.")),
            }
        };
        let seed = self.seed.trim();
        let seed: u64 = seed.parse().map_err(|_| {
            format!(
                "The seed must be a number from 0 to {}, not {seed:?}.",
                u64::MAX
            )
        })?;
        let args = SpecArgs {
            profile: given(&self.profile)?.unwrap_or_default(),
            width: number("width", &self.width)?,
            height: number("height", &self.height)?,
            columns: number("number of columns", &self.columns)?,
            colours: number("number of colours", &self.colours)?,
            palette: given(&self.palette)?,
            magic_rate: given(&self.magic)?,
        };
        let spec = Spec::try_from(args).map_err(told)?;
        Ok((seed, spec))
    }

    /// The case alone.
    ///
    /// # Errors
    /// What is wrong with the wish.
    pub fn case(&self) -> Result<Case, String> {
        let (seed, spec) = self.spec()?;
        Ok(generate(seed, &spec))
    }

    /// The case and what there is to say of it.
    ///
    /// # Errors
    /// What is wrong with the wish.
    pub fn grant(&self) -> Result<Granted, String> {
        let (seed, spec) = self.spec()?;
        let name = if seed == 1 && spec == Spec::default() {
            "The sample".to_string()
        } else {
            let profile = match spec.profile() {
                Profile::Default => String::new(),
                profile => format!(" · {profile}"),
            };
            format!("Seed {seed}{profile}")
        };
        let case = generate(seed, &spec);
        Ok(Granted {
            name,
            about: About::of(&case, shape(seed, &spec).palette()),
            case: case.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_of_a_run_bring_its_cases_back() {
        let spec = Spec::new(Profile::Growing).with_width(9).unwrap();
        let options = format!("--seeds 1..=20 {spec}");
        let wish = Wish::of_options(7, &options).unwrap();
        assert_eq!(wish.case().unwrap(), generate(7, &spec));
        assert_eq!(Wish::of_options(7, "--in cases"), None);
        assert_eq!(Wish::of_options(7, "--width"), None);
    }
}
