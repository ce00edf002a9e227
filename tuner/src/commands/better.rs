//! A player that a gate or a comparison has shown to be better than its base. Before the player is
//! exported, this module checks that the bot's sources still contain the base. It then computes the
//! new text of each source.

use anyhow::{Context, Result, ensure};
use columns_bot::eval::weights::PARAMETERS;
use columns_bot::learned::networks::{Network, TWO};
use columns_bot::weights_file;
use columns_cli::{input, shell::quoted};
use columns_core::text::quote;
use columns_generator::digest::Digest;
use columns_generator::generate;
use columns_stats::sequential::Verdict;
use columns_tuner::comparison::Comparison;
use columns_tuner::learn::trained::{self, COLUMNS, TWO_COLOURS, WEIGHTS};
use columns_tuner::player::Player;
use std::{path::Path, sync::Arc};

/// The maximum size of a source of the bot or of a file with weights, in bytes.
const LIMIT: u64 = 1 << 20;

/// A player to put into the bot.
pub(crate) struct Better {
    /// The opponent of `player`, which the sources of the bot must still hold.
    pub(crate) base: Player,
    /// [`Player::behaviour`] of the base when the comparison or the run began.
    pub(crate) behaviour: Digest,
    /// The better player.
    pub(crate) player: Player,
    /// The names of the fitted parameters.
    pub(crate) weights: Vec<&'static str>,
    /// The sources to write for the networks of `player`, as paths in the workspace.
    pub(crate) networks: Vec<&'static str>,
    /// The mean width of the beams in the run or the comparison, in states; infinite if unknown.
    pub(crate) width: f64,
    /// The option that makes the player a candidate of `tuner compare`, such as `--b FILE`.
    pub(crate) option: String,
    /// The origin of the player, in a sentence or two.
    pub(crate) origin: String,
}

impl Better {
    /// Returns the sources to write, as paths in the workspace, with their new texts.
    pub(crate) fn files(&self, workspace: &Path) -> Result<Vec<(&'static str, String)>> {
        let mut files = Vec::new();
        if !self.weights.is_empty() {
            let path = workspace.join(WEIGHTS);
            let values = PARAMETERS.iter().zip(self.player.weights.values());
            let fitted = values.filter(|(one, _)| self.weights.contains(&one.name));
            let fitted: Vec<_> = fitted.map(|(one, value)| (one.name, value)).collect();
            let source = input::read(&path, LIMIT)?;
            let text = trained::with_weights(&source, &fitted, &self.origin);
            files.push((WEIGHTS, text));
        }
        for &source in &self.networks {
            let network = match source {
                TWO_COLOURS => &self.player.two,
                _ => &self.player.network,
            };
            // An empty text for two colours makes the bot use the other network for them too.
            let text = network.as_ref().map(|network| network.text());
            let text = trained::network(source, &text.unwrap_or_default(), &self.origin);
            files.push((source, text));
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

/// Returns `base` with the network or the weights of a file.
fn with_file(base: &Player, file: &Path) -> Result<Player> {
    let network: Result<Option<Box<Network>>> = input::read_network(file);
    let error = match network {
        Ok(network) => {
            let expected = || format!("{}: expected a network or weights", file.display());
            return Ok(Player {
                network: Some(Arc::from(network.with_context(expected)?)),
                two: None,
                ..base.clone()
            });
        }
        Err(error) => error,
    };
    let text = input::read(file, LIMIT)?;
    if !text.trim_start().starts_with('{') {
        return Err(error);
    }
    let weights = weights_file::parse(&text).with_context(|| input::name(file))?;
    Ok(Player {
        weights,
        ..base.clone()
    })
}

/// Returns the candidate with the network or the weights in `file`, if it won the comparison in
/// `ledger`.
///
/// # Errors
/// If one of the files is invalid, or if the comparison has no such candidate or did not show it to
/// be better.
pub(crate) fn of_comparison(file: &Path, ledger: &Path) -> Result<Better> {
    let name = input::name(ledger);
    let (comparison, candidates) = Comparison::read(ledger)?;
    let bots = comparison.players.iter().map(|side| side.player.bot());
    let bots = bots.collect::<Option<Vec<&Player>>>();
    let bots =
        bots.with_context(|| format!("{name}: expected weights or networks, found programs"))?;
    let base = bots[0];
    let better = with_file(base, file)?;
    let is_network = better.weights == base.weights;
    let what = if is_network { "network" } else { "weights" };
    let index = bots[1..].iter().position(|&player| *player == better);
    let index = index.with_context(|| {
        format!(
            "{name}: expected a comparison of {} with the bot, found another",
            file.display()
        )
    })?;
    let test = &candidates[index].test;
    let (low, high) = test.interval();
    let (result, count) = (format!("{low:+.1} to {high:+.1} %"), test.count());
    let question = &comparison.question;
    ensure!(
        test.verdict() == Some(Verdict::Above) && !question.no_worse,
        "{name}: expected a comparison that shows {} to be better, found {result} in {count} \
         pairs of games",
        file.display()
    );
    let (first, cases) = (comparison.first, &comparison.cases);
    let last = first + (count as u64 - 1);
    // In the comparison the network evaluated all cases. If no case had more than two colours, the
    // result says nothing about more colours: replace only the network for two colours.
    let few = |seed| generate(seed, cases).palette().len() <= usize::from(TWO);
    let (player, networks) = if !is_network {
        (better, Vec::new())
    } else if (first..=last).all(few) {
        let two = better.network;
        let player = Player {
            two,
            ..base.clone()
        };
        (player, vec![TWO_COLOURS])
    } else {
        (better, vec![COLUMNS, TWO_COLOURS])
    };
    let values = player
        .weights
        .values()
        .into_iter()
        .zip(base.weights.values());
    let names = PARAMETERS.iter().map(|one| one.name).zip(values);
    let changed = names.filter(|(_, (value, before))| value != before);
    let weights = changed.map(|(name, _)| name).collect();
    let text = input::read(file, LIMIT)?;
    let (_, origin) = text.split_once('\n').unwrap_or_default();
    let origin = if is_network { origin.trim() } else { "" };
    Ok(Better {
        player,
        base: base.clone(),
        behaviour: comparison.players[0].behaviour,
        weights,
        networks,
        width: candidates[index].width(),
        option: format!(
            "{} {}",
            if is_network { "--b-network" } else { "--b" },
            quoted(file)
        ),
        origin: format!(
            "The {what} {} won a comparison with the previous {} (tuner compare, --objective {}): \
             {result} in {count} pairs of games on the seeds {first} to {last}, with {cases} and {} \
             each. {origin}",
            quote(&file.to_string_lossy()),
            if is_network { "one" } else { "ones" },
            question.objective,
            comparison.players[0].player,
        ),
    })
}
