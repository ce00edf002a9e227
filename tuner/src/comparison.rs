//! A comparison: candidates play the same seeds as a base until a test has decided each candidate.
//!
//! The base and all open candidates play each seed in turn. A candidate drops out when its test
//! has decided: see [`Candidate::is_open`].

use crate::contestant::{Contestant, Side};
use crate::executor::{Batch, Executor, Game};
use crate::game::{Played, Tally, pair};
use crate::game_ledger::GameLedger;
use crate::player::Player;
use anyhow::Result;
use columns_cli::ledger::Head;
use columns_generator::Spec;
use columns_stats::{Candidate, Question, add_case};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The configuration of a comparison, which determines its games and their order. It is the head of
/// the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The specification of the cases.
    pub cases: Spec,
    /// The first of the seeds, which are consecutive.
    pub first: u64,
    /// The number of seeds of the command that began the comparison. The tests stake by the seeds that are
    /// left; a command with more seeds continues the comparison.
    pub rounds: usize,
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
    const DESCRIPTION: &'static str = "a comparison";
    const FORMAT: u32 = 3;
    const IGNORED_FIELD: &'static str = "names";

    fn difference(&self, begun: &Self) -> Option<String> {
        const SAME_FILES: &str = "give the same files as then, or another --out";
        const SAME_BUILD: &str = "build the bot as it was to continue, or give another --out";
        let players = |comparison: &Self| -> Option<Vec<Player>> {
            let sides = comparison.players.iter();
            sides.map(|side| side.player.bot().cloned()).collect()
        };
        let (now, then) = (players(self)?, players(begun)?);
        let is_renamed = self.names != begun.names && !begun.names.is_empty();
        if now[0] == then[0] && now[1..] != then[1..] && is_renamed {
            let [then, now] = [begun, self].map(|comparison| comparison.names[1..].join(", "));
            return Some(format!(
                "compares {then}; found {now} (the order counts): {SAME_FILES}"
            ));
        }
        let mut both = now.iter().zip(&then);
        if let Some(index) = both.position(|(now, then)| now != then) {
            let difference = now[index].difference(&then[index]);
            let (whom, why) = match index {
                0 if now[0] == Player::default() => (
                    String::new(),
                    format!(
                        "the bot has changed since, or --a or --a-network is missing: {SAME_BUILD}"
                    ),
                ),
                0 => ("as A ".into(), SAME_FILES.into()),
                _ => (
                    format!("{} ", self.names[index]),
                    format!("the file has changed since: {SAME_FILES}"),
                ),
            };
            return Some(format!("compares {whom}with {difference}: {why}"));
        }
        let behaviour = |comparison: &Self| comparison.players[0].behaviour;
        (now == then && behaviour(self) != behaviour(begun))
            .then(|| format!("compares players of another build of the bot: {SAME_BUILD}"))
    }
}

/// Called after the last game of each seed, with the seed, the results of all players (`None` for a
/// decided candidate), and the candidates.
pub type SeedDone<'a> = dyn FnMut(u64, &[Option<Played>], &[Candidate]) -> Result<()> + 'a;

impl Comparison {
    /// Plays up to `count` seeds, until all candidates are decided or the executor is stopped.
    /// Returns the candidates, and a tally for the base and for each of them.
    ///
    /// # Errors
    /// If `seed_done`, the ledger or the executor fails.
    #[expect(clippy::missing_panics_doc, reason = "the base plays every seed")]
    pub fn play(
        &self,
        count: usize,
        kept: &mut GameLedger,
        executor: &mut dyn Executor,
        seed_done: &mut SeedDone<'_>,
    ) -> Result<(Vec<Candidate>, Vec<Tally>)> {
        let number = self.players.len() - 1;
        let mut candidates = vec![Candidate::new(self.question, self.rounds, number); number];
        let players: Vec<Contestant> = self
            .players
            .iter()
            .map(|side| side.player.clone())
            .collect();
        let (mut played, mut tallies) = (0, vec![Tally::default(); number + 1]);
        loop {
            let active = active(&candidates);
            if active.len() == 1 || played == count {
                break;
            }
            let games = self.games(&active, played..count);
            let batch = Batch {
                cases: &self.cases,
                players: &players,
                games: &games,
            };
            let (mut row, mut is_other) = (vec![None; number + 1], false);
            kept.play(executor, &batch, &mut |index, result| {
                let Game { player, seed } = games[index];
                row[player] = Some(result);
                tallies[player].add(seed, &result);
                if !(index + 1).is_multiple_of(active.len()) {
                    return Ok(false);
                }
                let base = row[0].expect("the base plays every seed");
                let pair = |result: &Option<Played>| {
                    Some(pair(seed, &self.cases, [&base, result.as_ref()?]))
                };
                add_case(&mut candidates, row[1..].iter().map(pair));
                is_other = self::active(&candidates) != active;
                seed_done(seed, &row, &candidates)?;
                row.fill(None);
                played += 1;
                Ok(is_other)
            })?;
            if !is_other {
                break;
            }
        }
        Ok((candidates, tallies))
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

    /// Reads a comparison from its ledger. Returns the comparison, and the candidates and tallies of
    /// [`Comparison::play`] after all games in the ledger.
    ///
    /// # Errors
    /// If the file is not the ledger of a comparison, or if a line is damaged.
    pub fn read(path: &Path) -> Result<(Self, Vec<Candidate>, Vec<Tally>)> {
        let (comparison, mut kept) = GameLedger::read::<Self>(path)?;
        let most = kept.games();
        let (candidates, tallies) =
            comparison.play(most, &mut kept, &mut (), &mut |_, _, _| Ok(()))?;
        Ok((comparison, candidates, tallies))
    }
}

/// Lists the players of the next seed: the base, 0, and the open candidates, from 1 on.
fn active(candidates: &[Candidate]) -> Vec<usize> {
    let open = (1..)
        .zip(candidates.iter())
        .filter(|(_, candidate)| candidate.is_open());
    std::iter::once(0)
        .chain(open.map(|(player, _)| player))
        .collect()
}
