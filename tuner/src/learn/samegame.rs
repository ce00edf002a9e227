//! Samples groups of positions, for training a network, from games of SameGame.

use crate::learn::dataset::Group;
use crate::learn::sampling::{GroupRecorder, SamplingSettings};
use columns_cases::digest::Digest;
use columns_puzzles::samegame::Scoring;
use columns_puzzles::samegame::features::{Features, Network};
use columns_puzzles::samegame::random_board;
use columns_puzzles::samegame::solver::{self, DescribedPosition, Observer, Options};

/// The width and the height of a board, in cells.
const BOARD_SIDE: usize = 15;
const BOARD_COLOURS: usize = 5;

impl Observer for GroupRecorder<Features> {
    fn on_evaluated(&mut self, layer: usize, positions: Vec<DescribedPosition>) {
        self.record_evaluated(layer, positions);
    }

    fn on_survived(&mut self, layer: usize, hashes: Vec<u64>) {
        self.record_survivors(layer, hashes);
    }

    fn on_best_path(&mut self, positions: Vec<(usize, DescribedPosition)>) {
        self.record_best_path(positions);
    }
}

/// Plays the random board of a seed with js-games' scoring, and returns groups from its layers.
pub fn sample_groups(
    seed: u64,
    network: Option<&Network>,
    width: usize,
    sampling: SamplingSettings,
) -> Vec<Group> {
    let options = Options {
        seed,
        network,
        ..Options::new(Scoring::JS_GAMES)
    };
    let board = random_board(seed, BOARD_SIDE, BOARD_SIDE, BOARD_COLOURS);
    let mut recorder = GroupRecorder::new(sampling);
    solver::observe(&board, width, &options, &mut recorder)
        .unwrap_or_else(|_| unreachable!("the board is small enough"));
    recorder.into_groups()
}

/// Returns a digest of the groups of one board, sampled with a narrow beam. If two builds have different
/// digests, they play or describe states differently.
///
/// # Errors
/// Returns an error if a group cannot be serialised to JSON.
pub fn behaviour_digest(network: Option<&Network>) -> serde_json::Result<Digest> {
    let sampling = SamplingSettings {
        layer_interval: 1,
        min_layers_ahead: 1,
    };
    let groups = serde_json::to_vec(&sample_groups(2, network, 4, sampling))?;
    Ok(Digest::new(&groups))
}
