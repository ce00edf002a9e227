//! Runs with invented games: interruptions and damaged ledgers must not change what a run decides.

use anyhow::Result;
use columns_cli::command::Interrupted;
use columns_cli::ledger;
use columns_generator::Spec;
use columns_stats::Objective;
use columns_tuner::bot_player::BotPlayer;
use columns_tuner::executor::{Batch, Executor, OnResult};
use columns_tuner::experiment::config::{RunConfig, RunLimits};
use columns_tuner::experiment::event::{Event, Stage, StopReason};
use columns_tuner::experiment::folder::{self, LEDGER_FILE};
use columns_tuner::experiment::run::{Listener, Run};
use columns_tuner::experiment::state::{NextStep, RunState};
use columns_tuner::game_result::GameResult;
use columns_tuner::player::Player;
use columns_tuner::search::SearchSettings;
use columns_tuner::search::space::{Target, axes_of_weights};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// An executor that invents games: `points` computes the score of a player on a seed.
struct Invented<F> {
    points: F,
    /// The number of games until the executor stops, as it would after Ctrl-C.
    left: usize,
}

impl<F: Fn(&BotPlayer, u64) -> f64> Executor for Invented<F> {
    fn play(&mut self, batch: &Batch<'_>, done: &mut OnResult<'_>) -> Result<()> {
        for (index, game) in batch.games.iter().enumerate() {
            if self.left == 0 {
                return Ok(());
            }
            self.left -= 1;
            let played = GameResult {
                points: (self.points)(player(&batch.players[game.player]), game.seed) as u64,
                column_count: 100,
                placed_columns: 100,
                mean_beam_width: 30,
                failure: None,
            };
            if done(index, played)? {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Returns the weights and networks of a player, which must be the bot.
fn player(player: &Player) -> &BotPlayer {
    match player {
        Player::Bot { player, .. } => player,
        Player::Program(_) => unreachable!("these runs are of the bot"),
    }
}

/// Returns a pseudo-random number from −1 to 1. The seed and the player's weight `steps` determine the
/// number.
fn noise(player: &BotPlayer, seed: u64) -> f64 {
    let of = seed ^ player.weights.steps.to_bits().rotate_left(17);
    Xoshiro256PlusPlus::seed_from_u64(of).random_range(-1.0..1.0)
}

/// Computes points that rise with the weight `steps` by 2 % per unit, up to 20 %, with a noise of ±10 %.
fn hill(player: &BotPlayer, seed: u64) -> f64 {
    let steps = player.weights.steps - BotPlayer::default().weights.steps;
    10_000.0 * (1.0 + 0.02 * steps.clamp(-10.0, 10.0) + 0.1 * noise(player, seed))
}

/// True if the seed is held out, that is, reserved for judgements.
fn is_held_out(seed: u64) -> bool {
    seed / 1_000_000_000 % 2 == 1
}

pub(crate) fn config(games: u64) -> RunConfig {
    let start = BotPlayer::default();
    RunConfig {
        tuner_version: String::new(),
        behaviour_digest: start.behaviour_digest(),
        file_digests: BTreeMap::new(),
        case_spec: Spec::default().with_columns(20).unwrap(),
        objective: Objective::Log,
        limits: RunLimits {
            max_games: Some(games),
            max_seconds: None,
            max_pairs: 300,
        },
        settings: SearchSettings {
            pairs_per_generation: 20,
            noise: 1.5,
            learning_rate: 0.5,
            seed: 1,
        },
        target: Target::Weights,
        axes: axes_of_weights(&["steps".into(), "spot".into()], &start).unwrap(),
        start: Player::Bot {
            player: start,
            work_us: 1,
        },
    }
}

/// Works on a run for at most `left` games, and returns its state. Fails if the run needs more games.
fn work(run: &mut Run, left: usize, points: impl Fn(&BotPlayer, u64) -> f64) -> Result<RunState> {
    let mut executor = Invented { points, left };
    run.execute(&mut executor, &mut ())?;
    Ok(run.state.clone())
}

/// Begins the run of [`config`] with this limit on games, or resumes it.
fn open(folder: &Path, games: u64) -> Result<Run> {
    Run::open_or_create(folder, &config(games))
}

/// Plays a run of 1500 games in a new temporary folder. Returns that folder, the path of the run in it,
/// and its state.
fn ended_run() -> (tempfile::TempDir, PathBuf, RunState) {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("run");
    let mut run = open(&folder, 1500).unwrap();
    let state = work(&mut run, usize::MAX, hill).unwrap();
    (parent, folder, state)
}

fn ledger_of(folder: &Path) -> Vec<u8> {
    fs::read(folder.join(LEDGER_FILE)).unwrap()
}

#[test]
fn a_result_stays_until_another_passes_against_it() {
    let (_parent, folder, first) = ended_run();
    let passed = first.passed_judgement().unwrap().clone();
    assert_eq!(
        (passed.number, passed.opponent_judgement),
        (1, 0),
        "{passed:?}"
    );
    let weights = fs::read(folder.join("weights.json")).unwrap();

    // The search keeps finding better players on its own seeds, but on held-out seeds all players score the
    // same.
    let flat = |player: &BotPlayer, seed: u64| {
        if is_held_out(seed) {
            10_000.0
        } else {
            hill(player, seed)
        }
    };
    let mut run = open(&folder, 4000).unwrap();
    let second = work(&mut run, usize::MAX, flat).unwrap();
    drop(run);
    let last = second.judgements.last().unwrap();
    assert_eq!(
        (last.number, last.opponent_judgement, last.is_better),
        (2, 1, false)
    );
    assert!(
        last.verdict_text
            .contains("not shown to be better than the result of judgement 1")
    );
    assert_eq!(second.passed_judgement(), Some(&passed));
    assert_eq!(second.result_player(), first.result_player());
    assert!(second.verdict_text().starts_with(&passed.verdict_text));
    assert_eq!(fs::read(folder.join("weights.json")).unwrap(), weights);

    // A player that beats the earlier result on held-out seeds replaces it.
    let mut run = open(&folder, 9000).unwrap();
    let third = work(&mut run, usize::MAX, hill).unwrap();
    let last = third.passed_judgement().unwrap();
    assert_eq!(
        (last.number, last.opponent_judgement),
        (3, 1),
        "{:?}",
        third.judgements
    );
    assert_ne!(third.result_player(), first.result_player());
    drop(run);
    // The ledger alone determines the outcome.
    let state = folder::read(&folder).unwrap();
    assert_eq!(state.result_player(), third.result_player());
    assert_eq!(state.verdict_text(), third.verdict_text());
}

#[test]
fn a_judgement_ends_at_its_verdict() {
    let (_parent, folder, state) = ended_run();
    let judgement = state.passed_judgement().unwrap();
    let (_, events) = ledger::read::<RunConfig, Event>(&folder.join(LEDGER_FILE)).unwrap();
    let held_out = events.filter(|event| match event.as_ref().unwrap() {
        Event::Game(record) => is_held_out(record.seed),
        _ => false,
    });
    assert_eq!(held_out.count() as u128, 2 * judgement.seeds.count());
    assert!(judgement.seeds.count() < 300, "{}", judgement.seeds.count());
}

#[test]
fn a_run_results_in_the_same_bytes_after_stops_anywhere() {
    let parent = tempfile::tempdir().unwrap();
    let (_parent, whole, _) = ended_run();
    let stopped = parent.path().join("stopped");
    let mut run = open(&whole, 2500).unwrap();
    work(&mut run, usize::MAX, hill).unwrap();
    drop(run);

    let mut stops = 0;
    for games in [1500, 2500] {
        loop {
            let mut run = open(&stopped, games).unwrap();
            let Err(error) = work(&mut run, 137, hill) else {
                break;
            };
            let place = error.downcast::<Interrupted>().unwrap().0;
            let expected = "; to continue, give the same command again";
            assert!(place.ends_with(expected), "{place}");
            stops += 1;
        }
    }
    assert!(stops > 15, "{stops}");
    for name in [LEDGER_FILE, "weights.json", "result.json"] {
        let [a, b] = [&whole, &stopped].map(|folder| fs::read(folder.join(name)).unwrap());
        assert!(a == b, "{name}");
    }
    let message = open(&whole, 2499).unwrap_err().to_string();
    let expected = "--games: the run already has 2,500 games; give 2,500 or more";
    assert!(message.starts_with(expected), "{message}");
}

/// With a larger limit on pairs, an open judgement continues after its earlier pairs.
#[test]
fn more_pairs_continue_an_open_judgement() {
    let parent = tempfile::tempdir().unwrap();
    let config = |pairs| {
        let mut config = config(1500);
        config.limits.max_pairs = pairs;
        config
    };
    let [few, all] = ["few", "all"].map(|name| parent.path().join(name));
    let work_on = |folder: &Path, pairs: u64| {
        let mut run = Run::open_or_create(folder, &config(pairs)).unwrap();
        let state = work(&mut run, usize::MAX, hill).unwrap();
        (state, run.games_played)
    };
    let (first, _) = work_on(&few, 5);
    assert!(first.judgements[0].is_open && first.passed_judgement().is_none());
    let (more, played) = work_on(&few, 300);
    let (whole, _) = work_on(&all, 300);
    assert_eq!(more.judgements, whole.judgements);
    let judgement = &more.judgements[0];
    assert!(
        !judgement.is_open && more.judgements.len() == 1,
        "{judgement:?}"
    );
    assert_eq!(played as u128, 2 * (judgement.seeds.count() - 5));
}

#[test]
#[ignore = "opens 260 damaged runs; .ci/run plays it"]
fn damage_is_named_with_its_line_or_repaired() {
    let (_parent, folder, _) = ended_run();
    let whole = ledger_of(&folder);
    let lines: Vec<&[u8]> = whole.split_inclusive(|&byte| byte == b'\n').collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut damaged = Vec::new();
    for _ in 0..200 {
        let mut bytes = whole.clone();
        let at = random.random_range(0..bytes.len());
        bytes[at] ^= random.random_range(1..=255_u8);
        let line = 1 + whole[..at].iter().filter(|&&byte| byte == b'\n').count();
        damaged.push((line, bytes));
    }
    for _ in 0..20 {
        let at = random.random_range(1..lines.len() - 2);
        let (mut missing, mut doubled, mut swapped) = (lines.clone(), lines.clone(), lines.clone());
        missing.remove(at);
        doubled.insert(at, lines[at]);
        swapped.swap(at, at + 1);
        let each = [(at + 1, missing), (at + 2, doubled), (at + 1, swapped)];
        damaged.extend(each.map(|(line, lines)| (line, lines.concat())));
    }
    let mut count = 0;
    for (line, bytes) in damaged {
        fs::write(folder.join(LEDGER_FILE), &bytes).unwrap();
        let done = open(&folder, 1500).and_then(|mut run| work(&mut run, usize::MAX, hill));
        match done {
            Ok(_) => assert!(ledger_of(&folder) == whole, "line {line}"),
            Err(error) => {
                let place = format!("{}: line {line}: ", folder.join(LEDGER_FILE).display());
                assert!(error.to_string().starts_with(&place), "{line}: {error:#}");
                assert!(ledger_of(&folder) == bytes, "the file is unchanged");
                count += 1;
            }
        }
    }
    assert!(count > 250, "{count}");
}

/// Counts the generations that a run reports, and those that it has recorded.
struct GenerationCount([usize; 2]);

impl Listener for GenerationCount {
    fn on_event(&mut self, run: &Run, stage: Option<Stage>) {
        self.0[0] += usize::from(matches!(stage, Some(Stage::Generation(_))));
        self.0[1] = run.state.generations.len();
    }
}

#[test]
fn a_generation_that_the_time_limit_ends_is_not_reported() {
    let parent = tempfile::tempdir().unwrap();
    let mut config = config(0);
    (config.limits.max_games, config.limits.max_seconds) = (None, Some(0.2));
    let mut run = Run::open_or_create(&parent.path().join("run"), &config).unwrap();
    let slow = |player: &BotPlayer, seed: u64| {
        if !is_held_out(seed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        hill(player, seed)
    };
    let (points, left) = (slow, usize::MAX);
    let mut count = GenerationCount([0, 0]);
    run.execute(&mut Invented { points, left }, &mut count)
        .unwrap();
    assert_eq!(run.state.stop_reason, Some(StopReason::TimeLimit));
    assert_eq!(count.0[0], count.0[1]);
}

#[test]
fn a_search_with_a_time_limit_alone_has_no_limit_of_games() {
    let mut night = config(100_000);
    let next = |config: &RunConfig| {
        let mut state = RunState::new(config.clone()).unwrap();
        state.search_game_count = 100_000_000;
        state.next_step(false)
    };
    assert_eq!(next(&night), NextStep::Stop(StopReason::GameLimit));
    let before = night.limits;
    (night.limits.max_games, night.limits.max_seconds) = (None, Some(8.0 * 3600.0));
    assert_eq!(next(&night), NextStep::Play(Stage::Challenge(1)));
    let more = |hours: f64, max_games| RunLimits {
        max_games,
        max_seconds: Some(hours * 3600.0),
        ..night.limits
    };
    // A run that began with a limit on games may drop the limit.
    let limited = more(8.0, before.max_games);
    assert!(night.limits.extends(&limited).unwrap());
    assert!(more(10.0, None).extends(&night.limits).unwrap());
    assert!(!night.limits.extends(&night.limits).unwrap());
    for (limits, before, expected) in [
        (
            night.limits,
            more(10.0, None),
            "--max-time: the run already has 10h; give 10h or more",
        ),
        (
            limited,
            night.limits,
            "--games: the run has no such limit; give the same",
        ),
        (night.limits, more(1.5, None), ""),
        (
            more(0.001, None),
            more(1.5, None),
            "--max-time: the run already has 90m; give 90m",
        ),
    ] {
        let message = limits
            .extends(&before)
            .map_or_else(|error| error.to_string(), |_| String::new());
        assert!(
            message.starts_with(expected) && message.is_empty() == expected.is_empty(),
            "{message}"
        );
    }
}

#[test]
fn time_ends_a_search_within_a_generation_and_an_extension_continues_it() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("run");
    let slow = |player: &BotPlayer, seed: u64| {
        std::thread::sleep(Duration::from_millis(10));
        hill(player, seed)
    };
    let mut timed = config(100_000);
    timed.limits.max_seconds = Some(0.2);
    timed.settings.pairs_per_generation = 2000;
    let begun = Instant::now();
    let mut run = Run::open_or_create(&folder, &timed).unwrap();
    let state = work(&mut run, usize::MAX, slow).unwrap();
    assert!(begun.elapsed() < Duration::from_secs(5));
    let ended = |state: &RunState| (state.generations.len(), state.stop_reason);
    assert_eq!(ended(&state), (0, Some(StopReason::TimeLimit)));
    drop(run);
    // The ledger has recorded the time, so the resumed run is still at its limit and plays no further game.
    let mut run = Run::open_or_create(&folder, &timed).unwrap();
    assert!(
        run.state.seconds_worked >= 0.2,
        "{}",
        run.state.seconds_worked
    );
    assert_eq!(ended(&work(&mut run, 0, hill).unwrap()).0, 0);
    drop(run);
    // An extension may drop the time limit, but must not lower the limit on games.
    (timed.limits.max_games, timed.limits.max_seconds) = (Some(9000), None);
    let message = Run::open_or_create(&folder, &timed).unwrap_err();
    assert!(message.to_string().starts_with("--games: "), "{message}");
    timed.limits.max_games = Some(100_000);
    let mut run = Run::open_or_create(&folder, &timed).unwrap();
    work(&mut run, 5000, hill).unwrap_err();
    assert_eq!(run.state.generations.len(), 1);
}

/// Measures how long a large run takes to resume. Run it with
/// `cargo test --release -p columns-tuner --test commands -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn a_long_night_resumes_without_a_game() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("run");
    let mut night = config(600_000);
    night.axes = axes_of_weights(&[], player(&night.start)).unwrap();
    night.settings.pairs_per_generation = 80;
    // An extended search continues even if it makes no progress.
    night.limits.max_games = Some(599_000);
    drop(Run::open_or_create(&folder, &night).unwrap());
    night.limits.max_games = Some(600_000);
    let mut run = Run::open_or_create(&folder, &night).unwrap();
    let stopped = work(&mut run, 598_000, hill).unwrap_err();
    drop(run);
    let ledger = ledger_of(&folder);
    let games = ledger.windows(8).filter(|at| at == b"\"player\"");
    // One match belongs to the head of the ledger, not to a game.
    assert_eq!(games.count() - 1, 598_000);
    let begun = Instant::now();
    let mut run = Run::open_or_create(&folder, &night).unwrap();
    let again = work(&mut run, 0, hill).unwrap_err();
    println!("{} MiB, {:?}; {again}", ledger.len() >> 20, begun.elapsed());
    assert!(again.is::<Interrupted>() && again.to_string() == stopped.to_string());
}
