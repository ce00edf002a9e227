//! `tuner compare`: which of two is better.

use super::playing::Playing;
use super::progress;
use super::selfplay::{warn_if_narrow, ProgramLimits, SelfPlay};
use anyhow::{bail, ensure, Result};
use clap::Args;
use columns_cli::command::Stopped;
use columns_cli::json;
use columns_cli::mistake::tell;
use columns_cli::options::Json;
use columns_cli::paths::Paths;
use columns_generator::seeds::SeedRange;
use columns_generator::Spec;
use columns_judge::bot::Bot;
use columns_judge::compare::{Comparison, Pair};
use columns_tuner::contestant::Contestant;
use columns_tuner::experiment::duel::Duel;
use columns_tuner::experiment::outcome::kind;
use columns_tuner::game::Played;
use columns_tuner::player::Player;
use columns_tuner::stats::sequential::{Sequential, Verdict};
use columns_tuner::units::{LogRatio, Percent, Unit};
use serde::Serialize;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

/// Tell which of two is better, B or A, in as few games as that takes
///
/// Two files of weights, or networks, play in this process under a budget of work; or two bots, any
/// commands, play as processes under a time limit. Both play the same seeds, in turns (A B, B A, A
/// B, …). After every seed a sequential test looks at the differences of log score, and the games end as
/// soon as it is decided whether B is better, or not better by `--delta`. Its error rates and its
/// interval hold however often it looks and whenever it stops; a difference beyond a factor of 2.7
/// counts as one of 2.7: I. Waudby-Smith, A. Ramdas, Estimating means of bounded random
/// variables by betting, JRSS B 86 (2024).
///
/// With --out the games are kept. After any stop the same command goes on, and comes to the same
/// result; with more --seeds an open comparison goes on as well.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner compare --b w.json                       against the weights in the bot
  tuner compare --a old.json --b new.json --seeds 1..=4000 --work 200 --delta 0.5
  tuner compare --a-bot 'bot --time-limit 1' --b-bot './other --fast' --time-limit 1.2 --jobs 1")]
pub(crate) struct Options {
    /// Weights of A [default: those in the bot]
    #[arg(long, value_name = "FILE")]
    a: Option<PathBuf>,
    /// Weights of B [default: those in the bot]
    #[arg(long, value_name = "FILE")]
    b: Option<PathBuf>,
    /// Network of A, a file of `tuner learn`, or `none` [default: that in the bot]
    #[arg(long, value_name = "FILE")]
    a_network: Option<PathBuf>,
    /// Network of B
    #[arg(long, value_name = "FILE")]
    b_network: Option<PathBuf>,
    /// Bot A, a command line [default: the bot beside this command]
    #[arg(long, value_name = "CMD", requires = "b_bot")]
    a_bot: Option<String>,
    /// Bot B, a command line: reads a case, prints a plan
    #[arg(long, value_name = "CMD", conflicts_with_all = ["a", "b", "a_network", "b_network", "nats"])]
    b_bot: Option<String>,
    #[command(flatten)]
    limits: ProgramLimits,
    /// Most seeds to play
    #[arg(short, long, value_name = "RANGE", default_value = "1..=1000")]
    seeds: SeedRange,
    /// File for the games, to go on after a stop; of the same comparison, or new
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
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
    #[command(flatten)]
    json: Json,
    #[command(flatten)]
    games_are: SelfPlay,
    #[command(flatten)]
    playing: Playing,
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

/// The games so far.
struct Games {
    test: Sequential<LogRatio>,
    pairs: Vec<Pair>,
    /// Games of A and of B that were lost.
    lost: [usize; 2],
    /// The sum of the widths of B's beams.
    width: u64,
}

impl Options {
    /// A and B, and the cases that they play.
    fn players(&self) -> Result<([Contestant; 2], Spec)> {
        let Some(b) = &self.b_bot else {
            self.limits.refuse()?;
            let sides = [(&self.a, &self.a_network), (&self.b, &self.b_network)];
            let given = sides[1].0.is_some() || sides[1].1.is_some();
            ensure!(
                given,
                "expected weights, a network or a command for B: --b, --b-network, --b-bot"
            );
            let [a, b] = sides.map(|(weights, network)| {
                let player = Player::read(weights.as_deref(), network.as_deref())?;
                anyhow::Ok(self.games_are.bot(player))
            });
            return Ok(([a?, b?], self.games_are.spec()?));
        };
        let a = match &self.a_bot {
            Some(line) => Bot::parse("--a-bot", line)?,
            None => Bot::of_this_build()?,
        };
        let program = |bot: Bot| self.limits.program(&bot.to_string(), &self.games_are);
        let ((a, cases), (b, _)) = (program(a)?, program(Bot::parse("--b-bot", b)?)?);
        Ok(([a, b], cases))
    }

