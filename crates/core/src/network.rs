//! A learned evaluation for the states of any game: a small multi-layer perceptron.
//!
//! The network has one hidden layer of rectified linear units, plus a linear part that bypasses it.
//! All parameters and features are integers, so that a state has the same value on every machine.
//!
//! The source code contains the network as text that encodes a stream of bits. Two characters encode
//! 13 bits: they are the digits of a number in base 93, the lower digit first. The digits are the
//! printable ASCII characters without `"` and `\`.
//!
//! Each parameter of the network is Rice-coded. A zigzag code first maps the numbers 0, -1, 1, -2, 2 to 0, 1,
//! 2, 3, 4, and so on. With two low bits, this code is divided by 4. The quotient is written in unary, as
//! ones and a final zero. The remainder, the low bits, follows in binary:
//!
//! ```text
//! number                                 4               -3              17
//! code, with two low bits                8 = 2 × 4 + 0   5 = 1 × 4 + 1   34 = 8 × 4 + 2
//! written, the lowest bit first          110 00          10 10           111111110 01
//! ```
//!
//! The number of low bits depends on the mean of the previous codes; see `MeanCode`.

use crate::simd::{Isa, NETWORK_UNITS};
// Not in the prelude of Rust 2018, and the submission must compile in every edition.
use std::convert::TryFrom;

/// The number of units in the only hidden layer of an [`Mlp`].
pub const HIDDEN_UNITS: usize = NETWORK_UNITS;
/// The network's output for a value of 1 in the game's unit, such as one match.
pub const VALUE_SCALE: i32 = 256;

/// The integer that represents one standard deviation of a feature.
pub const FEATURE_SCALE: f64 = 64.0;
/// The absolute value to which a standardised feature is clamped, in units of 1/[`FEATURE_SCALE`] of a
/// standard deviation.
pub const INPUT_CLAMP: i32 = 400;
/// The integer that represents a weight of 1 in the hidden layer and the linear part.
pub const WEIGHT_SCALE: f64 = 24.0;
/// The integer that represents a weight of 1 in the output layer.
pub const OUTPUT_WEIGHT_SCALE: f64 = 256.0;

/// A multi-layer perceptron for a game with 2 × `PAIRS` features. The features are stored in pairs,
/// since one SIMD instruction multiplies and adds two of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Mlp<const PAIRS: usize> {
    /// The mean of each feature. It is subtracted before the feature is scaled.
    pub feature_means: [[i16; 2]; PAIRS],
    /// The number by which each feature is multiplied after the subtraction, in units of 1/256.
    pub feature_factors: [[i16; 2]; PAIRS],
    /// The weights of the hidden layer, scaled by [`WEIGHT_SCALE`]: two for each pair of features and each
    /// hidden unit.
    pub hidden_weights: [[[i16; 2]; HIDDEN_UNITS]; PAIRS],
    /// The bias of each hidden unit, scaled like the product of a feature and a weight.
    pub hidden_biases: [i32; HIDDEN_UNITS],
    /// The output layer: a weight for each hidden unit, scaled by [`OUTPUT_WEIGHT_SCALE`].
    pub output_weights: [i16; HIDDEN_UNITS],
    /// The linear part: a weight for each feature, scaled by [`WEIGHT_SCALE`].
    pub linear_weights: [[i16; 2]; PAIRS],
}

/// Iterates over the characters that serve as digits, in ascending order.
fn digits() -> impl Iterator<Item = u8> {
    (b' '..=b'~').filter(|&digit| digit != b'"' && digit != b'\\')
}

/// The number of different digits.
const BASE: u64 = 93;
/// The number of bits that two digits encode.
const PAIR_BITS: u32 = 13;

/// A moving mean of the codes, in eighths.
struct MeanCode(i64);

impl MeanCode {
    /// The mean before the first code: 512. A mean that is too high costs each number a few bits until
    /// the mean has fallen. A mean that is too low costs the first large number hundreds of bits.
    const FIRST: Self = Self(8 * 512);

    /// Returns the number of low bits of the next code.
    fn low_bits(&self) -> u32 {
        (self.0 / 8).max(1).ilog2()
    }

    fn add(&mut self, code: i64) {
        self.0 += code - self.0 / 8;
    }
}

