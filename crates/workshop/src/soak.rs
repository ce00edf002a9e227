//! `cargo xtask soak`: plays the submission on an overloaded machine.

use crate::{bundle, chore};
use anyhow::Result;
use clap::Args;
use columns_cli::options::integer_between;
use columns_cli::output::print;
use columns_cli::pool::Pool;
use columns_cli::progress;
use columns_core::rules::case::Case;
use columns_core::rules::replay;
use columns_generator::{Profile, Spec, generate};
use columns_judge::arena::process::{self, Limits};
use columns_judge::row::Game;
use columns_judge::{arena::supervisor, verdict};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Play the submission on an overloaded machine: is every plan valid, complete and in time?
///
/// The test has two parts. In the first, each core has two games at a time and one busy thread; every
/// tenth game is stopped once, for 0.3 to 1 s. In the second, each core has one game at a time, which
/// gets a tenth of the core after 3.0 s. A plan is complete if it places all columns, or if no stack
/// has room for the next one. The status is 1 if a plan is invalid, late or incomplete.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask soak                             ten minutes
  cargo xtask soak --minutes 60 --seed 5000    an hour, with other cases")]
pub(crate) struct Options {
    /// Minutes to play; the second part takes a fifth of them
    #[arg(long, value_name = "N", default_value_t = 10)]
    #[arg(value_parser = integer_between(1, 1440_u64))]
    minutes: u64,

    /// Seed of the first case; the following cases use the next seeds and cycle through the profiles
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer_between(0, u64::MAX))]
    seed: u64,

    /// Play with this source file instead of making one
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

/// With [`Disturbance::Oversubscription`], each game whose number is a multiple of this is stopped once.
const GAMES_PER_SUSPENSION: u64 = 10;
/// Range of the start times of a stop, in seconds since the start of the game.
const SUSPENSION_START_S: Range<f64> = 0.0..2.7;
/// Range of the durations of a stop, in seconds.
const SUSPENSION_DURATION_S: Range<f64> = 0.3..1.0;
/// The time when throttling begins, in seconds since the start of the game.
const THROTTLE_START_S: f64 = 3.0;
/// How long a throttled game runs between two pauses, in seconds. The pauses resemble those from the CPU
/// quota of a Linux container.
const THROTTLED_RUN_S: f64 = 0.01;
/// The length of each pause of a throttled game, in seconds.
const THROTTLED_PAUSE_S: f64 = 0.09;

/// The disturbance of the games in one part of the test.
#[derive(Clone, Copy)]
enum Disturbance {
    /// The processes outnumber the cores, and some games are paused once.
    Oversubscription,
    /// Each game loses most of its core near the end.
    Throttling,
}

impl Disturbance {
    /// Describes what happens to the games beside `busy` busy threads.
    fn describe(self, busy: usize) -> String {
        match self {
            Self::Oversubscription => format!(
                "with {busy} busy threads, every {GAMES_PER_SUSPENSION}th game stopped once"
            ),
            Self::Throttling => format!("each with a tenth of a core after {THROTTLE_START_S} s"),
        }
    }

    /// Returns the number of simultaneous games and of busy threads, both per core.
    fn load_per_core(self) -> [usize; 2] {
        match self {
            Self::Oversubscription => [2, 1],
            Self::Throttling => [1, 0],
        }
    }

    /// Returns a shell script that stops and continues the process `$bot` during game `number`. For a game
    /// that is not disturbed, the script does nothing.
    fn pause_script(self, number: u64) -> String {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(number);
        let length: f64 = random.random_range(SUSPENSION_DURATION_S);
        let start: f64 = random.random_range(SUSPENSION_START_S);
        match self {
            Self::Oversubscription if !number.is_multiple_of(GAMES_PER_SUSPENSION) => ":".into(),
            Self::Oversubscription => {
                format!("sleep {start}; kill -STOP $bot; sleep {length}; kill -CONT $bot")
            }
            Self::Throttling => format!(
                "sleep {THROTTLE_START_S}; \
                 while kill -STOP $bot; do \
                     sleep {THROTTLED_PAUSE_S}; kill -CONT $bot; sleep {THROTTLED_RUN_S}; \
                 done"
            ),
        }
    }
}

pub(crate) fn run(options: &Options, workspace: &Path) -> Result<ExitCode> {
    chore::run_until_interrupted(|| soak(options, workspace))
}

