//! A player that a gate or a comparison has shown to be better than the bot, and the sources of the
//! bot.

use anyhow::{ensure, Context, Result};
use columns_bot::eval::weights::PARAMETERS;
use columns_bot::learned::networks::{Network, TWO};
use columns_cli::input;
use columns_core::text::quote;
use columns_generator::generate;
use columns_tuner::comparison::Comparison;
use columns_tuner::learn::trained::{self, COLUMNS, TWO_COLOURS, WEIGHTS};
use columns_tuner::stats::sequential::Verdict;
use columns_tuner::{contestant::Contestant, digest::Digest, player::Player};
use std::path::{Path, PathBuf};

/// The maximum size of a source of the bot, in bytes.
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
    /// The paths of the sources to write for its networks.
    pub(crate) networks: Vec<&'static str>,
    /// The origin of the player, in a sentence or two.
    pub(crate) origin: String,
}

impl Better {
    /// Returns the paths of the sources to write, with their new texts.
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
/// If a source cannot be read or differs. The error names the first number or network that differs.
pub(crate) fn expect_sources(workspace: &Path, player: &Player) -> Result<()> {
    let path = workspace.join(WEIGHTS);
    let values = trained::weights_in(&input::read(&path, LIMIT)?);
    let both = player.weights.values().into_iter().zip(values);
    for (parameter, (expected, value)) in PARAMETERS.iter().zip(both) {
        let (name, file) = (parameter.name, path.display());
        let value = value.with_context(|| format!("{file}: expected a value of {name}"))?;
        ensure!(
            value == expected,
            "{file}: expected {name} = {expected}, which it was compared with, found {value}: \
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

/// Returns the network of a file, if it won the comparison of a ledger.
///
/// # Errors
/// If one of the files is invalid, or if the network did not win.
pub(crate) fn of_comparison(file: &Path, ledger: &Path) -> Result<Better> {
    let name = input::name(ledger);
    let network: Option<Box<Network>> = input::read_network(file)?;
    let network = network.with_context(|| format!("{}: expected a network", file.display()))?;
    let (comparison, candidates) = Comparison::read(ledger)?;
    let bots = comparison.players.iter().map(|side| match &side.player {
        Contestant::Bot { player, .. } => Some(player),
        Contestant::Program(_) => None,
    });
    let bots = bots.collect::<Option<Vec<&Player>>>();
    let bots = bots.with_context(|| format!("{name}: expected networks, found programs"))?;
    let base = bots[0];
    let is_this = |player: &&Player| {
        player.network.as_deref() == Some(&*network) && player.weights == base.weights
    };
    let index = bots[1..].iter().position(is_this);
    let index = index.with_context(|| {
        format!("{name}: expected a comparison of this network with the bot, found another")
    })?;
    let test = &candidates[index].test;
    let (low, high) = test.interval();
    let (result, count) = (format!("{low:+.1} to {high:+.1} %"), test.count());
    let question = &comparison.question;
    ensure!(
        test.verdict() == Some(Verdict::Above) && !question.no_worse,
        "{name}: expected a comparison that shows the network to be better, found {result} in {count} \
         pairs of games"
    );
    let (first, cases) = (comparison.first, &comparison.cases);
    let last = first + (count as u64 - 1);
    // In the comparison the network evaluated all cases. If none had more than two colours, nothing is
    // known about the others: it replaces the network for two colours only.
    let few = |seed| generate(seed, cases).palette().len() <= usize::from(TWO);
    let (player, networks) = if (first..=last).all(few) {
        let two = bots[index + 1].network.clone();
        let player = Player {
            two,
            ..base.clone()
        };
        (player, vec![TWO_COLOURS])
    } else {
        (bots[index + 1].clone(), vec![COLUMNS, TWO_COLOURS])
    };
    let text = input::read(file, LIMIT)?;
    let (_, origin) = text.split_once('\n').unwrap_or_default();
    Ok(Better {
        player,
        base: base.clone(),
        behaviour: comparison.players[0].behaviour,
        weights: Vec::new(),
        networks,
        origin: format!(
            "The network {} won a comparison with the previous one (tuner compare, --objective {}): \
             {result} in {count} pairs of games on the seeds {first} to {last}, with {cases} and {} \
             each. {}",
            quote(&file.to_string_lossy()),
            question.objective,
            comparison.players[0].player,
            origin.trim()
        ),
    })
}
