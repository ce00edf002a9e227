//! The page of a run: `page.html` with the numbers of the run as JSON. A script in the page draws them.

use crate::bot_player::{beam_width_text, narrow_beam_warning};
use crate::experiment::folder::{PAGE_FILE, PART_SUFFIX};
use crate::experiment::state::{RECENT_GENERATIONS, RunState, generation_game_count};
use crate::player::Player;
use crate::search::space::Target;
use anyhow::Result;
use columns_cli::{file, output::count_text};
use columns_core::text::group_digits;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The maximum number of parameters on the page.
const MAX_PARAMETERS_SHOWN: usize = 24;

/// The minimum age at which a page stops refreshing itself, in seconds.
const MIN_STALE_AFTER_S: f64 = 600.0;

/// Writes the page of a run into its folder. `speed` is the number of games per second in this process, or 0
/// if it has played none.
///
/// If `is_live`, a process is working on the run, and the page refreshes itself. It stops refreshing if it
/// has not been rewritten for ten generations' time or ten minutes, whichever is longer: the process was then
/// probably killed.
///
/// # Errors
/// Returns an error if the file cannot be written. The error names the file.
pub fn write_page(folder: &Path, state: &RunState, speed: f64, is_live: bool) -> Result<()> {
    let mut data = page_data(folder, state);
    let mut stale_after_s = MIN_STALE_AFTER_S;
    if speed > 0.0 {
        let course = data["course"].as_str().unwrap_or_default();
        data["course"] = format!("{course} {speed:.1} games a second.").into();
        let generation_s = generation_game_count(&state.config) as f64 / speed;
        stale_after_s = stale_after_s.max(10.0 * generation_s);
    }
    data["is_live"] = is_live.into();
    data["stale_after_s"] = stale_after_s.into();
    let written = SystemTime::now().duration_since(UNIX_EPOCH);
    data["written_s"] = written.map_or(0, |since| since.as_secs()).into();
    // In JSON, `<` occurs only in strings. Once escaped, it cannot end the script element.
    let text = data.to_string().replace('<', "\\u003c");
    let page = include_str!("page.html").replace("{DATA}", &text);
    file::write_with_temporary_suffix(&folder.join(PAGE_FILE), PART_SUFFIX, page.as_bytes())
}

/// Returns the numbers and texts of the page.
pub fn page_data(folder: &Path, state: &RunState) -> Value {
    let warning = state.mean_beam_width().and_then(narrow_beam_warning);
    let failures = &state.failed_games;
    json!({
        "title": format!("Fit “{}”", folder.display()),
        "verdict": verdict(state),
        "course": course(state),
        "warning": warning.unwrap_or_default(),
        "failures": if failures.is_empty() { String::new() } else { format!("{failures}.") },
        "options": options(state),
        "recent": RECENT_GENERATIONS,
        "games": state.search_game_count,
        "score_changes": score_changes(state),
        "challenges": challenges(state),
        "judgements": judgements(state),
        "parameters": parameters(state),
    })
}

/// Returns the verdict on a run, with a remark if the run has not ended.
fn verdict(state: &RunState) -> String {
    let verdict = state.verdict_text();
    match state.judgements.last() {
        _ if state.has_ended => verdict,
        Some(_) => format!("The run has not ended. So far: {verdict}"),
        None => "The run has not ended, and nothing is judged yet.".into(),
    }
}

