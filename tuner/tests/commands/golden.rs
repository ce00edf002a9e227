//! One small fit, checked game by game. No change to the tuner may change these games.

use columns_cases::digest::Digest;
use columns_cli::ledger;
use columns_cli::pool::Pool;
use columns_generator::Spec;
use columns_tuner::bot_player::BotPlayer;
use columns_tuner::executor::Threads;
use columns_tuner::experiment::config::{RunConfig, RunLimits};
use columns_tuner::experiment::event::Event;
use columns_tuner::experiment::folder::LEDGER_FILE;
use columns_tuner::experiment::run::Run;
use columns_tuner::player::Player;
use columns_tuner::search::space::axes_of_weights;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

fn digest(numbers: &[u64]) -> String {
    let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
    Digest::new(&bytes).to_string()
}

#[test]
fn a_small_fit_plays_the_same_games_and_finds_the_same_weights() {
    let mut start = BotPlayer::default();
    start.weights.set("potential", 0.0).unwrap();
    let names = ["potential", "steps", "spot"].map(String::from);
    let config = RunConfig {
        case_spec: Spec::default().with_columns(50).unwrap(),
        limits: RunLimits {
            max_pairs: 20,
            ..crate::engine::config(2400).limits
        },
        axes: axes_of_weights(&names, &start).unwrap(),
        start: Player::Bot {
            player: start,
            work_us: 2000,
        },
        ..crate::engine::config(2400)
    };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("run");
    let mut run = Run::open_or_create(&folder, &config).unwrap();
    // With a fixed identity, the seeds do not depend on the format of the configuration.
    run.identity = Digest::new(b"golden");
    let pool = Pool::new(NonZeroUsize::new(2));
    let stop = &AtomicBool::new(false);
    let mut threads = Threads::new(pool, stop);
    run.execute(&mut threads, &mut ()).unwrap();

    let (mut games, mut search, mut judgement) = (Vec::new(), Vec::new(), Vec::new());
    let (mut averages, mut challenges) = (Vec::new(), Vec::new());
    let (_, events) = ledger::read::<RunConfig, Event>(&folder.join(LEDGER_FILE)).unwrap();
    for event in events {
        match event.unwrap() {
            Event::Game(record) => games.extend([record.seed, record.result.points]),
            Event::Generation(one) => {
                averages.extend(one.average.iter().map(|x| x.to_bits()));
                search.append(&mut games);
            }
            Event::Challenge(one) => {
                challenges.push((one.generation, one.pair_count, one.is_won));
                search.append(&mut games);
            }
            Event::Judgement(_) => judgement.extend(games.chunks(2).map(|game| game[1])),
            _ => {}
        }
    }
    let search = (search.len() / 2, digest(&search), digest(&averages));
    let actual = (search, challenges, digest(&judgement[..20]));
    let expected = (
        (2360, "65516f31053164c0".into(), "6a048320490d7258".into()),
        vec![(42, 50, true), (45, 50, false)],
        "aba02d5afca2de0c".into(),
    );
    assert_eq!(actual, expected);
}
