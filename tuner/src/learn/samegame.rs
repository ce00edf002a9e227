//! Groups from games of SameGame.

use super::dataset::Group;
use super::sampling::{Recorder, Sampling};
use crate::digest::Digest;
use columns_core::puzzles::samegame::features::{Features, Network};
use columns_core::puzzles::samegame::solver::{self, Described, Observer, Options};
use columns_core::puzzles::samegame::{SameGame, Scoring};
use columns_generator::samegame::random_board;

/// Columns and rows of the boards that are played.
pub const SIDE: usize = 15;
/// How many colours these boards have.
pub const COLOURS: usize = 5;

/// The random board of a seed.
pub fn board(seed: u64) -> SameGame {
    random_board(seed, SIDE, SIDE, COLOURS)
}

impl Observer for Recorder<Features> {
    fn evaluated(&mut self, layer: usize, positions: Vec<Described>) {
        Recorder::evaluated(self, layer, positions);
    }

    fn survived(&mut self, layer: usize, hashes: Vec<u64>) {
        Recorder::survived(self, layer, hashes);
    }

    fn best(&mut self, positions: Vec<(usize, Described)>) {
        Recorder::best(self, positions);
    }
}

/// Plays the random board of a seed by js-games' scoring, and takes groups from its layers.
pub fn groups(
    seed: u64,
    network: Option<&Network>,
    width: usize,
    sampling: Sampling,
) -> Vec<Group> {
    let scoring = Scoring::JS_GAMES;
    let options = Options {
        seed,
        network,
        ..Options::new(scoring)
    };
    let mut recorder = Recorder::new(sampling);
    solver::observe(&board(seed), width, &options, &mut recorder)
        .unwrap_or_else(|_| unreachable!("the board is small enough"));
    recorder.groups()
}

/// A fingerprint of how this build plays and describes states, as
/// [`behaviour`](crate::player::Player::behaviour) is of the Columns Game: the digest of the groups of one
/// board at a narrow width.
pub fn behaviour(network: Option<&Network>) -> Digest {
    let sampling = Sampling {
        every: 1,
        ahead: 1,
        survivors: 2,
        cut: 1,
    };
    let mut digest = Digest::EMPTY;
    for group in groups(2, network, 4, sampling) {
        group
            .base
            .iter()
            .for_each(|base| digest.add(&base.to_le_bytes()));
        let features = group.features.iter();
        features.for_each(|feature| digest.add(&feature.to_le_bytes()));
    }
    digest
}
