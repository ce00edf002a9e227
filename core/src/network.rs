//! A learned evaluation for the states of any game: a small multi-layer perceptron.
//!
//! The network has one hidden layer of rectified linear units, plus a linear part that bypasses it.
//! All numbers are integers, so that a state has the same value on every machine. The source code
//! contains the network as text: numbers in base 93, whose digits are the printable ASCII
//! characters without `"` and `\`. The middle digit stands for 0, and the digits below it are
//! negative.

use crate::simd::{Isa, UNITS};
// Not in the prelude of Rust 2018, and the submission must compile in every edition.
use std::convert::TryFrom;

/// The number of units in the hidden layer.
pub const HIDDEN: usize = UNITS;
/// The value of a network that represents one unit of the game.
pub const SCALE: i32 = 256;

/// The integer that represents one standard deviation of a feature.
pub const UNIT: f64 = 64.0;
/// Standardised features are clamped to plus or minus this number.
pub const CLAMP: i32 = 400;
/// The integer that represents a weight of 1 in the first layer and the linear part.
pub const WEIGHT: f64 = 24.0;
/// The integer that represents a weight of 1 in the output layer.
pub const OUTPUT: f64 = 256.0;

/// A multi-layer perceptron for a game with 2 × `PAIRS` features. The features are stored in pairs,
/// since one SIMD instruction multiplies and adds two of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Mlp<const PAIRS: usize> {
    /// The mean of each feature, which is subtracted first.
    pub mean: [[i16; 2]; PAIRS],
    /// The factor of each feature after the subtraction, in units of 1/256.
    pub scale: [[i16; 2]; PAIRS],
    /// The first layer: for each pair of features the two weights of each hidden unit.
    pub first: [[[i16; 2]; HIDDEN]; PAIRS],
    /// The bias of each hidden unit, scaled like the product of a feature and a weight.
    pub bias: [i32; HIDDEN],
    /// The output layer: a weight for each hidden unit, scaled by [`OUTPUT`].
    pub output: [i16; HIDDEN],
    /// The linear part: a weight for each feature, scaled by [`WEIGHT`].
    pub linear: [[i16; 2]; PAIRS],
}

/// The description of a state, for observers and for learning: its features `F` and its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Described<F> {
    /// A hash that no other state of the layer has.
    pub hash: u64,
    /// The value without noise, in units of 1/[`SCALE`] of the game's unit.
    pub value: i32,
    /// The value without noise and without the learned part, in the same unit.
    pub base: i32,
    /// The features, the input of the network.
    pub features: F,
}

/// Iterates over the digits of the numbers in a text, in ascending order. A number has 1, 2 or 3
/// digits.
fn digits() -> impl Iterator<Item = u8> {
    (b' '..=b'~').filter(|&digit| digit != b'"' && digit != b'\\')
}

/// The number of different digits.
const BASE: i32 = 93;

/// Returns the largest number with `count` digits. The smallest is its negative.
pub const fn largest(count: usize) -> i32 {
    (BASE.pow(count as u32) - 1) / 2
}

/// Reads numbers from text.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn number(&mut self, count: usize) -> Option<i32> {
        let mut number = 0;
        for _ in 0..count {
            let (&character, rest) = self.0.split_first()?;
            self.0 = rest;
            let digit = digits().position(|digit| digit == character)?;
            number = number * BASE + digit as i32;
        }
        Some(number - largest(count))
    }

    fn fill<'n, N: TryFrom<i32> + 'n>(
        &mut self,
        numbers: impl IntoIterator<Item = &'n mut N>,
        count: usize,
    ) -> Option<()> {
        for number in numbers {
            *number = N::try_from(self.number(count)?).ok()?;
        }
        Some(())
    }
}

