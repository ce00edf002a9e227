//! The costs of a chain step and of a placement: `cargo bench -p columns-core`.
//!
//! Greedy play from a fixed seed builds the fields, so they are the same on every machine. Of the placements
//! that clear nothing, it chooses the one after which one more jewel would set off the best chain. The bench
//! measures chains of eight or more steps, and a sample of the placements. Since these placements clear
//! nothing, the simulator only finds the height of the stack, copies the state, adds three jewels, and tests
//! for matches. Each run plays all chains or all placements. The bench prints the shortest and the median
//! time of many runs; other work on the machine raises the median before the minimum.

// A benchmark prints its results.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use columns_core::field::{Chain, Field, PlaceKernel};
use columns_core::simd::{InstructionSet, Isa, Kernel, run};
use std::hint::black_box;
use std::time::Instant;

/// The number of chains in a workload, and the minimum number of placements: too many for a branch
/// predictor to remember.
const WORKLOAD_SIZE: usize = 2_000;
/// The number of runs through a workload.
const RUNS: usize = 101;

/// A placement, with its own copy of the field.
#[derive(Clone, Copy)]
struct OwnedPlacement<const W: usize, const P: usize> {
    field: Field<W, P>,
    height: u32,
    stack: usize,
    column: [u8; 3],
}

impl<const W: usize, const P: usize> OwnedPlacement<W, P> {
    fn kernel(&self) -> PlaceKernel<'_, W, P> {
        PlaceKernel {
            field: &self.field,
            height: self.height,
            stack: self.stack,
            column: Some(self.column),
        }
    }
}

/// The kernel that finds the best chain set off by one jewel on top of a stack. Returns the chain, and the
/// field with that jewel before the first step.
struct BestTriggerKernel<const W: usize, const P: usize> {
    field: Field<W, P>,
    size: Size,
}

impl<const W: usize, const P: usize> Kernel for BestTriggerKernel<W, P> {
    type Output = (Chain, Field<W, P>);
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Self::Output {
        let mut best = (Chain::default(), self.field);
        for x in 0..self.size.width {
            let y = self.field.stack_height(x);
            for code in 1..=self.size.colours {
                let chain = self.field.drop_and_resolve(isa, x, y, [code, 0, 0], 1).0;
                if chain.points > best.0.points {
                    let mut before = self.field;
                    before.put(x, y, code);
                    best = (chain, before);
                }
            }
        }
        best
    }
}

/// The kernel that plays a set of chains, each on a copy of its field.
struct ChainsKernel<'a, const W: usize, const P: usize>(&'a [Field<W, P>]);

impl<const W: usize, const P: usize> Kernel for ChainsKernel<'_, W, P> {
    type Output = Chain;
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Chain {
        let mut sum = Chain::default();
        for field in self.0 {
            let (chain, after) = field.drop_and_resolve(isa, 0, 0, [0; 3], 1);
            black_box(after);
            sum.points += chain.points;
            sum.steps += chain.steps;
        }
        sum
    }
}

/// The kernel that plays a set of placements, each on a copy of its field.
struct PlacementsKernel<'a, const W: usize, const P: usize>(&'a [OwnedPlacement<W, P>]);

impl<const W: usize, const P: usize> Kernel for PlacementsKernel<'_, W, P> {
    type Output = u32;
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> u32 {
        let mut points = 0;
        for placement in self.0 {
            let placed = placement.kernel().run(isa);
            black_box(&placed);
            points += placed.map_or(1, |(chain, _)| chain.points);
        }
        points
    }
}

#[derive(Clone, Copy)]
struct Size {
    width: usize,
    height: u32,
    colours: u8,
}

/// The workload of the bench: fields on which a chain is about to start, and placements, both from greedy
/// play.
struct Workload<const W: usize, const P: usize> {
    chain_starts: Vec<Field<W, P>>,
    placements: Vec<OwnedPlacement<W, P>>,
}

