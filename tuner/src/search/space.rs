//! The space that is searched: some numbers of a contestant, each measured in its steps. They are
//! parameters of the table of weights, numbers of the network, or values in a command line.

use super::network;
use crate::contestant::{Contestant, Program};
use crate::player::Player;
use anyhow::{anyhow, ensure, Context, Result};
use columns_bot::eval::weights::{Parameter, PARAMETERS};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::{fmt, sync::Arc};

/// One dimension: a number of the contestant, as it was when the run began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a table of start, lowest, highest and step"
)]
pub struct Axis {
    /// The name of the parameter, in the table of weights or in a command line; or of the number in
    /// the network, which has a blank in it.
    #[serde(default)]
    pub name: String,
    /// The value that the search starts from.
    pub start: f64,
    /// The lowest value.
    pub lowest: f64,
    /// The highest value.
    pub highest: f64,
    /// One unit of the space.
    pub step: f64,
}

impl Axis {
    /// Whether it is a number of the network, which means nothing to a reader.
    pub fn is_of_network(&self) -> bool {
        self.name.contains(' ')
    }

    /// The value at a coordinate inside the range; coordinate 0 is the start.
    fn value(&self, coordinate: f64) -> f64 {
        (self.start + coordinate * self.step).clamp(self.lowest, self.highest)
    }

    /// The coordinate inside the range that is nearest to this one.
    pub fn inside(&self, coordinate: f64) -> f64 {
        let at = |value: f64| (value - self.start) / self.step;
        coordinate.clamp(at(self.lowest), at(self.highest))
    }

    /// A value, rounded to the decimals that matter: to the largest power of ten that is at most a
    /// twentieth of a step.
    pub fn rounded(&self, value: f64) -> f64 {
        let decimals = -(libm::log10(self.step / 20.0) + 1e-9).floor();
        let scale = 10_f64.powi(decimals as i32);
        ((value * scale).round() / scale).clamp(self.lowest, self.highest)
    }
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} from {} to {} in steps of {}, starting at {}",
            self.name, self.lowest, self.highest, self.step, self.start
        )
    }
}

/// The parameters of these names, starting from the weights of a player; all parameters where none
/// are named. They are in the order of the table.
///
/// # Errors
/// If the table does not have a name, or if a name is given twice.
pub fn of_names(names: &[String], start: &Player) -> Result<Vec<Axis>> {
    for (index, name) in names.iter().enumerate() {
        let known: Vec<&str> = PARAMETERS.iter().map(|p| p.name).collect();
        ensure!(
            known.contains(&&**name),
            "no parameter is called {name:?}; there are {}",
            known.join(", ")
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
        lowest: parameter.lowest,
        highest: parameter.highest,
        step: parameter.step,
    };
    Ok(named.map(axis).collect())
}

/// The parameters of a program, from a text in TOML: a line for each, such as
/// `width = { start = 8, lowest = 1, highest = 50, step = 2 }`. They are in alphabetical order.
///
/// # Errors
/// What is not as expected, and where.
pub fn of_toml(text: &str) -> Result<Vec<Axis>> {
    let axes: BTreeMap<String, Axis> = toml::from_str(text).map_err(|error| {
        // Its text has several lines, of which the first says where.
        let shown = error.to_string();
        let place = shown.lines().next().unwrap_or_default();
        anyhow!("{place}: {}", error.message())
    })?;
    let named = axes.into_iter().map(|(name, axis)| Axis { name, ..axis });
    let axes: Vec<Axis> = named.collect();
    for axis in &axes {
        let ordered = axis.lowest <= axis.start && axis.start <= axis.highest;
        let finite = (axis.highest - axis.lowest).is_finite();
        ensure!(
            ordered && finite && axis.step > 0.0,
            "expected a start from the lowest to the highest value and a step above 0, found {axis}"
        );
    }
    Ok(axes)
}

/// The space of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Space {
    axes: Vec<Axis>,
    start: Contestant,
}

impl Space {
    /// The space of these dimensions.
    ///
    /// # Errors
    /// If there is none, or if one is no number of the contestant: of a bot, if it is not in this
    /// build, has another range there, or does not start from the value in `start`.
    pub fn new(axes: &[Axis], start: &Contestant) -> Result<Self> {
        ensure!(
            !axes.is_empty(),
            "expected at least one parameter, found none"
        );
        match start {
            Contestant::Bot { player, .. } => check_numbers(axes, player)?,
            Contestant::Program(program) => check_values(axes, program)?,
        }
        Ok(Self {
            axes: axes.to_vec(),
            start: start.clone(),
        })
    }