/// Appends numbers to text, each as `count` digits.
fn write<'n, N>(text: &mut String, numbers: impl IntoIterator<Item = &'n N>, count: usize)
where
    N: Copy + Into<i32> + 'n,
{
    for &number in numbers {
        let mut rest = number.into().clamp(-largest(count), largest(count)) + largest(count);
        let end = text.len();
        for _ in 0..count {
            let digit = digits().nth((rest % BASE) as usize).unwrap_or_default();
            text.insert(end, digit as char);
            rest /= BASE;
        }
    }
}

impl<const PAIRS: usize> Mlp<PAIRS> {
    /// The network with the value 0 for every state.
    pub const ZERO: Self = Self {
        mean: [[0; 2]; PAIRS],
        scale: [[0; 2]; PAIRS],
        first: [[[0; 2]; HIDDEN]; PAIRS],
        bias: [0; HIDDEN],
        output: [0; HIDDEN],
        linear: [[0; 2]; PAIRS],
    };

    /// The number of characters that encode one hidden unit.
    const EACH: usize = 2 * PAIRS + 3 + 2;
    /// The number of characters that encode the inputs: their means, scales and linear weights.
    const REST: usize = 2 * PAIRS * (2 + 3 + 2);

    /// Parses the output of [`Mlp::text`]. Returns `None` for any other text, or if a number is too
    /// large. The length of the text determines the number of hidden units; the weights of the
    /// remaining units are 0.
    pub fn parse(text: &str) -> Option<Box<Self>> {
        let mut network = Box::new(Self::ZERO);
        let mut reader = Reader(text.as_bytes());
        let units = text.len().checked_sub(Self::REST)? / Self::EACH;
        if units > HIDDEN {
            return None;
        }
        reader.fill(network.mean.iter_mut().flatten(), 2)?;
        reader.fill(network.scale.iter_mut().flatten(), 3)?;
        for pair in &mut network.first {
            reader.fill(pair[..units].iter_mut().flatten(), 1)?;
        }
        reader.fill(&mut network.bias[..units], 3)?;
        reader.fill(&mut network.output[..units], 2)?;
        reader.fill(network.linear.iter_mut().flatten(), 2)?;
        reader.0.is_empty().then_some(network)
    }

    /// Formats the network. Omits the hidden units after the last one with a non-zero output
    /// weight.
    pub fn text(&self) -> String {
        let silent = self.output.iter().rev().take_while(|&&weight| weight == 0);
        let units = HIDDEN - silent.count();
        let mut text = String::new();
        write(&mut text, self.mean.iter().flatten(), 2);
        write(&mut text, self.scale.iter().flatten(), 3);
        let first = self.first.iter().flat_map(|pair| &pair[..units]);
        write(&mut text, first.flatten(), 1);
        write(&mut text, &self.bias[..units], 3);
        write(&mut text, &self.output[..units], 2);
        write(&mut text, self.linear.iter().flatten(), 2);
        text
    }

