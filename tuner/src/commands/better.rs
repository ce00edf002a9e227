//! A player that was shown to be better than the bot, and the sources of the bot.

use anyhow::{ensure, Context, Result};
use columns_bot::{eval::weights::PARAMETERS, learned::networks::Network};
use columns_cli::input;
use columns_tuner::learn::trained::{self, COLUMNS, TWO_COLOURS, WEIGHTS};
use columns_tuner::{digest::Digest, player::Player};
use std::path::{Path, PathBuf};

/// Most bytes of a source.
const LIMIT: u64 = 1 << 20;

/// What is put into the bot.
pub(crate) struct Better {
    /// The player that it was compared with, and how that one played.
    pub(crate) base: Player,
    pub(crate) behaviour: Digest,
    /// The better player.
    pub(crate) found: Player,
    /// The parameters that were fitted.
    pub(crate) weights: Vec<&'static str>,
    /// The sources of networks that are written.
    pub(crate) networks: Vec<&'static str>,
    /// Where it comes from, in a sentence or two.
    pub(crate) origin: String,
}

impl Better {
    /// The sources to write, with their texts.
    pub(crate) fn files(&self, workspace: &Path) -> Result<Vec<(PathBuf, String)>> {
        let mut files = Vec::new();
        if !self.weights.is_empty() {
            let path = workspace.join(WEIGHTS);
            let values = PARAMETERS.iter().zip(self.found.weights.values());
            let fitted = values.filter(|(one, _)| self.weights.contains(&one.name));
            let fitted: Vec<_> = fitted.map(|(one, value)| (one.name, value)).collect();
            let source = input::read(&path, LIMIT)?;
            files.push((path, trained::with_weights(&source, &fitted, &self.origin)));
        }
        for &source in &self.networks {
            let network = match source {
                TWO_COLOURS => &self.found.two,
                _ => &self.found.network,
            };
            // Without a text the bot plays with the other network.
            let text = network
                .as_ref()
                .map_or(String::new(), |network| network.text());
            let text = trained::network(source, &text, &self.origin);
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
    let found = trained::weights_in(&input::read(&path, LIMIT)?);
    let named = PARAMETERS.iter().zip(player.weights.values()).zip(found);
    for ((parameter, expected), found) in named {
        let (name, shown) = (parameter.name, path.display());
        let found = found.with_context(|| format!("{shown}: expected a value of {name}"))?;
        ensure!(
            found == expected,
            "{shown}: expected {name} = {expected}, which it was compared with, found {found}: \
             compare with these sources again"
        );
    }
    for (source, expected) in [(COLUMNS, &player.network), (TWO_COLOURS, &player.two)] {
        let path = workspace.join(source);
        let text = input::read(&path, LIMIT)?;
        let found = trained::network_in(&text).and_then(Network::parse);
        ensure!(
            found.as_deref() == expected.as_deref(),
            "{}: expected the network that it was compared with, found another: compare with \
             these sources again",
            path.display()
        );
    }
    Ok(())
}
