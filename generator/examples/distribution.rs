//! How sizes, lengths, palettes and magic columns are spread in the first
//! thousand cases of each profile named on the command line, or of `default`:
//!
//! ```text
//! cargo run -p columns-generator --example distribution -- default growing
//! ```

// It prints its figures; nothing is lost where nobody reads them.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use columns_core::rules::case::{Case, Column};
use columns_generator::{generate, shape, Palette, Profile, Shape, Spec};
use std::ops::RangeInclusive;

const SEEDS: RangeInclusive<u64> = 1..=1000;

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let profiles: Result<Vec<Profile>, _> = names.iter().map(|name| name.parse()).collect();
    match profiles {
        Ok(profiles) if profiles.is_empty() => show(Profile::Default),
        Ok(profiles) => profiles.into_iter().for_each(show),
        Err(error) => {
            eprintln!("error: {error}");
            std::process::exit(2);
        }
    }
}

fn show(profile: Profile) {
    let spec = Spec::new(profile);
    let drawn: Vec<(Case, Shape)> = SEEDS
        .map(|seed| (generate(seed, &spec), shape(seed, &spec)))
        .collect();
    println!("{profile}: {}", profile.description());
    let (first, last) = (SEEDS.start(), SEEDS.end());
    println!("seeds {first}..={last}, cases of each kind:");

    let numbers = |range: RangeInclusive<usize>| range.map(|n| (n, n));
    row("width", numbers(6..=12), &drawn, |(case, _)| case.width());
    row("height", numbers(13..=19), &drawn, |(case, _)| {
        case.height()
    });
    let lengths = [
        (1, 9),
        (10, 99),
        (100, 499),
        (500, 999),
        (1_000, 1_999),
        (2_000, 4_999),
        (5_000, 7_499),
        (7_500, 10_000),
    ];
    row("columns", lengths, &drawn, |(case, _)| case.columns().len());
    let colours = [
        (0, 0),
        (1, 1),
        (2, 2),
        (3, 3),
        (4, 4),
        (5, 5),
        (6, 6),
        (7, 7),
        (8, 12),
        (13, 19),
        (20, 26),
    ];
    row("colours seen", colours, &drawn, |(case, _)| {
        case.palette().len()
    });
    for palette in Palette::ALL {
        let count = drawn.iter().filter(|(_, shape)| shape.palette() == palette);
        println!("  palette {palette}: {}", count.count());
    }
    let rates = [
        (0, 0),
        (1, 4),
        (5, 9),
        (10, 19),
        (20, 30),
        (31, 100),
        (101, 300),
        (301, 1000),
    ];
    row("magic, of 1000", rates, &drawn, |(case, _)| {
        let all = case.columns();
        let magic = all.iter().filter(|&&column| column == Column::Magic);
        (magic.count() * 1000).div_ceil(all.len())
    });
    println!();
}

fn row(
    what: &str,
    bins: impl IntoIterator<Item = (usize, usize)>,
    drawn: &[(Case, Shape)],
    value: impl Fn(&(Case, Shape)) -> usize,
) {
    let cells: Vec<String> = bins
        .into_iter()
        .filter_map(|(from, to)| {
            let count = drawn
                .iter()
                .filter(|pair| (from..=to).contains(&value(pair)))
                .count();
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
