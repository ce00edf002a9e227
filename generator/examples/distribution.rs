//! Prints the distributions of sizes, lengths, palettes and magic columns in the cases of seeds 1
//! to 1000. The arguments are the names of profiles; without arguments, the profile is `default`:
//!
//! ```text
//! cargo run -p columns-generator --example distribution -- default growing
//! ```

// It does not matter if an example panics in `println!` because the reader has closed the output.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use columns_cases::PaletteKind;
use columns_core::rules::case::{Case, Column};
use columns_generator::{Profile, Shape, Spec, generate, generate_shape};
use std::ops::RangeInclusive;

const SEEDS: RangeInclusive<u64> = 1..=1000;

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let profiles: Result<Vec<Profile>, _> = names.iter().map(|name| name.parse()).collect();
    match profiles {
        Ok(profiles) if profiles.is_empty() => print_profile(Profile::Default),
        Ok(profiles) => profiles.into_iter().for_each(print_profile),
        Err(error) => {
            eprintln!("error: {error}");
            std::process::exit(2);
        }
    }
}

fn print_profile(profile: Profile) {
    let spec = Spec::new(profile);
    let cases: Vec<(Case, Shape)> = SEEDS
        .map(|seed| (generate(seed, &spec), generate_shape(seed, &spec)))
        .collect();
    println!("{profile}: {}", profile.description());
    let (first, last) = (SEEDS.start(), SEEDS.end());
    println!("seeds {first}..={last}, cases of each kind:");

    let widths: Vec<usize> = (6..=13).collect();
    print_row("width", &widths, &cases, |(case, _)| case.width());
    let heights: Vec<usize> = (13..=20).collect();
    print_row("height", &heights, &cases, |(case, _)| case.height());
    let lengths = [1, 10, 100, 500, 1_000, 2_000, 5_000, 7_500, 10_001];
    print_row("columns", &lengths, &cases, |(case, _)| {
        case.columns().len()
    });
    let colours = [0, 1, 2, 3, 4, 5, 6, 7, 8, 13, 20, 27];
    print_row("colours seen", &colours, &cases, |(case, _)| {
        case.palette().len()
    });
    for palette in PaletteKind::ALL {
        let count = cases
            .iter()
            .filter(|(_, shape)| shape.palette_kind() == palette);
        println!("  palette {palette}: {}", count.count());
    }
    let rates = [0, 1, 5, 10, 20, 31, 101, 301, 1001];
    print_row("magic, of 1000", &rates, &cases, |(case, _)| {
        let all = case.columns();
        let magic = all.iter().filter(|&&column| column == Column::Magic);
        (magic.count() * 1000).div_ceil(all.len())
    });
    println!();
}

/// Prints the number of cases in each non-empty bin. A bin starts at one edge and ends before the next.
fn print_row(
    what: &str,
    edges: &[usize],
    cases: &[(Case, Shape)],
    value: impl Fn(&(Case, Shape)) -> usize,
) {
    let bins = edges.windows(2).map(|edge| edge[0]..=edge[1] - 1);
    let cells: Vec<String> = bins
        .filter_map(|bin| {
            let count = cases.iter().filter(|pair| bin.contains(&value(pair)));
            let count = count.count();
            let (from, to) = (bin.start(), bin.end());
            let bin = if from == to {
                from.to_string()
            } else {
                format!("{from}-{to}")
            };
            (count > 0).then(|| format!("{bin}: {count}"))
        })
        .collect();
    println!("  {what:<15} {}", cells.join("  "));
}