/// Decodes the text of a network.
struct Reader<'a> {
    text: &'a [u8],
    /// The bits that were read from the text but not returned yet.
    bits: u64,
    /// The number of low bits of `bits` that are in use.
    bit_count: u32,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text: text.as_bytes(),
            bits: 0,
            bit_count: 0,
        }
    }

    fn read_bits(&mut self, count: u32) -> Option<i64> {
        while self.bit_count < count {
            let mut pair = 0;
            for place in [1, BASE] {
                let (&character, rest) = self.text.split_first()?;
                self.text = rest;
                let digit = digits().position(|digit| digit == character)?;
                pair += digit as u64 * place;
            }
            if pair >> PAIR_BITS > 0 {
                return None;
            }
            self.bits |= pair << self.bit_count;
            self.bit_count += PAIR_BITS;
        }
        let bits = self.bits % (1 << count);
        self.bits >>= count;
        self.bit_count -= count;
        Some(bits as i64)
    }

    fn read_numbers<'n, N: TryFrom<i64> + 'n>(
        &mut self,
        numbers: impl IntoIterator<Item = &'n mut N>,
    ) -> Option<()> {
        let mut mean = MeanCode::FIRST;
        for number in numbers {
            let low_bits = mean.low_bits();
            let mut high = 0;
            while self.read_bits(1)? > 0 {
                high += 1;
            }
            let code = (high << low_bits) + self.read_bits(low_bits)?;
            mean.add(code);
            *number = N::try_from(code >> 1 ^ -(code & 1)).ok()?;
        }
        Some(())
    }
}

/// Encodes a network as text.
#[derive(Default)]
struct Writer {
    text: String,
    /// The bits that are not in the text yet.
    bits: u64,
    /// The number of low bits of `bits` that are in use.
    bit_count: u32,
}

impl Writer {
    fn write_bits(&mut self, bits: i64, count: u32) {
        self.bits |= (bits as u64) << self.bit_count;
        self.bit_count += count;
        while self.bit_count >= PAIR_BITS {
            self.write_pair();
        }
    }

    /// Writes the lowest [`PAIR_BITS`] bits as two characters.
    fn write_pair(&mut self) {
        let pair = self.bits % (1 << PAIR_BITS);
        for digit in [pair % BASE, pair / BASE] {
            let character = digits().nth(digit as usize).unwrap_or_default();
            self.text.push(character.into());
        }
        self.bits >>= PAIR_BITS;
        self.bit_count = self.bit_count.saturating_sub(PAIR_BITS);
    }

    /// Writes a Rice code: `code >> low_bits` in unary, then the lowest `low_bits` bits.
    fn write_code(&mut self, code: i64, low_bits: u32) {
        for _ in 0..code >> low_bits {
            self.write_bits(1, 1);
        }
        self.write_bits(0, 1);
        self.write_bits(code % (1 << low_bits), low_bits);
    }

    fn write_numbers<'n, N: Copy + Into<i64> + 'n>(
        &mut self,
        numbers: impl IntoIterator<Item = &'n N>,
    ) {
        let mut mean = MeanCode::FIRST;
        for &number in numbers {
            let number = number.into();
            let code = number << 1 ^ number >> 63;
            self.write_code(code, mean.low_bits());
            mean.add(code);
        }
    }

    /// Writes the remaining bits, and returns the text.
    fn finish(mut self) -> String {
        if self.bit_count > 0 {
            self.write_pair();
        }
        self.text
    }
}

impl<const PAIRS: usize> Mlp<PAIRS> {
    /// The network that gives every state the value 0.
    pub const ZERO: Self = Self {
        feature_means: [[0; 2]; PAIRS],
        feature_factors: [[0; 2]; PAIRS],
        hidden_weights: [[[0; 2]; HIDDEN_UNITS]; PAIRS],
        hidden_biases: [0; HIDDEN_UNITS],
        output_weights: [0; HIDDEN_UNITS],
        linear_weights: [[0; 2]; PAIRS],
    };

    /// Parses the output of [`Mlp::to_text`]. Returns `None` for any other text, or if a parameter or the
    /// number of hidden units is too large. The weights of hidden units that the text omits are 0.
    pub fn parse(text: &str) -> Option<Box<Self>> {
        let mut network = Box::new(Self::ZERO);
        let mut reader = Reader::new(text);
        let mut units = [0_u8];
        reader.read_numbers(&mut units)?;
        let units = usize::from(units[0]);
        reader.read_numbers(network.output_weights.get_mut(..units)?)?;
        reader.read_numbers(&mut network.hidden_biases[..units])?;
        let all = &mut *network;
        for part in [
            &mut all.feature_means,
            &mut all.feature_factors,
            &mut all.linear_weights,
        ] {
            reader.read_numbers(part.iter_mut().flatten())?;
        }
        let first = network.hidden_weights.iter_mut();
        reader.read_numbers(first.flat_map(|pair| &mut pair[..units]).flatten())?;
        (reader.text.is_empty() && reader.bits == 0).then_some(network)
    }

