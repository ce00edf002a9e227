//! The sources of the bot that `tuner export` writes: the weights and the networks in use.

use columns_bot::eval::weights::PARAMETERS;
use columns_cli::shell::quote_path;
use std::ops::Range;
use std::path::Path;

/// The source file with the network for any number of colours, relative to the workspace.
pub const NETWORK_SOURCE: &str = "bot/src/learned/trained.rs";
/// The source file with the network for two colours, relative to the workspace.
pub const TWO_COLOUR_NETWORK_SOURCE: &str = "bot/src/learned/trained_two.rs";
/// The source file with the weights, relative to the workspace.
pub const WEIGHTS_SOURCE: &str = "bot/src/eval/tuned.rs";

/// The file with the fingerprint of the bot. `cargo xtask bench --write` updates it after an export.
const FINGERPRINT_FILE: &str = "crates/workshop/bench.fingerprint";

/// Describes the user's next steps after an export has written these sources. The commands work in
/// the current folder, or in any folder if `workspace` is absolute.
pub fn next_steps(workspace: &Path, sources: &[&str]) -> String {
    let paths = sources.iter().map(|source| workspace.join(source));
    let paths: Vec<String> = paths.map(|path| path.display().to_string()).collect();
    let (enter, git) = if workspace.is_absolute() {
        let folder = quote_path(workspace);
        (format!("cd {folder}\n"), format!("git -C {folder}"))
    } else {
        (String::new(), "git".into())
    };
    format!(
        "{}: written\n\n\
         The programs built so far still play as before. Build them again, record the new \
         fingerprint of the bot, and make the submission:\n{enter}cargo build --release\n\
         cargo xtask bench --write\n\
         cargo xtask bundle\n\n\
         To undo the export and the new fingerprint, before they are committed:\n\
         {git} restore {} {FINGERPRINT_FILE}\nThen build again.\n",
        paths.join(", "),
        sources.join(" ")
    )
}

/// Returns the text of a source file with this network. The constant is named after the file;
/// `origin` describes how the network was made.
pub fn network_source_text(source: &str, network: &str, origin: &str) -> String {
    let name = Path::new(source).file_stem().unwrap_or_default();
    let name = name.to_string_lossy().to_uppercase();
    let colours = match source {
        TWO_COLOUR_NETWORK_SOURCE => "two colours",
        _ => "any number of colours",
    };
    let head = format!(
        "The built-in network for {colours}, which [`Network`](crate::learned::networks::Network) parses."
    );
    format!(
        "{}\n/// The network as text.\npub const {name}: &str = \"{network}\";\n",
        comment(&[&*head, origin])
    )
}

/// Returns the network in a source, as text; the text is empty if the bot uses no such network. `None` if the
/// source holds no text constant.
pub fn extract_network(source: &str) -> Option<&str> {
    let (_, text) = source.split_once(": &str = \"")?;
    Some(text.split_once('"')?.0)
}

/// Returns the values in the source of the weights, in the order of the table of parameters. A parameter
/// without a valid row in the source is `None`.
pub fn extract_weights(source: &str) -> Vec<Option<f64>> {
    let value = |name: &str| {
        let mut lines = source.lines();
        lines.find_map(|line| line[value_in(line, name)?].parse().ok())
    };
    PARAMETERS.iter().map(|one| value(one.name)).collect()
}

/// Replaces the values of some parameters in the source of the weights. `origin` describes how the
/// values were found.
pub fn replace_weights(source: &str, values: &[(&str, f64)], origin: &str) -> String {
    let head = "The table of weights. `tuner export` writes the values in use. \
                [`weights`](super::weights) expands the table to types and constants.";
    let code = source.lines().skip_while(|line| line.starts_with("//!"));
    let lines = code.map(|line| {
        let mut line = format!("{line}\n");
        for (name, value) in values {
            if let Some(place) = value_in(&line, name) {
                line.replace_range(place, &format!("{value:?}"));
            }
        }
        line
    });
    comment(&[head, origin]) + &lines.collect::<String>()
}

/// Returns the byte range of the value in a line of the table; `None` if the line is not the row of this
/// weight.
fn value_in(line: &str, name: &str) -> Option<Range<usize>> {
    let row = line.trim_start().strip_prefix(name)?.strip_prefix(": ")?;
    let start = line.len() - row.len();
    Some(start..start + row.find(';')?)
}

/// The maximum length of a line in the comment at the top of a source, in characters.
const COMMENT_WIDTH: usize = 110;

/// Formats paragraphs as the comment at the top of a source.
fn comment(paragraphs: &[&str]) -> String {
    let mut lines = Vec::new();
    for paragraph in paragraphs {
        if !lines.is_empty() {
            lines.push(String::from("//!"));
        }
        let mut line = String::from("//!");
        for word in paragraph.split_whitespace() {
            if line.chars().count() + 1 + word.chars().count() > COMMENT_WIDTH && line.len() > 3 {
                lines.push(std::mem::replace(&mut line, "//!".into()));
            }
            line += " ";
            line += word;
        }
        lines.push(line);
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_bot::eval::weights::Weights;

    /// Returns the comment at the top of a source without its first paragraph: the origin of its weights or
    /// its network.
    fn origin(source: &str) -> String {
        let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
        let lines = lines.skip_while(|line| !line.is_empty());
        lines.collect::<String>().trim().to_string()
    }

    /// Returns the first paragraph of the comment at the top of a source.
    fn head(source: &str) -> Vec<&str> {
        source.lines().take_while(|line| *line != "//!").collect()
    }

    #[test]
    fn a_source_holds_the_origin_of_its_network() {
        let words = "a network of many games ".repeat(20);
        let text = network_source_text(TWO_COLOUR_NETWORK_SOURCE, "abc", &words);
        assert!(text.ends_with("pub const TRAINED_TWO: &str = \"abc\";\n"));
        assert!(text.lines().all(|line| line.len() <= COMMENT_WIDTH));
        assert_eq!(origin(&text), words.trim());
        assert_eq!(extract_network(&text), Some("abc"));
        let source = include_str!("../../bot/src/learned/trained.rs");
        let networks = columns_bot::learned::networks::built_in_networks().unwrap();
        assert_eq!(
            extract_network(source),
            Some(&*networks.any_colours.to_text())
        );
        let two = include_str!("../../bot/src/learned/trained_two.rs");
        for (path, source) in [(NETWORK_SOURCE, source), (TWO_COLOUR_NETWORK_SOURCE, two)] {
            assert_eq!(head(&network_source_text(path, "", "")), head(source));
        }
    }

    #[test]
    fn only_the_fitted_weights_are_written() {
        let source = include_str!("../../bot/src/eval/tuned.rs");
        let values: Vec<f64> = extract_weights(source).into_iter().flatten().collect();
        assert_eq!(values, Weights::default().values());
        let fitted = [("steps", 4.0), ("survival_share", 0.031)];
        let text = replace_weights(source, &fitted, &"many words ".repeat(40));
        assert_eq!(head(&text), head(source));
        assert_eq!(origin(&text), "many words ".repeat(40).trim());
        assert!(
            text.lines()
                .all(|line| line.chars().count() <= COMMENT_WIDTH)
        );
        let code = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.starts_with("//!"));
            lines.map(String::from).collect()
        };
        let (before, after) = (code(source), code(&text));
        let changed = before.iter().zip(&after).filter(|(a, b)| a != b);
        let changed: Vec<&str> = changed.map(|(_, after)| after.trim()).collect();
        let rows = ["steps: 4.0;", "survival_share: 0.031;"];
        assert_eq!(changed, rows);
        assert_eq!(before.len(), after.len());
    }
}
