//! Compares the operations of every instruction set with plain Rust code.

use crate::isas::{on_all_isas, warn_of_missing_bmi2};
use crate::random::Random;
use columns_core::simd::{Cells, Isa, Kernel, Lanes, NETWORK_UNITS, Scalar};

const PAIRS: usize = 45;

#[derive(Clone, Copy)]
struct AddProductsKernel<'a> {
    sums: [i32; NETWORK_UNITS],
    inputs: &'a [[i16; 2]; PAIRS],
    weights: &'a [[[i16; 2]; NETWORK_UNITS]; PAIRS],
}

impl Kernel for AddProductsKernel<'_> {
    type Output = [i32; NETWORK_UNITS];
    #[inline(always)]
    fn run<I: Isa>(mut self, isa: I) -> Self::Output {
        isa.add_products(&mut self.sums, self.inputs, self.weights);
        self.sums
    }
}

#[test]
fn products_are_the_same_with_every_instruction_set() {
    warn_of_missing_bmi2();
    let mut random = Random(1);
    for round in 0..if cfg!(miri) { 20 } else { 200 } {
        // Includes the extremes of `i16`, so that sums wrap.
        let mut number = || match (round % 4, random.below(4)) {
            (0, 0) => i16::MIN,
            (0, 1) => i16::MAX,
            _ => random.below(1 << 16) as u16 as i16,
        };
        let inputs = std::array::from_fn(|_| [number(), number()]);
        let weights = std::array::from_fn(|_| std::array::from_fn(|_| [number(), number()]));
        let kernel = AddProductsKernel {
            sums: std::array::from_fn(|_| i32::from(number()) << 16),
            inputs: &inputs,
            weights: &weights,
        };
        let expected: [i32; NETWORK_UNITS] = std::array::from_fn(|unit| {
            let products = inputs.iter().zip(&weights).flat_map(|(input, row)| {
                (0..2).map(move |i| i64::from(input[i]) * i64::from(row[unit][i]))
            });
            (i64::from(kernel.sums[unit]) + products.sum::<i64>()) as i32
        });
        for (name, sums) in on_all_isas(kernel) {
            assert_eq!(sums, expected, "{name}");
        }
    }
}

#[derive(Clone, Copy)]
struct ExtractDepositKernel {
    word: u64,
    mask: u64,
}

impl Kernel for ExtractDepositKernel {
    type Output = [u64; 2];
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> [u64; 2] {
        let Self { word, mask } = self;
        [isa.extract(word, mask), isa.deposit(word, mask)]
    }
}

#[test]
#[cfg_attr(miri, ignore = "Miri does not support `cpuid`")]
fn bits_are_extracted_and_deposited_with_every_instruction_set() {
    warn_of_missing_bmi2();
    let mut random = Random(2);
    for round in 0..2000 {
        let mut number = || (0..4).fold(0, |word, _| word << 16 | random.below(1 << 16) as u64);
        // Random, dense and sparse masks, and four extreme ones.
        let mask = match round % 4 {
            0 => number(),
            1 => number() | number() | number(),
            2 => number() & number() & number(),
            _ => [0, u64::MAX, 1 << 63, u64::MAX >> 1][round / 4 % 4],
        };
        let word = number();
        let (mut extracted, mut deposited) = (0, 0);
        for (low, bit) in (0..64).filter(|bit| mask >> bit & 1 != 0).enumerate() {
            extracted |= (word >> bit & 1) << low;
            deposited |= (word >> low & 1) << bit;
        }
        for (name, bits) in on_all_isas(ExtractDepositKernel { word, mask }) {
            assert_eq!(bits, [extracted, deposited], "{name}: {mask:x} of {word:x}");
        }
    }
}

/// The kernel that loads two sets if the registers have room for both, otherwise only the first. It returns
/// the result of each operation on each set.
#[derive(Clone, Copy)]
struct TwoSetsKernel<const W: usize>([[u64; W]; 2]);

impl<const W: usize> Kernel for TwoSetsKernel<W> {
    type Output = Vec<Vec<[u64; W]>>;
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let sets = isa.load_two(&self.0[0], &self.0[1]);
        let other = sets.splat(0x5A5A_F0F0_1234_8765);
        let mut outputs = [
            sets,
            sets.left(),
            sets.right(),
            sets.right2(),
            sets.up::<2>(),
            sets.down::<3>(),
            sets.and(other),
            sets.or(other),
            sets.xor(other),
            sets.without(other),
            sets.add_words(other),
            sets.sub_words(other),
        ];
        let mut results = Vec::new();
        for _ in 0..I::Lanes::<W>::SETS {
            results.push(outputs.iter().map(|output| output.words()).collect());
            for output in &mut outputs {
                *output = output.second();
            }
        }
        results
    }
}

#[test]
#[cfg_attr(miri, ignore = "Miri does not support `cpuid`")]
fn two_sets_in_a_register_are_independent() {
    fn check<const W: usize>(random: &mut Random) {
        let mut word = || (0..4).fold(0, |word, _| word << 16 | random.below(1 << 16) as u64) >> 1;
        let sets = [(); 2].map(|()| [(); W].map(|()| word()));
        let alone = sets.map(|set| TwoSetsKernel([set; 2]).run(Scalar).remove(0));
        for (name, results) in on_all_isas(TwoSetsKernel(sets)) {
            assert_eq!(results, alone[..results.len()], "{name}: {sets:x?}");
        }
    }
    warn_of_missing_bmi2();
    let mut random = Random(6);
    for _ in 0..500 {
        check::<2>(&mut random);
        check::<4>(&mut random);
    }
}
