//! Games in a ledger, so that the same command resumes after an interruption.
//!
//! ```json
//! {"crc":"5e6f7a8b","player":0,"seed":2,"played":{"points":34357,…}}
//! {"crc":"9c0d1e2f","player":1,"seed":2,"played":{"points":35908,…}}
//! ```

use crate::executor::{Batch, Executor, Game, GameRecord, OnResult};
use crate::game_result::GameResult;
use anyhow::Result;
use columns_cli::ledger::Ledger;
use std::collections::HashMap;
use std::iter;

/// The games of earlier processes, and the ledger for further games. By default there are no earlier games,
/// and further games are not recorded.
#[derive(Debug, Default)]
pub struct GameLedger {
    /// The results of the games of earlier processes.
    pub(crate) results: HashMap<Game, GameResult>,
    ledger: Option<Ledger<GameRecord>>,
}

impl GameLedger {
    /// Reads the games of a ledger, to which further games are appended.
    ///
    /// # Errors
    /// Returns an error if a line before the last one is damaged.
    pub fn from_ledger(mut ledger: Ledger<GameRecord>) -> Result<Self> {
        let games = Self::from_records(iter::from_fn(|| ledger.next_record().transpose()))?;
        let ledger = Some(ledger);
        Ok(Self { ledger, ..games })
    }

    /// Collects the games of earlier processes. Further games are not recorded.
    ///
    /// # Errors
    /// Returns the first error among the records.
    pub fn from_records(records: impl Iterator<Item = Result<GameRecord>>) -> Result<Self> {
        let games = records.map(|record| Ok(record?.into_parts()));
        let results = games.collect::<Result<_>>()?;
        let ledger = None;
        Ok(Self { results, ledger })
    }

    /// Plays a batch. Passes the results of earlier processes to `done` first, up to the first game that none
    /// of them has played. From that game on, `executor` plays all games, and the ledger records their
    /// results.
    ///
    /// # Errors
    /// Returns an error if `done` or `executor` fails, or if the ledger cannot be written.
    pub fn play(
        &mut self,
        executor: &mut dyn Executor,
        batch: &Batch<'_>,
        done: &mut OnResult<'_>,
    ) -> Result<()> {
        let known = batch.games.iter().map_while(|game| self.results.get(game));
        let known: Vec<GameResult> = known.copied().collect();
        for (index, &result) in known.iter().enumerate() {
            if done(index, result)? {
                return Ok(());
            }
        }
        let games = &batch.games[known.len()..];
        if games.is_empty() {
            return Ok(());
        }
        let ledger = &mut self.ledger;
        let batch = Batch { games, ..*batch };
        executor.play(&batch, &mut |index, result| {
            if let Some(ledger) = ledger {
                ledger.append(&games[index].into_record(result))?;
            }
            done(known.len() + index, result)
        })?;
        ledger.as_mut().map_or(Ok(()), Ledger::sync)
    }
}
