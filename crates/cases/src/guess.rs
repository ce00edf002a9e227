//! Guesses whether the palette of a case grows.

use crate::palette::PaletteKind;
use columns_core::rules::case::{Case, Column, MAX_COLOURS};

/// Threshold of the probability bound in [`guess_palette_kind`]: below it, a palette counts as growing.
const GROWING_THRESHOLD: f64 = 0.002;

/// Guesses the kind of palette from the columns, since case files do not state it.
///
/// Suppose that all `c` colours of the case are drawn with equal probability from the start. Then the first
/// `m` jewels have only `j` different colours with a probability of at most `(c choose j) · (j / c)^m`. The
/// palette counts as growing if this bound is below 1/500 for some `j`, where `m` counts the jewels before
/// the next colour appears.
///
/// The guess is wrong for 1 to 2 % of the fixed palettes. Cases of about a dozen columns mostly count as
/// fixed. A case in which some colours are rare may count as growing.
pub fn guess_palette_kind(case: &Case) -> PaletteKind {
    let mut is_known = [false; MAX_COLOURS];
    // Number of jewels before the first jewel of each colour, in the order in which the colours appear.
    let mut jewels_before = Vec::new();
    let jewels = case.columns().iter().filter_map(|column| match column {
        Column::Jewels(jewels) => Some(*jewels),
        Column::Magic => None,
    });
    for (m, jewel) in jewels.flatten().enumerate() {
        if !std::mem::replace(&mut is_known[jewel.index()], true) {
            jewels_before.push(m as f64);
        }
    }
    let c = jewels_before.len() as f64;
    let mut binomial = 1.0;
    for (j, m) in jewels_before.iter().enumerate().skip(1) {
        let j = j as f64;
        binomial *= (c - j + 1.0) / j;
        if binomial * (j / c).powf(*m) < GROWING_THRESHOLD {
            return PaletteKind::Growing;
        }
    }
    PaletteKind::Fixed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(columns: &[String]) -> PaletteKind {
        let text = format!("6 13\n{}\n{}", columns.len(), columns.join("\n"));
        guess_palette_kind(&text.parse().unwrap())
    }

    /// Draws `n` columns of the first `c` colours with a linear congruential generator.
    fn draw(n: usize, c: u64, state: &mut u64) -> Vec<String> {
        let mut letter = || {
            *state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (b'a' + ((*state >> 33) % c) as u8) as char
        };
        (0..n).map(|_| (0..3).map(|_| letter()).collect()).collect()
    }

    #[test]
    fn the_sample_counts_as_growing() {
        let sample = "aba bba bbb aab bac cac *** ccb cda aad dbc";
        let columns: Vec<String> = sample.split(' ').map(String::from).collect();
        assert_eq!(guess(&columns), PaletteKind::Growing);
    }

    #[test]
    fn fixed_and_growing_palettes_of_long_cases_are_distinguished() {
        let mut state = 1;
        let mut false_growing = 0;
        for colours in 3..=26 {
            for _ in 0..20 {
                let columns = draw(200, colours, &mut state);
                false_growing += usize::from(guess(&columns) == PaletteKind::Growing);
                let mut columns = draw(100, colours - 1, &mut state);
                columns.extend(draw(100, colours, &mut state));
                let grows = guess(&columns) == PaletteKind::Growing;
                assert!(grows || colours > 20, "{colours} colours");
            }
        }
        assert!(false_growing <= 9, "{false_growing} of 480");
    }

    #[test]
    fn one_colour_or_none_counts_as_fixed() {
        assert_eq!(guess(&["aaa".into(), "aaa".into()]), PaletteKind::Fixed);
        assert_eq!(guess(&["***".into()]), PaletteKind::Fixed);
    }
}
