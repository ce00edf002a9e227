//! A network that won a comparison with the bot.

use super::better::Better;
use anyhow::{ensure, Context, Result};
use columns_bot::learned::networks::{Network, TWO};
use columns_cli::input;
use columns_core::text::quote;
use columns_generator::{generate, Spec};
use columns_tuner::comparison::Comparison;
use columns_tuner::learn::trained::{COLUMNS, TWO_COLOURS};
use columns_tuner::stats::sequential::Verdict;
use columns_tuner::{contestant::Contestant, player::Player};
use std::path::Path;

/// The network of a file, if it won this comparison.
///
/// # Errors
/// One line: what is wrong with one of the files, or that the network did not win.
pub(crate) fn better(file: &Path, path: &Path) -> Result<Better> {
    let name = input::name(path);
    let network: Option<Box<Network>> = input::read_network(file)?;
    let network = network.with_context(|| format!("{}: expected a network", file.display()))?;
    let (comparison, candidates) = Comparison::read(path)?;
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
    let networks = written(cases, first, last);
    let shown = quote(&file.to_string_lossy());
    let text = input::read(file, 1 << 20)?;
    let origin = text
        .split_once('\n')
        .map_or("", |(_, origin)| origin.trim());
    Ok(Better {
        found: merged(base, bots[index + 1].clone(), &networks),
        base: base.clone(),
        behaviour: comparison.players[0].behaviour,
        weights: Vec::new(),
        networks,
        origin: format!(
            "The network {shown} won a comparison with the one before (tuner compare, --objective {}): \
             {result} in {count} pairs of games on the seeds {first} to {last}, with {cases} and {} \
             each. {origin}",
            question.objective, comparison.players[0].player
        ),
    })
}

/// The sources to write for a network that was compared on these cases. In the comparison it played
/// whatever the colours. Where no case has more than two, it takes the place of the network for two
/// colours alone.
fn written(cases: &Spec, first: u64, last: u64) -> Vec<&'static str> {
    let few = |seed| generate(seed, cases).palette().len() <= usize::from(TWO);
    if (first..=last).all(few) {
        vec![TWO_COLOURS]
    } else {
        vec![COLUMNS, TWO_COLOURS]
    }
}

/// The player that the sources hold when these are written.
fn merged(base: &Player, found: Player, networks: &[&str]) -> Player {
    if networks == [TWO_COLOURS] {
        return Player {
            two: found.network,
            ..base.clone()
        };
    }
    found
}