/// Describes the course of a run: its games, the reason why the search stopped, the width of the beams, and
/// the score of the average.
fn course(state: &RunState) -> String {
    let games = state.search_game_count as usize;
    let generations = count_text(state.generations.len(), "generation");
    let max_games = state.limits.max_games.map(group_digits);
    let so_far = format!(
        "{generations} and {}{}",
        count_text(games, "game"),
        max_games.map_or(String::new(), |max| format!(" of at most {max}"))
    );
    let mut text = match state.stop_reason {
        Some(reason) => format!("The search stopped after {so_far}: {reason}."),
        None => format!("So far there were {so_far}."),
    };
    if let Some(width) = state.mean_beam_width() {
        let _ = write!(
            text,
            " The beams are {} wide on average.",
            beam_width_text(width)
        );
    }
    if let Some(recent) = state.estimate_recent_change(state.generations.len()) {
        let won = state.challenges.iter().filter(|(one, _)| one.is_won);
        let (won, all) = (won.count(), count_text(state.challenges.len(), "challenge"));
        let change = recent.percent_text().replace('-', "−");
        let _ = write!(
            text,
            " The average of the search scores {change} against the start (objective: {}); it won {won} of \
             {all}.",
            state.config.objective
        );
    }
    text
}

/// Returns the configuration of a run with its current limits.
fn options(state: &RunState) -> Value {
    let config = &state.config;
    let bot = match &config.start {
        Player::Bot { .. } => None,
        Player::Program(program) => Some(&program.command),
    };
    let names: Vec<&str> = config.axes.iter().map(|axis| &*axis.name).collect();
    json!({
        "target": config.target,
        "parameters": (config.target != Target::Network).then(|| names.join(" ")),
        "bot": bot,
        "game": config.start.to_string(),
        "cases": config.case_spec.to_string(),
        "objective": config.objective,
        "settings": config.settings,
        "limits": state.limits,
        "tuner_version": config.tuner_version,
    })
}

/// Lists the estimated change in the score ([`RunState::estimate_recent_change`]) after each generation that
/// has an estimate.
fn score_changes(state: &RunState) -> Vec<Value> {
    let points = (1..).zip(&state.cumulative_game_counts);
    let points = points.filter_map(|(count, games)| {
        let recent = state.estimate_recent_change(count)?;
        Some(json!({ "games": games, "mean": recent.mean, "interval": recent.interval }))
    });
    points.collect()
}

fn challenges(state: &RunState) -> Vec<Value> {
    let challenges = state.challenges.iter().map(|(challenge, games)| {
        let change = state.estimate_recent_change(challenge.generation as usize);
        json!({
            "games": games,
            "mean": change.map_or(0.0, |change| change.mean),
            "is_won": challenge.is_won,
            "text": challenge.to_string().replace('-', "−"),
        })
    });
    challenges.collect()
}

fn judgements(state: &RunState) -> Vec<Value> {
    let judgements = state.judgements.iter().map(|judgement| {
        let mut challenges = state.challenges.iter();
        let judged = challenges.find(|(one, _)| one.generation == judgement.generation);
        let (low, high) = judgement.interval;
        json!({
            "games": judged.map_or(0, |(_, games)| *games),
            "mean": judgement.percent_change.unwrap_or(f64::midpoint(low, high)),
            "interval": judgement.interval,
            "text": format!("Generation {}. {}", judgement.generation, judgement.verdict_text),
        })
    });
    judgements.collect()
}

/// Returns the parameters that have moved the most, measured in steps. Each has its average after every
/// generation.
fn parameters(state: &RunState) -> Vec<Value> {
    let mut all = Vec::new();
    for (index, axis) in state.config.axes.iter().enumerate() {
        let averages = state
            .generations
            .iter()
            .filter_map(|one| one.average.get(index));
        let points = state
            .cumulative_game_counts
            .iter()
            .copied()
            .zip(averages.copied());
        let values: Vec<(u64, f64)> = std::iter::once((0, axis.start)).chain(points).collect();
        let last = values[values.len() - 1].1;
        let data = json!({
            "name": axis.name,
            "step": axis.step,
            "from": axis.format(axis.start),
            "to": axis.format(axis.round(last)),
            "values": values,
        });
        all.push((axis.coordinate(last).abs(), data));
    }
    all.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let furthest = all.into_iter().take(MAX_PARAMETERS_SHOWN);
    furthest.map(|(_, data)| data).collect()
}
