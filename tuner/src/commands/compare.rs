//! `tuner compare`: compares one or more candidates with a base.

use super::named_bot::{NamedBot, OWN_BOT};
use super::selfplay::{SelfPlayArgs, check_first_seed, warn_if_narrow};
use super::{number_between, objective_parser, play_args, play_args::PlayArgs, progress};
use anyhow::{Result, bail, ensure};
use clap::Args;
use columns_cases::{digest::Digest, seeds::SeedRange};
use columns_cli::command::Interrupted;
use columns_cli::progress::{join_fitting_parts, line_width};
use columns_cli::stderr::{log, warn};
use columns_cli::{file, input, ledger, output, table::format_titled};
use columns_core::text::group_digits;
use columns_judge::bot::Bot;
use columns_judge::program::files::FilePatterns;
use columns_stats::{Candidate, ComparisonRow, ComparisonTable, Objective, Question, change_text};
use columns_tuner::comparison::{Comparison, Results};
use columns_tuner::game_result::{GameResult, Tally};
use columns_tuner::player::{IdentifiedPlayer, Player};
use columns_tuner::record::{Record, RunLimits};
use columns_tuner::{bot_player::BotPlayer, games::Games};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fmt::Write as _, iter, path::PathBuf};

/// Compare candidates, B, with a base, A, in as few games as possible
///
/// Weights or networks play in this process under a budget of work; bots, which are any commands,
/// play as processes under a time limit. All play the same seeds, taking turns. After every seed a
/// sequential test checks the changes in the score. A candidate drops out as soon as the test has
/// decided: better; not better by --delta percent; or worse. With --no-worse the answers are: no
/// worse by --delta percent (for a simplification); better; or worse. The error rates hold over all
/// candidates together, however often the test checks.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner compare --b w.json                       against the weights in the bot
  tuner compare --b x.json --b y.json --out xy.jsonl
  tuner compare --b simple.json --no-worse --delta 1
  tuner compare --a old.json --b new.json --seeds 1..=4000 --work 200 --delta 0.5
  tuner compare --a-bot 'bot --time-limit 1' --b-bot './other --fast' --time-limit 1.2 --jobs 1")]
pub(crate) struct Options {
    /// Weights of A [default: the weights in the bot]
    #[arg(long, value_name = "FILE")]
    a: Option<PathBuf>,
    /// Weights of a candidate; give it several times for several candidates
    #[arg(long, value_name = "FILE")]
    b: Vec<PathBuf>,
    /// Network of A, a file of `tuner learn`, or `none` [default: the network in the bot]
    #[arg(long, value_name = "FILE")]
    a_network: Option<PathBuf>,
    /// Network of a candidate; the first one belongs to the first --b, if there is one, and so on
    #[arg(long, value_name = "FILE")]
    b_network: Vec<PathBuf>,
    /// Bot A: a command line; without a value, the bot of columns.toml [default: the bot beside this
    /// command]
    #[arg(long, value_name = "CMD", num_args = 0..=1, default_missing_value = OWN_BOT, requires = "b_bot")]
    a_bot: Option<Bot>,
    /// A candidate: a command line that reads a case and prints a plan; without a value, build and compare
    /// the bot of columns.toml
    #[arg(long, value_name = "CMD", num_args = 0..=1, default_missing_value = OWN_BOT,
        conflicts_with_all = ["a", "b", "a_network", "b_network", "nats"])]
    b_bot: Vec<Bot>,
    /// Seeds to play at most; a range with a larger end continues the comparison [default: 1,000 seeds that
    /// depend on the players, or only on A with several candidates]
    #[arg(short, long, value_name = "RANGE")]
    seeds: Option<SeedRange>,
    /// Record of the games: the same command resumes it after an interruption
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Resume the comparison in this file, with the options recorded there; only the end of --seeds may be
    /// larger
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "a", "b", "a_network", "b_network", "a_bot",
        "b_bot", "objective", "delta", "no_worse", "alpha", "beta", "all", "SelfPlayArgs",
        "LimitOptions", "CaseOptions"])]
    resume: Option<PathBuf>,
    /// What to compare: `log`, the geometric mean of the scores, or `sum`, the sum of scores, by which the
    /// contest ranks
    #[arg(long, value_name = "UNIT", default_value_t = Objective::Log, value_parser = objective_parser())]
    objective: Objective,
    /// The change in the score that matters, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0,
        value_parser = number_between("percent", 0.01, 63.0))]
    delta: f64,
    /// Ask whether a candidate is less than --delta worse than A, instead of whether it is better
    #[arg(long)]
    no_worse: bool,
    /// The chance of any wrong "better" or "no worse", over all candidates
    #[arg(long, value_name = "CHANCE", default_value_t = 0.05,
        value_parser = number_between("a chance", 1e-9, 0.5))]
    alpha: f64,
    /// The chance of any wrong "worse" or "not better", over all candidates
    #[arg(long, value_name = "CHANCE", default_value_t = 0.05,
        value_parser = number_between("a chance", 1e-9, 0.5))]
    beta: f64,
    /// Play all seeds, even after all candidates are decided
    #[arg(long)]
    all: bool,
    /// Print JSON lines on standard output: one for each seed, and the result
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    selfplay: SelfPlayArgs,
    #[command(flatten)]
    play: PlayArgs,
}

