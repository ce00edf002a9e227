//! A comparison: candidates play the same seeds as a base until a test has decided each candidate.
//!
//! The base and all open candidates play each seed in turn. A candidate drops out when its test
//! has decided. Each of n candidates is tested with the error rates α/n and β/n. So by Bonferroni's
//! inequality, the chance of any wrong "better" or "no worse" over all candidates is at most α, and
//! the chance of any wrong "worse" or "not better" is at most β.

use crate::contestant::{Contestant, Side};
use crate::executor::{Batch, Executor, Game};
use crate::game::{Losses, Played, kind};
use crate::kept::Kept;
use crate::player::Player;
use anyhow::Result;
use clap::Args;
use columns_cli::{ledger::Head, options::number};
use columns_core::text::grouped;
use columns_generator::Spec;
use columns_stats::sequential::{Sequential, Verdict};
use columns_stats::table::{Pair, Table};
use columns_stats::unit::Objective;
use serde::{Deserialize, Serialize};
use std::{fmt, path::Path};

/// The configuration of a comparison, which determines its games and their order. It is the head of
/// the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The specification of the cases.
    pub cases: Spec,
    /// The first of the seeds, which are consecutive.
    pub first: u64,
    /// The question about each candidate.
    #[serde(flatten)]
    pub question: Question,
    /// The base, then the candidates.
    pub players: Vec<Side>,
    /// The file names of the base and of each candidate, for messages. The name of the base is
    /// empty if the base is the bot of this build. The list is empty if programs play.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

impl Head for Comparison {
    const LEDGER: &'static str = "comparison";
    const WHAT: &'static str = "a comparison";
    const FORMAT: u32 = 2;
    const FORMAT_0_2: u32 = 1;
    const NOTE: &'static str = "names";

    fn difference(&self, begun: &Self) -> Option<String> {
        const OTHER: &str = "give the same files as then, or another --out";
        const BUILD: &str = "build the bot as it was to continue, or give another --out";
        let list = |names: &[String]| names.join(", ");
        let players = |comparison: &Self| -> Option<Vec<Player>> {
            let players = comparison
                .players
                .iter()
                .map(|side| side.player.bot().cloned());
            players.collect()
        };
        let (now, then) = (players(self)?, players(begun)?);
        if now[0] != then[0] && now[0] == Player::default() {
            let difference = now[0].difference(&then[0]);
            return Some(format!(
                "compares with {difference}: the bot has changed since, or --a or --a-network is missing: \
                 {BUILD}"
            ));
        }
        if now[1..] != then[1..] && self.names != begun.names && !begun.names.is_empty() {
            return Some(format!(
                "compares {}; found {} (the order counts): {OTHER}",
                list(&begun.names[1..]),
                list(&self.names[1..])
            ));
        }
        let mut changed = (0..now.len().min(then.len())).filter(|&index| now[index] != then[index]);
        if let Some(index) = changed.next().filter(|_| now.len() == then.len()) {
            let difference = now[index].difference(&then[index]);
            if index == 0 {
                return Some(format!("compares with {difference}, as A: {OTHER}"));
            }
            return Some(format!(
                "compares {} with {difference}: the file has changed since: {OTHER}",
                self.names[index]
            ));
        }
        let behaviour = |comparison: &Self| comparison.players[0].behaviour;
        (now == then && behaviour(self) != behaviour(begun))
            .then(|| format!("compares players of another build of the bot: {BUILD}"))
    }
}

/// The question that a comparison asks about each candidate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Args)]
#[serde(rename_all = "kebab-case")]
pub struct Question {
    /// The unit of all changes and of the test: `log`, the mean logarithm of the score, or `sum`, the
    /// sum of scores, by which the contest ranks
    #[arg(long, value_enum, default_value_t = Objective::Log)]
    pub objective: Objective,
    /// The difference in score that matters, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0,
        value_parser = number("percent", 0.01, 63.0))]
    pub delta: f64,
    /// Ask whether a candidate is no worse than A by --delta, instead of whether it is better
    #[arg(long)]
    pub no_worse: bool,
    /// The chance of any wrong "better" or "no worse", over all candidates
    #[arg(long, value_name = "CHANCE", default_value_t = 0.05,
        value_parser = number("a chance", 1e-9, 0.5))]
    pub alpha: f64,
    /// The chance of any wrong "worse" or "not better", over all candidates
    #[arg(long, value_name = "CHANCE", default_value_t = 0.05,
        value_parser = number("a chance", 1e-9, 0.5))]
    pub beta: f64,
    /// Play all seeds, even after all candidates are decided
    #[arg(long)]
    pub all: bool,
}

