//! The sources that hold networks.

use anyhow::Result;
use columns_cli::file;
use std::fmt::Write as _;
use std::path::Path;

/// The source of the network of the Columns Game.
pub const COLUMNS: &str = "bot/src/learned/trained.rs";
/// The source of the network for two colours.
pub const TWO_COLOURS: &str = "bot/src/learned/trained_two.rs";

/// Writes the source of a network, with the command that wrote it and the network's origin.
///
/// # Errors
/// The file's name and why it cannot be written.
pub fn put(path: &Path, by: &str, network: &str, origin: &str) -> Result<()> {
    file::write(path, source(by, network, origin).as_bytes())
}

/// What the user must do after the source of a network was written.
pub fn next(path: &Path) -> String {
    format!(
        "{}: the network\n\n\
         The bot plays differently now. Record its new fingerprint, then make the submission:\n\
         cargo xtask bench --write\ncargo xtask bundle\n",
        path.display()
    )
}

fn source(by: &str, network: &str, origin: &str) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for word in origin.split_whitespace() {
        if line.len() + word.len() > 90 {
            let _ = writeln!(lines, "//!{line}");
            line.clear();
        }
        line.push(' ');
        line.push_str(word);
    }
    format!(
        "//! The learned evaluation in use, written by `{by}`; read by\n\
         //! [`Network`](crate::network::Network).\n//!\n{lines}//!{line}\n\n\
         /// The network as text.\npub const TRAINED: &str = \"{network}\";\n"
    )
}

/// The origin of the network of a source, as the source says it.
pub fn origin(source: &str) -> String {
    let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
    let lines = lines.skip_while(|line| !line.is_empty());
    lines.collect::<String>().trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_says_where_its_network_comes_from() {
        let words = "a network of many games ".repeat(20);
        let text = source("tuner x", "abc", &words);
        assert!(text.contains("by `tuner x`"));
        assert!(text.ends_with("pub const TRAINED: &str = \"abc\";\n"));
        assert!(text.lines().all(|line| line.len() < 110));
        assert_eq!(origin(&text), words.trim());
        assert_eq!(origin("const X: u8 = 1;\n"), "");
    }
}
