//! A guess whether the palette of a case grows.

use crate::palette::Palette;
use columns_core::rules::case::{Case, Column, MAX_COLOURS};

/// A growing palette is one that would be this unlikely if it were fixed.
const UNLIKELY: f64 = 0.002;

/// Guesses the kind of palette from the columns alone, for cases from files.
///
/// If all `c` colours were drawn alike from the start, the chance that the
/// first `m` jewels show only `j` of them is at most
/// `(c choose j) · (j / c)^m`. Where that is below 1/500 for some `j`, the
/// palette grows. One or two in a hundred fixed palettes count as growing by
/// chance; cases of a dozen columns can be either and mostly count as fixed; a
/// generator that draws some colours rarely looks growing.
pub fn palette(case: &Case) -> Palette {
    // How many jewels fell before each new colour.
    let mut seen = [false; MAX_COLOURS];
    let mut before = Vec::new();
    let jewels = case.columns().iter().filter_map(|column| match column {
        Column::Jewels(jewels) => Some(*jewels),
        Column::Magic => None,
    });
    for (m, jewel) in jewels.flatten().enumerate() {
        if !std::mem::replace(&mut seen[jewel.index()], true) {
            before.push(m as f64);
        }
    }
    let c = before.len() as f64;
    let mut ways = 1.0;
    for (j, m) in before.iter().enumerate().skip(1) {
        let j = j as f64;
        ways *= (c - j + 1.0) / j;
        if ways * (j / c).powf(*m) < UNLIKELY {
            return Palette::Growing;
        }
    }
    Palette::Fixed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guessed(columns: &[String]) -> Palette {
        let text = format!("6 13\n{}\n{}", columns.len(), columns.join("\n"));
        palette(&text.parse().unwrap())
    }

    /// `n` columns of the first `c` colours, drawn by a little generator.
    fn drawn(n: usize, c: u64, state: &mut u64) -> Vec<String> {
        let mut letter = || {
            *state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (b'a' + ((*state >> 33) % c) as u8) as char
        };
        (0..n).map(|_| (0..3).map(|_| letter()).collect()).collect()
    }

    #[test]
    fn the_sample_grows() {
        let sample = "aba bba bbb aab bac cac *** ccb cda aad dbc";
        let columns: Vec<String> = sample.split(' ').map(String::from).collect();
        assert_eq!(guessed(&columns), Palette::Growing);
    }

    #[test]
    fn long_cases_are_told_apart() {
        let mut state = 1;
        let mut fixed_taken_for_growing = 0;
        for colours in 3..=26 {
            for _ in 0..20 {
                let columns = drawn(200, colours, &mut state);
                fixed_taken_for_growing += usize::from(guessed(&columns) == Palette::Growing);
                let mut columns = drawn(100, colours - 1, &mut state);
                columns.extend(drawn(100, colours, &mut state));
                let grows = guessed(&columns) == Palette::Growing;
                assert!(grows || colours > 20, "{colours} colours");
            }
        }
        assert!(
            fixed_taken_for_growing <= 9,
            "{fixed_taken_for_growing} of 480"
        );
    }

    #[test]
    fn one_colour_and_none_are_fixed() {
        assert_eq!(guessed(&["aaa".into(), "aaa".into()]), Palette::Fixed);
        assert_eq!(guessed(&["***".into()]), Palette::Fixed);
    }
}
