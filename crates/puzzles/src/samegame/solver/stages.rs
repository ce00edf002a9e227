//! Stages: a search for good early positions, which runs narrow beams from many of them.
//!
//! The evaluation is a poor predictor of how games end. Among the survivors of a layer in the first half of a
//! game, a position's evaluation and the score of a beam of width 30 from it have a correlation of 0.05. The
//! scores of two such beams from one position, with different noise, have a correlation of 0.3 to 0.5
//! (`docs/experiments/samegame.md`). So each stage lists positions that have a few tiles fewer than its
//! starting positions, the *roots*, and runs a narrow beam from each. The positions with the best games
//! become the roots of the next stage.

use super::phases::Phases;
use super::search::{Move, Position, mix};
use columns_core::beam::{self, Budget, ReachedState};
use std::cmp::Reverse;
use std::collections::HashSet;

/// Approximate number of positions that one run of all stages may build. A larger limit allows several
/// runs.
const POSITIONS_PER_RUN: f64 = 500_000.0;
/// Number of stages in a run. Together they remove about half of the tiles. In experiments, 7 to 14 stages
/// scored the same within noise.
const STAGES_PER_RUN: usize = 14;
/// Share of the initial board's tiles that a stage removes.
const REMOVED_SHARE: f64 = 1.0 / 30.0;
/// Width of the beam that a stage runs from each position. In experiments, widths from 2 to 30 scored the
/// same within noise.
const BEAM_WIDTH: usize = 3;
/// Minimum number of games in a stage. If the limit allows fewer, this stage and the later ones are
/// skipped.
const MIN_GAMES: f64 = 10.0;
/// Share of the positions that become roots of the next stage.
const SURVIVING_SHARE: f64 = 0.1;
/// Number of positions that a stage requests for each game that the limit allows. It finds fewer, since
/// roots share descendants.
const REQUESTED_PER_GAME: f64 = 3.0;

/// A position, with the moves that lead to it from the start.
type ReachedPosition<const N: usize, const P: usize, const B: u32> =
    ReachedState<Position<N, P, B>, Move>;

impl<const N: usize, const P: usize, const B: u32, const C: usize> Phases<'_, N, P, B, C> {
    /// Runs all stages with this share of the limit, several times if the share is large. The final games
    /// of one run begin with the same moves, so more runs give more variety.
    ///
    /// Returns the final games: the best of every run first, then the second best, and so on.
    pub(super) fn run_stages(&mut self, share: f64) -> Vec<Vec<Move>> {
        let runs = (self.budget_tracker.estimated_positions(share) / POSITIONS_PER_RUN)
            .max(1.0)
            .round();
        let mut ranked = Vec::new();
        for _ in 0..runs as usize {
            ranked.extend(self.run_stages_once(share / runs).into_iter().enumerate());
        }
        ranked.sort_by_key(|&(rank, _)| rank);
        ranked.into_iter().map(|(_, game)| game).collect()
    }

    /// Runs every stage once with this share of the limit. Returns the games of the last stage that was not
    /// skipped, best first.
    fn run_stages_once(&mut self, share: f64) -> Vec<Vec<Move>> {
        let share = share / STAGES_PER_RUN as f64;
        let initial_tiles = self.initial_tile_count();
        let tiles_per_stage = (initial_tiles as f64 * REMOVED_SHARE).ceil() as usize;
        let mut roots = vec![ReachedPosition {
            state: self.root,
            path: Vec::new(),
        }];
        let mut games = Vec::new();
        for stage in 1..=STAGES_PER_RUN {
            let end_share = self.budget_tracker.share_left() - share;
            let tiles_left = initial_tiles.saturating_sub(stage * tiles_per_stage);
            let per_game = BEAM_WIDTH * tiles_left.max(1);
            let count = self.budget_tracker.estimated_positions(share) / per_game as f64;
            if count < MIN_GAMES {
                break;
            }
            let max_per_root = (REQUESTED_PER_GAME * count / roots.len() as f64).ceil() as usize;
            let mut positions = self.explore(&roots, tiles_per_stage, max_per_root);
            // The limit may not suffice for all positions, so they are played in random order.
            positions.sort_by_cached_key(|line| mix(line.state.hash()));
            let mut results = Vec::new();
            for line in positions {
                if self.budget_tracker.share_left() < end_share {
                    break;
                }
                let result = self.search_from(line.state, &line.path, Budget::Width(BEAM_WIDTH));
                results.push((result, line));
            }
            results.sort_by_key(|(result, _)| Reverse(result.score));
            if results.is_empty() {
                break;
            }
            let ranked = results
                .into_iter()
                .map(|(result, line)| (result.path, line));
            (games, roots) = ranked.unzip();
            roots.truncate((roots.len() as f64 * SURVIVING_SHARE).ceil() as usize);
        }
        games
    }

    /// Returns distinct positions with `removed_tiles` fewer tiles than their roots, at most `max_per_root`
    /// per root.
    fn explore(
        &mut self,
        roots: &[ReachedPosition<N, P, B>],
        removed_tiles: usize,
        max_per_root: usize,
    ) -> Vec<ReachedPosition<N, P, B>> {
        let mut hashes = HashSet::new();
        let mut positions = Vec::new();
        for root in roots {
            self.seed_noise();
            let (result, survivors) = beam::search_frontier(
                &mut self.search,
                root.state,
                removed_tiles,
                &self.settings,
                Budget::Width(max_per_root),
                &|_| 0.0,
            );
            self.add_costs(&result);
            for ReachedPosition { state, path } in survivors {
                if hashes.insert(state.hash()) {
                    let path = [&root.path[..], &path].concat();
                    positions.push(ReachedPosition { state, path });
                }
            }
        }
        positions
    }
}
