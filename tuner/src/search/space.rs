//! The space of a search: the parameters that the search changes, each in units of its own step. They are
//! weights of the bot, parameters of its network, or values in a command line.

use super::axis::{Axis, ValueKind};
use super::network_parameters::{fitted_parameters, with_parameter_values};
use crate::bot_player::BotPlayer;
use crate::player::{Player, ProgramPlayer};
use anyhow::{Context, Result, ensure};
use columns_bot::eval::weights::{PARAMETERS, Parameter};
use columns_judge::bot::Bot;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Returns the axes of the weights with these names, in the order of the bot's table, [`PARAMETERS`]. If
/// `names` is empty, returns the axes of all weights. Each axis starts at its weight in `start`.
///
/// # Errors
/// Returns an error if a name is not in the table, or if a name occurs twice.
pub fn axes_of_weights(names: &[String], start: &BotPlayer) -> Result<Vec<Axis>> {
    for (index, name) in names.iter().enumerate() {
        let all: Vec<&str> = PARAMETERS.iter().map(|p| p.name).collect();
        ensure!(
            all.contains(&&**name),
            "no parameter is called {name:?}; there are {}",
            all.join(", ")
        );
        ensure!(
            !names[..index].contains(name),
            "expected each parameter once, found {name} twice"
        );
    }
    let all = PARAMETERS.iter().zip(start.weights.values());
    let named = all.filter(|(p, _)| names.is_empty() || names.iter().any(|name| name == p.name));
    let axis = |(parameter, start): (&Parameter, f64)| Axis {
        name: parameter.name.into(),
        start,
        min: parameter.min,
        max: parameter.max,
        step: parameter.step,
        kind: ValueKind::Real,
    };
    Ok(named.map(axis).collect())
}

/// The kind of parameters that a search fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// The bot's table of weights.
    Weights,
    /// The bot's network: its [`fitted_parameters`].
    Network,
    /// Values on the command line of a program.
    Program,
}

/// The parameters that a search fits, and the starting player.
#[derive(Debug, Clone, PartialEq)]
pub struct Space {
    target: Target,
    axes: Vec<Axis>,
    start: Player,
}

impl Space {
    /// Creates the space with these dimensions.
    ///
    /// # Errors
    /// Returns an error if there are no dimensions, or if the player lacks one of them. A weight must have
    /// the range and the step that it has in this build, and the start value that it has in `start`. The same
    /// is true of a network's parameters, except that they may have any step.
    pub fn new(target: Target, axes: &[Axis], start: &Player) -> Result<Self> {
        ensure!(
            !axes.is_empty(),
            "expected at least one parameter, found none"
        );
        match start {
            Player::Bot { player, .. } => check_parameters(target, axes, player)?,
            Player::Program(program) => check_placeholders(axes, program)?,
        }
        Ok(Self {
            target,
            axes: axes.to_vec(),
            start: start.clone(),
        })
    }

    /// Returns the dimensions, in the order of the arguments of [`Space::new`].
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// Returns the player with the start value of each parameter.
    pub fn start_player(&self) -> Player {
        self.player(&self.rounded_or_start(None))
    }

    /// Returns the values at a point, in the order of the dimensions.
    ///
    /// # Panics
    /// Panics if the number of coordinates is not the number of dimensions.
    pub fn values(&self, point: &[f64]) -> Vec<f64> {
        assert_eq!(point.len(), self.axes.len());
        let axes = self.axes.iter().zip(point);
        axes.map(|(axis, &x)| axis.value(x)).collect()
    }

    /// Returns the nearest point with every coordinate inside its range.
    pub fn clamp(&self, point: impl Iterator<Item = f64>) -> Vec<f64> {
        let axes = self.axes.iter().zip(point);
        axes.map(|(axis, x)| axis.clamp(x)).collect()
    }

