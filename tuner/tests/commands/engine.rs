//! Runs with invented games: interruptions and damaged ledgers must not change the decisions of a run.

use anyhow::Result;
use columns_bot_command::weights_file;
use columns_cli::command::Interrupted;
use columns_generator::Spec;
use columns_judge::row::GameStatus;
use columns_stats::Objective;
use columns_tuner::bot_player::BotPlayer;
use columns_tuner::executor::{Batch, Executor, OnResult};
use columns_tuner::experiment::config::RunConfig;
use columns_tuner::experiment::fit::ProgressListener;
use columns_tuner::experiment::folder::{self, RECORD_FILE};
use columns_tuner::experiment::run::Run;
use columns_tuner::experiment::stage::{Stage, StopReason};
use columns_tuner::experiment::state::RunState;
use columns_tuner::game_result::GameResult;
use columns_tuner::player::Player;
use columns_tuner::record::{Record, RunLimits};
use columns_tuner::search::SearchSettings;
use columns_tuner::search::space::{Target, axes_of_weights};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;
use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

thread_local! {
    /// The time on a simulated clock. Each invented game takes a second.
    static SECONDS: Cell<f64> = const { Cell::new(0.0) };
}

/// An executor that invents games: `points` computes the score of a player on a seed. A game with a negative
/// score fails.
struct FakeExecutor<F> {
    points: F,
    /// The number of games until the executor stops, as after Ctrl-C.
    left: usize,
}

