//! `tuner export`: writes a player that has been shown to be better into the sources of the bot.

use super::selfplay::warn_if_narrow;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use columns_bot::learned::networks::{Network, TWO_COLOUR_NETWORK_MAX_COLOURS};
use columns_cli::input::{self, MAX_FILE_BYTES};
use columns_cli::{file, output};
use columns_generator::{Spec, generate};
use columns_stats::{Candidate, Verdict};
use columns_tuner::bot_player::BotPlayer;
use columns_tuner::comparison::Comparison;
use columns_tuner::experiment::folder::{self, COMMAND_FILE};
use columns_tuner::player::Player;
use columns_tuner::sources::{
    NETWORK_SOURCE, TWO_COLOUR_NETWORK_SOURCE, WEIGHTS_SOURCE, replace_weights,
};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Put a player that was shown to be better into the bot
///
/// RECORD is the folder of a fit whose result passed the gate, or the file of a comparison that a candidate
/// won (`tuner compare --out`). Of several winners, the command takes the one whose interval has the highest
/// lower end. Its weights replace those in bot/src/eval/tuned.rs, its networks the files in bot/src/learned.
/// `git diff` shows the change.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner export night
  tuner export xy.jsonl
  tuner export night --workspace columns")]
pub(crate) struct Options {
    /// The folder of a fit, or the file of a comparison
    #[arg(value_name = "RECORD")]
    record: PathBuf,
    /// Workspace with the sources of the bot [default: the one that contains the current folder]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
}

/// A player that has been shown to be better than its opponent.
struct Winner {
    player: BotPlayer,
    /// True if it has one network, which was tested only on cases with at most two colours. The network then
    /// replaces only the network for two colours.
    is_for_two_colours: bool,
    /// The mean width of its beams, in states; infinite if unknown.
    mean_beam_width: f64,
    /// The result of the test in one line.
    result: String,
}

impl Options {
    pub(crate) fn run(&self) -> Result<()> {
        let winner = if self.record.is_file() {
            comparison_winner(&self.record)?
        } else {
            fit_winner(&self.record)?
        };
        let workspace = match &self.workspace {
            Some(path) => path.clone(),
            None => find_workspace()?,
        };
        let files = winner.files(&workspace)?;
        file::check_outputs(files.iter().map(|(path, _)| path), [&self.record])?;
        let mut written = String::new();
        for (path, text) in files {
            if input::read(&path, MAX_FILE_BYTES)? != text {
                file::write(&path, text.as_bytes())?;
                let _ = writeln!(written, "{}: written", path.display());
            }
        }
        if written.is_empty() {
            let folder = workspace.display();
            return output::print(&format!("{folder}: the bot is this player already\n"));
        }
        warn_if_narrow(winner.mean_beam_width);
        output::print(&format!(
            "{}\n{written}\n`git diff` shows the change. Build the bot again, record its new fingerprint, \
             and make the submission:\n\
             cargo build --release\ncargo xtask bench --write\ncargo xtask bundle --write\n",
            winner.result
        ))
    }
}

impl Winner {
    /// Returns the paths and the new contents of the bot's source files that hold this player.
    fn files(&self, workspace: &Path) -> Result<Vec<(PathBuf, String)>> {
        let Some(network) = &self.player.network else {
            bail!("expected a player with a network, which the bot needs, found one without");
        };
        let text = |network: &Network| network.to_text() + "\n";
        let path = workspace.join(WEIGHTS_SOURCE);
        let weights = replace_weights(&input::read(&path, MAX_FILE_BYTES)?, &self.player.weights);
        let weights = weights.with_context(|| input::name(&path))?;
        let mut files = vec![(path, weights)];
        if self.is_for_two_colours {
            files.push((workspace.join(TWO_COLOUR_NETWORK_SOURCE), text(network)));
        } else {
            // If the file for two colours is empty, the bot uses the other network for two colours, too.
            let two = self.player.two_colour_network.as_deref();
            files.push((workspace.join(NETWORK_SOURCE), text(network)));
            files.push((
                workspace.join(TWO_COLOUR_NETWORK_SOURCE),
                two.map(text).unwrap_or_default(),
            ));
        }
        Ok(files)
    }
}