    pub(crate) fn run(&self) -> Result<ExitCode> {
        let (players, cases) = self.players()?;
        let written = self.json.file().into_iter().chain(self.out.as_deref());
        let read = [&self.a, &self.b, &self.a_network, &self.b_network];
        let paths = Paths::default().read(read.into_iter().flatten());
        paths.written(written).check()?;
        if players[0] == players[1] && self.b_bot.is_none() {
            return self.same();
        }
        let count = progress::count(self.seeds)?;
        let crew = self.playing.crew()?;
        let duel = Duel::new(players, cases, self.seeds.first())?;
        let mut ledger = self
            .out
            .as_ref()
            .map(|path| duel.ledger(path))
            .transpose()?;
        let mut games = Games {
            test: self.test(),
            pairs: Vec::new(),
            lost: [0; 2],
            width: 0,
        };
        let bar = progress::games(count);
        let played = crew.play(duel.identity()?, |executor| {
            duel.play(count, ledger.as_mut(), executor, &mut |pair| {
                let decided = self.add(&mut games, pair, &cases);
                bar.inc(1);
                if !decided && games.pairs.len().is_multiple_of(TOLD) {
                    let so_far = so_far(&games.test);
                    bar.set_message(so_far.clone());
                    if bar.is_hidden() {
                        tell(&so_far);
                    }
                }
                Ok(if decided && !self.all {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                })
            })
        });
        bar.finish_and_clear();
        played?;
        self.tell(&games, count)
    }

    fn test(&self) -> Sequential<LogRatio> {
        Sequential::new(Percent(self.delta).log_ratio(), self.alpha, self.beta)
    }

    /// Takes the games of a seed; says whether all is decided.
    fn add(&self, games: &mut Games, pair: [Played; 2], cases: &Spec) -> bool {
        let done = games.pairs.len();
        if done == 0 {
            tell(&format!(
                "About {} pairs will decide this.",
                games.test.about()
            ));
        }
        let [a, b] = pair;
        games.pairs.push(Pair {
            kind: kind(self.seeds.first() + done as u64, cases),
            a: a.points,
            b: b.points,
        });
        games.width += b.width;
        for (lost, played) in games.lost.iter_mut().zip(pair) {
            *lost += usize::from(played.is_lost());
        }
        let difference = LogRatio::between(b.points, a.points, 0.0);
        games.test.add(difference).is_some()
    }

    /// Gives what came of the games; an error if they were stopped before.
    fn tell(&self, games: &Games, count: usize) -> Result<ExitCode> {
        let Games { test, pairs, .. } = games;
        let done = pairs.len();
        if done > 0 {
            if self.b_bot.is_none() {
                warn_if_narrow(games.width as f64 / done as f64);
            }
            let comparison = Comparison::new(notes(games.lost), pairs);
            let text = format!("{comparison}\n{}", self.told(test, count));
            let results = || json::pretty(&self.results(test, Some(&comparison)));
            self.json.give(results, &text)?;
        }
        let decided = test.verdict().is_some() && !self.all;
        if done < count && !decided {
            let go_on = match &self.out {
                Some(_) => "; to go on, give the same command again",
                None => "",
            };
            bail!(Stopped(format!("after {done} of {count} seeds{go_on}")));
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Tells that both are the same player.
    fn same(&self) -> Result<ExitCode> {
        let test = self.test();
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
