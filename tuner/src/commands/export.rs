//! `tuner export`: puts a player that was shown to be better into the sources of the bot.

use super::exportable::{ExportablePlayer, expect_sources, read_comparison_winner};
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use columns_cli::{file, output, stderr::warn};
use columns_core::text::quote;
use columns_tuner::bot_player::narrow_beam_warning;
use columns_tuner::experiment::folder::{self, COMMAND_FILE};
use columns_tuner::experiment::{event::Judgement, state::RunState};
use columns_tuner::sources::{self, WEIGHTS_SOURCE};
use columns_tuner::{player::Player, search::space::Target};
use std::path::{Path, PathBuf};

/// Put a player that was shown to be better than the bot into the bot
///
/// The player is either the result of a run that passed its gate, or a file with weights or a network
/// together with the comparison that it won: a file of `tuner compare --out`. The sources of the bot must
/// still hold the player that it was compared with. Only the fitted weights or networks are written, into
/// bot/src/eval/tuned.rs or bot/src/learned, with a comment about their origin.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner export night
  tuner export x.json --won xy.jsonl
  tuner export network.txt --won network.jsonl
  tuner export night --workspace columns")]
pub(crate) struct Options {
    /// The folder of a run, or a file with weights or a network
    #[arg(value_name = "DIR|FILE")]
    source: PathBuf,
    /// The comparison that the weights or the network won against the bot
    #[arg(long, value_name = "LEDGER")]
    won: Option<PathBuf>,
    /// Workspace with the sources of the bot [default: the one that contains the current folder]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
}

impl Options {
    pub(crate) fn run(&self) -> Result<()> {
        let better = match &self.won {
            Some(ledger) => read_comparison_winner(&self.source, ledger)?,
            None => self.run_result()?,
        };
        let workspace = match &self.workspace {
            Some(path) => std::path::absolute(path).context("--workspace")?,
            None => find_workspace()?,
        };
        let files = better.changed_sources(&workspace)?;
        let paths = files.iter().map(|(source, _)| workspace.join(source));
        let paths: Vec<PathBuf> = paths.collect();
        file::check_outputs(&paths, self.won.iter().chain([&self.source]))?;
        if expect_sources(&workspace, &better.player).is_ok() {
            let path = paths.first().unwrap_or(&workspace).display();
            return output::print(&format!("{path}: holds this player already\n"));
        }
        expect_sources(&workspace, &better.base)?;
        ensure!(
            better.base.behaviour_digest() == better.behaviour_digest,
            "{}: the bot of this build does not play as the one that it was compared with: a player \
             that is better than that one need not be better than this one",
            self.source.display()
        );
        for (path, (_, text)) in paths.iter().zip(&files) {
            file::write(path, text.as_bytes())?;
        }
        if let Some(warning) = narrow_beam_warning(better.mean_beam_width) {
            let advice = "before you submit, compare with --work 100:";
            let command = format!("tuner compare {} --work 100", better.compare_option());
            warn("tuner", &format!("warning: {warning}; {advice} {command}"));
        }
        let is_here = std::env::current_dir().is_ok_and(|here| here == workspace);
        let folder = if is_here { Path::new("") } else { &workspace };
        let sources: Vec<&str> = files.iter().map(|(source, _)| *source).collect();
        output::print(&sources::next_steps(folder, &sources))
    }

    /// Returns the result of a run. Fails if the gate has not shown it to be better than the start.
    fn run_result(&self) -> Result<ExportablePlayer> {
        let source = self.source.display();
        let state = folder::read(&self.source)?;
        ensure!(
            !state.judgements.is_empty() || state.stop_reason.is_some(),
            "{source}: the run has no result yet; continue it with the command that began it"
        );
        let passed = state.passed_judgement();
        let passed = passed
            .with_context(|| format!("{source}: cannot be exported. {}", state.verdict_text()))?;
        let (Player::Bot { player: base, .. }, Player::Bot { player, .. }) =
            (state.space.start_player(), state.result_player())
        else {
            bail!(
                "{source}: expected a run that fits the bot, found one of a program: {COMMAND_FILE}"
            );
        };
        Ok(ExportablePlayer {
            base,
            behaviour_digest: state.config.behaviour_digest,
            player,
            file: self.source.join(folder::result_file(&state).0),
            mean_beam_width: state.mean_beam_width().unwrap_or(f64::INFINITY),
            origin: self.origin(&state, passed),
        })
    }

    /// Describes the origin of a run's result in a sentence or two. `passed` is the judgement that the result
    /// has passed.
    fn origin(&self, state: &RunState, passed: &Judgement) -> String {
        let path = std::path::absolute(&self.source).unwrap_or_default();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let config = &state.config;
        let names: Vec<&str> = config.axes.iter().map(|axis| &*axis.name).collect();
        let fitted = match config.target {
            Target::Network => "the network".into(),
            _ => names.join(", "),
        };
        format!(
            "The run {} (tuner fit): {} games with {} and {} each; objective: {}; fitted: {fitted}. \
             On the held-out seeds {}: {}",
            quote(&name),
            state.search_game_count,
            config.case_spec,
            config.start,
            config.objective,
            passed.seeds,
            state.verdict_text(),
        )
    }
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