fn soak(options: &Options, workspace: &Path) -> Result<ExitCode> {
    let folder = chore::temporary_folder()?;
    let program = bundle::compile_submission(workspace, options.file.as_deref(), folder.path())?;
    let cores = std::thread::available_parallelism()?.get();
    let mut next = options.seed;
    let mut all_failures = 0;
    for (disturbance, fifths) in [
        (Disturbance::Oversubscription, 4),
        (Disturbance::Throttling, 1),
    ] {
        let [games, busy] = disturbance.load_per_core().map(|per_core| per_core * cores);
        let description = disturbance.describe(busy);
        print(&format!(
            "{games} games at a time on {cores} cores, {description}\n"
        ))?;
        let time = Duration::from_secs(options.minutes * 60) * fifths / 5;
        let bar = progress::new_bar(time.as_secs(), "{bar:40} {pos} s of {len} s");
        let (start, done) = (Instant::now(), AtomicBool::new(false));
        let work = |index: usize| {
            let played = play_game(&program, disturbance, next + index as u64);
            bar.set_position(start.elapsed().as_secs());
            done.fetch_or(start.elapsed() >= time, Ordering::Relaxed);
            played
        };
        let (mut slowest, mut failures) = (0.0_f64, 0);
        let on_result = |_, played: Result<(f64, Option<String>)>| {
            let (wall, fault) = played?;
            slowest = slowest.max(wall);
            if let Some(fault) = fault {
                failures += 1;
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
            let pool = Pool::new(NonZeroUsize::new(games));
            let played = pool.map_ordered(usize::MAX, &done, work, on_result);
            done.store(true, Ordering::Relaxed);
            played
        })?;
        bar.finish_and_clear();
        print(&format!(
            "  {played} games, {failures} failed, slowest {slowest:.3} s\n"
        ))?;
        next += played as u64;
        all_failures += failures;
    }
    Ok(ExitCode::from(u8::from(all_failures > 0)))
}

/// Plays game `number`. Returns its wall time in seconds, and its fault, if any.
fn play_game(
    program: &Path,
    disturbance: Disturbance,
    number: u64,
) -> Result<(f64, Option<String>)> {
    let (name, case) = generate_case(number);
    // The bot reads the shell's input through `<&3`, since a background process would otherwise have no
    // input. At the end of the game, the judge kills the shell that runs the pauses.
    let script = "exec 3<&0; \"$0\" <&3 & bot=$!; (PAUSES) 2> /dev/null & wait $bot";
    let script = script.replace("PAUSES", &disturbance.pause_script(number));
    let mut command = supervisor::command("sh");
    command.args(["-c", &script]).arg(program);
    let input = case.to_string();
    let process = process::run(
        command,
        input.as_bytes(),
        Limits::CONTEST,
        &chore::STOP_REQUESTED,
    )?;
    let game = verdict::judge_game(&case, &process, Limits::CONTEST);
    let fault = fault(&case, &game, &process.stdout).map(|fault| format!("{name}: {fault}"));
    Ok((game.wall_s, fault))
}

/// Generates the case of game `number`, and its name. The games cycle through the profiles.
fn generate_case(number: u64) -> (String, Case) {
    let profile = Profile::ALL[(number % Profile::ALL.len() as u64) as usize];
    let name = format!("{} {number}", profile.name());
    (name, generate(number, &Spec::new(profile)))
}

/// Describes the fault of a game; `None` if the game has none. A game is faulty if it failed, or if its plan
/// is impossible or stops while a stack still has room.
fn fault(case: &Case, played: &Game, output: &[u8]) -> Option<String> {
    let wall = played.wall_s;
    if let Some(reason) = &played.reason {
        return Some(format!("{reason}, after {wall:.3} s"));
    }
    let plan = verdict::parse_plan(case, output).ok()?;
    let (placed, columns) = (plan.placements.len(), case.columns().len());
    let mut game = replay::Referee::new(case);
    let fits = plan
        .placements
        .iter()
        .all(|&placement| game.play(placement).is_ok());
    let highest = case.height() - 3;
    let room = (0..case.width()).any(|stack| game.field().stack_height(stack) <= highest);
    (!fits || placed < columns && room).then(|| {
        format!(
            "the plan of {placed} of {columns} columns is impossible or ends early, {wall:.3} s"
        )
    })
}