/// The answer to the [`Question`] for one candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The candidate scores more than the base.
    Better,
    /// The candidate may score less than the base, but by less than δ.
    NoWorse,
    /// The candidate may score more than the base, but by less than δ.
    NotBetter,
    /// The candidate scores less than the base.
    Worse,
}

impl fmt::Display for Answer {
    /// Writes the answer in words, such as `not better`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Better => "better",
            Self::NoWorse => "no worse",
            Self::NotBetter => "not better",
            Self::Worse => "worse",
        })
    }
}

/// Converts a chance to percent, rounded to nine decimals, so that messages do not show the
/// rounding error of 1 − α − β.
fn percent(chance: f64) -> f64 {
    (1e9 * 100.0 * chance).round() / 1e9
}

/// A candidate, with its games so far and their test against the base.
#[derive(Debug, Clone)]
pub struct Candidate {
    question: Question,
    /// The sequential test of the candidate against the base.
    pub test: Sequential,
    /// The games of the base and of the candidate, one pair for each seed from the first on.
    pub pairs: Vec<Pair>,
    /// The games that the candidate lost to a limit, a crash or an invalid plan.
    pub losses: Losses,
    /// The sum of the mean beam widths of the candidate's games.
    widths: u64,
}

/// Called after the last game of each seed, with the seed, the results of all players (`None` for a
/// decided candidate), and the candidates.
pub type SeedDone<'a> = dyn FnMut(u64, &[Option<Played>], &[Candidate]) -> Result<()> + 'a;

impl Comparison {
    /// Plays up to `count` seeds, until all candidates are decided or the executor is stopped.
    /// Returns the candidates, and the lost games of the base.
    ///
    /// # Errors
    /// If `seed_done`, the ledger or the executor fails.
    #[expect(clippy::missing_panics_doc, reason = "the base plays every seed")]
    pub fn play(
        &self,
        count: usize,
        kept: &mut Kept,
        executor: &mut dyn Executor,
        seed_done: &mut SeedDone<'_>,
    ) -> Result<(Vec<Candidate>, Losses)> {
        let number = self.players.len() - 1;
        let mut candidates = vec![Candidate::new(self.question, number); number];
        let players = self.contestants();
        let (mut played, mut losses) = (0, Losses::default());
        loop {
            let open = |&player: &usize| player == 0 || candidates[player - 1].is_open();
            let active: Vec<usize> = (0..=number).filter(open).collect();
            if active.len() == 1 || played == count {
                break;
            }
            let games = self.games(&active, played..count);
            let batch = Batch {
                cases: &self.cases,
                players: &players,
                games: &games,
            };
            let mut row = vec![None; number + 1];
            let mut decided = false;
            kept.play(executor, &batch, &mut |index, result| {
                let Game { player, seed } = games[index];
                row[player] = Some(result);
                if !(index + 1).is_multiple_of(active.len()) {
                    return Ok(false);
                }
                let base = row[0].expect("the base plays every seed");
                losses.add(seed, &base);
                for (candidate, result) in candidates.iter_mut().zip(&row[1..]) {
                    if let Some(result) = result {
                        candidate.add(seed, &self.cases, base, *result);
                        decided |= !candidate.is_open();
                    }
                }
                seed_done(seed, &row, &candidates)?;
                row.fill(None);
                played += 1;
                Ok(decided)
            })?;
            if !decided {
                break;
            }
        }
        Ok((candidates, losses))
    }

    /// Returns the base, then the candidates.
    fn contestants(&self) -> Vec<Contestant> {
        let players = self.players.iter();
        players.map(|side| side.player.clone()).collect()
    }

    /// Lists the games of some players on the seeds with these indices. The players take turns at
    /// playing first: A B, B A, A B, …
    fn games(&self, players: &[usize], seeds: std::ops::Range<usize>) -> Vec<Game> {
        let turns = seeds.flat_map(|index| {
            let seed = self.first + index as u64;
            let turns = players.iter().cycle().skip(index % players.len());
            let turns = turns.take(players.len());
            turns.map(move |&player| Game { player, seed })
        });
        turns.collect()
    }

    /// Reads a comparison from its ledger. Returns it with the state of the candidates after all
    /// games in the ledger.
    ///
    /// # Errors
    /// If the file is not the ledger of a comparison, or if a line is damaged.
    pub fn read(path: &Path) -> Result<(Self, Vec<Candidate>)> {
        let (comparison, mut kept) = Kept::read::<Self>(path)?;
        let most = kept.games();
        let (candidates, _) = comparison.play(most, &mut kept, &mut (), &mut |_, _, _| Ok(()))?;
        Ok((comparison, candidates))
    }
}

