//! `judge calibrate`: measures the speed of this machine.

use anyhow::{Result, bail};
use columns_cli::output;
use columns_generator::{Spec, generate};
use columns_judge::{arena::process::Limits, bot::Bot, program::Program};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The work of each game, in milliseconds of the reference machine.
const WORK_MS: f64 = 1000.0;

pub(crate) fn run() -> Result<()> {
    let bot: Bot = format!("{} --work {WORK_MS}", Bot::from_this_build()?).parse()?;
    let limits = Limits {
        time_limit_s: 10.0 * Limits::CONTEST.time_limit_s,
        ..Limits::CONTEST
    };
    let bot = Program::new(bot, limits, Path::new("."), &[])?;
    let never = AtomicBool::new(false);
    let mut seconds = 0.0;
    for seed in 2..=4 {
        let case = generate(seed, &Spec::default());
        let (game, _) = bot.play(&case, &never)?;
        if let Some(reason) = game.reason {
            bail!("{}: seed {seed}: {reason}", bot.bot);
        }
        seconds += game.cpu_s;
    }
    let duration = 1000.0 * seconds / 3.0;
    let speed = WORK_MS / duration;
    let worth = speed * Limits::CONTEST.time_limit_s;
    output::print(&format!(
        "{WORK_MS} ms of work took {duration:.0} ms: this machine is {speed:.2} times as fast \
         as the one that defines the work.\nThe contest's 4 s here are worth {worth:.1} s there.\n"
    ))
}