    /// Formats the network. Omits the hidden units after the last one with a non-zero output
    /// weight.
    pub fn to_text(&self) -> String {
        let silent = self
            .output_weights
            .iter()
            .rev()
            .take_while(|&&weight| weight == 0);
        let units = HIDDEN_UNITS - silent.count();
        let mut writer = Writer::default();
        writer.write_numbers(&[units as u8]);
        writer.write_numbers(&self.output_weights[..units]);
        writer.write_numbers(&self.hidden_biases[..units]);
        for part in [
            &self.feature_means,
            &self.feature_factors,
            &self.linear_weights,
        ] {
            writer.write_numbers(part.iter().flatten());
        }
        let first = self.hidden_weights.iter();
        writer.write_numbers(first.flat_map(|pair| &pair[..units]).flatten());
        writer.finish()
    }

    /// Computes the value of a state with these features, in units of 1/[`VALUE_SCALE`] of the game's
    /// unit.
    ///
    /// # Panics
    /// If the number of features is not 2 × `PAIRS`.
    #[inline(always)]
    pub fn compute_value<I: Isa>(&self, isa: I, features: &[i16]) -> i32 {
        assert_eq!(features.len(), 2 * PAIRS);
        let mut inputs = [[0_i16; 2]; PAIRS];
        let mut linear = 0_i32;
        for pair in 0..PAIRS {
            for i in 0..2 {
                let distance =
                    i32::from(features[2 * pair + i]) - i32::from(self.feature_means[pair][i]);
                let scaled = (distance * i32::from(self.feature_factors[pair][i])) >> 8;
                let input = scaled.clamp(-INPUT_CLAMP, INPUT_CLAMP);
                inputs[pair][i] = input as i16;
                linear += input * i32::from(self.linear_weights[pair][i]);
            }
        }
        let mut sums = self.hidden_biases;
        isa.add_products(&mut sums, &inputs, &self.hidden_weights);
        // The linear part, scaled like the products of the output layer.
        let mut sum = i64::from(linear) * OUTPUT_WEIGHT_SCALE as i64;
        for unit in 0..HIDDEN_UNITS {
            sum += i64::from(sums[unit].max(0)) * i64::from(self.output_weights[unit]);
        }
        (sum * i64::from(VALUE_SCALE) / (FEATURE_SCALE * WEIGHT_SCALE * OUTPUT_WEIGHT_SCALE) as i64)
            as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Portable;

    const PAIRS: usize = 47;
    const FEATURE_COUNT: usize = 2 * PAIRS;

    fn text<N: Copy + Into<i64>>(numbers: &[N]) -> String {
        let mut writer = Writer::default();
        writer.write_numbers(numbers);
        writer.finish()
    }

    #[test]
    fn numbers_survive_as_text() {
        assert_eq!(digits().count() as u64, BASE);
        let few = [0, -1, 1, 45, -46, i32::MAX, i32::MIN, 0, 7];
        for numbers in [&few[..], &few[..3], &[-3; 100], &[]] {
            let text = text(numbers);
            assert!(!text.contains(['"', '\\']));
            let mut read = vec![9_i32; numbers.len()];
            assert!(Reader::new(&text).read_numbers(&mut read).is_some());
            assert_eq!(read, numbers);
        }
        // Once the mean has settled, 4 and -5 take five bits each.
        let bits = text(&[4, -5].repeat(1000)).len() * 13 / 2;
        assert!((10_000..10_100).contains(&bits), "{bits}");
    }

    #[test]
    fn the_worked_example_of_the_module_is_correct() {
        let mut writer = Writer::default();
        let mut decoded = Vec::new();
        for code in [8, 5, 34] {
            writer.write_code(code, 2);
            decoded.push(code >> 1 ^ -(code & 1));
        }
        assert_eq!(decoded, [4, -3, 17]);
        let mut reader = Reader::new(&writer.text);
        let bits: String = (0..13)
            .map(|_| reader.read_bits(1).unwrap().to_string())
            .collect();
        assert_eq!(bits, "1100010101111");
        assert_eq!((writer.bits, writer.bit_count), (0b100_1111, 7));
    }

    #[test]
    fn a_network_survives_as_text() {
        let mut network = Mlp::<PAIRS>::ZERO;
        network.feature_means[1][1] = -17;
        network.feature_factors[PAIRS - 1][1] = 30_000;
        network.hidden_biases[5] = 400_000;
        network.output_weights[1] = 4000;
        network.output_weights[6] = -1;
        network.linear_weights[1][0] = -3;
        // A network that uses seven of its hidden units, and one that uses all of them.
        for last in [6, HIDDEN_UNITS - 1] {
            network.hidden_weights[PAIRS - 1][last] = [-46, 3];
            network.output_weights[last] = 7;
            let text = network.to_text();
            assert_eq!(*Mlp::parse(&text).unwrap(), network);
            for other in [" ", "  ", "!", "!!"] {
                assert_eq!(Mlp::<PAIRS>::parse(&format!("{text}{other}")), None);
            }
        }
        let text = network.to_text();
        assert_eq!(Mlp::<PAIRS>::parse(""), None);
        assert_eq!(Mlp::<PAIRS>::parse(&text[1..]), None);
        assert_eq!(Mlp::<PAIRS>::parse(&text[..text.len() - 2]), None);
        assert_eq!(Mlp::<{ PAIRS + 1 }>::parse(&text), None);
        let quoted = format!("\"{}", &text[1..]);
        assert_eq!(Mlp::<PAIRS>::parse(&quoted), None);
    }

    #[test]
    fn numbers_that_are_too_large_are_refused() {
        let parsed = |units: usize, weight: i64| {
            let mut writer = Writer::default();
            writer.write_numbers(&[units as i64]);
            writer.write_numbers(&vec![weight; units]);
            for count in [
                units,
                FEATURE_COUNT,
                FEATURE_COUNT,
                FEATURE_COUNT,
                FEATURE_COUNT * units,
            ] {
                writer.write_numbers(&vec![0; count]);
            }
            Mlp::<PAIRS>::parse(&writer.finish())
        };
        assert_eq!(parsed(2, -32_768).unwrap().output_weights[1], i16::MIN);
        assert_eq!(parsed(2, 32_768), None);
        assert!(parsed(HIDDEN_UNITS, 1).is_some());
        assert_eq!(parsed(HIDDEN_UNITS + 1, 1), None);
        assert_eq!(parsed(257, 1), None);
        // The two characters `~~` encode a number that does not fit into 13 bits.
        assert_eq!(Mlp::<PAIRS>::parse(&"~".repeat(5000)), None);
    }

    #[test]
    fn the_value_agrees_with_floating_point_arithmetic() {
        let mut network = Mlp::<PAIRS>::ZERO;
        let mut features = [0; FEATURE_COUNT];
        for i in 0..FEATURE_COUNT {
            network.feature_means[i / 2][i % 2] = i as i16;
            // The factor of a feature with standard deviation 4: 64 / 4, in units of 1/256.
            network.feature_factors[i / 2][i % 2] = 4096;
            network.linear_weights[i / 2][i % 2] = (i % 7) as i16 * 24;
            features[i] = (i as i16 * 5) % 9 + i as i16;
            for unit in 0..HIDDEN_UNITS {
                network.hidden_weights[i / 2][unit][i % 2] = ((i * unit) % 11) as i16 - 5;
            }
        }
        for unit in 0..HIDDEN_UNITS {
            network.hidden_biases[unit] = unit as i32 * 100 - 500;
            network.output_weights[unit] = 40 - 3 * unit as i16;
        }
        let x = |i: usize| f64::from((i as i32 * 5) % 9) / 4.0;
        let mut expected: f64 = (0..FEATURE_COUNT).map(|i| x(i) * (i % 7) as f64).sum();
        for unit in 0..HIDDEN_UNITS {
            let sum: f64 = (0..FEATURE_COUNT)
                .map(|i| x(i) * (((i * unit) % 11) as f64 - 5.0) / WEIGHT_SCALE)
                .sum();
            let sum = sum + (unit as f64 * 100.0 - 500.0) / (FEATURE_SCALE * WEIGHT_SCALE);
            expected += sum.max(0.0) * (40.0 - 3.0 * unit as f64) / OUTPUT_WEIGHT_SCALE;
        }
        let value = f64::from(network.compute_value(Portable, &features)) / 256.0;
        assert!((value - expected).abs() < 0.02, "{value} is not {expected}");
    }
}
