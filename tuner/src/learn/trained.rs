//! The sources of the bot that are written whole: the networks and the weights in use.

use columns_bot::eval::weights::{Weights, PARAMETERS};
use std::{fmt::Write as _, path::Path};
use textwrap::WordSplitter;

/// The source of the network of the Columns Game.
pub const COLUMNS: &str = "bot/src/learned/trained.rs";
/// The source of the network for two colours.
pub const TWO_COLOURS: &str = "bot/src/learned/trained_two.rs";

/// The source of the weights.
pub const WEIGHTS: &str = "bot/src/eval/tuned.rs";

/// What the user must do after a source of the bot was written.
pub fn next(path: &Path) -> String {
    format!(
        "{}: written\n\n\
         The bot plays differently now. Record its new fingerprint, then make the submission:\n\
         cargo xtask bench --write\ncargo xtask bundle\n",
        path.display()
    )
}

/// The source of a network for this file, which names its constant. It says by which command it was
/// written and where the network comes from.
pub fn network(path: impl AsRef<Path>, by: &str, network: &str, origin: &str) -> String {
    let name = path.as_ref().file_stem().unwrap_or_default();
    let name = name.to_string_lossy().to_uppercase();
    let head = format!(
        "The learned evaluation in use, written by `{by}`; read by \
         [`Network`](crate::learned::networks::Network)."
    );
    format!(
        "{}\n/// The network as text.\npub const {name}: &str = \"{network}\";\n",
        comment(&[&head, origin])
    )
}

/// The source of these weights, which says where they come from.
pub fn weights(weights: &Weights, origin: &str) -> String {
    let head =
        "The weights in use, a file that `tuner export` writes whole. What they mean is said in \
                [`weights`](super::weights).";
    let mut text = comment(&[head, origin]);
    text += "\nuse super::weights::Weights;\n\n/// The weights in use.\n\
             pub(super) const TUNED: Weights = Weights {\n";
    for (parameter, value) in PARAMETERS.iter().zip(weights.values()) {
        let _ = writeln!(text, "    {}: {value:?},", parameter.name);
    }
    text + "};\n"
}

/// Paragraphs as the comment at the top of a source, in lines of at most 100 characters.
fn comment(paragraphs: &[&str]) -> String {
    let lines = textwrap::Options::new(100)
        .initial_indent("//! ")
        .subsequent_indent("//! ")
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false);
    let filled = paragraphs.iter().map(|text| textwrap::fill(text, &lines));
    filled.collect::<Vec<_>>().join("\n//!\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The origin of the network of a source, as the source says it.
    fn origin(source: &str) -> String {
        let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
        let lines = lines.skip_while(|line| !line.is_empty());
        lines.collect::<String>().trim().to_string()
    }

    #[test]
    fn a_source_says_where_its_network_comes_from() {
        let words = "a network of many games ".repeat(20);
        let text = network(TWO_COLOURS, "tuner x", "abc", &words);
        assert!(text.contains("by `tuner x`"));
        assert!(text.ends_with("pub const TRAINED_TWO: &str = \"abc\";\n"));
        assert!(text.lines().all(|line| line.len() <= 100));
        assert_eq!(origin(&text), words.trim());
    }

    /// The file that is there is as the command writes it, its origin apart.
    #[test]
    fn the_weights_in_use_are_written_as_they_are() {
        let there = include_str!("../../../bot/src/eval/tuned.rs");
        assert_eq!(weights(&Weights::default(), &origin(there)), there);
        let mut other = Weights::default();
        other.set("steps", 4.0).unwrap();
        other.set("refuge_share", 0.031).unwrap();
        let text = weights(&other, &"many words ".repeat(40));
        assert!(text.contains("    steps: 4.0,\n") && text.contains("    refuge_share: 0.031,\n"));
        assert!(text.lines().all(|line| line.chars().count() <= 100));
    }
}
