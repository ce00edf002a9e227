//! Judging a refined network against the one that it started from.

use super::Refinement;
use anyhow::{bail, Result};
use columns_bot::learned::networks::Network;
use columns_cli::command::Stopped;
use columns_cli::{input, output};
use columns_generator::generate;
use columns_tuner::learn::trained;
use columns_tuner::stats::gate::{held_out, Gate};
use columns_tuner::units::LogRatio;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;

impl Refinement<'_> {
    /// Has the result play at the gate. If it passes, it is put into the game where `--export` asks
    /// for that. A result that was judged already is only reported again.
    pub(super) fn judge(mut self) -> Result<ExitCode> {
        let refined = self.at(self.state.search.result());
        let mut gate = self.state.look().gate();
        if gate.verdict().is_none() && (gate.count() as u64) < self.options.most_pairs {
            // From now on the look counts, whatever its result.
            self.save()?;
            let whole = self.play_look(&mut gate, &refined)?;
            self.save()?;
            if !whole {
                let pairs = gate.count();
                bail!(Stopped(format!(
                    "after {pairs} pairs of games on held-out seeds"
                )));
            }
        }
        let seeds = held_out(self.identity, self.state.look().number, gate.count() as u64);
        let mut told = format!(
            "Held-out seeds {seeds}, {} ms of work a game.\n{}\n",
            self.options.games_are.work() as f64 / 1000.0,
            gate.told()
        );
        if let (Some(path), true) = (&self.trained, gate.passed()) {
            let _ = write!(told, "\n{}", self.export(path, &refined, &gate)?);
        }
        output::print(&told)?;
        if self.trained.is_some() && !gate.passed() {
            bail!("only a network that was shown to be better is put into the game");
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Plays the look to the verdict or to the last of its seeds. False if it was stopped before.
    fn play_look(&mut self, gate: &mut Gate<LogRatio>, refined: &Network) -> Result<bool> {
        let number = self.state.look().number;
        let seeds = held_out(self.identity, number, self.options.most_pairs);
        let played = gate.count();
        let first = seeds.first() + played as u64;
        let work = |index: usize| {
            let case = generate(first + index as u64, &self.spec);
            [self.networks.any, refined].map(|network| self.play(&case, network).log_score())
        };
        let mut differences = Vec::new();
        let rest = self.options.most_pairs as usize - played;
        let whole = self.games.each(rest, work, |[start, result]| {
            let difference = result - start;
            differences.push(difference);
            match gate.add(LogRatio(difference)) {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        });
        self.state.look().differences.extend(differences);
        whole
    }

    /// Writes the source of the network. Returns what the user must do then.
    fn export(&self, path: &Path, refined: &Network, gate: &Gate<LogRatio>) -> Result<String> {
        let text = refined.text();
        let source = input::read(path, 1 << 20)?;
        if source.contains(&text) {
            return Ok(format!(
                "{}: this network is there already\n",
                path.display()
            ));
        }
        let before = match &self.options.player.network {
            Some(file) => format!("the network of {}", input::name(file)),
            None => trained::origin(&source),
        };
        let origin = format!(
            "{} generations of `tuner refine` with {}. {} The start: {before}",
            self.state.search.generation,
            self.state.made_with,
            gate.told(),
        );
        trained::put(path, "tuner refine --export", &text, &origin)?;
        Ok(trained::next(path))
    }
}
