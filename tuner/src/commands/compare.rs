//! `tuner compare`: which of two is better.

use super::selfplay::{warn_if_narrow, SelfPlay};
use super::{interrupt, progress};
use anyhow::{bail, ensure, Result};
use clap::Args;
use columns_cli::command::Stopped;
use columns_cli::json;
use columns_cli::mistake::tell;
use columns_cli::options::{seconds, Json};
use columns_cli::paths::Paths;
use columns_cli::pool::Pool;
use columns_generator::seeds::SeedRange;
use columns_generator::{generate, Spec};
use columns_judge::bot::Bot;
use columns_judge::cases::{Entry, Origin};
use columns_judge::compare::{Comparison, Pair};
use columns_judge::process::Limits;
use columns_judge::run::Run;
use columns_tuner::experiment::outcome::kind;
use columns_tuner::game::play;
use columns_tuner::player::Player;
use columns_tuner::stats::sequential::{Sequential, Verdict};
use columns_tuner::units::{LogRatio, Percent, Unit};
use serde::Serialize;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Tell which of two is better, B or A, in as few games as that takes
///
/// Two files of weights play in this process under a budget of work; or two bots, any commands,
/// play as processes under a time limit. Both play the same seeds, in turns (A B, B A, A B, …).
/// After every seed a sequential test looks at the differences of log score, and the games end as
/// soon as it is decided whether B is better, or not better by `--delta`. Its error rates and its
/// interval hold however often it looks and whenever it stops; a difference beyond a factor of 2.7
/// counts as one of 2.7: I. Waudby-Smith, A. Ramdas, Estimating means of bounded random
/// variables by betting, JRSS B 86 (2024).
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner compare --b w.json                       against the weights in the bot
  tuner compare --a old.json --b new.json --seeds 1..=4000 --work 200 --delta 0.5
  tuner compare --a-bot 'bot --time-limit 1' --b-bot './other --fast' --time-limit 1.2 --jobs 1")]
pub(crate) struct Options {
    /// Weights of A [default: those in the bot]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["a_bot", "b_bot"])]
    a: Option<PathBuf>,
    /// Weights of B
    #[arg(long, value_name = "FILE", required_unless_present = "b_bot", conflicts_with_all = ["a_bot", "b_bot"])]
    b: Option<PathBuf>,
    /// Bot A, a command line [default: the bot beside this command]
    #[arg(long, value_name = "CMD", requires = "b_bot")]
    a_bot: Option<String>,
    /// Bot B, a command line: reads a case, prints a plan
    #[arg(long, value_name = "CMD")]
    b_bot: Option<String>,
    /// Most seeds to play
    #[arg(short, long, value_name = "RANGE", default_value = "1..=1000")]
    seeds: SeedRange,
    /// Wall time for a game of a bot, in seconds; the bot is not told
    #[arg(long, value_name = "SECONDS", default_value = "4", conflicts_with_all = ["a", "b"],
        value_parser = seconds)]
    time_limit: Duration,
    /// Memory for a game of a bot, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024, conflicts_with_all = ["a", "b"],
        value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    memory_limit: u64,
    /// The difference that matters, in percent of the score
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0, value_parser = delta)]
    delta: f64,
    /// The chance to call B better when it is not
    #[arg(long, value_name = "CHANCE", default_value_t = 0.05, value_parser = error_rate)]
    alpha: f64,
    /// The chance to call B not better when it is better by the difference that matters
    #[arg(long, value_name = "CHANCE", default_value_t = 0.05, value_parser = error_rate)]
    beta: f64,
    /// Play all seeds, even when all is decided
    #[arg(long)]
    all: bool,
    /// Pairs of games at a time [default: the number of cores]
    #[arg(short, long, value_name = "N", value_parser = super::jobs)]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    games_are: SelfPlay,
}

fn delta(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(percent) if (0.01..=100.0).contains(&percent) => Ok(percent),
        _ => Err("expected percent from 0.01 to 100".into()),
    }
}

fn error_rate(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(chance) if (1e-9..=0.5).contains(&chance) => Ok(chance),
        _ => Err("expected a chance from 0.000000001 to 0.5".into()),
    }
}

/// After how many pairs it is told how long it will take.
const TOLD: usize = 50;

/// The two players.
enum Sides {
    Players(Box<[Player; 2]>, u64),
    Bots(Box<[Run; 2]>),
}