    /// Computes the value of a state with these features, in units of 1/[`SCALE`] of the game's
    /// unit.
    ///
    /// # Panics
    /// If the number of features is not 2 × `PAIRS`.
    #[inline(always)]
    pub fn value<I: Isa>(&self, isa: I, features: &[i16]) -> i32 {
        assert_eq!(features.len(), 2 * PAIRS);
        let mut inputs = [[0_i16; 2]; PAIRS];
        let mut linear = 0_i32;
        for pair in 0..PAIRS {
            for i in 0..2 {
                let distance = i32::from(features[2 * pair + i]) - i32::from(self.mean[pair][i]);
                let scaled = (distance * i32::from(self.scale[pair][i])) >> 8;
                let input = scaled.clamp(-CLAMP, CLAMP);
                inputs[pair][i] = input as i16;
                linear += input * i32::from(self.linear[pair][i]);
            }
        }
        let mut sums = self.bias;
        isa.add_products(&mut sums, &inputs, &self.first);
        // The linear part, scaled like the products of the output layer.
        let mut sum = i64::from(linear) * OUTPUT as i64;
        for unit in 0..HIDDEN {
            sum += i64::from(sums[unit].max(0)) * i64::from(self.output[unit]);
        }
        (sum * i64::from(SCALE) / (UNIT * WEIGHT * OUTPUT) as i64) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Portable;

    const PAIRS: usize = 47;
    const FEATURES: usize = 2 * PAIRS;

    #[test]
    fn numbers_survive_as_text() {
        assert_eq!(digits().count(), BASE as usize);
        for count in 1..=3 {
            let largest = largest(count);
            for number in [-largest, -1, 0, 1, 45, 46, largest] {
                if number.abs() > largest {
                    continue;
                }
                let mut text = String::new();
                write(&mut text, &[number], count);
                assert_eq!(text.len(), count);
                assert!(!text.contains(['"', '\\']));
                assert_eq!(Reader(text.as_bytes()).number(count), Some(number));
            }
        }
    }

    #[test]
    fn a_network_survives_as_text() {
        let mut network = Mlp::<PAIRS>::ZERO;
        network.mean[1][1] = -17;
        network.scale[PAIRS - 1][1] = 30_000;
        network.bias[5] = 400_000;
        network.output[1] = 4000;
        network.output[6] = -1;
        network.linear[1][0] = -3;
        // Seven units, or all of them.
        for last in [6, HIDDEN - 1] {
            network.first[PAIRS - 1][last] = [-46, 3];
            network.output[last] = 7;
            let text = network.text();
            assert_eq!(text.len(), (last + 1) * (FEATURES + 5) + 7 * FEATURES);
            assert_eq!(*Mlp::parse(&text).unwrap(), network);
            assert_eq!(Mlp::<PAIRS>::parse(&format!("{text} ")), None);
        }
        let text = network.text();
        let longer = format!("{text}{}", " ".repeat(FEATURES + 5));
        assert_eq!(Mlp::<PAIRS>::parse(&longer), None);
        assert_eq!(Mlp::<PAIRS>::parse(&text[1..]), None);
        assert_eq!(Mlp::<{ PAIRS + 1 }>::parse(&text), None);
        // Three digits can represent numbers that do not fit into the type of a scale.
        let scales = 2 * FEATURES;
        let damaged = format!("{}~~~{}", &text[..scales], &text[scales + 3..]);
        assert_eq!(Mlp::<PAIRS>::parse(&damaged), None);
        let quoted = format!("\"{}", &text[1..]);
        assert_eq!(Mlp::<PAIRS>::parse(&quoted), None);
    }

    #[test]
    fn the_value_agrees_with_floating_point_arithmetic() {
        let mut network = Mlp::<PAIRS>::ZERO;
        let mut features = [0; FEATURES];
        for i in 0..FEATURES {
            network.mean[i / 2][i % 2] = i as i16;
            // Standard deviation 4: 64 / 4 * 256.
            network.scale[i / 2][i % 2] = 4096;
            network.linear[i / 2][i % 2] = (i % 7) as i16 * 24;
            features[i] = (i as i16 * 5) % 9 + i as i16;
            for unit in 0..HIDDEN {
                network.first[i / 2][unit][i % 2] = ((i * unit) % 11) as i16 - 5;
            }
        }
        for unit in 0..HIDDEN {
            network.bias[unit] = unit as i32 * 100 - 500;
            network.output[unit] = 40 - 3 * unit as i16;
        }
        let x = |i: usize| f64::from((i as i32 * 5) % 9) / 4.0;
        let mut expected: f64 = (0..FEATURES).map(|i| x(i) * (i % 7) as f64).sum();
        for unit in 0..HIDDEN {
            let sum: f64 = (0..FEATURES)
                .map(|i| x(i) * (((i * unit) % 11) as f64 - 5.0) / WEIGHT)
                .sum();
            let sum = sum + (unit as f64 * 100.0 - 500.0) / (UNIT * WEIGHT);
            expected += sum.max(0.0) * (40.0 - 3.0 * unit as f64) / OUTPUT;
        }
        let value = f64::from(network.value(Portable, &features)) / 256.0;
        assert!((value - expected).abs() < 0.02, "{value} is not {expected}");
    }
}
