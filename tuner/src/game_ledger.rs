//! Games in a ledger, so that the same command resumes after an interruption.
//!
//! ```json
//! {"crc":"5e6f7a8b","player":0,"seed":2,"played":{"points":34357,…}}
//! {"crc":"9c0d1e2f","player":1,"seed":2,"played":{"points":35908,…}}
//! ```

use crate::executor::{Batch, Done, Executor, Game, Record};
use crate::game::GameResult;
use anyhow::Result;
use columns_cli::ledger::Ledger;
use std::collections::HashMap;
use std::iter;

/// The games of earlier processes, and the ledger for further games. By default no game is kept.
#[derive(Debug, Default)]
pub struct GameLedger {
    known: HashMap<Game, GameResult>,
    ledger: Option<Ledger<Record>>,
}

impl GameLedger {
    /// Reads the games of a ledger, to which further games are appended.
    ///
    /// # Errors
    /// Returns an error if a line is damaged.
    pub fn new(mut ledger: Ledger<Record>) -> Result<Self> {
        let games = Self::read(iter::from_fn(|| ledger.next_record().transpose()))?;
        let ledger = Some(ledger);
        Ok(Self { ledger, ..games })
    }

    /// Reads games. Further games are not kept.
    ///
    /// # Errors
    /// Returns an error if a record is one.
    pub fn read(records: impl Iterator<Item = Result<Record>>) -> Result<Self> {
        let known = records.map(|record| Ok(record?.split()));
        Ok(Self {
            known: known.collect::<Result<_>>()?,
            ledger: None,
        })
    }

    /// The number of kept games.
    pub fn games(&self) -> usize {
        self.known.len()
    }

    /// Plays a batch. The kept games at the start of the batch are not played again. From the first
    /// game that is not kept, `others` plays all games, and the ledger records their results.
    ///
    /// # Errors
    /// Returns an error if `done` or `others` fails, or if the ledger cannot be written.
    pub fn play(
        &mut self,
        others: &mut dyn Executor,
        batch: &Batch<'_>,
        done: &mut Done<'_>,
    ) -> Result<()> {
        let mut first = 0;
        let known = batch.games.iter().map_while(|game| self.known.get(game));
        for &played in known {
            first += 1;
            if done(first - 1, played)? {
                return Ok(());
            }
        }
        let games = &batch.games[first..];
        if games.is_empty() {
            return Ok(());
        }
        let ledger = &mut self.ledger;
        let batch = Batch { games, ..*batch };
        others.play(&batch, &mut |index, played| {
            if let Some(ledger) = ledger {
                ledger.record(&games[index].record(played))?;
            }
            done(first + index, played)
        })?;
        ledger.as_mut().map_or(Ok(()), Ledger::sync)
    }
}
