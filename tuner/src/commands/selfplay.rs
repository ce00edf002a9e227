//! What the games of self-play are like: the options of the commands that play.

use anyhow::Result;
use clap::Args;
use columns_cli::mistake::complain;
use columns_cli::options;
use columns_generator::args::SpecArgs;
use columns_generator::Spec;

/// Columns of a case where nothing else is said. The beam is then about as wide as in the
/// contest's longest cases.
const COLUMNS: usize = 300;

/// Milliseconds of work a game where nothing else is said.
const WORK: f64 = 100.0;

/// The contest's longest cases have a beam of 30 to 40 states. Weights for a narrower one are not
/// those for the contest.
const NARROW: f64 = 25.0;

/// What games are like.
#[derive(Debug, Args)]
pub(crate) struct SelfPlay {
    /// Work that the search may do in a game, in milliseconds of the machine that it was measured
    /// on, for the same games on every machine; the contest has 3800 [default: 100]
    #[arg(long, value_name = "MS", value_parser = options::work)]
    pub(crate) work: Option<f64>,
    #[command(flatten)]
    spec: SpecArgs,
}

impl SelfPlay {
    /// Microseconds of work a game.
    pub(crate) fn work(&self) -> u64 {
        (self.work.unwrap_or(WORK) * 1000.0).round() as u64
    }

    /// What the cases are like, as long as the profile draws them.
    pub(crate) fn drawn(&self) -> Result<Spec> {
        Ok(Spec::try_from(self.spec)?)
    }

    /// What the cases are like: of 300 columns where nothing else is said.
    pub(crate) fn spec(&self) -> Result<Spec> {
        let spec = self.drawn()?;
        Ok(if self.spec.columns.is_none() {
            spec.with_columns(COLUMNS)?
        } else {
            spec
        })
    }
}

/// Warns once where beams of this mean width are too narrow to say something about the contest.
pub(crate) fn warn_if_narrow(width: f64) {
    if width < NARROW {
        complain(
            "tuner",
            &format!(
                "warning: the beams are {width:.0} states wide in the mean, in the contest 30 and \
                 more; what is better here may be worse there: give more --work or fewer --columns"
            ),
        );
    }
}
