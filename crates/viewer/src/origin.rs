//! Generates a case from a seed and options, as the user typed them.

use crate::case_facts::NamedCase;
use columns_core::rules::case::Case;
use columns_generator::args::SpecArgs;
use columns_generator::{Profile, Spec, generate, generate_shape};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A seed and generator options, as the user typed them. An empty option takes its default value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The seed, a decimal number.
    pub seed: String,
    /// The generator's options by name, without `--`.
    #[serde(flatten)]
    pub options: BTreeMap<String, String>,
}

impl Origin {
    /// Creates an origin from a seed and the parsed options of the generator.
    pub(crate) fn new(seed: u64, args: &SpecArgs) -> Self {
        let options = args.named_values().map(|(key, value)| (key.into(), value));
        Self {
            seed: seed.to_string(),
            options: options.collect(),
        }
    }

    fn spec(&self) -> Result<(u64, Spec), String> {
        let seed = self.seed.trim();
        let max = u64::MAX;
        let message = |_| format!("The seed must be a number from 0 to {max}, not {seed:?}.");
        let seed: u64 = seed.parse().map_err(message)?;
        let mut args = SpecArgs::default();
        for (name, value) in self.options.iter().filter(|(_, v)| !v.trim().is_empty()) {
            let result = args.set_option(name, value.trim());
            result.map_err(|error| error.to_string())?;
        }
        let spec = Spec::try_from(args).map_err(|error| error.to_string())?;
        Ok((seed, spec))
    }

    /// Generates the case from the seed and the options.
    ///
    /// # Errors
    /// Returns an error if the seed is not a number or an option is invalid.
    pub fn generate_case(&self) -> Result<Case, String> {
        let (seed, spec) = self.spec()?;
        Ok(generate(seed, &spec))
    }

    /// Generates the case, with its name and properties.
    pub(crate) fn generate_named_case(&self) -> Result<NamedCase, String> {
        let (seed, spec) = self.spec()?;
        let name = match spec.profile() {
            Profile::Default if seed == 1 && spec == Spec::default() => "The sample".to_string(),
            Profile::Default => format!("Seed {seed}"),
            profile => format!("Seed {seed} · {profile}"),
        };
        let case = generate(seed, &spec);
        let palette = generate_shape(seed, &spec).palette_kind();
        Ok(NamedCase::new(
            name,
            &seed.to_string(),
            &case,
            Some(palette),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Key;

    #[test]
    fn the_case_of_a_seed_has_the_key_of_its_file() {
        for (seed, file) in [("96", "out/0096.txt"), ("0", "out/0000.txt")] {
            let (seed, options) = (seed.to_string(), BTreeMap::new());
            assert_eq!(
                Origin { seed, options }.generate_named_case().unwrap().key,
                Key::from_name(file)
            );
        }
    }
}
