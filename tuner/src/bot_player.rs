//! The bot with particular weights and networks, which plays in this process.

use crate::game_result::GameResult;
use anyhow::{Context, Result};
use columns_bot::eval::weights::{PARAMETERS, Weights};
use columns_bot::learned::networks::{self, Network, Networks};
use columns_bot::observe::meter::play_metered;
use columns_bot::search;
use columns_bot_command::weights_file;
use columns_cases::digest::Digest;
use columns_cli::input;
use columns_core::{rules::case::Case, simd::InstructionSet};
use columns_generator::{Profile, Spec, generate};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::Path, sync::Arc};

/// The mean width below which a beam counts as narrow. In the contest's longest cases, beams have 30 to 40
/// states; weights that suit a narrower beam may be bad there.
const NARROW_BEAM_WIDTH: f64 = 25.0;

/// Formats the mean width of a beam, such as `1 state` or `31 states`.
pub fn beam_width_text(width: f64) -> String {
    let plural = if width.round() == 1.0 { "" } else { "s" };
    format!("{width:.0} state{plural}")
}

/// Returns a warning if beams of this mean width are too narrow for conclusions about the contest, otherwise
/// `None`.
pub fn narrow_beam_warning(width: f64) -> Option<String> {
    (width < NARROW_BEAM_WIDTH).then(|| {
        format!(
            "warning: the beams are {} wide on average, in the contest 30 and more; what is better here may \
             be worse there: compare with --work 100 before you submit",
            beam_width_text(width)
        )
    })
}

/// The bot with particular weights and networks. The default is the bot in this build.
///
/// The JSON form is an object with the weights by name and the networks as text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SerializedPlayer", into = "SerializedPlayer")]
pub struct BotPlayer {
    /// The weights of the hand-set evaluation and of the search.
    pub weights: Weights,
    /// The learned evaluation; `None` if only the weights are used.
    pub network: Option<Arc<Network>>,
    /// The learned evaluation of states with at most two upcoming colours; `None` if `network` evaluates
    /// these states, too. Unused if `network` is `None`.
    pub two_colour_network: Option<Arc<Network>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SerializedPlayer {
    weights: BTreeMap<String, f64>,
    network: Option<String>,
    two: Option<String>,
}

impl Default for BotPlayer {
    fn default() -> Self {
        let networks = networks::built_in_networks();
        let share = |network: &Network| Arc::new(network.clone());
        Self {
            weights: Weights::default(),
            network: networks.map(|networks| share(networks.any_colours)),
            two_colour_network: networks
                .and_then(|networks| networks.two_colours)
                .map(share),
        }
    }
}

impl From<BotPlayer> for SerializedPlayer {
    fn from(player: BotPlayer) -> Self {
        let names = PARAMETERS.iter().map(|parameter| parameter.name.into());
        Self {
            weights: names.zip(player.weights.values()).collect(),
            network: player.network.map(|network| network.to_text()),
            two: player.two_colour_network.map(|network| network.to_text()),
        }
    }
}

impl TryFrom<SerializedPlayer> for BotPlayer {
    type Error = String;

    fn try_from(serialized: SerializedPlayer) -> Result<Self, String> {
        let network = |text: String| Network::parse(&text).ok_or("expected a network");
        let mut weights = Weights::default();
        for (name, value) in serialized.weights {
            weights.set(&name, value)?;
        }
        Ok(Self {
            weights,
            network: serialized.network.map(network).transpose()?.map(Arc::from),
            two_colour_network: serialized.two.map(network).transpose()?.map(Arc::from),
        })
    }
}

impl BotPlayer {
    /// Creates the player of this build, with other weights or another network if given. `weights` is a file
    /// in the format of `bot --print-weights`. `network` is a file, or `none` for a player without a network.
    /// A network from a file evaluates all cases, regardless of their number of colours.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or if its contents are invalid. The error names
    /// the file.
    pub fn from_files(weights: Option<&Path>, network: Option<&Path>) -> Result<Self> {
        let mut player = Self::default();
        if let Some(path) = weights {
            let text = input::read(path, input::MAX_FILE_BYTES)?;
            player.weights = weights_file::parse(&text).with_context(|| input::name(path))?;
        }
        if let Some(path) = network {
            player.network = input::read_network(path)?.map(Arc::from);
            player.two_colour_network = None;
        }
        Ok(player)
    }

