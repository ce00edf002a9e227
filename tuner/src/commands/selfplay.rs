//! The options of self-play: the player, the cases, and the limits of a game.

use anyhow::{ensure, Result};
use clap::Args;
use columns_cli::{mistake::complain, options};
use columns_generator::{args::SpecArgs, Spec};
use columns_tuner::contestant::{Contestant, Program};
use columns_tuner::player::Player;
use std::{path::PathBuf, time::Duration};

/// The default number of columns of a case. The beam is then about as wide as in the contest's
/// longest cases.
const COLUMNS: usize = 300;

/// The default work of a game, in milliseconds.
const WORK: f64 = 100.0;

/// Beams below this mean width are narrow. The contest's longest cases have beams of 30 to 40
/// states; weights that are good for a narrower beam may be bad there.
const NARROW: f64 = 25.0;

/// The options of the player.
#[derive(Debug, Args)]
pub(crate) struct PlayerArgs {
    /// Weights to play with, as `bot --print-weights` prints them [default: those in the bot]
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
    /// The learned evaluation to play with, for any number of colours: a file of `tuner learn`, or
    /// `none` [default: that in the game]
    #[arg(long, value_name = "FILE")]
    pub(crate) network: Option<PathBuf>,
}

impl PlayerArgs {
    /// Reads the files.
    ///
    /// # Errors
    /// One line that names the file and what is wrong with it.
    pub(crate) fn read(&self) -> Result<Player> {
        Player::read(self.weights.as_deref(), self.network.as_deref())
    }
}

/// The options of games: the cases, and the limits of the player.
#[derive(Debug, Args)]
pub(crate) struct SelfPlay {
    /// Work that the search may do in a game, in milliseconds of the machine that it was measured
    /// on, for the same games on every machine; the contest has 3800 [default: 100]
    #[arg(long, value_name = "MS", value_parser = options::work)]
    work: Option<f64>,
    /// Wall time for a game of a program, in seconds; the program is not told [default: 4]
    #[arg(long, value_name = "SECONDS", value_parser = options::seconds)]
    time_limit: Option<Duration>,
    /// Memory for a game of a program, in MiB [default: 1024]
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory_limit: Option<u64>,
    #[command(flatten)]
    spec: SpecArgs,
}

impl SelfPlay {
    /// Microseconds of work a game.
    pub(crate) fn work(&self) -> u64 {
        (self.work.unwrap_or(WORK) * 1000.0).round() as u64
    }

    /// The specification of the cases, which have 300 columns unless their number is given.
    pub(crate) fn spec(&self) -> Result<Spec> {
        let spec = Spec::try_from(self.spec)?;
        match self.spec.columns {
            Some(_) => Ok(spec),
            None => Ok(spec.with_columns(COLUMNS)?),
        }
    }

    /// The bot of this build with the weights and networks of a player, and its cases.
    pub(crate) fn bot(&self, player: Player) -> Result<(Contestant, Spec)> {
        self.check(false)?;
        let work = self.work();
        Ok((Contestant::Bot { player, work }, self.spec()?))
    }

    /// A program, and its cases, whose length the profile draws unless it is given.
    pub(crate) fn program(&self, command: &str) -> Result<(Contestant, Spec)> {
        self.check(true)?;
        let program = Program {
            command: command.into(),
            seconds: self.time_limit.map_or(4.0, |time| time.as_secs_f64()),
            memory: self.memory_limit.unwrap_or(1024),
        };
        Ok((Contestant::Program(program), Spec::try_from(self.spec)?))
    }

    /// Checks that the limits are those of the player: of a program, or of the bot of this build.
    fn check(&self, of_program: bool) -> Result<()> {
        if of_program {
            ensure!(
                self.work.is_none(),
                "--work cannot be used with a program: give it --time-limit and --memory-limit"
            );
        } else {
            ensure!(
                self.time_limit.is_none() && self.memory_limit.is_none(),
                "--time-limit and --memory-limit cannot be used with the bot of this build: give \
                 it --work"
            );
        }
        Ok(())
    }
}

/// Warns if beams of this mean width are too narrow for conclusions about the contest.
pub(crate) fn warn_if_narrow(width: f64) {
    if width < NARROW {
        let told = format!(
            "warning: the beams are {width:.0} states wide in the mean, in the contest 30 and more; \
             what is better here may be worse there: give more --work or fewer --columns"
        );
        complain("tuner", &told);
    }
}