impl<const W: usize, const P: usize> Workload<W, P> {
    fn build(size: Size) -> Self {
        let mut random = 1_u64;
        let mut below = |n: usize| {
            random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            ((random >> 32) as usize * n) >> 32
        };
        let mut workload = Self {
            chain_starts: Vec::new(),
            placements: Vec::new(),
        };
        while workload.chain_starts.len() < WORKLOAD_SIZE {
            let mut field = Field::EMPTY;
            loop {
                let column = [0; 3].map(|_| 1 + below(size.colours as usize) as u8);
                let choices = (0..3 * size.width).filter_map(|choice| {
                    let mut column = column;
                    column.rotate_left(choice % 3);
                    // Leave a row for the trigger.
                    let height = size.height - 1;
                    let placement = OwnedPlacement {
                        field,
                        height,
                        stack: choice / 3,
                        column,
                    };
                    let (chain, field) = run(InstructionSet::Bmi2, placement.kernel())?;
                    let trigger = run(InstructionSet::Bmi2, BestTriggerKernel { field, size });
                    (chain.points == 0).then_some((placement, field, trigger))
                });
                let best = choices.max_by_key(|(_, _, (chain, _))| chain.points);
                let Some((placement, after, (chain, before))) = best else {
                    break;
                };
                field = after;
                workload.placements.push(placement);
                if chain.steps >= 8 {
                    workload.chain_starts.push(before);
                }
            }
        }
        workload.chain_starts.truncate(WORKLOAD_SIZE);
        // Keep evenly spaced placements, so that they come from nearly empty as well as nearly full fields.
        let stride = workload.placements.len() / WORKLOAD_SIZE;
        workload.placements = workload
            .placements
            .into_iter()
            .step_by(stride.max(1))
            .collect();
        workload
    }
}

/// Returns the shortest and the median time over [`RUNS`] runs, in nanoseconds per item.
fn measure_time(items: usize, mut run_once: impl FnMut()) -> (f64, f64) {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            run_once();
            start.elapsed().as_nanos() as f64 / items as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    (times[0], times[RUNS / 2])
}

fn measure<const W: usize, const P: usize>(width: usize, height: u32) {
    let size = Size {
        width,
        height,
        colours: 5,
    };
    let workload = Workload::<W, P>::build(size);
    let expected = run(
        InstructionSet::Portable,
        ChainsKernel(&workload.chain_starts),
    );
    for cpu in [InstructionSet::Bmi2, InstructionSet::Portable] {
        assert_eq!(run(cpu, ChainsKernel(&workload.chain_starts)), expected);
        assert_eq!(run(cpu, PlacementsKernel(&workload.placements)), 0);
        let step_time = measure_time(expected.steps as usize, || {
            black_box(run(cpu, ChainsKernel(black_box(&workload.chain_starts))));
        });
        let placement_time = measure_time(workload.placements.len(), || {
            black_box(run(cpu, PlacementsKernel(black_box(&workload.placements))));
        });
        println!(
            "{:>7}  {W} × {P}   {:<8}  {:6.1}  {:6.1}    {:6.1}  {:6.1}     {:5.1}",
            format!("{width} × {height}"),
            format!("{cpu:?}"),
            step_time.0,
            step_time.1,
            placement_time.0,
            placement_time.1,
            f64::from(expected.steps) / workload.chain_starts.len() as f64,
        );
    }
}

fn main() {
    if InstructionSet::detect() == InstructionSet::Portable {
        eprintln!("NO AVX2 ON THIS PROCESSOR: BOTH PATHS ARE THE PORTABLE ONE");
    }
    println!("                            ns a step       ns a placement    steps");
    println!("  field  layout  cpu          min  median       min  median   a chain");
    measure::<2, 3>(6, 13);
    measure::<4, 3>(9, 16);
    measure::<4, 3>(12, 19);
    measure::<4, 4>(12, 19);
    measure::<4, 5>(12, 19);
}