/// The number of seeds before the first progress line.
const FIRST_REPORT_SEEDS: u64 = 10;
/// The number of seeds between further progress lines.
const REPORT_INTERVAL_SEEDS: u64 = 50;

/// The remark below a table if a sequential test determined the number of games.
pub(crate) const EARLY_STOP_REMARK: &str = "The intervals of a table are for a number of games fixed \
     beforehand: where the test stopped early they are too narrow.\n";

impl Options {
    pub(crate) fn run(&self) -> Result<()> {
        self.check_paths()?;
        let path = self.resume.as_ref().or(self.out.as_ref());
        let comparison = self.comparison()?;
        let given = RunLimits::with_last_seed(self.seeds.map(SeedRange::last));
        let workers = self
            .play
            .set_up_workers(play_args::second_signal_effect(path))?;
        if let Some(path) = path
            && !ledger::has_header(path)
        {
            play_samples(&comparison, workers.threads.stop)?;
        }
        let (comparison, mut record) = open(comparison, path, &given)?;
        let seeds = record.last_limits().seeds(comparison.first_seed);
        let count = seeds.count() as usize;
        if self.seeds.is_none() {
            log(&format!("Seeds: {seeds}"));
        }
        let names = candidate_names(&comparison);
        let bar = progress::new_seed_bar(count);
        let on_seed_done = &mut |seed, games: &[Option<GameResult>], candidates: &[Candidate]| {
            bar.inc(1);
            self.print_seed(seed, games, &names)?;
            let position = bar.position();
            if position == FIRST_REPORT_SEEDS || position.is_multiple_of(REPORT_INTERVAL_SEEDS) {
                let parts = progress_parts(&names, candidates, count);
                if bar.is_hidden() && !self.json {
                    log(&parts.join("; "));
                }
                bar.set_message(join_fitting_parts(&parts, "; ", line_width()));
            }
            Ok(())
        };
        let mut results = comparison.new_results();
        let ended = workers.with_executor(comparison.compute_identity()?, |executor| {
            let mut games = Games::new(&mut record, comparison.case_spec, Some(executor));
            comparison.play(&mut results, &mut games, on_seed_done)
        });
        bar.finish_and_clear();
        match ended {
            Err(error) if error.is::<Interrupted>() => {
                self.print(&comparison, &names, &results, seeds)?;
                let (done, is_kept) = (results.seed_count, path.is_some());
                Err(play_args::interruption_error(done, count, "seed", is_kept))
            }
            ended => {
                ended?;
                self.print(&comparison, &names, &results, seeds)
            }
        }
    }

    /// Returns the comparison that the options describe, or the comparison of `--resume`.
    fn comparison(&self) -> Result<Comparison> {
        self.seeds.map(progress::check_seed_count).transpose()?;
        if let Some(path) = &self.resume {
            let (original, _) = Record::read::<Comparison>(path)?;
            check_first_seed(self.seeds, original.first_seed)?;
            return Ok(original);
        }
        let players = self.players()?;
        let case_spec = self.selfplay.case_spec(&players[0].0.player)?;
        let (players, names): (Vec<_>, Vec<_>) = players.into_iter().unzip();
        // Without `--seeds`, use the seeds of an existing record. The caller reports an unreadable record.
        let existing = || Record::read::<Comparison>(self.out.as_ref()?).ok();
        let existing_seeds =
            || existing().map(|(existing, _)| existing.limits.seeds(existing.first_seed));
        let seeds = self.seeds.or_else(existing_seeds);
        let seeds = seeds.unwrap_or_else(|| default_seeds(&players));
        Ok(Comparison {
            case_spec,
            first_seed: seeds.first(),
            limits: RunLimits::with_last_seed(Some(seeds.last())),
            question: Question {
                objective: self.objective,
                delta: self.delta,
                no_worse: self.no_worse,
                alpha: self.alpha,
                beta: self.beta,
                all_cases: self.all,
            },
            players,
            file_names: if self.b_bot.is_empty() {
                names
            } else {
                Vec::new()
            },
        })
    }

