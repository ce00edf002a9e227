//! A player that a gate or a comparison has shown to be better than its base.
//!
//! Before the player is exported, this module checks that the bot's sources still contain the base, and
//! computes the new text of each source.

use anyhow::{Context, Result, ensure};
use columns_bot::eval::weights::PARAMETERS;
use columns_bot::learned::networks::{self, Network};
use columns_cases::digest::Digest;
use columns_cli::{input, shell::quote_path};
use columns_core::text::quote;
use columns_generator::generate;
use columns_stats::Verdict;
use columns_tuner::bot_player::BotPlayer;
use columns_tuner::comparison::Comparison;
use columns_tuner::sources::{self, NETWORK_SOURCE, TWO_COLOUR_NETWORK_SOURCE, WEIGHTS_SOURCE};
use std::path::{Path, PathBuf};

/// The maximum size of a source of the bot or of a file with weights, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// A better player, to put into the bot in place of its base.
pub(crate) struct ExportablePlayer {
    /// The player that `player` has beaten. The sources of the bot must still hold it.
    pub(crate) base: BotPlayer,
    /// [`BotPlayer::behaviour_digest`] of the base when the comparison or the run began.
    pub(crate) behaviour_digest: Digest,
    /// The better player. Its weights or its networks differ from those of the base.
    pub(crate) player: BotPlayer,
    /// The file with the weights or the network of the player.
    pub(crate) file: PathBuf,
    /// The mean width of the beams in the run or the comparison, in states; infinite if unknown.
    pub(crate) mean_beam_width: f64,
    /// The origin of the player, in a sentence or two.
    pub(crate) origin: String,
}

impl ExportablePlayer {
    /// Returns the source files whose weights or network differ between the base and the player: their paths
    /// in the workspace, and their new texts.
    pub(crate) fn changed_sources(&self, workspace: &Path) -> Result<Vec<(&'static str, String)>> {
        let (base, player) = (&self.base, &self.player);
        let mut files = Vec::new();
        let values = base.weights.values().into_iter();
        let values = values.zip(player.weights.values()).zip(PARAMETERS);
        let changed = values.filter(|((before, value), _)| before != value);
        let changed: Vec<_> = changed.map(|((_, value), one)| (one.name, value)).collect();
        if !changed.is_empty() {
            let source = input::read(&workspace.join(WEIGHTS_SOURCE), MAX_FILE_BYTES)?;
            let text = sources::replace_weights(&source, &changed, &self.origin);
            files.push((WEIGHTS_SOURCE, text));
        }
        let is_other = base.network != player.network;
        // With an empty text instead of the two-colour network, the bot uses the other network for two
        // colours, too.
        let is_other_for_two = base.two_colour_network != player.two_colour_network
            || is_other && player.two_colour_network.is_none();
        for (source, network, is_written) in [
            (NETWORK_SOURCE, &player.network, is_other),
            (
                TWO_COLOUR_NETWORK_SOURCE,
                &player.two_colour_network,
                is_other_for_two,
            ),
        ] {
            if is_written {
                let text = network.as_ref().map(|network| network.to_text());
                let text =
                    sources::network_source_text(source, &text.unwrap_or_default(), &self.origin);
                files.push((source, text));
            }
        }
        Ok(files)
    }

    /// Returns the option that makes the player a candidate of `tuner compare`, such as `--b FILE`.
    pub(crate) fn compare_option(&self) -> String {
        let is_network = self.player.weights == self.base.weights;
        let option = if is_network { "--b-network" } else { "--b" };
        format!("{option} {}", quote_path(&self.file))
    }
}

/// Checks that the sources of the bot hold this player.
///
/// # Errors
/// Returns an error if a source cannot be read or differs. The error names the first weight or network that
/// differs.
pub(crate) fn expect_sources(workspace: &Path, player: &BotPlayer) -> Result<()> {
    let path = workspace.join(WEIGHTS_SOURCE);
    let values = sources::extract_weights(&input::read(&path, MAX_FILE_BYTES)?);
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
    for (source, expected) in [
        (NETWORK_SOURCE, &player.network),
        (TWO_COLOUR_NETWORK_SOURCE, &player.two_colour_network),
    ] {
        let path = workspace.join(source);
        let text = input::read(&path, MAX_FILE_BYTES)?;
        let network = sources::extract_network(&text).and_then(Network::parse);
        ensure!(
            network.as_deref() == expected.as_deref(),
            "{}: expected the network that it was compared with, found another: compare with \
             these sources again",
            path.display()
        );
    }
    Ok(())
}

/// Returns `base` with the network or the weights in `file`.
fn with_file(base: &BotPlayer, file: &Path) -> Result<BotPlayer> {
    let is_weights = |text: String| text.trim_start().starts_with('{');
    if input::read(file, MAX_FILE_BYTES).is_ok_and(is_weights) {
        return base.clone().with_files(Some(file), None);
    }
    let player = base.clone().with_files(None, Some(file))?;
    let expected = || format!("{}: expected a network or weights", file.display());
    player
        .network
        .is_some()
        .then_some(player)
        .with_context(expected)
}

/// Returns the candidate with the network or the weights in `file`, if it won the comparison in
/// `ledger`.
///
/// # Errors
/// Returns an error if one of the files is invalid, or if the comparison has no such candidate or
/// did not show it to be better.
pub(crate) fn read_comparison_winner(file: &Path, ledger: &Path) -> Result<ExportablePlayer> {
    let name = input::name(ledger);
    let (comparison, candidates, tallies) = Comparison::read(ledger)?;
    let bots = comparison.bots();
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
    let candidate = &candidates[index];
    let (low, high) = candidate.interval();
    let (result, count) = (
        format!("{low:+.1} to {high:+.1} %"),
        candidate.pairs().len(),
    );
    let question = &comparison.question;
    ensure!(
        candidate.verdict() == Some(Verdict::Better) && !question.no_worse,
        "{name}: expected a comparison that shows {} to be better, found {result} in {count} \
         pairs of games",
        file.display()
    );
    let (first, case_spec) = (comparison.first_seed, &comparison.case_spec);
    let last = first + (count as u64 - 1);
    // In the comparison, the network evaluated all cases. If no case had more than two colours, the result
    // says nothing about more colours: replace only the two-colour network.
    let few = |seed| {
        generate(seed, case_spec).palette().len()
            <= usize::from(networks::TWO_COLOUR_NETWORK_MAX_COLOURS)
    };
    let player = if is_network && (first..=last).all(few) {
        BotPlayer {
            two_colour_network: better.network,
            ..base.clone()
        }
    } else {
        better
    };
    let text = input::read(file, MAX_FILE_BYTES)?;
    let (_, origin) = text.split_once('\n').unwrap_or_default();
    let origin = if is_network { origin.trim() } else { "" };
    Ok(ExportablePlayer {
        player,
        base: base.clone(),
        behaviour_digest: comparison.players[0].behaviour_digest,
        file: file.into(),
        mean_beam_width: tallies[index + 1].mean_beam_width(),
        origin: format!(
            "The {what} {} won a comparison with the previous {} (tuner compare, --objective {}): \
             {result} in {count} pairs of games on the seeds {first} to {last}, with {case_spec} and {} \
             each. {origin}",
            quote(&file.to_string_lossy()),
            if is_network { "one" } else { "ones" },
            question.objective,
            comparison.players[0].player,
        ),
    })
}
