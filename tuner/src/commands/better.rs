//! A player that a gate or a comparison has shown to be better than the bot, and the sources of the
//! bot.

use anyhow::{ensure, Context, Result};
use columns_bot::{eval::weights::PARAMETERS, learned::networks::Network};
use columns_cli::input;
use columns_tuner::learn::trained::{self, COLUMNS, TWO_COLOURS, WEIGHTS};
use columns_tuner::{digest::Digest, player::Player};
use std::path::{Path, PathBuf};

/// The maximum size of a source, in bytes.
const LIMIT: u64 = 1 << 20;

/// A player to put into the bot.
pub(crate) struct Better {
    /// The player that it was compared with.
    pub(crate) base: Player,
    /// The behaviour of the base in the comparison.
    pub(crate) behaviour: Digest,
    /// The better player.
    pub(crate) player: Player,
    /// The names of the fitted parameters.
    pub(crate) weights: Vec<&'static str>,
    /// The sources of the networks to write.
    pub(crate) networks: Vec<&'static str>,
    /// Its origin, in a sentence or two.
    pub(crate) origin: String,
}

impl Better {
    /// Returns the sources to write, with their texts.
    pub(crate) fn files(&self, workspace: &Path) -> Result<Vec<(PathBuf, String)>> {
        let mut files = Vec::new();
        if !self.weights.is_empty() {
            let path = workspace.join(WEIGHTS);
            let values = PARAMETERS.iter().zip(self.player.weights.values());
            let fitted = values.filter(|(one, _)| self.weights.contains(&one.name));
            let fitted: Vec<_> = fitted.map(|(one, value)| (one.name, value)).collect();
            let source = input::read(&path, LIMIT)?;
            files.push((path, trained::with_weights(&source, &fitted, &self.origin)));
        }
        for &source in &self.networks {
            let network = match source {
                TWO_COLOURS => &self.player.two,
                _ => &self.player.network,
            };
            // An empty text makes the bot play with the other network.
            let text = network.as_ref().map(|network| network.text());
            let text = trained::network(source, &text.unwrap_or_default(), &self.origin);
            files.push((workspace.join(source), text));
        }
        Ok(files)
    }
}

/// Checks that the sources of the bot hold this player.
///
/// # Errors
/// The first number or network that differs, and its source.
pub(crate) fn expect_sources(workspace: &Path, player: &Player) -> Result<()> {
    let path = workspace.join(WEIGHTS);
    let values = trained::weights_in(&input::read(&path, LIMIT)?);
    let both = player.weights.values().into_iter().zip(values);
    for (parameter, (expected, value)) in PARAMETERS.iter().zip(both) {
        let (name, shown) = (parameter.name, path.display());
        let value = value.with_context(|| format!("{shown}: expected a value of {name}"))?;
        ensure!(
            value == expected,
            "{shown}: expected {name} = {expected}, which it was compared with, found {value}: \
             compare with these sources again"
        );
    }
    for (source, expected) in [(COLUMNS, &player.network), (TWO_COLOURS, &player.two)] {
        let path = workspace.join(source);
        let text = input::read(&path, LIMIT)?;
        let network = trained::network_in(&text).and_then(Network::parse);
        ensure!(
            network.as_deref() == expected.as_deref(),
            "{}: expected the network that it was compared with, found another: compare with \
             these sources again",
            path.display()
        );
    }
    Ok(())
}
