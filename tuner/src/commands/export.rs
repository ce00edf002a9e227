//! `tuner export`: puts a player that was shown to be better into the sources of the bot.

use super::better::{expect_sources, of_comparison, Better};
use anyhow::{bail, ensure, Context, Result};
use clap::Args;
use columns_bot::eval::weights::PARAMETERS;
use columns_cli::{file, output, paths::Format, paths::Paths};
use columns_core::text::quote;
use columns_tuner::experiment::folder::{self, COMMAND};
use columns_tuner::experiment::outcome::Outcome;
use columns_tuner::learn::trained::{self, COLUMNS, WEIGHTS};
use columns_tuner::{contestant::Contestant, search::space::Target};
use std::path::{Path, PathBuf};

/// Put a player that was shown to be better than the bot into the bot
///
/// The player is either the result of a run that passed its gate, or a network file together with
/// the comparison that it won: a file of `tuner compare --out`. The sources of the bot must still
/// hold the player that it was compared with. Only the fitted weights or networks are written, into
/// bot/src/eval/tuned.rs or bot/src/learned, with a comment about their origin.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner export night
  tuner export network.txt --won network.jsonl
  tuner export night --workspace columns")]
pub(crate) struct Options {
    /// The folder of a run, or a network
    #[arg(value_name = "DIR|FILE")]
    source: PathBuf,
    /// The comparison that the network won against the bot
    #[arg(long, value_name = "LEDGER")]
    won: Option<PathBuf>,
    /// Workspace with the sources of the bot [default: the one around the current folder]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
}

impl Options {
    pub(crate) fn run(&self) -> Result<()> {
        let better = match &self.won {
            Some(ledger) => of_comparison(&self.source, ledger)?,
            None => self.of_run()?,
        };
        let workspace = self.workspace.clone().map_or_else(workspace, Ok)?;
        let files = better.files(&workspace)?;
        let paths: Vec<&PathBuf> = files.iter().map(|(path, _)| path).collect();
        let inputs = Paths::default().read(self.won.iter().chain([&self.source]));
        inputs.written(Format::Own, &paths).check()?;
        if expect_sources(&workspace, &better.player).is_ok() {
            let path = paths[0].display();
            output::print(&format!("{path}: holds this player already\n"))?;
            return Ok(());
        }
        expect_sources(&workspace, &better.base)?;
        ensure!(
            better.base.behaviour() == better.behaviour,
            "{}: the bot of this build does not play as the one that it was compared with: a player \
             that is better than that one need not be better than this one",
            self.source.display()
        );
        for (path, text) in &files {
            file::write(path, text.as_bytes())?;
        }
        output::print(&trained::next(&paths))
    }

    /// Returns the result of a run, if the gate has shown it to be better.
    fn of_run(&self) -> Result<Better> {
        let source = self.source.display();
        let state = folder::read(&self.source)?;
        ensure!(
            state.config.rehearsal.is_none(),
            "{source}: expected a fit, found a rehearsal: its start was made worse on purpose, so its \
             result was not compared with the bot"
        );
        ensure!(
            !state.judgements.is_empty() || state.stopped.is_some(),
            "{source}: the run has no result yet; continue it with the command that began it"
        );
        let outcome = Outcome::new(&state);
        ensure!(
            outcome.passed().is_some(),
            "{source}: expected a result that was shown to be better than the start: {}",
            outcome.verdict
        );
        let (Contestant::Bot { player: base, .. }, Contestant::Bot { player, .. }) =
            (state.space.start(), &outcome.result)
        else {
            bail!("{source}: expected a run that fits the bot, found one of a program: {COMMAND}");
        };
        let is_fitted = |name: &&str| outcome.parameters.iter().any(|one| one.name == *name);
        let names = PARAMETERS.iter().map(|one| one.name);
        Ok(Better {
            base,
            behaviour: state.config.behaviour,
            player: player.clone(),
            weights: names.filter(is_fitted).collect(),
            networks: match outcome.target {
                Target::Network => vec![COLUMNS],
                _ => Vec::new(),
            },
            origin: self.origin(&outcome),
        })
    }

    /// Describes the origin of the result, in a sentence or two.
    fn origin(&self, outcome: &Outcome) -> String {
        let path = std::path::absolute(&self.source).unwrap_or_default();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let names: Vec<&str> = outcome.parameters.iter().map(|one| &*one.name).collect();
        let fitted = match outcome.target {
            Target::Network => "the network".into(),
            _ => names.join(", "),
        };
        let held_out = outcome
            .passed()
            .map(|judgement| judgement.seeds.to_string());
        format!(
            "The run {} (tuner fit): {} games with {} and {} each; objective: {}; fitted: {fitted}. \
             On the held-out seeds {}: {}",
            quote(&name),
            outcome.games,
            outcome.cases,
            outcome.result,
            outcome.objective,
            held_out.unwrap_or_default(),
            outcome.verdict,
        )
    }
}

/// Finds the workspace with the bot's sources around the current folder.
fn workspace() -> Result<PathBuf> {
    let here = std::env::current_dir().context("cannot tell the current folder")?;
    let mut folders = here.ancestors();
    let workspace = folders.find(|folder| folder.join(WEIGHTS).is_file());
    workspace.map(Path::to_path_buf).with_context(|| {
        format!(
            "expected {WEIGHTS} in this folder or above it; name its workspace with --workspace"
        )
    })
}