impl Sides {
    /// Plays a seed with side 0 (A) or 1 (B). Returns its points; whether the game was lost, that
    /// is over a limit, invalid or crashed; and the width of the beam, if that is known.
    fn play(&self, side: usize, seed: u64, spec: &Spec) -> Result<(u64, bool, Option<u64>)> {
        match self {
            Self::Players(players, work) => {
                let played = play(&generate(seed, spec), &players[side], *work);
                Ok((played.points, false, Some(played.width)))
            }
            Self::Bots(runs) => {
                let row = runs[side].game(&Entry::of_seed(seed, Origin::Generator(seed, *spec)))?;
                Ok((row.score, row.mark.is_failure(), None))
            }
        }
    }

    /// Plays a seed with both sides, in turns. Returns the pair, which games were lost, and the
    /// width of the last one's beam.
    fn pair(&self, index: usize, seed: u64, spec: &Spec) -> Result<(Pair, [bool; 2], Option<u64>)> {
        let (mut points, mut lost, mut width) = ([0; 2], [false; 2], None);
        let order = if index.is_multiple_of(2) {
            [0, 1]
        } else {
            [1, 0]
        };
        for side in order {
            (points[side], lost[side], width) = self.play(side, seed, spec)?;
        }
        let pair = Pair {
            kind: kind(seed, spec),
            a: points[0],
            b: points[1],
        };
        Ok((pair, lost, width))
    }
}

/// What `--json` gives.
#[derive(Debug, Serialize)]
struct Results<'a> {
    seeds: SeedRange,
    played: usize,
    /// `better` or `not_better`; `same` for two of the same weights and networks; `None` if it was
    /// not decided.
    verdict: Option<&'static str>,
    delta_percent: f64,
    alpha: f64,
    beta: f64,
    /// Holds the change of the score with a chance of at least 1 - alpha - beta, whenever one
    /// stops.
    interval_percent: (f64, f64),
    /// Not there if nothing was played.
    comparison: Option<&'a Comparison>,
}

impl Options {
    fn sides(&self) -> Result<Sides> {
        let Some(b) = &self.b_bot else {
            let players = [
                Player::read(self.a.as_deref(), None)?,
                Player::read(self.b.as_deref(), None)?,
            ];
            return Ok(Sides::Players(Box::new(players), self.games_are.work()));
        };
        let run = |bot| Run {
            bot,
            cases: Vec::new(),
            limits: Limits {
                time: self.time_limit,
                memory: self.memory_limit << 20,
            },
            pool: Pool::new(NonZeroUsize::new(1)),
            out: None,
            best: None,
        };
        let a = match &self.a_bot {
            Some(line) => Bot::parse("--a-bot", line)?,
            None => Bot::of_this_build()?,
        };
        let runs = [run(a), run(Bot::parse("--b-bot", b)?)];
        Ok(Sides::Bots(Box::new(runs)))
    }

    /// What the cases are like.
    fn spec(&self) -> Result<Spec> {
        if self.b_bot.is_none() {
            return self.games_are.spec();
        }
        ensure!(
            self.games_are.work.is_none(),
            "--work is for weights; bots play under --time-limit"
        );
        self.games_are.drawn()
    }

