//! One small fit, checked game by game. No change to the tuner may change these games.

use columns_cases::digest::Digest;
use columns_cli::pool::Pool;
use columns_generator::Spec;
use columns_tuner::bot_player::BotPlayer;
use columns_tuner::executor::Threads;
use columns_tuner::experiment::config::RunConfig;
use columns_tuner::experiment::run::Run;
use columns_tuner::player::Player;
use columns_tuner::record::RunLimits;
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
        behaviour_digest: Some(start.behaviour_digest()),
        case_spec: Spec::default().with_columns(50).unwrap(),
        limits: RunLimits {
            max_pairs: Some(20),
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
    let mut run = Run::open_or_create(&folder, &config, &config.limits).unwrap();
    // With a fixed identity, the seeds do not depend on the format of the configuration.
    run.state.identity = Digest::new(b"golden");
    let pool = Pool::new(NonZeroUsize::new(2));
    let stop = &AtomicBool::new(false);
    let mut threads = Threads { pool, stop };
    run.execute(&mut threads, &mut ()).unwrap();

    let numbers = run
        .record
        .games()
        .flat_map(|game| [game.seed, game.result.points]);
    let all: Vec<u64> = numbers.collect();
    let (search, judgement) = all.split_at(2 * run.state.search_game_count as usize);
    let judgement: Vec<u64> = judgement.chunks(2).map(|game| game[1]).collect();
    let averages = run.state.generations.iter().flat_map(|one| &one.average);
    let averages: Vec<u64> = averages.map(|x| x.to_bits()).collect();
    let challenges = run.state.challenges.iter();
    let challenges = challenges.map(|(one, _)| (one.generation, one.pair_count, one.is_won));
    let challenges: Vec<_> = challenges.collect();
    let search = (search.len() / 2, digest(search), digest(&averages));
    let actual = (search, challenges, digest(&judgement));
    let expected = (
        (2360, "b36e93a002f214a3".into(), "1672a14f0f5b848f".into()),
        vec![(42, 50, true), (45, 50, true)],
        "5b15a24fffc002b1".into(),
    );
    assert_eq!(actual, expected);
}
