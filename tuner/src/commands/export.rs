//! `tuner export`: the fitted weights become the bot's.

use anyhow::{bail, ensure, Result};
use clap::Args;
use columns_cli::{
    file, input, output,
    paths::{Format, Paths},
};
use columns_core::text::quote;
use columns_tuner::experiment::folder::{self, COMMAND, LEDGER};
use columns_tuner::{contestant::Contestant, experiment::outcome::Outcome, learn::trained};
use std::{path::PathBuf, process::ExitCode};

/// Most bytes of a source.
const LIMIT: u64 = 1 << 20;

/// Put the result of a finished run into the bot
///
/// bot/src/eval/tuned.rs is written anew with the weights of the run, and a comment that says where
/// they come from; after `tuner refine` it is bot/src/learned/trained.rs with the network. What was
/// not shown to be better is refused. Doing it twice changes nothing.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner export night && cargo xtask bench --write && cargo xtask bundle
  tuner export night --workspace columns")]
pub(crate) struct Options {
    /// The folder of the run
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The sources [default: the workspace around the current folder]
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
}

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let shown = self.folder.display();
        let (config, state) = folder::read(&self.folder)?;
        ensure!(
            !state.looks.is_empty() || state.stopped.is_some(),
            "{shown}: the run has no result yet; go on with it: tuner resume {shown}"
        );
        let outcome = Outcome::new(&config, &state, None)?;
        ensure!(
            outcome.passed().is_some(),
            "{shown}: expected a result that was shown to be better than the start: {}",
            outcome.verdict
        );
        let origin = self.origin(&outcome);
        let Contestant::Bot { player, .. } = &outcome.result else {
            bail!("{shown}: expected a run that fits the bot, found one of a program: {COMMAND}");
        };
        let (source, text) = match &player.network {
            Some(network) if outcome.is_of_network => {
                let (source, network) = (trained::COLUMNS, network.text());
                let text = trained::network(source, "tuner export", &network, &origin);
                (source, text)
            }
            _ => (trained::WEIGHTS, trained::weights(&player.weights, &origin)),
        };
        let source = super::workspace(self.workspace.as_deref())?.join(source);
        let read = [self.folder.join(LEDGER)];
        let paths = Paths::default().read(read);
        paths.written(Format::Own, [&source]).check()?;
        if input::read(&source, LIMIT)? == text {
            output::print(&format!("{}: this is there already\n", source.display()))?;
            return Ok(ExitCode::SUCCESS);
        }
        file::write(&source, text.as_bytes())?;
        output::print(&trained::next(&source))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Where the result comes from, in a sentence or two.
    fn origin(&self, outcome: &Outcome) -> String {
        let path = std::path::absolute(&self.folder).unwrap_or_default();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let (command, fitted) = if outcome.is_of_network {
            ("refine", String::new())
        } else {
            let fitted: Vec<&str> = outcome.parameters.iter().map(|one| &*one.name).collect();
            ("fit", format!("; fitted: {}", fitted.join(", ")))
        };
        let held_out = outcome.passed().map(|look| look.seeds.to_string());
        format!(
            "The run {} (tuner {command}): {} games with {} and {} each; objective: \
             {}{fitted}. On the held-out seeds {}: {}",
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
