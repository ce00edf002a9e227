//! A network that won a comparison with the bot.

use super::better::Better;
use anyhow::{ensure, Context, Result};
use columns_bot::learned::networks::{Network, TWO};
use columns_cli::input;
use columns_core::text::quote;
use columns_generator::generate;
use columns_tuner::comparison::Comparison;
use columns_tuner::learn::trained::{COLUMNS, TWO_COLOURS};
use columns_tuner::stats::sequential::Verdict;
use columns_tuner::{contestant::Contestant, player::Player};
use std::path::Path;

/// Returns the network of a file, if it won the comparison of a ledger.
///
/// # Errors
/// One line: what is wrong with one of the files, or that the network did not win.
pub(crate) fn better(file: &Path, ledger: &Path) -> Result<Better> {
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
    // In the comparison the network played cases of any number of colours. If no case had more than
    // two, it replaces the network for two colours only.
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
    let text = input::read(file, 1 << 20)?;
    let (_, origin) = text.split_once('\n').unwrap_or_default();
    Ok(Better {
        player,
        base: base.clone(),
        behaviour: comparison.players[0].behaviour,
        weights: Vec::new(),
        networks,
        origin: format!(
            "The network {} won a comparison with the one before (tuner compare, --objective {}): \
             {result} in {count} pairs of games on the seeds {first} to {last}, with {cases} and {} \
             each. {}",
            quote(&file.to_string_lossy()),
            question.objective,
            comparison.players[0].player,
            origin.trim()
        ),
    })
}