impl<F: Fn(&BotPlayer, u64) -> f64> Executor for FakeExecutor<F> {
    fn play(&mut self, batch: &Batch<'_>, on_result: &mut OnResult<'_>) -> Result<()> {
        for (index, game) in batch.games.iter().enumerate() {
            if self.left == 0 {
                return Ok(());
            }
            self.left -= 1;
            SECONDS.set(SECONDS.get() + 1.0);
            let points = (self.points)(player(&batch.players[game.player]), game.seed);
            let result = GameResult {
                points: points as u64,
                placed_columns: 100,
                mean_beam_width: 30,
                failure: (points < 0.0).then_some(GameStatus::Crashed),
            };
            if on_result(index, result)? {
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

/// Returns a pseudo-random number from −1 to 1 that depends only on the seed and the player's weight `steps`.
fn noise(player: &BotPlayer, seed: u64) -> f64 {
    let of = seed ^ player.weights.steps.to_bits().rotate_left(17);
    Xoshiro256PlusPlus::seed_from_u64(of).random_range(-1.0..1.0)
}

/// Computes points that rise with the weight `steps` by 2 % per unit, up to 20 %, with noise of ±10 %.
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
        // The games are invented, so the behaviour of the bot does not matter. Its digest would cost time,
        // since the bot plays sample games for it.
        behaviour_digest: None,
        case_spec: Spec::default().with_columns(20).unwrap(),
        objective: Objective::Log,
        limits: RunLimits {
            max_games: Some(games),
            max_pairs: Some(300),
            ..RunLimits::default()
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

/// Plays at most `left` games of a run, and returns its state. Fails if the run needs more games.
fn work(run: &mut Run, left: usize, points: impl Fn(&BotPlayer, u64) -> f64) -> Result<RunState> {
    let mut executor = FakeExecutor { points, left };
    run.execute(&mut executor, &mut ())?;
    Ok(run.state.clone())
}

/// Begins the run of [`config`] with this limit on games, or resumes it.
fn open(folder: &Path, games: u64) -> Result<Run> {
    open_with(folder, &config(games))
}

/// Begins the run of a configuration, or resumes it with the limits in the configuration.
fn open_with(folder: &Path, config: &RunConfig) -> Result<Run> {
    Run::open_or_create(folder, config, &config.limits)
}

/// Plays a run whose search has a limit of 1500 games, in a new temporary folder. Returns that folder, the
/// path of the run in it, and its state.
fn ended_run() -> (tempfile::TempDir, PathBuf, RunState) {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("run");
    let state = play_to_end(&folder, &config(1500));
    (parent, folder, state)
}

/// Plays the run of a configuration, and returns its state. A player with a larger weight `steps` passes the
/// gate.
pub(crate) fn play_to_end(folder: &Path, config: &RunConfig) -> RunState {
    let mut run = open_with(folder, config).unwrap();
    work(&mut run, usize::MAX, hill).unwrap()
}

fn ledger_of(folder: &Path) -> Vec<u8> {
    fs::read(folder.join(RECORD_FILE)).unwrap()
}

#[test]
fn a_result_stays_until_another_passes_against_it() {
    let (_parent, folder, first) = ended_run();
    let passed = first.last_passing_judgement().unwrap().clone();
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
    assert_eq!(second.last_passing_judgement(), Some(&passed));
    assert_eq!(second.result_player(), first.result_player());
    assert!(second.verdict_text().starts_with(&passed.verdict_text));
    assert_eq!(fs::read(folder.join("weights.json")).unwrap(), weights);
    // The rejected player has its own file.
    let rejected = second.player(last.generation);
    let rejected = weights_file::format(&player(&rejected).weights);
    let file = fs::read_to_string(folder.join("rejected-weights.json"));
    assert_eq!(file.unwrap(), rejected);

    // A player that beats the earlier result on held-out seeds replaces this result.
    let mut run = open(&folder, 9000).unwrap();
    let third = work(&mut run, usize::MAX, hill).unwrap();
    let last = third.last_passing_judgement().unwrap();
    assert_eq!(
        (last.number, last.opponent_judgement),
        (3, 1),
        "{:?}",
        third.judgements
    );
    assert_ne!(third.result_player(), first.result_player());
    drop(run);
    // The outcome depends only on the ledger.
    let state = folder::read(&folder).unwrap();
    assert_eq!(state.result_player(), third.result_player());
    assert_eq!(state.verdict_text(), third.verdict_text());
}

#[test]
fn a_better_player_is_rejected_for_its_failed_games() {
    let (_parent, folder, first) = ended_run();
    let steps = player(&first.result_player()).weights.steps;
    let failing = |player: &BotPlayer, seed: u64| {
        let is_later = is_held_out(seed) && player.weights.steps > steps;
        match seed % 50 {
            0 if is_later => -1.0,
            _ if is_later => 2.0 * hill(player, seed),
            _ => hill(player, seed),
        }
    };
    let mut run = open(&folder, 4000).unwrap();
    let second = work(&mut run, usize::MAX, failing).unwrap();
    let last = second.judgements.last().unwrap();
    assert!(last.number == 2 && last.is_better, "{last:?}");
    assert_eq!(second.result_player(), first.result_player());
    let passed = &first.last_passing_judgement().unwrap().verdict_text;
    let expected = format!(
        "{passed} {} Since it fails in more games, ",
        last.verdict_text
    );
    assert!(second.verdict_text().starts_with(&expected));
}

/// Returns the lines of a record without checksums and clock readings. The readings depend on the stops,
/// since each process that stops records one.
fn lines_without_clock(folder: &Path) -> Vec<Value> {
    let text = String::from_utf8(ledger_of(folder)).unwrap();
    let lines = text.lines().map(|line| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line.as_object_mut().unwrap().remove("crc");
        line
    });
    lines.filter(|line| line.get("clock").is_none()).collect()
}

/// Plays a run that a command begins with `limits[0]`. After `raised[i]` games, or at the end of the run, the
/// next command raises the limits to `limits[i + 1]`. The process also stops after each of the sorted numbers
/// of games in `stops`.
fn play_in_pieces(folder: &Path, limits: &[RunLimits], raised: &[usize], stops: &[usize]) {
    let mut config = config(0);
    let mut played = 0;
    for (stage, &now) in limits.iter().enumerate() {
        if stage == 0 {
            config.limits = now;
        }
        let end = raised.get(stage).copied().unwrap_or(usize::MAX);
        let stops = stops
            .iter()
            .copied()
            .filter(|&stop| stop < end)
            .chain([end]);
        for stop in stops {
            if stop <= played && stop != end {
                continue;
            }
            let mut run = Run::open_or_create(folder, &config, &now).unwrap();
            run.record.set_clock(|| SECONDS.get());
            let result = work(&mut run, stop.saturating_sub(played), hill);
            played += run.record.new_game_count;
            if let Err(error) = result {
                assert!(error.is::<Interrupted>(), "{error:#}");
                continue;
            }
            break;
        }
    }
}

/// Stops each of eight runs at 25 random points, and raises a random limit at each of three further points.
#[test]
fn stops_do_not_change_a_run_whose_limits_grow() {
    let parent = tempfile::tempdir().unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut stop_count = 0;
    for number in 0..8 {
        let mut now = config(1500).limits;
        now.max_pairs = Some(random.random_range(2..30));
        // Half of the runs end at their time limit.
        if number % 2 == 1 {
            (now.max_games, now.max_time_s) = (Some(100_000), Some(1200.0));
        }
        let mut limits = vec![now];
        let mut raised = Vec::new();
        for _ in 0..3 {
            match random.random_range(0..3) {
                0 => {
                    now.max_games = now.max_games.map(|games| games + 700);
                    now.max_time_s = now.max_time_s.map(|seconds| seconds + 700.0);
                }
                1 => now.max_pairs = now.max_pairs.map(|pairs| pairs + 40),
                _ => now.allow_failures = true,
            }
            limits.push(now);
            raised.push(random.random_range(1..3000));
        }
        raised.sort_unstable();
        let mut stops: Vec<usize> = (0..25).map(|_| random.random_range(1..3600)).collect();
        stops.sort_unstable();
        stop_count += stops.len();
        let [whole, pieces] =
            ["whole", "pieces"].map(|name| parent.path().join(format!("{name}{number}")));
        play_in_pieces(&whole, &limits, &raised, &[]);
        play_in_pieces(&pieces, &limits, &raised, &stops);
        let files = [&whole, &pieces].map(|folder| {
            let read = |name| fs::read(folder.join(name)).unwrap();
            (
                lines_without_clock(folder),
                ["weights.json", "result.json"].map(read),
            )
        });
        let run = format!("run {number}: {limits:?} after {raised:?} games");
        assert!(files[0] == files[1], "{run}");
        let [a, b] = [&whole, &pieces].map(|folder| ledger_of(folder));
        let is_timed = number % 2 == 1;
        assert!(is_timed || a == b, "{run}");
        assert_eq!(
            String::from_utf8_lossy(&b).contains("\"clock\""),
            is_timed,
            "{run}"
        );
    }
    assert_eq!(stop_count, 200);
}

/// The time limit ends the search, and the last challenge is interrupted. With a higher limit, both must
/// continue.
#[test]
fn a_run_that_was_interrupted_after_its_search_continues_with_more_time() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("run");
    let mut timed = config(0);
    // Each game takes a second.
    (timed.limits.max_games, timed.limits.max_time_s) = (None, Some(100.0));
    timed.settings.pairs_per_generation = 5;
    let open = |config: &RunConfig| {
        let mut run = open_with(&folder, config).unwrap();
        run.record.set_clock(|| SECONDS.get());
        run
    };
    let mut run = open(&timed);
    let error = work(&mut run, 100 + 7, hill).unwrap_err().to_string();
    assert!(error.starts_with("interrupted in challenge 1; "), "{error}");
    assert_eq!(run.state.stop_reason, Some(StopReason::TimeLimit));
    let generations = run.state.generations.len();
    drop(run);
    timed.limits.max_time_s = Some(10_000.0);
    let mut run = open(&timed);
    work(&mut run, 2000, hill).unwrap_err();
    // The interrupted challenge has ended, and the search has continued.
    assert_eq!(run.state.challenges[0].0.generation as usize, generations);
    assert!(run.state.generations.len() > generations + 50);
    assert_eq!(run.state.stop_reason, None);
    // Reading the record gives the same state.
    let state = folder::read(&folder).unwrap();
    assert_eq!(state.generations, run.state.generations);
    assert_eq!(state.challenges, run.state.challenges);
}

#[test]
fn each_challenge_waits_for_half_as_many_games_again() {
    let parent = tempfile::tempdir().unwrap();
    let mut run = open(&parent.path().join("run"), 9000).unwrap();
    let state = work(&mut run, usize::MAX, hill).unwrap();
    // Leave out the last challenge: it was played because the search had reached its limit.
    let (_, due) = state.challenges.split_last().unwrap();
    assert!(due.len() > 2, "{due:?}");
    let mut due_at = 2000;
    for (challenge, games_at_end) in due {
        let games = games_at_end - 2 * challenge.pair_count as u64;
        // A challenge begins only between generations of 48 games, so it may be up to 47 games late.
        assert!((due_at..due_at + 48).contains(&games), "{due:?}");
        due_at = games_at_end * 3 / 2;
    }
}

#[test]
fn an_extension_that_is_too_small_says_how_many_games_it_takes() {
    let (_parent, folder, state) = ended_run();
    let generations = state.generations.len();
    // A second run is interrupted in its last challenge, so its extension must leave room for that challenge.
    let other = folder.with_extension("other");
    let mut run = open(&other, 1500).unwrap();
    work(&mut run, 48 * generations + 7, hill).unwrap_err();
    let interrupted = run.state.clone();
    drop(run);
    for (folder, state) in [(folder, state), (other, interrupted)] {
        let before = ledger_of(&folder);
        let min_games = state.min_extended_games();
        let message = open(&folder, min_games - 1).unwrap_err().to_string();
        let min_text = columns_core::text::group_digits(min_games);
        let expected = format!("--games: expected at least {min_text}, with which");
        assert!(message.starts_with(&expected), "{message}");
        assert!(ledger_of(&folder) == before, "nothing was recorded");
        let mut run = open(&folder, min_games).unwrap();
        let more = work(&mut run, usize::MAX, hill).unwrap();
        assert_eq!(more.generations.len(), generations + 1);
        drop(run);
        let message = open(&folder, min_games - 1).unwrap_err().to_string();
        let expected =
            format!("--games: the run already has {min_text} games; give {min_text} or more");
        assert!(message.starts_with(&expected), "{message}");
    }
}

/// With a larger limit on pairs, an open judgement continues after its earlier pairs.
#[test]
fn more_pairs_continue_an_open_judgement() {
    let parent = tempfile::tempdir().unwrap();
    let config = |pairs| {
        let mut config = config(1500);
        config.objective = Objective::Sum;
        config.limits.max_pairs = Some(pairs);
        config
    };
    let [few, all] = ["few", "all"].map(|name| parent.path().join(name));
    let work_on = |folder: &Path, pairs: u64| {
        let mut run = open_with(folder, &config(pairs)).unwrap();
        let state = work(&mut run, usize::MAX, hill).unwrap();
        (state, run.record.new_game_count)
    };
    let (first, _) = work_on(&few, 5);
    assert!(first.judgements[0].is_open && first.last_passing_judgement().is_none());
    let (more, played) = work_on(&few, 300);
    let (whole, _) = work_on(&all, 300);
    assert_eq!(more.judgements, whole.judgements);
    let judgement = &more.judgements[0];
    assert!(
        !judgement.is_open && more.judgements.len() == 1 && judgement.seeds.count() < 300,
        "{judgement:?}"
    );
    assert_eq!(played as u128, 2 * (judgement.seeds.count() - 5));
    // The judgement and the table report the same change.
    let table = more.comparison_table().unwrap();
    let change = table.all.sum_percent.unwrap().mean;
    assert_eq!(judgement.percent_change, Some(change));
}

/// Counts the generations that a run reports, and the generations that it has recorded.
struct GenerationCount([usize; 2]);

impl ProgressListener for GenerationCount {
    fn on_stage_end(&mut self, state: &RunState, _: &Record, stage: Option<Stage>) {
        self.0[0] += usize::from(matches!(stage, Some(Stage::Generation(_))));
        self.0[1] = state.generations.len();
    }
}

#[test]
fn a_generation_that_the_time_limit_ends_is_not_reported() {
    let parent = tempfile::tempdir().unwrap();
    let mut config = config(0);
    (config.limits.max_games, config.limits.max_time_s) = (None, Some(0.2));
    let mut run = open_with(&parent.path().join("run"), &config).unwrap();
    let slow = |player: &BotPlayer, seed: u64| {
        if !is_held_out(seed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        hill(player, seed)
    };
    let (points, left) = (slow, usize::MAX);
    let mut count = GenerationCount([0, 0]);
    run.execute(&mut FakeExecutor { points, left }, &mut count)
        .unwrap();
    assert_eq!(run.state.stop_reason, Some(StopReason::TimeLimit));
    assert_eq!(count.0[0], count.0[1]);
}

#[test]
fn limits_may_grow_and_stay_if_they_are_left_out() {
    let limits = |max_games, max_time_s| RunLimits {
        max_games,
        max_time_s,
        ..config(0).limits
    };
    let night = limits(None, Some(8.0 * 3600.0));
    let more = limits(None, Some(10.0 * 3600.0));
    assert_eq!(night.raised_to(&more).unwrap(), more);
    assert_eq!(night.raised_to(&RunLimits::default()).unwrap(), night);
    let raised = |given: RunLimits| night.raised_to(&given).unwrap_err().to_string();
    for (given, expected) in [
        (
            limits(None, Some(3600.0)),
            "--max-time: the run already has 8h; give 8h or more",
        ),
        (
            limits(Some(100_000), None),
            "--games: the run has no such limit: leave --games out, or",
        ),
        (
            RunLimits {
                max_pairs: Some(299),
                ..RunLimits::default()
            },
            "--max-pairs: the run already has 300 pairs of games; give 300 or more",
        ),
    ] {
        let message = raised(given);
        assert!(message.starts_with(expected), "{message}");
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
    timed.limits.max_time_s = Some(0.2);
    timed.settings.pairs_per_generation = 2000;
    let start = Instant::now();
    let mut run = open_with(&folder, &timed).unwrap();
    let state = work(&mut run, usize::MAX, slow).unwrap();
    assert!(start.elapsed() < Duration::from_secs(5));
    let ended = |state: &RunState| (state.generations.len(), state.stop_reason);
    assert_eq!(ended(&state), (0, Some(StopReason::TimeLimit)));
    drop(run);
    // The record contains the time, so the resumed run is still at its limit and plays no more games.
    let mut run = open_with(&folder, &timed).unwrap();
    assert_eq!(run.record.seconds_left(), Some(0.0));
    assert_eq!(ended(&work(&mut run, 0, hill).unwrap()).0, 0);
    drop(run);
    timed.limits.max_games = Some(9000);
    let error = open_with(&folder, &timed).unwrap_err();
    assert!(error.to_string().starts_with("--games: "), "{error}");
    timed.limits.max_games = None;
    timed.limits.max_time_s = Some(3600.0);
    let mut run = open_with(&folder, &timed).unwrap();
    work(&mut run, 5000, hill).unwrap_err();
    assert_eq!(run.state.generations.len(), 1);
}

/// The time limit applies only to the search. An extension therefore gives the search all of the additional
/// time, regardless of how long the judgement before it took.
#[test]
fn the_time_of_a_judgement_is_no_time_of_the_search() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("run");
    // A game of the search takes a second, and a game of a judgement takes 30 seconds.
    let slow_judgement = |player: &BotPlayer, seed: u64| {
        if is_held_out(seed) {
            SECONDS.set(SECONDS.get() + 29.0);
        }
        hill(player, seed)
    };
    let open = |config: &RunConfig| {
        let mut run = open_with(&folder, config).unwrap();
        run.record.set_clock(|| SECONDS.get());
        run
    };
    let mut timed = config(0);
    timed.limits = RunLimits {
        max_time_s: Some(2000.0),
        max_pairs: Some(50),
        ..RunLimits::default()
    };
    let mut run = open(&timed);
    let start = SECONDS.get();
    let before = work(&mut run, usize::MAX, slow_judgement).unwrap();
    assert!(!before.judgements.is_empty() && SECONDS.get() - start > 2500.0);
    drop(run);
    timed.limits.max_time_s = Some(2500.0);
    let mut run = open(&timed);
    let after = work(&mut run, usize::MAX, slow_judgement).unwrap();
    assert!(after.generations.len() > before.generations.len());
}
