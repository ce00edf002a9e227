//! `tuner export`: the fitted weights become the bot's.

use anyhow::{ensure, Context, Result};
use clap::Args;
use columns_bot::weights_file;
use columns_cli::paths::Paths;
use columns_cli::{file, input, output};
use columns_tuner::experiment::folder::{Folder, LEDGER};
use columns_tuner::experiment::outcome::Outcome;
use columns_tuner::source::with_weights;
use std::path::PathBuf;
use std::process::ExitCode;
/// The folder of copies of weights.
const COPIES: &str = "bot/weights";
/// Most bytes of a source.
const LIMIT: u64 = 1 << 20;

/// Put the weights of a finished run into the bot
///
/// The values of the table in bot/src/eval/weights.rs become those of the run, with a comment above
/// that says where they come from, and bot/weights/NAME.json becomes a copy. What was not shown
/// to be better is refused. Doing it twice changes nothing.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner export night && cargo xtask bench --write && cargo xtask bundle
  tuner export night --name spots --workspace columns")]
pub(crate) struct Options {
    /// The folder of the run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// What the copy is called [default: as the folder]
    #[arg(long)]
    name: Option<String>,
    /// The sources [default: the workspace around the current folder]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
}

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let folder = &self.folder;
        let shown = folder.display();
        let (config, state) = Folder::read(folder)?;
        ensure!(
            !state.looks.is_empty() || state.stopped.is_some(),
            "{shown}: the run has no result yet; go on with it: tuner resume {shown}"
        );
        let outcome = Outcome::new(&config, &state, &[])?;
        let weights = &outcome.player.weights;
        ensure!(
            outcome.is_better(),
            "{shown}: expected a result that was shown to be better than the start: {}",
            outcome.verdict
        );
        let name = self.name()?;
        let workspace = super::workspace(self.workspace.as_deref())?;
        let (source, copy) = (
            workspace.join(super::SOURCE),
            workspace.join(COPIES).join(format!("{name}.json")),
        );
        let before = input::read(&source, LIMIT)?;
        let after = with_weights(&before, weights, &config.axes, &origin(&name, &outcome))
            .with_context(|| source.display().to_string())?;
        let _folder = file::make_folder(&workspace.join(COPIES))?;
        let read = [folder.join(LEDGER)];
        let paths = Paths::default().read(read).written([&source, &copy]);
        paths.check()?;
        file::write(&copy, weights_file::format(weights).as_bytes())?;
        if before == after {
            output::print(&format!(
                "{}: these weights are there already\n",
                source.display()
            ))?;
            return Ok(ExitCode::SUCCESS);
        }
        file::write(&source, after.as_bytes())?;
        output::print(&format!(
            "{}: the weights of {shown}\n{}: a copy\n\n\
             The bot plays differently now. Record its new fingerprint, then make the submission:\n\
             cargo xtask bench --write\ncargo xtask bundle\n",
            source.display(),
            copy.display()
        ))?;
        Ok(ExitCode::SUCCESS)
    }

    /// The name of the copy.
    fn name(&self) -> Result<String> {
        let name = match &self.name {
            Some(name) => name.clone(),
            None => std::path::absolute(&self.folder)
                .ok()
                .and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
                .unwrap_or_default(),
        };
        let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        ensure!(
            !name.is_empty() && name.chars().all(good),
            "expected a name of letters, digits, - and _, found {name:?}; choose one with --name"
        );
        Ok(name)
    }
}

/// The origin of the weights, in a sentence or two.
fn origin(name: &str, outcome: &Outcome) -> String {
    let held_out = outcome.passed().map(|look| look.seeds);
    format!(
        "`{name}` (tuner fit): {} games with {} and {} ms of work each; objective: {}; fitted: {}. \
         On the held-out seeds {}: {} As JSON: {COPIES}/{name}.json.",
        outcome.games,
        outcome.cases,
        outcome.work as f64 / 1000.0,
        outcome.objective,
        outcome
            .parameters
            .iter()
            .map(|parameter| parameter.name.as_str())
            .collect::<Vec<_>>()
            .join(", "),
        held_out.map_or(String::new(), |seeds| seeds.to_string()),
        outcome.verdict,
    )
}
