//! Stages: which positions early in a game are good is found out by playing on from them.
//!
//! The evaluation hardly foresees how games end: among positions that survive in a layer, in the
//! first half of a game, its correlation with the score of a narrow beam from there is 0.05. Two
//! such beams with other noise agree at 0.3 to 0.5 (`docs/experiments/samegame.md`). So in each
//! stage positions a few tiles further on are listed, a narrow beam plays on from each, and those
//! with the best games are the roots of the next stage.

use super::phases::Phases;
use super::search::{mix, Move, Position};
use crate::beam::{self, Budget, Reached};
use crate::simd::Isa;
use std::cmp::Reverse;
use std::collections::HashSet;

/// All stages are gone through once for about so many positions of the limit.
const POSITIONS_A_RUN: f64 = 500_000.0;
/// How many stages there are.
const STAGES: usize = 14;
/// The share of the first board's tiles that a stage removes. Beyond these stages the evaluation
/// tells enough.
const GAP: f64 = 1.0 / 30.0;
/// How wide the beams are that play on from the positions. Many narrow ones tell more than a few
/// wide ones.
const WIDTH: usize = 3;
/// A stage in which so few games can be played is left out, with those after it.
const LEAST_GAMES: f64 = 10.0;
/// The share of the positions that are the roots of the next stage.
const KEPT: f64 = 0.1;
/// Positions that are asked for, for each game that can be played: the roots have descendants in
/// common.
const MORE: f64 = 3.0;

/// A position, and the moves that lead to it from the start.
type Line<const N: usize, const P: usize, const B: u32> = Reached<Position<N, P, B>, Move>;

impl<I: Isa, const N: usize, const P: usize, const B: u32, const C: usize>
    Phases<'_, I, N, P, B, C>
{
    /// Goes through all stages with this share of the limit, several times where there is enough:
    /// the last games of one run have their first moves in common. Returns these games, the best of
    /// every run first, then the second ones, and so on.
    pub(super) fn stages(&mut self, share: f64) -> Vec<Vec<Move>> {
        let runs = (self.purse.positions(share) / POSITIONS_A_RUN)
            .max(1.0)
            .round();
        let mut ranked = Vec::new();
        for _ in 0..runs as usize {
            ranked.extend(self.run_of_stages(share / runs).into_iter().enumerate());
        }
        ranked.sort_by_key(|&(rank, _)| rank);
        ranked.into_iter().map(|(_, game)| game).collect()
    }

    /// Goes through all stages once with this share of the limit; returns the games of the last one,
    /// best first.
    fn run_of_stages(&mut self, share: f64) -> Vec<Vec<Move>> {
        let share = share / STAGES as f64;
        let gap = (self.tiles() as f64 * GAP).ceil() as usize;
        let mut roots = vec![Line {
            state: self.root,
            path: Vec::new(),
        }];
        let mut games = Vec::new();
        for stage in 1..=STAGES {
            let end = self.purse.left() - share;
            let game = WIDTH * self.tiles().saturating_sub(stage * gap).max(1);
            let count = self.purse.positions(share) / game as f64;
            if count < LEAST_GAMES {
                break;
            }
            let each = (MORE * count / roots.len() as f64).ceil() as usize;
            let mut positions = self.explore(&roots, gap, each);
            // The share may not be enough for all of them: these are drawn.
            positions.sort_by_cached_key(|line| mix(line.state.hash()));
            let mut played = Vec::new();
            for line in positions {
                if self.purse.left() < end {
                    break;
                }
                let found = self.play(line.state, &line.path, Budget::Width(WIDTH));
                played.push((found, line));
            }
            played.sort_by_key(|(found, _)| Reverse(found.score));
            if played.is_empty() {
                break;
            }
            let played = played.into_iter().map(|(found, line)| (found.path, line));
            (games, roots) = played.unzip();
            roots.truncate((roots.len() as f64 * KEPT).ceil() as usize);
        }
        games
    }

    /// Different positions `gap` tiles further on than the roots, at most `each` of every root.
    fn explore(&mut self, roots: &[Line<N, P, B>], gap: usize, each: usize) -> Vec<Line<N, P, B>> {
        let mut known = HashSet::new();
        let mut positions = Vec::new();
        for root in roots {
            self.draw();
            let (found, survivors) = beam::frontier(
                &mut self.search,
                root.state,
                gap,
                &self.settings,
                Budget::Width(each),
                self.purse.clock,
            );
            self.count(&found);
            for Line { state, path } in survivors {
                if known.insert(state.hash()) {
                    let path = [&root.path[..], &path].concat();
                    positions.push(Line { state, path });
                }
            }
        }
        positions
    }
}
