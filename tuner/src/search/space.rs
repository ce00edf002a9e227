//! The space that is searched: some numbers of a player, each measured in its steps. They are
//! parameters of the table of weights, or numbers of the network.

use super::network;
use crate::player::Player;
use anyhow::{bail, ensure, Context, Result};
use columns_bot::eval::weights::{Parameter, PARAMETERS};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One dimension: a number of the player, as it was when the run began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// The name of the parameter in the table of weights, or of the number in the network.
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
    fn new(parameter: &Parameter, start: f64) -> Self {
        Self {
            name: parameter.name.into(),
            start,
            lowest: parameter.lowest,
            highest: parameter.highest,
            step: parameter.step,
        }
    }

    /// Whether it is this parameter, with the same range and step.
    pub fn is(&self, parameter: &Parameter) -> bool {
        *self == Self::new(parameter, self.start)
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
        let decimals = -((self.step / 20.0).log10() + 1e-9).floor();
        let scale = 10_f64.powi(decimals as i32);
        ((value * scale).round() / scale).clamp(self.lowest, self.highest)
    }
}

/// The space of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Space {
    axes: Vec<Axis>,
    start: Player,
}

impl Space {
    /// The parameters of these names, all else staying as in `start`; all parameters where none are
    /// named.
    ///
    /// # Errors
    /// If the table does not have a name, or if a name is given twice.
    pub fn of_names(names: &[String], start: &Player) -> Result<Self> {
        for (index, name) in names.iter().enumerate() {
            if !PARAMETERS.iter().any(|p| p.name == name) {
                let known: Vec<&str> = PARAMETERS.iter().map(|p| p.name).collect();
                bail!(
                    "no parameter is called {name:?}; there are {}",
                    known.join(", ")
                );
            }
            if names[..index].contains(name) {
                bail!("expected each parameter once, found {name} twice");
            }
        }
        let axes = PARAMETERS
            .iter()
            .zip(start.weights.values())
            .filter(|(p, _)| names.is_empty() || names.iter().any(|name| name == p.name))
            .map(|(p, value)| Axis::new(p, value))
            .collect();
        Ok(Self {
            axes,
            start: start.clone(),
        })
    }

    /// The numbers of the network of `start` that can be searched, each with its step; those with a
    /// step of 0 are left out.
    ///
    /// # Errors
    /// If `start` has no network, or if all steps are 0.
    pub fn of_network(steps: &[f64], start: &Player) -> Result<Self> {
        let network = start.network.as_ref();
        let network = network.context("expected a network to refine, found none")?;
        let axes = network::axes(network).zip(steps);
        let axes = axes.filter(|&(_, &step)| step > 0.0);
        let axes: Vec<Axis> = axes.map(|(axis, &step)| Axis { step, ..axis }).collect();
        ensure!(
            !axes.is_empty(),
            "the network changes nothing in these cases: expected longer ones or a wider beam \
             (--work)"
        );
        Ok(Self {
            axes,
            start: start.clone(),
        })
    }

    /// The space of these dimensions.
    ///
    /// # Errors
    /// If a dimension is no number of a player of this build, has another range there, or does not
    /// start from the value in `start`; or if there is no dimension.
    pub fn new(axes: &[Axis], start: &Player) -> Result<Self> {
        ensure!(
            !axes.is_empty(),
            "expected at least one parameter, found none"
        );
        let table = Self::of_names(&[], start)?.axes;
        let network = start.network.iter().flat_map(|one| network::axes(one));
        let all: Vec<Axis> = table.into_iter().chain(network).collect();
        for axis in axes {
            let known = all.iter().find(|known| known.name == axis.name);
            let known = known.with_context(|| format!("no parameter is called {:?}", axis.name))?;
            // The steps of the network's numbers are measured.
            let step = if known.step > 0.0 {
                known.step
            } else {
                axis.step
            };
            let (lowest, highest) = (known.lowest, known.highest);
            ensure!(
                (axis.start, axis.lowest, axis.highest, axis.step)
                    == (known.start, lowest, highest, step),
                "expected {} from {lowest} to {highest} in steps of {step}, starting at {}, found \
                 {} to {} in steps of {}, starting at {}",
                axis.name,
                known.start,
                axis.lowest,
                axis.highest,
                axis.step,
                axis.start
            );
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
            start: self.player(values),
        }
    }

    /// The dimensions, in the order of the table.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The player that the search starts from.
    pub fn start(&self) -> &Player {
        &self.start
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

    /// These values, rounded; see [`Axis::rounded`].
    pub fn rounded(&self, values: &[f64]) -> Vec<f64> {
        let axes = self.axes.iter().zip(values);
        axes.map(|(axis, &value)| axis.rounded(value)).collect()
    }

    /// The player with these values.
    pub fn player(&self, values: &[f64]) -> Player {
        let mut player = self.start.clone();
        let mut numbers = Vec::new();
        for (axis, &value) in self.axes.iter().zip(values) {
            match player.weights.get_mut(&axis.name) {
                Some(place) => *place = value,
                None => numbers.push((axis.name.as_str(), value)),
            }
        }
        if let (false, Some(network)) = (numbers.is_empty(), &self.start.network) {
            player.network = Some(Arc::from(network::with_named(network, &numbers)));
        }
        player
    }
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
            let space = Space::of_names(&[], &Player::default()).unwrap();
            let values = space.values(&point);
            for values in [space.rounded(&values), values] {
                let weights = space.player(&values).weights;
                let mut checked = Weights::default();
                for (parameter, value) in PARAMETERS.iter().zip(weights.values()) {
                    prop_assert!(checked.set(parameter.name, value).is_ok(), "{} = {}", parameter.name, value);
                }
            }
        }
    }

    #[test]
    fn a_space_has_the_named_parameters_only() {
        let mut start = Player::default();
        start.weights.set("spot", 2.0).unwrap();
        let names = ["spot".to_string(), "steps".to_string()];
        let space = Space::of_names(&names, &start).unwrap();
        // In the order of the table.
        let seen: Vec<&str> = space.axes().iter().map(|a| a.name.as_str()).collect();
        assert_eq!(seen, ["steps", "spot"]);
        assert_eq!(space.player(&space.values(&[0.0, 0.0])), start);
        let moved = space.player(&space.values(&[0.0, 1.0])).weights;
        assert_eq!(moved.spot, 2.5);
        assert_eq!(
            (moved.steps, moved.potential),
            (start.weights.steps, start.weights.potential)
        );
        assert_eq!(Space::new(space.axes(), &start).unwrap(), space);
    }

    #[test]
    fn what_is_not_in_the_table_is_refused() {
        let start = Player::default();
        let refused = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|&name| name.into()).collect();
            Space::of_names(&names, &start).unwrap_err().to_string()
        };
        assert!(refused(&["sport"])
            .starts_with("no parameter is called \"sport\"; there are potential, "));
        assert!(refused(&["spot", "spot"]).contains("found spot twice"));
        let mut axes = Space::of_names(&[], &start).unwrap().axes().to_vec();
        assert!(Space::new(&[], &start).is_err());
        let spot = axes.iter_mut().find(|axis| axis.name == "spot");
        spot.unwrap().highest += 1.0;
        let told = Space::new(&axes, &start).unwrap_err().to_string();
        assert!(told.starts_with("expected spot from -5 to 10"), "{told}");
    }
}
