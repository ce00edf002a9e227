//! A comparison: candidates play the same seeds as a base, until the test of each candidate has decided or no
//! seed is left.
//!
//! The base and all open candidates play each seed in turn. A candidate drops out when its test has decided,
//! or when the remaining seeds will hardly decide: see [`Candidate::is_open`].

use crate::bot_player::BotPlayer;
use crate::executor::{Batch, Executor, Game};
use crate::game_ledger::GameLedger;
use crate::game_result::{GameResult, Tally, make_pair};
use crate::player::{IdentifiedPlayer, Player};
use anyhow::Result;
use columns_cli::ledger::{self, Head, Ledger, expect_same};
use columns_generator::Spec;
use columns_stats::{Candidate, Question, add_case};
use serde::{Deserialize, Serialize};
use std::{mem, path::Path};

/// The configuration of a comparison, which determines its games and their order. It is the head of
/// the ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The options of the generator, with which it makes a case from its seed.
    pub case_spec: Spec,
    /// The first of the seeds, which are consecutive.
    pub first_seed: u64,
    /// The number of seeds of the command that began the comparison. The stakes of the tests depend on the
    /// number of remaining seeds. A command with more seeds continues the comparison, but does not change
    /// this number.
    pub seed_count: usize,
    /// The question that the test answers about each candidate, and its error rates.
    #[serde(flatten)]
    pub question: Question,
    /// The base, then the candidates.
    pub players: Vec<IdentifiedPlayer>,
    /// The file names of the base and of each candidate, for messages. The name of the base is
    /// empty if the base is the bot of this build. The list is empty if programs play.
    #[serde(rename = "names", default, skip_serializing_if = "Vec::is_empty")]
    pub file_names: Vec<String>,
}

impl Head for Comparison {
    const LEDGER: &'static str = "comparison";
    const DESCRIPTION: &'static str = "a comparison";
    const FORMAT: u32 = 5;
    const IGNORED_FIELD: &'static str = "names";

    fn difference(&self, begun: &Self) -> Option<String> {
        const SAME_FILES: &str = "give the same files as then, or another --out";
        const SAME_BUILD: &str = "build the bot as it was to continue, or give another --out";
        let (now, then) = (self.bots()?, begun.bots()?);
        let is_renamed = self.file_names != begun.file_names && !begun.file_names.is_empty();
        let changed = now.iter().zip(&then).position(|(now, then)| now != then);
        let difference = changed.map(|index| now[index].describe_difference(then[index]));
        let difference = difference.unwrap_or_default();
        let is_rebuilt = self.players[0].behaviour_digest != begun.players[0].behaviour_digest;
        Some(match changed {
            Some(0) if *now[0] == BotPlayer::default() => format!(
                "compares with {difference}: the bot has changed since, or --a or --a-network is \
                 missing: {SAME_BUILD}"
            ),
            Some(0) => format!("compares as A with {difference}: {SAME_FILES}"),
            _ if is_renamed && now != then => {
                let [then, now] = [begun, self].map(|one| one.file_names[1..].join(", "));
                format!("compares {then}; found {now} (the order counts): {SAME_FILES}")
            }
            Some(index) => format!(
                "compares {} with {difference}: the file has changed since: {SAME_FILES}",
                self.file_names[index]
            ),
            None if now == then && is_rebuilt => {
                format!("compares players of another build of the bot: {SAME_BUILD}")
            }
            None => return None,
        })
    }
}

/// Called after the last game of each seed, with the seed, the results of all players (`None` for a candidate
/// that did not play the seed), and the candidates.
pub type OnSeedDone<'a> = dyn FnMut(u64, &[Option<GameResult>], &[Candidate]) -> Result<()> + 'a;

impl Comparison {
    /// Returns the weights and networks of all players; `None` if programs play.
    pub fn bots(&self) -> Option<Vec<&BotPlayer>> {
        self.players.iter().map(|one| one.player.as_bot()).collect()
    }

    /// Opens the ledger of this comparison, or creates it. If the ledger exists, `seed_count` is set to the
    /// number in it.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be used, if it is that of another comparison, or if a line
    /// before the last one is damaged.
    pub fn open_ledger(&mut self, path: &Path) -> Result<GameLedger> {
        let (ledger, begun) = Ledger::open_with_any_head(path, self)?;
        self.seed_count = begun.seed_count;
        expect_same(path, &begun, self)?;
        GameLedger::from_ledger(ledger)
    }

    /// Plays up to `count` seeds, until no candidate is open or the executor is stopped. Returns the
    /// candidates, and a tally for the base and for each of them.
    ///
    /// # Errors
    /// Returns an error if `seed_done`, the ledger or the executor fails.
    pub fn play(
        &self,
        count: usize,
        ledger: &mut GameLedger,
        executor: &mut dyn Executor,
        seed_done: &mut OnSeedDone<'_>,
    ) -> Result<(Vec<Candidate>, Vec<Tally>)> {
        let number = self.players.len() - 1;
        let mut candidates = vec![Candidate::new(self.question, self.seed_count, number); number];
        let mut tallies = vec![Tally::default(); number + 1];
        let players = self.players.iter().map(|one| one.player.clone());
        let players: Vec<Player> = players.collect();
        let (mut played, mut needs_batch) = (0, true);
        // All seeds of a batch have the same players: when a candidate drops out, the next batch begins.
        while mem::take(&mut needs_batch) && candidates.iter().any(Candidate::is_open) {
            let active = active(&candidates);
            let games = self.games(&active, played..count);
            let batch = Batch {
                case_spec: &self.case_spec,
                players: &players,
                games: &games,
            };
            let mut row = vec![None; number + 1];
            ledger.play(executor, &batch, &mut |index, result| {
                let Game { player, seed } = games[index];
                row[player] = Some(result);
                tallies[player].add(seed, &result);
                if !(index + 1).is_multiple_of(active.len()) {
                    return Ok(false);
                }
                let base = row[0];
                let pair = |result: &Option<GameResult>| {
                    Some(make_pair(seed, &self.case_spec, [&base?, result.as_ref()?]))
                };
                add_case(&mut candidates, row[1..].iter().map(pair));
                seed_done(seed, &row, &candidates)?;
                row.fill(None);
                played += 1;
                needs_batch = self::active(&candidates) != active;
                Ok(needs_batch)
            })?;
        }
        Ok((candidates, tallies))
    }

    /// Lists the games of some players on the seeds with these indices. The players take turns at
    /// playing first: A B, B A, A B, …
    fn games(&self, players: &[usize], seeds: std::ops::Range<usize>) -> Vec<Game> {
        let turns = seeds.flat_map(|index| {
            let seed = self.first_seed + index as u64;
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
    /// Returns an error if the file is not the ledger of a comparison, or if a line before the last one
    /// is damaged.
    pub fn read(path: &Path) -> Result<(Self, Vec<Candidate>, Vec<Tally>)> {
        let (comparison, records) = ledger::read::<Self, _>(path)?;
        let mut ledger = GameLedger::from_records(records)?;
        let last = ledger.results.keys().map(|game| game.seed).max();
        let count = last.map_or(0, |last| last - comparison.first_seed + 1) as usize;
        let result = comparison.play(count, &mut ledger, &mut (), &mut |_, _, _| Ok(()))?;
        Ok((comparison, result.0, result.1))
    }
}

/// Lists the players of the next seed: the base, 0, and the open candidates, from 1 on.
fn active(candidates: &[Candidate]) -> Vec<usize> {
    let plays = |&player: &usize| player == 0 || candidates[player - 1].is_open();
    (0..=candidates.len()).filter(plays).collect()
}