    /// With `--json`, prints the points of all players on a seed. Also logs a line for each failed game.
    fn print_seed(&self, seed: u64, games: &[Option<GameResult>], names: &[String]) -> Result<()> {
        if self.json {
            let points = games.iter().map(|game| game.map(|game| game.points));
            let line = json!({"seed": seed, "points": points.collect::<Vec<_>>()});
            output::print_to_reader(&format!("{line}\n"))?;
        }
        let names = iter::once("A").chain(names.iter().map(String::as_str));
        for (name, game) in names.zip(games) {
            if let Some(kind) = game.and_then(|game| game.failure) {
                log(&format!("{name} failed on seed {seed}: {}", kind.name()));
            }
        }
        Ok(())
    }

    /// Checks that the ledger is not one of the files that the players read.
    fn check_paths(&self) -> Result<()> {
        let inputs = self.a.iter().chain(&self.a_network);
        let inputs = inputs.chain(&self.b).chain(&self.b_network);
        file::check_outputs(&self.out, inputs)
    }

    /// Returns A and the candidates, each with its command line or the names of its files.
    fn players(&self) -> Result<Vec<(IdentifiedPlayer, String)>> {
        if !self.b_bot.is_empty() {
            let a = self.a_bot.clone().map_or_else(Bot::from_this_build, Ok)?;
            let b = self.b_bot.iter().map(|bot| ("--b-bot", bot));
            let bots = iter::once(("--a-bot", &a)).chain(b);
            return bots
                .map(|(option, bot)| self.program(option, bot))
                .collect();
        }
        let count = self.b.len().max(self.b_network.len());
        let expected = "expected weights, a network or a command for B: --b, --b-network, --b-bot";
        ensure!(count > 0, expected);
        let candidates = (0..count).map(|index| [self.b.get(index), self.b_network.get(index)]);
        let base = [self.a.as_ref(), self.a_network.as_ref()];
        let mut players = Vec::new();
        for files in iter::once(base).chain(candidates) {
            let [weights, network] = files.map(|file| file.map(PathBuf::as_path));
            let player = self
                .selfplay
                .bot_player(BotPlayer::from_files(weights, network)?)?;
            let names = files.into_iter().flatten().map(|path| input::name(path));
            let name = names.collect::<Vec<_>>().join(" with ");
            ensure!(
                !players
                    .iter()
                    .any(|(other, _): &(IdentifiedPlayer, _)| other.player == player),
                "{name}: expected another player than A and the other candidates, found the same \
                 weights and networks"
            );
            players.push((
                IdentifiedPlayer::new(player, &FilePatterns::default())?,
                name,
            ));
        }
        Ok(players)
    }

    /// Returns the program that an option names, with its command line.
    fn program(&self, option: &str, bot: &Bot) -> Result<(IdentifiedPlayer, String)> {
        let NamedBot { command, files } =
            NamedBot::resolve(option, &bot.to_string(), self.out.as_ref())?;
        let player = self.selfplay.program_player(&command)?;
        Ok((IdentifiedPlayer::new(player, &files)?, command))
    }

    /// Prints the results, if there are any.
    fn print(
        &self,
        comparison: &Comparison,
        names: &[String],
        results: &Results,
        seeds: SeedRange,
    ) -> Result<()> {
        let Results {
            candidates,
            tallies,
            seed_count,
        } = results;
        if *seed_count == 0 {
            return Ok(());
        }
        output::print(&if self.json {
            let json = results_json(&comparison.question, seeds, names, candidates, tallies);
            format!("{json}\n")
        } else {
            results_text(names, candidates, tallies, seeds.count() as usize)
        })?;
        let widths = tallies[1..].iter().map(Tally::mean_beam_width);
        if comparison.bot_players().is_some() {
            warn_if_narrow(widths.fold(f64::INFINITY, f64::min));
        }
        Ok(())
    }
}

/// Plays the sample case with each program of a new comparison. Files that change in these games are output
/// of the programs, and no longer count as their files. Returns an error after Ctrl-C.
fn play_samples(comparison: &Comparison, stop: &AtomicBool) -> Result<()> {
    for one in &comparison.players {
        if stop.load(Ordering::Relaxed) {
            let state = "before the first seed; to continue, give the same command again";
            bail!(Interrupted(state.into()));
        }
        one.player.play_sample()?;
    }
    for one in &comparison.players {
        one.player.untrack_output_files();
    }
    Ok(())
}

/// Begins a comparison in a file, or resumes the one that the file contains. Without a file, games are not
/// saved.
fn open(
    comparison: Comparison,
    path: Option<&PathBuf>,
    given: &RunLimits,
) -> Result<(Comparison, Record)> {
    let Some(path) = path else {
        let record = Record::unrecorded(comparison.limits);
        return Ok((comparison, record));
    };
    let opened = comparison.open(path, given)?;
    if let Some(change) = opened.player_change {
        let name = input::name(path);
        warn(
            "tuner",
            &format!("warning: {name}: {change}; this is the outcome from before the change"),
        );
    }
    Ok((opened.header, opened.record))
}