    /// Rounds `values` (see [`Axis::round`]). Without values, returns the start values unrounded.
    pub fn rounded_or_start(&self, values: Option<&[f64]>) -> Vec<f64> {
        let axes = self.axes.iter();
        let Some(values) = values else {
            return axes.map(|axis| axis.start).collect();
        };
        let both = axes.zip(values);
        both.map(|(axis, &value)| axis.round(value)).collect()
    }

    /// Returns the player with these values, in the order of the dimensions.
    pub fn player(&self, values: &[f64]) -> Player {
        let axes = self.axes.iter().zip(values);
        let named = axes
            .clone()
            .map(|(axis, &value)| (axis.name.as_str(), value));
        let mut player = self.start.clone();
        match &mut player {
            Player::Bot { player, .. } => match (self.target, &mut player.network) {
                (Target::Network, Some(network)) => {
                    *network = Arc::from(with_parameter_values(network, &named.collect()));
                }
                _ => {
                    for (name, value) in named {
                        if let Some(weight) = player.weights.get_mut(name) {
                            *weight = value;
                        }
                    }
                }
            },
            Player::Program(ProgramPlayer { command, .. }) => {
                for (axis, &value) in axes {
                    *command = command.replace(&placeholder(&axis.name), &axis.format(value));
                }
            }
        }
        player
    }
}

/// Returns the placeholder of a parameter in a command line, such as `{width}`.
pub fn placeholder(name: &str) -> String {
    format!("{{{name}}}")
}

/// Checks that the bot has these parameters with the same ranges and start values. For weights, the steps
/// must also be the same.
fn check_parameters(target: Target, axes: &[Axis], start: &BotPlayer) -> Result<()> {
    let all = match (target, &start.network) {
        (Target::Network, Some(network)) => fitted_parameters(network),
        _ => axes_of_weights(&[], start)?,
    };
    for axis in axes {
        let expected = all.iter().find(|expected| expected.name == axis.name);
        let unknown = || format!("no parameter is called {:?}", axis.name);
        let mut expected = expected.with_context(unknown)?.clone();
        if target == Target::Network {
            // The steps of a network's parameters are measured, so accept any step.
            expected.step = axis.step;
        }
        ensure!(*axis == expected, "expected {expected}, found {axis}");
    }
    Ok(())
}

