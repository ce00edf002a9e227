//! A comparison of two contestants: a look without a search. Its games are kept in a ledger, if the
//! user wants to go on with it after a stop.

use super::event::Event;
use crate::executor::{Batch, Executor, Game};
use crate::ledger::{Head, Ledger};
use crate::{contestant::Contestant, digest::Digest, game::Played};
use anyhow::Result;
use columns_generator::{seeds::SeedRange, Spec};
use serde::{Deserialize, Serialize};

/// All that decides the games of a comparison and their order. It is the head of its ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Duel {
    /// What the cases are like.
    pub cases: Spec,
    /// The first seed; the others follow.
    pub first: u64,
    /// A.
    pub a: Side,
    /// B.
    pub b: Side,
}

/// One of the two.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// Who it was when the comparison began, see [`Contestant::behaviour`].
    pub behaviour: Digest,
    /// Who plays.
    pub player: Contestant,
}

impl Head for Duel {
    const LEDGER: &'static str = "comparison";
    const WHAT: &'static str = "a comparison";
    const FORMAT: u32 = 1;
}

/// Takes the games of A and of B on a seed; says whether there are enough.
pub type Done<'a> = dyn FnMut([Played; 2]) -> Result<bool> + 'a;

impl Duel {
    /// A comparison on these cases, from this seed on.
    ///
    /// # Errors
    /// If there is no such program.
    pub fn new(players: [Contestant; 2], cases: Spec, first: u64) -> Result<Self> {
        let [a, b] = players.map(|player| {
            let behaviour = player.behaviour()?;
            anyhow::Ok(Side { behaviour, player })
        });
        let (a, b) = (a?, b?);
        Ok(Self { cases, first, a, b })
    }

    /// Plays pairs of games on this number of seeds, as far as they are not in the ledger, until
    /// `done` has enough or the executor is stopped. A and B begin in turns: A B, B A, A B, …
    ///
    /// # Errors
    /// That of `done`; a ledger that is damaged or cannot be written; or why games cannot be played.
    ///
    /// # Panics
    /// If there are no seeds.
    pub fn play(
        &self,
        count: usize,
        mut ledger: Option<&mut Ledger<Event>>,
        executor: &mut dyn Executor,
        done: &mut Done<'_>,
    ) -> Result<()> {
        let seeds = SeedRange::new(self.first, self.first + (count as u64 - 1));
        let seeds = seeds.expect("at least one seed");
        let turns = (0..).zip(seeds).flat_map(|(index, seed)| {
            let first = index % 2;
            [first, 1 - first].map(|player| Game { player, seed })
        });
        let games: Vec<Game> = turns.collect();
        let mut pair = [Played::default(); 2];
        let mut played = 0;
        let mut take = |result: Played| {
            pair[games[played].player] = result;
            played += 1;
            Ok(played.is_multiple_of(2) && done(pair)?)
        };
        let mut known = 0;
        if let Some(ledger) = &mut ledger {
            while let (Some(game), Some(event)) = (games.get(known), ledger.ahead()?) {
                let result = event.played().unwrap_or_default();
                ledger.record(&Event::game(*game, result))?;
                known += 1;
                if take(result)? {
                    return Ok(());
                }
            }
        }
        let batch = Batch {
            cases: &self.cases,
            players: &[self.a.player.clone(), self.b.player.clone()],
            games: &games[known..],
        };
        executor.play(&batch, &mut |index, result| {
            if let Some(ledger) = &mut ledger {
                ledger.record(&Event::game(batch.games[index], result))?;
            }
            take(result)
        })?;
        ledger.map_or(Ok(()), Ledger::sync)
    }
}
