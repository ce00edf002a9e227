//! Games in a ledger, so that the same command resumes after a stop.
//!
//! ```json
//! {"crc":"5e6f7a8b","player":0,"seed":2,"played":{"points":34357,…}}
//! {"crc":"9c0d1e2f","player":1,"seed":2,"played":{"points":35908,…}}
//! ```

use crate::executor::{Batch, Done, Executor, Game, Record};
use crate::game::Played;
use crate::ledger::{self, Head, Ledger};
use anyhow::Result;
use std::{collections::HashMap, path::Path};

/// The games of earlier processes by player and seed, and the ledger for further games.
#[derive(Debug, Default)]
pub struct Kept {
    known: HashMap<(usize, u64), Played>,
    ledger: Option<Ledger<Record>>,
}

impl Kept {
    /// Opens or begins the ledger of the work with this head. Without a path no game is kept.
    ///
    /// # Errors
    /// Those of [`Ledger::open_or_create`], or the first damaged line.
    pub fn open(path: Option<&Path>, head: &impl Head) -> Result<Self> {
        let mut kept = Self::default();
        if let Some(path) = path {
            let mut ledger = Ledger::open_or_create(path, head)?;
            while let Some(record) = ledger.pass()? {
                kept.add(&record);
            }
            kept.ledger = Some(ledger);
        }
        Ok(kept)
    }

    /// Reads a ledger without changing it.
    ///
    /// # Errors
    /// Those of [`ledger::read`], or the first damaged line.
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

    /// Returns the result of a kept game.
    pub fn get(&self, game: Game) -> Option<Played> {
        self.known.get(&(game.player, game.seed)).copied()
    }

    /// Plays a batch: takes the kept games at its beginning from here, lets `others` play the rest,
    /// and keeps their results.
    ///
    /// # Errors
    /// Those of `done`, of `others` and of the ledger.
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
