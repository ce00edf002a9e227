//! `judge calibrate`: the speed of this machine.

use anyhow::{bail, Context, Result};
use clap::Args;
use columns_cli::output;
use columns_generator::{generate, Spec};
use columns_judge::bot::Bot;
use columns_judge::process::Limits;
use columns_judge::runner;
use std::process::ExitCode;

/// Tell how fast this machine is against the one that the bot's work is measured on
///
/// The bot of this build plays three cases with 1000 ms of work each. The processor time that it
/// takes says what a time limit of this machine is worth elsewhere, and what `bot --work` takes
/// here. Other programs that run meanwhile make the machine look a little slower.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  judge calibrate")]
pub(crate) struct Options {}

/// Work for a game, in milliseconds.
const WORK: f64 = 1000.0;

pub(crate) fn run(_: &Options) -> Result<ExitCode> {
    let bot: Bot = format!("{} --work {WORK}", Bot::of_this_build()?).parse()?;
    let limits = Limits {
        time: 10 * Limits::CONTEST.time,
        ..Limits::CONTEST
    };
    let mut seconds = 0.0;
    for seed in 2..=4 {
        let case = generate(seed, &Spec::default());
        let (game, _) = runner::play(bot.command(), &case, limits)
            .with_context(|| format!("cannot run the bot {bot}"))?;
        if let Some(reason) = game.reason {
            bail!("{bot}: seed {seed}: {reason}");
        }
        seconds += game.cpu_s;
    }
    let took = 1000.0 * seconds / 3.0;
    let speed = WORK / took;
    let worth = speed * Limits::CONTEST.time.as_secs_f64();
    output::print(&format!(
        "{WORK} ms of work took {took:.0} ms: this machine is {speed:.2} times as fast as the one that the work is \
         measured on.\nThe contest's 4 s here are like {worth:.1} s there.\n"
    ))?;
    Ok(ExitCode::SUCCESS)
}
