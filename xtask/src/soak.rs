//! The submission on a machine that has too much to do.

use crate::{bundle, chore};
use anyhow::{ensure, Context, Result};
use clap::Args;
use columns_cli::output::print;
use columns_cli::pool::Pool;
use columns_cli::progress;
use columns_core::rules::case::Case;
use columns_core::rules::replay;
use columns_generator::{generate, Profile, Spec};
use columns_judge::process::Limits;
use columns_judge::row::Game;
use columns_judge::{runner, supervisor};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Play the submission on an overloaded machine: is each plan valid, whole and in time?
///
/// First four games at a time beside two busy threads, on two of the machine's cores if it has
/// more; every tenth game is stopped once for 0.3 to 1 s. Then two games at a time, which from
/// 3.0 s on get a tenth of a core. A plan is whole if it places all columns, or if no stack has
/// room for the next one. The status is 1 if a plan is not valid, late, or not whole.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask soak                             ten minutes
  cargo xtask soak --minutes 60 --seed 5000    an hour, with other cases")]
pub(crate) struct Options {
    /// How long to play, in minutes; the second part takes a fifth of it
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=1440))]
    minutes: u64,

    /// The seed of the first case; the others follow, of all profiles in turn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Play with this source file instead of making one
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

/// Every so many games one is stopped.
const STOPPED: u64 = 10;
/// When a stop begins, in seconds of the game's time.
const STOP_BEGINS: Range<f64> = 0.0..2.7;
/// How long a stop lasts, in seconds.
const STOP_LASTS: Range<f64> = 0.3..1.0;
/// From when on a choked game gets only a share of its core, in seconds of its time.
const CHOKED_FROM: f64 = 3.0;
/// That share, as Linux measures out a core: it runs for so long, in seconds.
const RUNS: f64 = 0.01;
/// Then it stands still for so long.
const STANDS: f64 = 0.09;

/// A part of the trial: how the games are disturbed.
#[derive(Clone, Copy)]
enum Part {
    Crowded,
    Choked,
}

impl Part {
    /// How many games run at a time for each core, and how many threads that only take time.
    fn load(self) -> (usize, usize) {
        match self {
            Self::Crowded => (2, 1),
            Self::Choked => (1, 0),
        }
    }

    /// How game `number` is held up, as a script for a shell; the bot's process is `$bot`.
    fn pauses(self, number: u64) -> String {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(number);
        let lasts: f64 = random.random_range(STOP_LASTS);
        let begins: f64 = random.random_range(STOP_BEGINS);
        match self {
            Self::Crowded if !number.is_multiple_of(STOPPED) => ":".into(),
            Self::Crowded => {
                format!("sleep {begins}; kill -STOP $bot; sleep {lasts}; kill -CONT $bot")
            }
            Self::Choked => format!(
                "sleep {CHOKED_FROM}; \
                 while kill -STOP $bot; do sleep {STANDS}; kill -CONT $bot; sleep {RUNS}; done"
            ),
        }
    }
}

pub(crate) fn run(options: &Options, workspace: &Path) -> Result<ExitCode> {
    ensure!(cfg!(unix), "a game can only be stopped on Unix");
    chore::until_interrupted(|| soak(options, workspace))
}

fn soak(options: &Options, workspace: &Path) -> Result<ExitCode> {
    let folder = tempfile::tempdir().context("a folder for the compiled submission")?;
    let program = bundle::program(workspace, options.file.as_deref(), folder.path())?;
    let cores = std::thread::available_parallelism()?.get();
    let mut next = options.seed;
    let mut faults = 0;
    for (part, fifths) in [(Part::Crowded, 4), (Part::Choked, 1)] {
        let (games, busy) = part.load();
        let (games, busy) = (games * cores, busy * cores);
        let how = match part {
            Part::Crowded => format!("beside {busy} busy threads, each {STOPPED}th stopped once"),
            Part::Choked => format!("choked to a tenth from {CHOKED_FROM} s on"),
        };
        print(&format!(
            "{games} games at a time on {cores} cores, {how}\n"
        ))?;
        let time = Duration::from_secs(options.minutes * 60) * fifths / 5;
        let bar = progress::bar(time.as_secs(), "{bar:40} {pos} s of {len} s");
        let (start, done) = (Instant::now(), AtomicBool::new(false));
        let work = |index: usize| {
            let played = game(&program, part, next + index as u64);
            bar.set_position(start.elapsed().as_secs());
            done.fetch_or(start.elapsed() >= time, Ordering::Relaxed);
            played
        };
        let (mut slowest, mut at_fault) = (0.0_f64, 0);
        let take = |_, played: Result<(f64, Option<String>)>| {
            let (wall, fault) = played?;
            slowest = slowest.max(wall);
            if let Some(fault) = fault {
                at_fault += 1;
                print(&format!("  FAILED: {fault}\n"))?;
            }
            Ok(ControlFlow::Continue(()))
        };
        let played = std::thread::scope(|scope| {
            for _ in 0..busy {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            let jobs = Pool::new(NonZeroUsize::new(games));
            let played = jobs.in_order(usize::MAX, &done, work, take);
            done.store(true, Ordering::Relaxed);
            played
        })?;
        bar.finish_and_clear();
        print(&format!(
            "  {played} games, {at_fault} at fault, the slowest {slowest:.3} s\n"
        ))?;
        next += played as u64;
        faults += at_fault;
    }
    Ok(ExitCode::from(u8::from(faults > 0)))
}

/// Plays game `number`: its wall time in seconds, and what is wrong with it.
fn game(program: &Path, part: Part, number: u64) -> Result<(f64, Option<String>)> {
    let (name, case) = case(number);
    // The bot reads what the shell would have read. The judge kills the pauses when it has ended.
    let script = "exec 3<&0; \"$0\" <&3 & bot=$!; (PAUSES) 2> /dev/null & wait $bot";
    let script = script.replace("PAUSES", &part.pauses(number));
    let mut command = supervisor::command("sh");
    command.args(["-c", &script]).arg(program);
    let (played, process) = runner::play(command, &case, Limits::CONTEST)?;
    let fault = fault(&case, &played, &process.output).map(|fault| format!("{name}: {fault}"));
    Ok((played.wall_s, fault))
}

/// The case of game `number`: all profiles in turn.
fn case(number: u64) -> (String, Case) {
    let profile = Profile::ALL[(number % Profile::ALL.len() as u64) as usize];
    let name = format!("{} {number}", profile.name());
    (name, generate(number, &Spec::new(profile)))
}

/// What is wrong with a game, if anything is.
fn fault(case: &Case, played: &Game, output: &[u8]) -> Option<String> {
    let wall = played.wall_s;
    if let Some(reason) = &played.reason {
        return Some(format!("{reason}, after {wall:.3} s"));
    }
    let plan = runner::plan(case, output).ok()?;
    let (placed, columns) = (plan.placements.len(), case.columns().len());
    let mut game = replay::Referee::new(case);
    let fits = plan
        .placements
        .iter()
        .all(|&placement| game.play(placement).is_ok());
    let highest = case.height() - 3;
    let room = (0..case.width()).any(|stack| game.field().stack_height(stack) <= highest);
    (!fits || placed < columns && room)
        .then(|| format!("{placed} of {columns} columns are no whole plan, {wall:.3} s"))
}
