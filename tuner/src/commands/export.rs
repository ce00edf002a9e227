//! `tuner export`: the fitted weights become the bot's.

use anyhow::{ensure, Result};
use clap::Args;
use columns_bot::weights_file;
use columns_cli::paths::Paths;
use columns_cli::{file, input, output};
use columns_tuner::experiment::folder::{Folder, LEDGER};
use columns_tuner::experiment::outcome::Outcome;
use columns_tuner::learn::trained;
use std::path::PathBuf;
use std::process::ExitCode;

/// The folder of copies of weights.
const COPIES: &str = "bot/weights";
/// Most bytes of a source.
const LIMIT: u64 = 1 << 20;

/// Put the result of a finished run into the bot
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
        let shown = self.folder.display();
        let (config, state) = Folder::read(&self.folder)?;
        ensure!(
            !state.looks.is_empty() || state.stopped.is_some(),
            "{shown}: the run has no result yet; go on with it: tuner resume {shown}"
        );
        let outcome = Outcome::new(&config, &state, &[])?;
        ensure!(
            outcome.is_better(),
            "{shown}: expected a result that was shown to be better than the start: {}",
            outcome.verdict
        );
        let name = self.name()?;
        let workspace = super::workspace(self.workspace.as_deref())?;
        let (source, text) = written(&name, &outcome);
        let source = workspace.join(source);
        let copy = workspace.join(COPIES).join(format!("{name}.json"));
        let _folder = file::make_folder(&workspace.join(COPIES))?;
        let read = [self.folder.join(LEDGER)];
        let paths = Paths::default().read(read).written([&source, &copy]);
        paths.check()?;
        let there = source.display();
        let before = input::read(&source, LIMIT)?;
        if !outcome.is_of_network() {
            let weights = weights_file::format(&outcome.player.weights);
            file::write(&copy, weights.as_bytes())?;
        }
        if before == text {
            output::print(&format!("{there}: this is there already\n"))?;
            return Ok(ExitCode::SUCCESS);
        }
        file::write(&source, text.as_bytes())?;
        output::print(&trained::next(&source))?;
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

/// The source that holds the result, and its text: the weights, or the network of a run that has
/// refined one.
fn written(name: &str, outcome: &Outcome) -> (&'static str, String) {
    let origin = origin(name, outcome);
    match &outcome.player.network {
        Some(network) if outcome.is_of_network() => {
            let text = trained::network("tuner export", &network.text(), &origin);
            (trained::COLUMNS, text)
        }
        _ => {
            let text = trained::weights(&outcome.player.weights, &origin);
            (trained::WEIGHTS, text)
        }
    }
}

/// The origin of the weights, in a sentence or two.
fn origin(name: &str, outcome: &Outcome) -> String {
    let (command, copy, fitted) = if outcome.is_of_network() {
        ("refine", String::new(), String::new())
    } else {
        let fitted: Vec<&str> = outcome.parameters.iter().map(|one| &*one.name).collect();
        let copy = format!(" As JSON: {COPIES}/{name}.json.");
        ("fit", copy, format!("; fitted: {}", fitted.join(", ")))
    };
    let held_out = outcome.passed().map(|look| look.seeds.to_string());
    format!(
        "`{name}` (tuner {command}): {} games with {} and {} ms of work each; objective: {}{fitted}. \
         On the held-out seeds {}: {}{copy}",
        outcome.games,
        outcome.cases,
        outcome.work as f64 / 1000.0,
        outcome.objective,
        held_out.unwrap_or_default(),
        outcome.verdict,
    )
}