/// Checks that the command line has a placeholder for each parameter. For a parameter with a list of values,
/// also checks that the command line is valid with each of them.
fn check_placeholders(axes: &[Axis], program: &ProgramPlayer) -> Result<()> {
    let command = &program.command;
    for axis in axes {
        let place = placeholder(&axis.name);
        ensure!(
            command.contains(&place),
            "--bot: expected {place} in the command line, found {command:?}"
        );
        let ValueKind::Choice(values) = &axis.kind else {
            continue;
        };
        for value in values {
            let bot = command.replace(&place, value).parse::<Bot>();
            bot.with_context(|| format!("--bot: {place} with the value {value:?}"))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::axis::axes_from_toml;
    use super::*;
    use columns_bot::eval::weights::Weights;
    use columns_judge::arena::process::Limits;
    use columns_judge::program::files::ProgramFiles;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_point_is_within_the_bounds(point in prop::collection::vec(-1e6..1e6, PARAMETERS.len())) {
            let space = of_bot(&[], BotPlayer::default());
            let values = space.values(&point);
            for values in [space.rounded_or_start(Some(&values)), values] {
                let Player::Bot { player, .. } = space.player(&values) else {
                    unreachable!()
                };
                let weights = player.weights;
                let mut checked = Weights::default();
                for (Parameter { name, .. }, value) in PARAMETERS.iter().zip(weights.values()) {
                    prop_assert!(checked.set(name, value).is_ok(), "{name} = {value}");
                }
            }
        }
    }

    #[test]
    fn the_axes_are_the_rows_of_the_table() {
        let axes = axes_of_weights(&[], &BotPlayer::default()).unwrap();
        let starts = Weights::default().values();
        let rows = PARAMETERS.iter().zip(starts).map(|(row, start)| Axis {
            name: row.name.into(),
            start,
            min: row.min,
            max: row.max,
            step: row.step,
            kind: ValueKind::Real,
        });
        assert_eq!(axes, rows.collect::<Vec<_>>());
    }

    /// Returns the space of a player's weights with these names, or of all its weights if `names` is empty.
    fn of_bot(names: &[&str], player: BotPlayer) -> Space {
        let names: Vec<String> = names.iter().map(|&name| name.into()).collect();
        let axes = axes_of_weights(&names, &player).unwrap();
        Space::new(Target::Weights, &axes, &Player::Bot { player, work_us: 1 }).unwrap()
    }

    #[test]
    fn a_space_has_only_the_named_parameters() {
        let mut start = BotPlayer::default();
        start.weights.set("spot", 2.0).unwrap();
        let space = of_bot(&["spot", "steps"], start.clone());
        // The names are in the order of the table.
        let names: Vec<&str> = space.axes().iter().map(|a| a.name.as_str()).collect();
        assert_eq!(names, ["steps", "spot"]);
        assert_eq!(
            space.player(&space.values(&[0.0, 0.0])),
            space.start_player()
        );
        let mut moved = start;
        moved.weights.set("spot", 2.5).unwrap();
        let expected = of_bot(&["spot"], moved).start_player();
        assert_eq!(space.player(&space.values(&[0.0, 1.0])), expected);
    }

    #[test]
    fn unknown_parameters_and_other_ranges_are_refused() {
        let start = BotPlayer::default();
        let error = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.into()).collect();
            axes_of_weights(&names, &start).unwrap_err().to_string()
        };
        assert!(
            error(&["sport"])
                .starts_with("no parameter is called \"sport\"; there are potential, ")
        );
        assert!(error(&["spot", "spot"]).contains("found spot twice"));
        let mut axes = axes_of_weights(&[], &start).unwrap();
        let bot = of_bot(&[], start.clone()).start_player();
        assert!(Space::new(Target::Weights, &[], &bot).is_err());
        let spot = axes.iter_mut().find(|axis| axis.name == "spot");
        spot.unwrap().max += 1.0;
        let message = Space::new(Target::Weights, &axes, &bot)
            .unwrap_err()
            .to_string();
        assert!(
            message.starts_with("expected spot from -5 to 10"),
            "{message}"
        );
    }

    #[test]
    fn values_replace_their_placeholders_in_a_command_line() {
        let space = |command: &str, text: &str| {
            let program = ProgramPlayer {
                command: command.into(),
                limits: Limits::CONTEST,
                files: ProgramFiles::default(),
            };
            Space::new(
                Target::Program,
                &axes_from_toml(text)?,
                &Player::Program(program),
            )
        };
        let both = "b = { start = -0.5, min = -1, max = 1, step = 0.1 }\n\
                    a = { start = 3, min = 0, max = 9, step = 1 }\n";
        let space_of_both = space("./mine -a {a} --b={b} {} {x y}", both).unwrap();
        let Player::Program(program) = space_of_both.player(&[3.25, -1.0]) else {
            unreachable!()
        };
        assert_eq!(program.command, "./mine -a 3.25 --b=-1 {} {x y}");
        let range = "a = { start = 3, min = 4, max = 9, step = 1 }";
        for (command, text, expected) in [
            (
                "x {a}",
                both,
                "--bot: expected {b} in the command line, found \"x {a}\"",
            ),
            ("x {a}", "", "expected at least one parameter, found none"),
            (
                "x {a}",
                range,
                "a: expected a start from min to max and a step above 0, found a \
                 from 4 to 9 in steps of 1, starting at 3",
            ),
            ("x {a}", "\na = { start = 3 }", "a: missing field `min`"),
            (
                "x {a}",
                "a = { start = 1, values = [1, \"it's\"] }",
                "--bot: {a} with the value \"it's\": missing closing quote",
            ),
        ] {
            assert_eq!(format!("{:#}", space(command, text).unwrap_err()), expected);
        }
    }
}