    pub(crate) fn run(&self) -> Result<ExitCode> {
        let (sides, spec) = (self.sides()?, self.spec()?);
        Paths::default().written(self.json.file()).check()?;
        if let Sides::Players(players, _) = &sides {
            if players[0] == players[1] {
                return self.same();
            }
        }
        let count = progress::count(self.seeds)?;
        let pool = Pool::new(self.jobs);
        let stop = interrupt::watch()?;
        let bar = progress::games(count);
        let seed = |index: usize| self.seeds.first() + index as u64;
        let work = |index| sides.pair(index, seed(index), &spec);
        let mut test = Sequential::new(Percent(self.delta).log_ratio(), self.alpha, self.beta);
        let (mut pairs, mut lost, mut widths) = (Vec::new(), [0; 2], Vec::new());
        let played = pool.in_order(count, &stop, work, |_, pair| {
            let (pair, failed, width) = pair?;
            if pairs.is_empty() {
                tell(&format!("About {} pairs will decide this.", test.about()));
            }
            pairs.push(pair);
            widths.extend(width);
            for side in [0, 1] {
                lost[side] += usize::from(failed[side]);
            }
            let verdict = test.add(LogRatio::between(pair.b, pair.a, 0.0));
            bar.inc(1);
            if verdict.is_none() && pairs.len().is_multiple_of(TOLD) {
                let so_far = so_far(&test);
                bar.set_message(so_far.clone());
                if bar.is_hidden() {
                    tell(&so_far);
                }
            }
            Ok(if verdict.is_some() && !self.all {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        });
        bar.finish_and_clear();
        played?;
        if !widths.is_empty() {
            warn_if_narrow(widths.iter().sum::<u64>() as f64 / widths.len() as f64);
        }
        if !pairs.is_empty() {
            let comparison = Comparison::new(notes(lost), &pairs);
            let text = format!("{comparison}\n{}", self.told(&test, count));
            let results = || json::pretty(&self.results(&test, Some(&comparison)));
            self.json.give(results, &text)?;
        }
        let done = pairs.len();
        let decided = test.verdict().is_some() && !self.all;
        if done < count && !decided {
            let what = format!("after {done} of {count} seeds");
            bail!(Stopped(what));
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Tells that both are the same player.
    fn same(&self) -> Result<ExitCode> {
        let test = Sequential::new(Percent(self.delta).log_ratio(), self.alpha, self.beta);
        let results = || {
            let same = Results {
                verdict: Some("same"),
                interval_percent: (0.0, 0.0),
                ..self.results(&test, None)
            };
            json::pretty(&same)
        };
        let told = "A and B have the same weights and networks: they play the same games.\n";
        self.json.give(results, told)?;
        Ok(ExitCode::SUCCESS)
    }

    fn results<'a>(
        &self,
        test: &Sequential<LogRatio>,
        comparison: Option<&'a Comparison>,
    ) -> Results<'a> {
        Results {
            seeds: self.seeds,
            played: test.count(),
            verdict: test.verdict().map(|verdict| match verdict {
                Verdict::Better => "better",
                Verdict::NotBetter => "not_better",
            }),
            delta_percent: self.delta,
            alpha: self.alpha,
            beta: self.beta,
            interval_percent: percent(test.interval()),
            comparison,
        }
    }

    /// The result in words: how many games were played, how far apart the two are, and last
    /// which is better.
    fn told(&self, test: &Sequential<LogRatio>, count: usize) -> String {
        let played = test.count();
        let mut text = if played == count {
            format!("All {count} seeds were played.\n")
        } else {
            format!(
                "Stopped after {played} of {count} seeds: the intervals of the table, which are \
                 for a number of games fixed beforehand, are too narrow.\n"
            )
        };
        let (low, high) = percent(test.interval());
        let sure = 100.0 * (1.0 - self.alpha - self.beta);
        let _ = writeln!(
            text,
            "B's score against A's: {low:+.2} to {high:+.2} % ({sure:.0} % sure)."
        );
        let wrong = |chance: f64| format!("would be said in at most {} of 100", 100.0 * chance);
        let delta = self.delta;
        let _ = match test.verdict() {
            Some(Verdict::Better) => writeln!(
                text,
                "B is better than A. (If it were not, that {} comparisons.)",
                wrong(self.alpha)
            ),
            Some(Verdict::NotBetter) => writeln!(
                text,
                "B is not better than A by {delta} % or more. (If it were, that {} comparisons.)",
                wrong(self.beta)
            ),
            None => writeln!(
                text,
                "It is open whether B is better than A: that takes more seeds."
            ),
        };
        text
    }
}

/// The games of A and of B that were lost, in words.
fn notes(lost: [usize; 2]) -> Vec<String> {
    let told = |(side, lost): (&str, usize)| match lost {
        0 => None,
        1 => Some(format!(
            "1 game of {side} was over a limit, invalid or crashed"
        )),
        _ => Some(format!(
            "{lost} games of {side} were over a limit, invalid or crashed"
        )),
    };
    ["A", "B"].into_iter().zip(lost).filter_map(told).collect()
}

/// What is known so far, and how long it will take.
fn so_far(test: &Sequential<LogRatio>) -> String {
    let mean = test.estimate().map_or(Percent(0.0), LogRatio::percent);
    format!(
        "{mean} % after {} pairs, about {} will decide this",
        test.count(),
        test.about()
    )
}

fn percent((low, high): (LogRatio, LogRatio)) -> (f64, f64) {
    (low.percent().0, high.percent().0)
}