    /// The same numbers, starting from these values.
    #[must_use]
    pub fn from(&self, values: &[f64]) -> Self {
        let axes = self.axes.iter().zip(values).map(|(axis, &start)| Axis {
            start,
            ..axis.clone()
        });
        Self {
            axes: axes.collect(),
            start: self.start.clone(),
        }
    }

    /// The dimensions, in the order of the table.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The contestant that the search starts from.
    pub fn start(&self) -> Contestant {
        self.contestant(&self.rounded(None))
    }

    /// The values at a point, in the order of the dimensions.
    ///
    /// # Panics
    /// If the point has another number of coordinates than the space.
    pub fn values(&self, point: &[f64]) -> Vec<f64> {
        assert_eq!(point.len(), self.axes.len());
        let axes = self.axes.iter().zip(point);
        axes.map(|(axis, &x)| axis.value(x)).collect()
    }

    /// A point with every coordinate inside its range.
    pub fn inside(&self, point: impl Iterator<Item = f64>) -> Vec<f64> {
        let axes = self.axes.iter().zip(point);
        axes.map(|(axis, x)| axis.inside(x)).collect()
    }

    /// These values, rounded (see [`Axis::rounded`]), or those of the start.
    pub fn rounded(&self, values: Option<&[f64]>) -> Vec<f64> {
        let start: Vec<f64> = self.axes.iter().map(|axis| axis.start).collect();
        let axes = self.axes.iter();
        let rounded = |values| axes.zip(values).map(|(axis, &value)| axis.rounded(value));
        values.map_or(start, |values| rounded(values).collect())
    }

    /// The contestant with these values.
    pub fn contestant(&self, values: &[f64]) -> Contestant {
        let named = || self.axes.iter().map(|axis| axis.name.as_str()).zip(values);
        let mut contestant = self.start.clone();
        match &mut contestant {
            Contestant::Bot { player, .. } => {
                let mut numbers = HashMap::new();
                for (name, &value) in named() {
                    match player.weights.get_mut(name) {
                        Some(weight) => *weight = value,
                        None => _ = numbers.insert(name, value),
                    }
                }
                if let (false, Some(network)) = (numbers.is_empty(), &mut player.network) {
                    *network = Arc::from(network::with(network, &numbers));
                }
            }
            Contestant::Program(Program { command, .. }) => {
                for (name, value) in named() {
                    *command = command.replace(&place(name), &value.to_string());
                }
            }
        }
        contestant
    }
}

/// Where the value of a parameter stands in a command line.
fn place(name: &str) -> String {
    format!("{{{name}}}")
}

/// Checks that these are numbers of a player.
fn check_numbers(axes: &[Axis], start: &Player) -> Result<()> {
    let network = start.network.iter().flat_map(|one| network::axes(one));
    let all: Vec<Axis> = of_names(&[], start)?.into_iter().chain(network).collect();
    for axis in axes {
        let known = all.iter().find(|known| known.name == axis.name).cloned();
        let unknown = || format!("no parameter is called {:?}", axis.name);
        let mut known = known.with_context(unknown)?;
        if known.is_of_network() {
            // It was measured.
            known.step = axis.step;
        }
        ensure!(*axis == known, "expected {known}, found {axis}");
    }
    Ok(())
}