/// Returns the result of a fit. Returns an error if no player has passed the gate, or if the run fits a
/// program.
fn fit_winner(record: &Path) -> Result<Winner> {
    let name = record.display();
    let state = folder::read(record)?;
    ensure!(
        !state.judgements.is_empty() || state.stop_reason.is_some(),
        "{name}: the run has no result yet; continue it with the command that began it"
    );
    let Some(passed) = state.last_passing_judgement() else {
        bail!("{name}: cannot be exported. {}", state.verdict_text());
    };
    let Player::Bot { player, .. } = state.result_player() else {
        bail!("{name}: expected a run that fits the bot, found one of a program: {COMMAND_FILE}");
    };
    let seeds = passed.seeds;
    Ok(Winner {
        is_for_two_colours: is_for_two_colours(&player, &state.config.case_spec, seeds),
        player,
        mean_beam_width: state.mean_beam_width().unwrap_or(f64::INFINITY),
        result: passed.verdict_text.clone(),
    })
}

/// Returns the candidate that a comparison has shown to be better; of several, the one whose interval has the
/// highest lower end. Returns an error if there is none.
fn comparison_winner(record: &Path) -> Result<Winner> {
    let name = input::name(record);
    let (comparison, candidates, tallies) = Comparison::read(record)?;
    let bots = comparison
        .bot_players()
        .with_context(|| format!("{name}: expected players of the bot, found programs"))?;
    ensure!(
        !comparison.question.no_worse,
        "{name}: cannot be exported: the comparison asked whether a candidate is no worse (--no-worse)"
    );
    let lower_end = |candidate: &Candidate| candidate.interval().0;
    let winner = candidates
        .iter()
        .enumerate()
        .filter(|(_, candidate)| candidate.verdict() == Some(Verdict::Better))
        .max_by(|(_, a), (_, b)| lower_end(a).total_cmp(&lower_end(b)));
    let Some((index, candidate)) = winner else {
        let results = candidates.iter().zip(&comparison.file_names[1..]);
        let results = results.map(|(candidate, file)| format!("{file} {}", result_text(candidate)));
        let results = results.collect::<Vec<_>>().join("; ");
        bail!("{name}: cannot be exported: no candidate was shown to be better: {results}");
    };
    let player = bots[index + 1].clone();
    let first = comparison.first_seed;
    let seeds = first..=first + (candidate.pairs().len() as u64 - 1);
    Ok(Winner {
        is_for_two_colours: is_for_two_colours(&player, &comparison.case_spec, seeds),
        player,
        mean_beam_width: tallies[index + 1].mean_beam_width(),
        result: format!(
            "{} is better: {}.",
            comparison.file_names[index + 1],
            result_text(candidate)
        ),
    })
}

/// True if a player has one network, and plays only cases with at most two colours on these seeds.
fn is_for_two_colours(
    player: &BotPlayer,
    case_spec: &Spec,
    seeds: impl IntoIterator<Item = u64>,
) -> bool {
    let has_few_colours = |seed| {
        let case = generate(seed, case_spec);
        case.palette().len() <= usize::from(TWO_COLOUR_NETWORK_MAX_COLOURS)
    };
    player.two_colour_network.is_none() && seeds.into_iter().all(has_few_colours)
}

/// Formats the interval of a candidate, such as `-1.2 to +0.9 % in 60 pairs of games`.
fn result_text(candidate: &Candidate) -> String {
    let (low, high) = candidate.interval();
    let pairs = candidate.pairs().len();
    format!("{low:+.1} to {high:+.1} % in {pairs} pairs of games")
}

/// Finds the workspace with the bot's sources: the current folder, or the nearest folder above it.
fn find_workspace() -> Result<PathBuf> {
    let here = std::env::current_dir().context("cannot tell the current folder")?;
    let mut folders = here.ancestors();
    let workspace = folders.find(|folder| folder.join(WEIGHTS_SOURCE).is_file());
    workspace.map(Path::to_path_buf).with_context(|| {
        format!(
            "expected {WEIGHTS_SOURCE} in this folder or above it; name its workspace with --workspace"
        )
    })
}