impl Candidate {
    /// Returns a candidate that has not played yet. Its test has the error rates of the question,
    /// divided by the `number` of candidates.
    fn new(question: Question, number: usize) -> Self {
        let objective = question.objective;
        let delta = |percent| objective.change(percent);
        let bounds = if question.no_worse {
            [delta(-question.delta), 0.0]
        } else {
            [0.0, delta(question.delta)]
        };
        let [alpha, beta] = [question.alpha, question.beta].map(|rate| rate / number as f64);
        Self {
            question,
            test: Sequential::new(objective, bounds, alpha, beta),
            pairs: Vec::new(),
            losses: Losses::default(),
            widths: 0,
        }
    }

    fn add(&mut self, seed: u64, cases: &Spec, base: Played, played: Played) {
        let (a, b) = (base.points, played.points);
        let kind = kind(seed, cases);
        self.pairs.push(Pair { kind, a, b });
        self.losses.add(seed, &played);
        self.widths += played.width;
        self.test.add(a, b);
    }

    /// True if the candidate plays further seeds.
    pub fn is_open(&self) -> bool {
        self.question.all || self.test.verdict().is_none()
    }

    /// Returns the mean beam width over the candidate's games; NaN before the first game.
    pub fn width(&self) -> f64 {
        self.widths as f64 / self.pairs.len() as f64
    }

    /// Returns the results of the candidate's pairs, in total and by kind of case.
    ///
    /// # Panics
    /// If the candidate has not played yet.
    pub fn table(&self) -> Table {
        Table::new(self.test.unit(), &self.pairs)
    }

    /// Returns the answer; `None` until the test has decided.
    pub fn answer(&self) -> Option<Answer> {
        let verdict = self.test.verdict()?;
        let (low, high) = self.test.interval();
        Some(match (verdict, self.question.no_worse) {
            (Verdict::Above, false) => Answer::Better,
            (Verdict::Below, true) => Answer::Worse,
            (Verdict::Above, true) if low > 0.0 => Answer::Better,
            (Verdict::Below, false) if high < 0.0 => Answer::Worse,
            (Verdict::Above, true) => Answer::NoWorse,
            (Verdict::Below, false) => Answer::NotBetter,
        })
    }

    /// Describes the change of the score with its interval on the first line, and the answer below.
    /// `count` is the number of seeds of the whole comparison. The text calls the candidate `name`.
    pub fn conclusion(&self, name: &str, count: usize) -> String {
        let Question { alpha, beta, .. } = self.question;
        let all = columns_cli::output::count(count, "seed");
        let seeds = match self.pairs.len() {
            done if done == count => format!("all {all}"),
            done => format!("{} of {all}", grouped(done as u64)),
        };
        let what = match self.question.objective {
            Objective::Log => "geometric mean score",
            Objective::Sum => "sum of scores",
        };
        let change = self.table().all.percent.mean;
        let (low, high) = self.test.interval();
        let sure = percent(1.0 - alpha - beta);
        let by = format!("by {} % or more", self.question.delta);
        let claim = |answer: &str, wrong, rate| {
            let rate = percent(rate);
            format!(
                "{name} is {answer}. (If it {wrong}, at most {rate} of 100 comparisons would say so.)"
            )
        };
        let is_open =
            |answer: &str| format!("It is open whether {name} is {answer}: that takes more seeds.");
        // The test ends with its first verdict, unless the question asks for all seeds.
        let untested = |other: &str| {
            if self.question.all {
                return String::new();
            }
            format!(" The games ended there: whether it is {other} was not tested further.")
        };
        let answer = match self.answer() {
            Some(Answer::Better) => claim("better than A", "were not", alpha),
            Some(Answer::NoWorse) => {
                claim(&format!("not worse than A {by}"), "were", alpha) + &untested("better")
            }
            Some(Answer::NotBetter) => {
                claim(&format!("not better than A {by}"), "were", beta) + &untested("worse")
            }
            Some(Answer::Worse) => claim("worse than A", "were not", beta),
            None if self.question.no_worse => is_open(&format!("worse than A {by}")),
            None => is_open("better than A"),
        };
        format!(
            "{name}'s {what} against A's, {seeds}: {change:+.2} % ({sure} % sure: {low:+.2} to \
             {high:+.2} %).\n{answer}\n"
        )
    }
}