    /// Borrows the player in the form that the bot's search expects.
    pub fn as_search_player(&self) -> search::Player<'_> {
        let networks = self.network.as_deref().map(|any_colours| Networks {
            any_colours,
            two_colours: self.two_colour_network.as_deref(),
        });
        search::Player {
            weights: &self.weights,
            networks,
        }
    }

    /// Plays a case within `work_us` microseconds of work ([`columns_bot::observe::meter`]). The game is
    /// the same on every machine.
    pub fn play(&self, case: &Case, work_us: u64) -> GameResult {
        let solution = play_metered(
            case,
            self.as_search_player(),
            work_us as f64 / 1e6,
            InstructionSet::detect(),
        );
        GameResult {
            points: solution.points,
            placed_columns: solution.search.depth,
            mean_beam_width: solution.search.survivors
                / solution.search.layers_searched.max(1) as u64,
            failure: None,
        }
    }

    /// Plays a short case of every profile, and returns a digest of the cases and the results.
    ///
    /// Builds with different digests play differently or generate different cases, so their results must not
    /// be mixed. Builds with the same digest probably play the same way.
    ///
    /// # Panics
    /// Does not panic in practice: the number of columns is within its limits.
    pub fn behaviour_digest(&self) -> Digest {
        let mut digest = Digest::EMPTY;
        for profile in Profile::ALL {
            let spec = Spec::new(profile).with_columns(BEHAVIOUR_COLUMNS);
            let case = generate(2, &spec.expect("a number of columns within the limits"));
            let played = self.play(&case, BEHAVIOUR_WORK_US);
            digest.update(case.to_string().as_bytes());
            for number in [
                played.points,
                played.placed_columns as u64,
                played.mean_beam_width,
            ] {
                digest.update(&number.to_le_bytes());
            }
        }
        digest
    }
}

/// The number of columns of each case in [`BotPlayer::behaviour_digest`]. The 240 jewels of such a case do
/// not fit into the largest field, so the digest also depends on how the bot clears jewels.
const BEHAVIOUR_COLUMNS: usize = 80;
/// The work of each game in [`BotPlayer::behaviour_digest`], in microseconds. It is small, since a command
/// plays all these games before it begins or resumes a run. The digest still reveals most changes to a single
/// weight: of 72 changes by a step or by a tenth of a step, 52 change the digest.
const BEHAVIOUR_WORK_US: u64 = 2000;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn weights_and_network_change_the_behaviour() {
        let own = BotPlayer::default();
        let mut other = own.clone();
        other.weights.set("steps", own.weights.steps + 3.0).unwrap();
        let hand_set = BotPlayer {
            network: None,
            ..own.clone()
        };
        assert_eq!(
            own.behaviour_digest(),
            BotPlayer::default().behaviour_digest()
        );
        assert_ne!(own.behaviour_digest(), other.behaviour_digest());
        assert_ne!(own.behaviour_digest(), hand_set.behaviour_digest());
    }

    proptest! {
        #[test]
        fn a_player_survives_a_round_trip_through_json(
            shares in prop::collection::vec(0.0..=1.0_f64, PARAMETERS.len()),
        ) {
            let mut player = BotPlayer::default();
            for (parameter, share) in PARAMETERS.iter().zip(shares) {
                let value = parameter.min + share * (parameter.max - parameter.min);
                let value = value.clamp(parameter.min, parameter.max);
                player.weights.set(parameter.name, value).unwrap();
            }
            let text = serde_json::to_string(&player).unwrap();
            prop_assert_eq!(&serde_json::from_str::<BotPlayer>(&text).unwrap(), &player);
        }
    }
}
