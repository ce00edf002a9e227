//! The options that say what to generate, for every command that generates.

use crate::{MagicRate, Palette, Profile, Spec, SpecError};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use columns_core::case::{HEIGHTS, LENGTHS, MAX_COLOURS, WIDTHS};
use std::ops::RangeInclusive;

/// The options of a [`Spec`], to be flattened into a command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "What to generate")]
pub struct SpecArgs {
    /// Draw from this distribution
    #[arg(long, value_name = "NAME", default_value_t, value_enum)]
    pub profile: Profile,

    /// Give every field this width, 6 to 12 stacks
    #[arg(long, value_name = "STACKS", value_parser = |text: &str| within(text, &WIDTHS))]
    pub width: Option<usize>,

    /// Give every field this height, 13 to 19 cells
    #[arg(long, value_name = "CELLS", value_parser = |text: &str| within(text, &HEIGHTS))]
    pub height: Option<usize>,

    /// Give every case this many columns, 1 to 10000
    #[arg(long, value_name = "K", value_parser = |text: &str| within(text, &LENGTHS))]
    pub columns: Option<usize>,

    /// Use this many colours, 1 to 26; in a growing palette at the end
    #[arg(
        long,
        value_name = "COLOURS",
        value_parser = |text: &str| within(text, &(1..=MAX_COLOURS))
    )]
    pub colours: Option<usize>,

    /// Keep the palette as it is, or let it grow over the case as in the sample
    #[arg(long, value_name = "KIND", value_enum)]
    pub palette: Option<Palette>,

    /// Make a column magic with this chance, 0 to 1
    #[arg(long, value_name = "CHANCE", value_parser = chance)]
    pub magic_rate: Option<MagicRate>,
}

impl SpecArgs {
    /// What the options ask for.
    ///
    /// # Errors
    /// If a number is out of range, which the option parser has refused already.
    pub fn spec(&self) -> Result<Spec, SpecError> {
        let mut spec = Spec::new(self.profile);
        if let Some(width) = self.width {
            spec = spec.with_width(width)?;
        }
        if let Some(height) = self.height {
            spec = spec.with_height(height)?;
        }
        if let Some(columns) = self.columns {
            spec = spec.with_columns(columns)?;
        }
        if let Some(colours) = self.colours {
            spec = spec.with_colours(colours)?;
        }
        if let Some(palette) = self.palette {
            spec = spec.with_palette(palette);
        }
        if let Some(rate) = self.magic_rate {
            spec = spec.with_magic_rate(rate);
        }
        Ok(spec)
    }
}

fn within(text: &str, range: &RangeInclusive<usize>) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|number| range.contains(number))
        .ok_or_else(|| {
            let (low, high) = (range.start(), range.end());
            format!("expected a whole number from {low} to {high}")
        })
}

fn chance(text: &str) -> Result<MagicRate, &'static str> {
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

#[cfg(test)]
mod tests {
    use super::*;
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
            let spec = Command::try_parse_from(words).unwrap().spec.spec().unwrap();
            let shown = spec.to_string();
            assert_eq!(shown, line.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
}