/// The number of seeds of a comparison without `--seeds`.
const DEFAULT_SEED_COUNT: u64 = 1000;

/// Returns seeds that depend on the players, so that repeated comparisons do not select players that suit the
/// same few cases. With several candidates, the seeds depend only on the base.
fn default_seeds(players: &[IdentifiedPlayer]) -> SeedRange {
    let count = if players.len() > 2 { 1 } else { 2 };
    let mut digest = Digest::EMPTY;
    for player in &players[..count] {
        digest.update(player.digest().to_string().as_bytes());
    }
    let first = (1 + digest.to_u64() % 1_000_000) * 1_000_000;
    SeedRange::new(first, first + (DEFAULT_SEED_COUNT - 1)).expect("a thousand seeds")
}

/// Returns the result, which is the last line of output with `--json`.
fn results_json(
    question: &Question,
    seeds: SeedRange,
    names: &[String],
    candidates: &[Candidate],
    tallies: &[Tally],
) -> Value {
    let named = names.iter().zip(candidates).zip(&tallies[1..]);
    let candidates = named.map(|((name, candidate), tally)| {
        json!({
            "name": name,
            "answer": candidate.verdict(),
            "percent": candidate.percent_change(),
            "clipped_interval_percent": candidate.interval(),
            "table": ComparisonTable::new(1, candidate.pairs()),
            "failed": tally.failed_games,
        })
    });
    json!({
        "seeds": seeds,
        "question": question,
        "failed": tallies[0].failed_games,
        "candidates": candidates.collect::<Vec<_>>(),
    })
}

/// Returns the names of the candidates for messages: `B` for a single candidate, otherwise names such as
/// `B1 (x.json)`.
fn candidate_names(comparison: &Comparison) -> Vec<String> {
    let source = |index: usize| match &comparison.players[index].player {
        Player::Program(program) => program.command.clone(),
        Player::Bot { .. } => comparison.file_names[index].clone(),
    };
    match comparison.players.len() {
        2 => vec!["B".into()],
        count => (1..count)
            .map(|index| format!("B{index} ({})", source(index)))
            .collect(),
    }
}

/// Formats the result: a table for each candidate, then the answers.
fn results_text(
    names: &[String],
    candidates: &[Candidate],
    tallies: &[Tally],
    count: usize,
) -> String {
    let (mut text, mut answers) = (String::new(), String::new());
    let all = output::count_text(count, "seed");
    if !tallies[0].failed_games.is_empty() {
        let _ = writeln!(text, "note: A: {}", tallies[0].failed_games);
    }
    for ((name, candidate), tally) in names.iter().zip(candidates).zip(&tallies[1..]) {
        if names.len() > 1 {
            let _ = writeln!(text, "{name}:");
        }
        if !tally.failed_games.is_empty() {
            let _ = writeln!(text, "note: {name}: {}", tally.failed_games);
        }
        let table = ComparisonTable::new(1, candidate.pairs());
        let _ = writeln!(
            text,
            "{}",
            format_titled(table.rows().map(ComparisonRow::titled_cells))
        );
        let failed = table.all.failed_games_text(["A", name]);
        let _ = failed.map(|line| writeln!(text, "{line}"));
        let seeds = match candidate.pairs().len() {
            done if done == count => format!("all {all}"),
            done => format!("{} of {all}", group_digits(done as u64)),
        };
        answers += &candidate.conclusion_text(name, &seeds);
    }
    if candidates.iter().any(|one| one.pairs().len() < count) {
        text += EARLY_STOP_REMARK;
    }
    text + &answers
}

/// Formats the current result of each candidate. `count` is the maximum number of pairs. For an undecided
/// candidate, adds the estimated number of further pairs once its test has enough pairs for an estimate.
fn progress_parts(names: &[String], candidates: &[Candidate], count: usize) -> Vec<String> {
    let candidates = names.iter().zip(candidates).map(|(name, candidate)| {
        let pairs = output::count_text(candidate.pairs().len(), "pair");
        let result = format!("{} after {pairs}", change_text(candidate.percent_change()));
        if let Some(answer) = candidate.verdict() {
            return format!("{name}: {answer}, {result}");
        }
        let left = count - candidate.pairs().len();
        let forecast = candidate.estimate_pairs_left().map(|[min, max]| {
            let texts = [min, max, left].map(|pairs| group_digits(pairs as u64));
            let [min_text, max_text, left_text] = texts;
            match (min < left, max < left) {
                (_, true) => format!(", {min_text} to {max_text} more will decide"),
                (true, _) => format!(", {min_text} more or all that are left will decide"),
                _ => format!(", the {left_text} left will hardly decide"),
            }
        });
        format!("{name}: {result}{}", forecast.unwrap_or_default())
    });
    candidates.collect()
}
