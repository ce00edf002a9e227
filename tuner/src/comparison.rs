//! A comparison: candidates play the same seeds as a base, until the test of each candidate has decided or no
//! seed is left.
//!
//! The base and all open candidates play each seed in turn. A candidate drops out when its test has decided.
//! One of several candidates also drops out when the remaining seeds are unlikely to decide its test: see
//! [`Candidate::plays_next_case`].

use crate::bot_player::BotPlayer;
use crate::executor::Game;
use crate::game_result::{GameResult, Tally, generate_pair};
use crate::games::{EndOfRecord, GameRequest, Games};
use crate::player::{IdentifiedPlayer, Player};
use crate::record::{self, OpenedRun, Record, RunHeader, RunLimits};
use anyhow::Result;
use columns_cases::digest::Digest;
use columns_cli::ledger::Header;
use columns_generator::Spec;
use columns_stats::{Candidate, Question, add_case};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The configuration of a comparison, which is the header of the record. The configuration determines the
/// games and their order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The generator's options for all cases.
    pub case_spec: Spec,
    /// The first seed; the seeds are consecutive.
    pub first_seed: u64,
    /// The initial limits. Only the limit on seeds is set. The stakes of the tests depend on the number of
    /// seeds left up to this limit, even if a later command raises it.
    pub limits: RunLimits,
    /// The question that the test answers about each candidate, and its error rates.
    #[serde(flatten)]
    pub question: Question,
    /// The base, then the candidates.
    pub players: Vec<IdentifiedPlayer>,
    /// The file names of the base and of each candidate, for messages. The name of the base is
    /// empty if the base is the bot of this build. The list is empty if programs play.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub file_names: Vec<String>,
}

impl Header for Comparison {
    const LEDGER: &'static str = "comparison";
    const DESCRIPTION: &'static str = "a comparison";
    const FORMAT_VERSION: u32 = 5;
}

impl RunHeader for Comparison {
    fn limits(&self) -> RunLimits {
        self.limits
    }

    fn describe_player_change(&self) -> Option<String> {
        let mut players = self.players.iter();
        players.find_map(|one| one.player.describe_change(one.behaviour_digest))
    }

    fn with_changeable_fields_of(&self, original: &Self) -> Self {
        let mut config = self.clone();
        config.limits = original.limits;
        config.file_names.clone_from(&original.file_names);
        for (player, original) in config.players.iter_mut().zip(&original.players) {
            player.behaviour_digest = original.behaviour_digest;
            player.player.set_files_of(&original.player);
        }
        config
    }
}

/// The results of a comparison so far.
#[derive(Debug, Clone)]
pub struct Results {
    /// The candidates, with their pairs and their tests.
    pub candidates: Vec<Candidate>,
    /// A tally for the base and for each candidate.
    pub tallies: Vec<Tally>,
    /// Number of seeds that all open candidates have played.
    pub seed_count: usize,
}

/// Called after the last game of each seed, with the seed, the results of all players (`None` for a candidate
/// that did not play the seed), and the candidates.
pub type OnSeedDone<'a> = dyn FnMut(u64, &[Option<GameResult>], &[Candidate]) -> Result<()> + 'a;

impl Comparison {
    /// Returns the weights and networks of all players; `None` if programs play.
    pub fn bot_players(&self) -> Option<Vec<&BotPlayer>> {
        let players = self.players.iter();
        let bots = players.map(|one| match &one.player {
            Player::Bot { player, .. } => Some(player),
            Player::Program(_) => None,
        });
        bots.collect()
    }

    /// Computes the identity of the comparison; the limits do not affect it.
    ///
    /// # Errors
    /// Returns an error if the configuration cannot be serialised to JSON.
    pub fn compute_identity(&self) -> Result<Digest> {
        let mut comparison = self.clone();
        comparison.limits = RunLimits::default();
        Ok(Digest::new(&serde_json::to_vec(&comparison)?))
    }

    /// Returns the number of seeds that `limits` allow.
    pub fn max_seed_count(&self, limits: &RunLimits) -> usize {
        limits.seeds(self.first_seed).count() as usize
    }

