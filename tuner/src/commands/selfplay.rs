//! The options of self-play: the cases, and the work of a game.

use anyhow::Result;
use clap::Args;
use columns_cli::mistake::complain;
use columns_cli::options;
use columns_generator::args::SpecArgs;
use columns_generator::Spec;

/// The default number of columns of a case. The beam is then about as wide as in the contest's
/// longest cases.
const COLUMNS: usize = 300;

/// The default work of a game, in milliseconds.
const WORK: f64 = 100.0;

/// Beams below this mean width are narrow. The contest's longest cases have beams of 30 to 40
/// states; weights that are good for a narrower beam may be bad there.
const NARROW: f64 = 25.0;

/// The options of games.
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

    /// The specification of the cases; the profile draws their length unless it is given.
    pub(crate) fn drawn(&self) -> Result<Spec> {
        Ok(Spec::try_from(self.spec)?)
    }

    /// The specification of the cases, which have 300 columns unless their number is given.
    pub(crate) fn spec(&self) -> Result<Spec> {
        let spec = self.drawn()?;
        Ok(if self.spec.columns.is_none() {
            spec.with_columns(COLUMNS)?
        } else {
            spec
        })
    }
}

/// Warns if beams of this mean width are too narrow for conclusions about the contest.
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
