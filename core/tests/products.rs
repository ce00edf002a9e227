//! The product of a network's layer: the registers against the plain twin.

#[path = "support/isas.rs"]
mod isas;
#[path = "support/random.rs"]
mod random;

use columns_core::isa::{Isa, Kernel, UNITS};
use isas::{on_all_isas, warn_of_missing_bmi2};
use random::Random;

#[derive(Clone, Copy)]
struct Layer<'a> {
    sums: [i32; UNITS],
    inputs: &'a [[i16; 2]],
    weights: &'a [[[i16; 2]; UNITS]],
}

impl Kernel for Layer<'_> {
    type Output = [i32; UNITS];
    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) -> Self::Output {
        isa.add_products(&mut self.sums, self.inputs, self.weights);
        self.sums
    }
}

#[test]
fn products_are_the_same_on_every_path() {
    warn_of_missing_bmi2();
    let mut random = Random(1);
    for round in 0..200 {
        // The ends of the range as well, where sums wrap.
        let mut number = || match (round % 4, random.below(4)) {
            (0, 0) => i16::MIN,
            (0, 1) => i16::MAX,
            _ => random.below(1 << 16) as u16 as i16,
        };
        let rows = round % 50;
        let inputs: Vec<_> = (0..rows).map(|_| [number(), number()]).collect();
        let weights: Vec<_> = (0..rows)
            .map(|_| std::array::from_fn(|_| [number(), number()]))
            .collect();
        let layer = Layer {
            sums: std::array::from_fn(|_| i32::from(number()) << 16),
            inputs: &inputs,
            weights: &weights,
        };
        let expected: [i32; UNITS] = std::array::from_fn(|unit| {
            let products = inputs.iter().zip(&weights).flat_map(|(input, row)| {
                (0..2).map(move |i| i64::from(input[i]) * i64::from(row[unit][i]))
            });
            (i64::from(layer.sums[unit]) + products.sum::<i64>()) as i32
        });
        for (name, found) in on_all_isas(layer) {
            assert_eq!(found, expected, "{name}, {rows} rows");
        }
    }
}
