//! One small fit, game by game: what a change of the engine must not change.

use columns_bot::eval::weights::Weights;
use columns_cli::pool::Pool;
use columns_generator::Spec;
use columns_judge::stats::Estimate;
use columns_tuner::fit::config::{Config, FORMAT};
use columns_tuner::fit::record::{Challenge, Generation, Record, Stage};
use columns_tuner::fit::run::Run;
use columns_tuner::fit::runner::{fit, Limits};
use columns_tuner::fit::search::Pace;
use columns_tuner::fit::space::Space;
use columns_tuner::fit::stage::Listener;
use columns_tuner::games::batch::Local;
use columns_tuner::games::behaviour::behaviour;
use columns_tuner::games::objective::Objective;
use columns_tuner::store::digest::Digest;
use columns_tuner::store::journal::Journal;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;

struct Quiet;

impl Listener for Quiet {
    fn begin(&mut self, _: Stage, _: usize, _: usize) {}
    fn game(&mut self) {}
    fn generation(&mut self, _: &Generation, _: u64, _: &Estimate) {}
    fn challenge(&mut self, _: &Challenge) {}
}

/// The digest of some numbers.
fn digest(numbers: &[u64]) -> String {
    let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
    Digest::of(&bytes).to_string()
}

#[test]
fn a_small_fit_plays_the_same_games_and_finds_the_same_weights() {
    let mut start = Weights::default();
    start.set("potential", 0.0).unwrap();
    let names = ["potential", "steps", "spot"].map(String::from);
    let space = Space::of_names(&names, &start).unwrap();
    let config = Config {
        format: FORMAT,
        tuner: String::new(),
        behaviour: behaviour(&start),
        cases: Spec::default().with_columns(50).unwrap(),
        work: 2000,
        objective: Objective::Log,
        games: 2400,
        most_pairs: 20,
        pace: Pace {
            pairs: 20,
            noise: 1.5,
            rate: 0.5,
            seed: 1,
        },
        parameters: space.axes().to_vec(),
    };
    let limits = Limits {
        games: config.games,
        until: None,
        extend: false,
    };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("run");
    let mut run = Run::create(&folder, config, &start).unwrap();
    // Its seeds are drawn from this, whatever the format of the configuration is.
    run.identity = Digest::of(b"golden");
    let pool = Pool::new(NonZeroUsize::new(2));
    let mut players = Local::new(pool, Arc::new(AtomicBool::new(false)));
    fit(run, limits, &mut players, &mut Quiet).unwrap();

    let (mut searched, mut looked, mut averages, mut challenges) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for record in Journal::<Record>::read(&folder.join("journal.jsonl")).unwrap() {
        match record {
            Record::Game {
                stage: Stage::Look(_),
                played,
                ..
            } => looked.push(played.points),
            Record::Game { seed, played, .. } => searched.extend([seed, played.points]),
            Record::Generation(one) => averages.extend(one.average.iter().map(|x| x.to_bits())),
            Record::Challenge(one) => challenges.push((one.generation, one.pairs, one.won)),
            _ => {}
        }
    }
    let seen = (searched.len() / 2, digest(&searched), digest(&averages));
    let expected = (2360, "f88a6a5c23173350".into(), "1698dc36c4799566".into());
    assert_eq!(seen, expected);
    assert_eq!(challenges, [(42, 50, true), (45, 50, true)]);
    assert_eq!(digest(&looked[..20]), "b3639f960f61a52e");
}