    /// Returns the results before the first game.
    pub fn new_results(&self) -> Results {
        let number = self.players.len() - 1;
        let candidate = Candidate::new(self.question, self.max_seed_count(&self.limits), number);
        Results {
            candidates: vec![candidate; number],
            tallies: vec![Tally::default(); number + 1],
            seed_count: 0,
        }
    }

    /// Begins this comparison in a file, or resumes the one in the file. `given` holds the limits from the
    /// command line.
    ///
    /// # Errors
    /// Returns an error if the file holds another comparison, if a limit is too small, if the comparison
    /// needs further games and a player has changed, or if the file cannot be used.
    pub fn open(&self, path: &Path, given: &RunLimits) -> Result<OpenedRun<Self>> {
        let mut opened = record::open(path, self, given)?;
        let has_ended = opened.header.replay(&mut opened.record)?.1;
        opened.check_same_players(has_ended)?;
        opened.record_raised_limits()?;
        opened.record.rewind();
        Ok(opened)
    }

    /// Returns the results of the games in a record, and true if no more games are needed.
    fn replay(&self, record: &mut Record) -> Result<(Results, bool)> {
        let mut results = self.new_results();
        let mut games = Games::new(record, self.case_spec, None);
        let ended = self.play(&mut results, &mut games, &mut |_, _, _| Ok(()));
        match ended {
            Err(error) if error.is::<EndOfRecord>() => Ok((results, false)),
            ended => ended.map(|()| (results, true)),
        }
    }

    /// Plays the seeds until the limit is reached or no candidate is open. Adds the games to `results`, which
    /// must be empty.
    ///
    /// # Errors
    /// Returns an error if `on_seed_done` fails, or if games cannot be played. `results` then holds all
    /// complete seeds.
    pub fn play(
        &self,
        results: &mut Results,
        games: &mut Games<'_>,
        on_seed_done: &mut OnSeedDone<'_>,
    ) -> Result<()> {
        let players = || -> Vec<Player> {
            let players = self.players.iter();
            players.map(|one| one.player.clone()).collect()
        };
        loop {
            games.record.skip_to_game();
            let count = self.max_seed_count(games.record.limits());
            let open = results.candidates.iter().any(Candidate::plays_next_case);
            if !open || results.seed_count >= count {
                return games.record.sync();
            }
            // All seeds of a request have the same players: when a candidate drops out, a new request begins.
            let active = active_players(&results.candidates);
            let seed_games = self.games(&active, results.seed_count..count);
            let request = GameRequest {
                progress: &format!("after {} of {count} seeds", results.seed_count),
                games: &seed_games,
                players: &players,
                is_timed: false,
            };
            let mut row = vec![None; self.players.len()];
            games.play(&request, &mut |played| {
                let Game { player, seed } = seed_games[played.index];
                row[player] = Some(played.result);
                if !(played.index + 1).is_multiple_of(active.len()) {
                    return Ok(false);
                }
                for (tally, result) in results.tallies.iter_mut().zip(&row) {
                    if let Some(result) = result {
                        tally.add(seed, result);
                    }
                }
                let base = row[0];
                let pair = |result: &Option<GameResult>| {
                    Some(generate_pair(
                        seed,
                        &self.case_spec,
                        [&base?, result.as_ref()?],
                    ))
                };
                add_case(&mut results.candidates, row[1..].iter().map(pair));
                on_seed_done(seed, &row, &results.candidates)?;
                row.fill(None);
                results.seed_count += 1;
                Ok(active_players(&results.candidates) != active)
            })?;
        }
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

    /// Reads a comparison from its record. Returns the comparison, and the candidates and tallies after all
    /// games in the record.
    ///
    /// # Errors
    /// Returns an error if the file is not the record of a comparison, or if a line before the last one
    /// is damaged.
    pub fn read(path: &Path) -> Result<(Self, Vec<Candidate>, Vec<Tally>)> {
        let (comparison, mut record) = Record::read::<Self>(path)?;
        let (results, _) = comparison.replay(&mut record)?;
        Ok((comparison, results.candidates, results.tallies))
    }
}

/// Lists the indices of the players that play the next seed: the base (0) and the open candidates (1, 2, …).
fn active_players(candidates: &[Candidate]) -> Vec<usize> {
    let plays = |&player: &usize| player == 0 || candidates[player - 1].plays_next_case();
    (0..=candidates.len()).filter(plays).collect()
}