/// Checks that these are values of a command line.
fn check_values(axes: &[Axis], program: &Program) -> Result<()> {
    for place in axes.iter().map(|axis| place(&axis.name)) {
        let command = &program.command;
        ensure!(
            command.contains(&place),
            "--bot: expected {place} in the command line, found {command:?}"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_bot::eval::weights::Weights;
    use proptest::prelude::*;

    fn axis(start: f64, lowest: f64, highest: f64, step: f64) -> Axis {
        Axis {
            name: "a".into(),
            start,
            lowest,
            highest,
            step,
        }
    }

    #[test]
    fn coordinates_stay_inside_the_range() {
        let axis = axis(1.0, -1.0, 3.0, 0.5);
        for (coordinate, inside, value) in [
            (0.0, 0.0, 1.0),
            (1.0, 1.0, 1.5),
            (4.0, 4.0, 3.0),
            (5.0, 4.0, 3.0),
            (-4.0, -4.0, -1.0),
            (-1601.0, -4.0, -1.0),
        ] {
            assert_eq!(axis.inside(coordinate), inside, "{coordinate}");
            assert_eq!(axis.value(coordinate), value, "{coordinate}");
        }
    }

    #[test]
    fn values_are_rounded_to_what_matters() {
        for (step, value, rounded) in [
            (0.05, 0.851_449, 0.851),
            (0.5, 2.496, 2.5),
            (0.5, 2.4949, 2.49),
            (1.0, 3.145_01, 3.15),
            (5.0, 21.27, 21.3),
            (0.02, 0.123_456, 0.123),
            (0.01, 0.031_26, 0.0313),
            (0.1, -0.6449, -0.645),
        ] {
            let axis = axis(0.0, -1000.0, 1000.0, step);
            assert_eq!(axis.rounded(value), rounded, "steps of {step}");
        }
    }

    proptest! {
        #[test]
        fn every_point_is_within_the_bounds(point in prop::collection::vec(-1e6..1e6, PARAMETERS.len())) {
            let space = of_bot(&[], Player::default());
            let values = space.values(&point);
            for values in [space.rounded(Some(&values)), values] {
                let Contestant::Bot { player, .. } = space.contestant(&values) else {
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

    /// The space of these parameters of a player; of all if there are none.
    fn of_bot(names: &[&str], player: Player) -> Space {
        let names: Vec<String> = names.iter().map(|&name| name.into()).collect();
        let axes = of_names(&names, &player).unwrap();
        Space::new(&axes, &Contestant::Bot { player, work: 1 }).unwrap()
    }

    #[test]
    fn a_space_has_the_named_parameters_only() {
        let mut start = Player::default();
        start.weights.set("spot", 2.0).unwrap();
        let space = of_bot(&["spot", "steps"], start.clone());
        // In the order of the table.
        let seen: Vec<&str> = space.axes().iter().map(|a| a.name.as_str()).collect();
        assert_eq!(seen, ["steps", "spot"]);
        assert_eq!(space.contestant(&space.values(&[0.0, 0.0])), space.start());
        let mut moved = start;
        moved.weights.set("spot", 2.5).unwrap();
        let expected = of_bot(&["spot"], moved).start();
        assert_eq!(space.contestant(&space.values(&[0.0, 1.0])), expected);
    }

    #[test]
    fn what_is_not_in_the_table_is_refused() {
        let start = Player::default();
        let refused = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.into()).collect();
            of_names(&names, &start).unwrap_err().to_string()
        };
        assert!(refused(&["sport"])
            .starts_with("no parameter is called \"sport\"; there are potential, "));
        assert!(refused(&["spot", "spot"]).contains("found spot twice"));
        let mut axes = of_names(&[], &start).unwrap();
        let bot = of_bot(&[], start.clone()).start();
        assert!(Space::new(&[], &bot).is_err());
        let spot = axes.iter_mut().find(|axis| axis.name == "spot");
        spot.unwrap().highest += 1.0;
        let told = Space::new(&axes, &bot).unwrap_err().to_string();
        assert!(told.starts_with("expected spot from -5 to 10"), "{told}");
    }

    #[test]
    fn values_stand_in_a_command_line() {
        let space = |command: &str, text: &str| {
            let program = Program {
                command: command.into(),
                seconds: 1.0,
                memory: 100,
            };
            Space::new(&of_toml(text)?, &Contestant::Program(program))
        };
        let both = "b = { start = -0.5, lowest = -1, highest = 1, step = 0.1 }\n\
                    a = { start = 3, lowest = 0, highest = 9, step = 1 }\n";
        let space_of_both = space("./mine -a {a} --b={b}{c}", both).unwrap();
        let Contestant::Program(program) = space_of_both.contestant(&[3.25, -1.0]) else {
            unreachable!()
        };
        assert_eq!(program.command, "./mine -a 3.25 --b=-1{c}");
        let range = "a = { start = 3, lowest = 4, highest = 9, step = 1 }";
        for (command, text, expected) in [
            ("x {a}", both, "--bot: expected {b} in the command line, found \"x {a}\""),
            ("x {a}", "", "expected at least one parameter, found none"),
            (
                "x {a}",
                range,
                "expected a start from the lowest to the highest value and a step above 0, found a \
                 from 4 to 9 in steps of 1, starting at 3",
            ),
            (
                "x {a}",
                "\na = { start = 3 }",
                "TOML parse error at line 2, column 5: missing field `lowest`",
            ),
        ] {
            assert_eq!(space(command, text).unwrap_err().to_string(), expected);
        }
    }
}
