//! `tuner compare`: which of two is better.

use super::selfplay::{warn_if_narrow, ProgramLimits, SelfPlay};
use super::{number, playing::Playing, progress};
use anyhow::{bail, ensure, Result};
use clap::Args;
use columns_cli::{command::Stopped, json, mistake::tell, options::Json, paths::Paths};
use columns_generator::{seeds::SeedRange, Spec};
use columns_judge::bot::Bot;
use columns_judge::compare::{Comparison, Pair};
use columns_tuner::stats::sequential::{Sequential, Verdict};
use columns_tuner::units::{LogRatio, Percent, Unit};
use columns_tuner::{
    contestant::Contestant, digest::Digest, experiment::duel::Duel, game::kind, game::Losses,
    game::Played, ledger::Ledger, player::Player,
};
use serde_json::json;
use std::{path::PathBuf, process::ExitCode};

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
    a_bot: Option<Bot>,
    /// Bot B, a command line: reads a case, prints a plan
    #[arg(long, value_name = "CMD", group = "program",
        conflicts_with_all = ["a", "b", "a_network", "b_network", "nats", "work"])]
    b_bot: Option<Bot>,
    #[command(flatten)]
    limits: ProgramLimits,
    /// Most seeds to play
    #[arg(short, long, value_name = "RANGE", default_value = "1..=1000")]
    seeds: SeedRange,
    /// File for the games, to go on after a stop; of the same comparison, or new
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The difference that matters, in percent of the score
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0,
        value_parser = number("percent", 0.01, 100.0))]
    delta: f64,
    /// The chance to call B better when it is not
    #[arg(long, value_name = "CHANCE", default_value_t = 0.05,
        value_parser = number("a chance", 1e-9, 0.5))]
    alpha: f64,
    /// The chance to call B not better when it is better by the difference that matters
    #[arg(long, value_name = "CHANCE", default_value_t = 0.05,
        value_parser = number("a chance", 1e-9, 0.5))]
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

/// After how many pairs it is told how long it will take.
const TOLD: usize = 50;

impl Options {
    /// A and B, and the cases that they play.
    fn players(&self) -> Result<([Contestant; 2], Spec)> {
        let players = if let Some(b) = &self.b_bot {
            let a = self.a_bot.clone().map_or_else(Bot::of_this_build, Ok)?;
            [&a, b].map(|bot| self.limits.program(&bot.to_string(), &self.games_are))
        } else {
            let sides = [(&self.a, &self.a_network), (&self.b, &self.b_network)];
            let given = sides[1].0.is_some() || sides[1].1.is_some();
            ensure!(
                given,
                "expected weights, a network or a command for B: --b, --b-network, --b-bot"
            );
            sides.map(|(weights, network)| {
                let player = Player::read(weights.as_deref(), network.as_deref())?;
                self.games_are.bot(player)
            })
        };
        let [a, b] = players;
        let ((a, cases), (b, _)) = (a?, b?);
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
        let ledger = self.out.as_ref();
        let ledger = ledger.map(|path| Ledger::open_or_create(path, &duel));
        let mut ledger = ledger.transpose()?;
        // Those of A and of B on each seed so far.
        let (mut test, mut games) = (self.test(), Vec::new());
        tell(&format!("About {} pairs will decide this.", test.about()));
        let bar = progress::games(count);
        let played = crew.play(Digest::of_json(&duel)?, |executor| {
            duel.play(count, ledger.as_mut(), executor, &mut |[a, b]| {
                games.push([a, b]);
                let difference = LogRatio::between(b.points, a.points, 0.0);
                let decided = test.add(difference).is_some();
                bar.inc(1);
                if !decided && games.len().is_multiple_of(TOLD) {
                    bar.set_message(so_far(&test));
                    if bar.is_hidden() {
                        tell(&so_far(&test));
                    }
                }
                Ok(decided && !self.all)
            })
        });
        bar.finish_and_clear();
        played?;
        self.give(&test, &games, &cases, count)
    }

    fn test(&self) -> Sequential<LogRatio> {
        Sequential::new(Percent(self.delta).log_ratio(), self.alpha, self.beta)
    }

