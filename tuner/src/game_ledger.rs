//! Games in a ledger, so that the same command resumes after an interruption.
//!
//! ```json
//! {"crc":"5e6f7a8b","player":0,"seed":2,"played":{"points":34357,…}}
//! {"crc":"9c0d1e2f","player":1,"seed":2,"played":{"points":35908,…}}
//! ```

use crate::executor::{Batch, Done, Executor, Game, Record};
use crate::game::Played;
use anyhow::Result;
use columns_cli::ledger::{self, Head, Ledger};
use std::{collections::HashMap, path::Path};

/// The games of earlier processes by player and seed, and the ledger for further games.
#[derive(Debug, Default)]
pub struct GameLedger {
    known: HashMap<(usize, u64), Played>,
    ledger: Option<Ledger<Record>>,
}

impl GameLedger {
    /// Opens the ledger with this head, or begins it. Without a path, no game is kept. `adopt` takes over
    /// what may differ from the head in the ledger, its second argument.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be used, if it has another head, or if a line is damaged.
    pub fn open<H: Head>(
        path: Option<&Path>,
        head: &mut H,
        adopt: impl Fn(&mut H, &H),
    ) -> Result<Self> {
        let mut kept = Self::default();
        if let Some(path) = path {
            let (mut ledger, begun) = Ledger::open_or_begin(path, head)?;
            adopt(head, &begun);
            ledger::expect_same(path, &begun, head)?;
            while let Some(record) = ledger.next_record()? {
                kept.add(&record);
            }
            kept.ledger = Some(ledger);
        }
        Ok(kept)
    }

    /// Reads a ledger without changing it.
    ///
    /// # Errors
    /// Returns an error if [`ledger::read`] fails, or if a line is damaged.
    pub fn read<H: Head>(path: &Path) -> Result<(H, Self)> {
        let (head, records) = ledger::read::<H, Record>(path)?;
        let mut kept = Self::default();
        for record in records {
            kept.add(&record?);
        }
        Ok((head, kept))
    }

    fn add(&mut self, record: &Record) {
        let game = (record.player, record.seed);
        self.known.insert(game, record.played);
    }

    /// The number of kept games.
    pub fn games(&self) -> usize {
        self.known.len()
    }

    /// Returns the result of a game; `None` if the game is not kept.
    pub fn get(&self, game: Game) -> Option<Played> {
        self.known.get(&(game.player, game.seed)).copied()
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
        while let Some(played) = batch.games.get(first).and_then(|&game| self.get(game)) {
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
