//! The options of `generator` that describe cases, for every command that generates cases.

use clap::builder::TypedValueParser as _;
use clap::error::{Error, ErrorKind};
use clap::{Arg, ArgGroup, ArgMatches, Args, Command, FromArgMatches, Id};
use columns_generator::args::{SPEC_OPTIONS, SpecArgs};

/// The options in [`SPEC_OPTIONS`]: a profile, and values that override what the profile draws. They form the
/// clap group `CaseOptions`. The second field is true if the command line names a profile.
#[derive(Debug, Clone, Copy, Default)]
pub struct CaseOptions(pub SpecArgs, bool);

impl CaseOptions {
    /// True if the command line has any of the options.
    pub fn is_set(&self) -> bool {
        self.1 || self.0 != SpecArgs::default()
    }

    /// Returns these options, with unset ones taken from `others`.
    #[must_use]
    pub fn or(self, others: Self) -> Self {
        let mut merged = others.0;
        for (name, value) in self.0.named_values() {
            if name != "profile" || self.1 {
                // The value was parsed before, so it is valid.
                let _ = merged.set_option(name, &value);
            }
        }
        Self(merged, self.1 || others.1)
    }
}

impl Args for CaseOptions {
    fn group_id() -> Option<Id> {
        Some(Id::from("CaseOptions"))
    }

    fn augment_args(command: Command) -> Command {
        let names = SPEC_OPTIONS.map(|option| option.name);
        let group = ArgGroup::new("CaseOptions").multiple(true).args(names);
        let options = SPEC_OPTIONS.map(|option| {
            let parse = move |text: &str| {
                SpecArgs::default().set_option(option.name, text)?;
                Ok::<_, columns_cases::ValueError>(text.to_string())
            };
            Arg::new(option.name)
                .long(option.name)
                .value_name(option.value_name)
                .help(option.help)
                .help_heading("Cases")
                .value_parser(parse.map(|text| text))
        });
        command.group(group).args(options)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for CaseOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut options = Self::default();
        options.update_from_arg_matches(matches)?;
        Ok(options)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for option in SPEC_OPTIONS {
            if let Some(text) = matches.get_one::<String>(option.name) {
                self.1 |= option.name == "profile";
                let set = self.0.set_option(option.name, text);
                set.map_err(|error| Error::raw(ErrorKind::ValueValidation, error))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use columns_generator::Spec;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        cases: CaseOptions,
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
            let args = Command::try_parse_from(words).unwrap().cases.0;
            let spec = Spec::try_from(args).unwrap();
            let options = spec.to_string();
            assert_eq!(
                options,
                line.split_whitespace().collect::<Vec<_>>().join(" ")
            );
        }
    }
}