    /// Gives what came of the games; an error if they were stopped before.
    fn give(
        &self,
        test: &Sequential<LogRatio>,
        games: &[[Played; 2]],
        cases: &Spec,
        count: usize,
    ) -> Result<ExitCode> {
        let done = games.len();
        if done > 0 {
            let widths: u64 = games.iter().map(|[_, b]| b.width).sum();
            if self.b_bot.is_none() {
                warn_if_narrow(widths as f64 / done as f64);
            }
            let pairs = games.iter().zip(self.seeds).map(|(games, seed)| {
                let ([a, b], name) = (games.map(|game| game.points), seed.to_string());
                let kind = kind(seed, cases);
                Pair { name, kind, a, b }
            });
            let comparison = Comparison::new(notes(games, self.seeds), &pairs.collect::<Vec<_>>());
            let text = format!("{comparison}\n{}", self.told(test, count));
            let results = || self.results(test, Some(&comparison));
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
        let results = || self.results(&self.test(), None);
        let told = "A and B have the same weights and networks: they play the same games.\n";
        self.json.give(results, told)?;
        Ok(ExitCode::SUCCESS)
    }

    /// What `--json` gives. The interval holds the change of the score with a chance of at least
    /// 1 - alpha - beta, whenever one stops. There is no comparison of two that are the same.
    fn results(
        &self,
        test: &Sequential<LogRatio>,
        comparison: Option<&Comparison>,
    ) -> Result<String> {
        let (verdict, interval) = match comparison {
            Some(_) => (json!(test.verdict()), percent(test.interval())),
            None => ("same".into(), (0.0, 0.0)),
        };
        json::pretty(&json!({
            "seeds": self.seeds,
            "played": test.count(),
            "verdict": verdict,
            "delta_percent": self.delta,
            "alpha": self.alpha,
            "beta": self.beta,
            "interval_percent": interval,
            "comparison": comparison,
        }))
    }

    /// The result in words: how many games were played, how far apart the two are, and last
    /// which is better.
    fn told(&self, test: &Sequential<LogRatio>, count: usize) -> String {
        let played = test.count();
        let first = if played == count {
            format!("All {count} seeds were played.")
        } else {
            format!(
                "Stopped after {played} of {count} seeds: the intervals of the table, which are \
                 for a number of games fixed beforehand, are too narrow."
            )
        };
        let (low, high) = percent(test.interval());
        let sure = 100.0 * (1.0 - self.alpha - self.beta);
        let [alpha, beta] = [self.alpha, self.beta].map(|chance| {
            format!(
                "that would be said in at most {} of 100 comparisons.",
                100.0 * chance
            )
        });
        let delta = self.delta;
        let last = match test.verdict() {
            Some(Verdict::Better) => format!("B is better than A. (If it were not, {alpha})"),
            Some(Verdict::NotBetter) => {
                format!("B is not better than A by {delta} % or more. (If it were, {beta})")
            }
            None => "It is open whether B is better than A: that takes more seeds.".into(),
        };
        format!(
            "{first}\nB's score against A's: {low:+.2} to {high:+.2} % ({sure:.0} % sure).\n\
             {last}\n"
        )
    }
}

/// The lost games of A and of B in words.
fn notes(games: &[[Played; 2]], seeds: SeedRange) -> Vec<String> {
    let notes = [("A", 0), ("B", 1)].map(|(side, at)| {
        let mut losses = Losses::default();
        for (seed, games) in seeds.into_iter().zip(games) {
            losses.add(seed, &games[at]);
        }
        (!losses.is_empty()).then(|| format!("{side}: {losses}"))
    });
    notes.into_iter().flatten().collect()
}

/// What is known so far, and how long it will take.
fn so_far(test: &Sequential<LogRatio>) -> String {
    let mean = test.estimate().map_or(Percent(0.0), LogRatio::percent);
    let (count, about) = (test.count(), test.about());
    format!("{mean} % after {count} pairs, about {about} will decide this")
}

fn percent((low, high): (LogRatio, LogRatio)) -> (f64, f64) {
    (low.percent().0, high.percent().0)
}
