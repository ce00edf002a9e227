//! The values of the parameters in the source of the bot, as text: reading them, and writing others
//! in their place.

use crate::search::space::Axis;
use anyhow::{bail, ensure, Context, Result};
use columns_bot::eval::weights::{Weights, PARAMETERS};
use columns_core::text::quote;

/// The line that the table begins with.
const BEGIN: &str = "const START: Weights = Weights {";
/// The line that it ends with.
const END: &str = "};";
/// How the comment above the table begins.
const COMMENT: &str = "// Values of the run ";

/// Writes weights into the table of a source and says above it where they come from, in place of
/// what an earlier call said. Values that are there already stay as they are written.
///
/// # Errors
/// The line that is no line of the table; a parameter that this build or the source does not
/// have; a fitted parameter whose range or step in this build is not that of the fit.
pub fn with_weights(
    source: &str,
    weights: &Weights,
    fitted: &[Axis],
    origin: &str,
) -> Result<String> {
    let lines: Vec<&str> = source.lines().collect();
    let begin = lines.iter().position(|&line| line == BEGIN);
    let begin = begin.with_context(|| format!("expected a line {BEGIN:?}, found none"))?;
    let length = lines[begin..].iter().position(|&line| line == END);
    let end = begin + length.with_context(|| format!("expected a line {END:?}, found none"))?;

    let mut table = Vec::new();
    let mut seen = Vec::new();
    for (index, line) in lines.iter().enumerate().take(end).skip(begin + 1) {
        if line.trim_start().starts_with("///") || line.trim().is_empty() {
            table.push((*line).to_string());
            continue;
        }
        let entry = Entry::parse(line).with_context(|| {
            format!(
                "line {}: expected `name: value,`, found {}",
                index + 1,
                quote(line.trim())
            )
        })?;
        let found = PARAMETERS.iter().zip(weights.values());
        let mut found = found.filter(|(parameter, _)| parameter.name == entry.name);
        let Some((parameter, value)) = found.next() else {
            bail!(
                "line {}: the parameter {} is not among those of this build of the tuner",
                index + 1,
                entry.name
            );
        };
        if let Some(axis) = fitted.iter().find(|axis| axis.name == entry.name) {
            ensure!(
                (axis.lowest, axis.highest, axis.step)
                    == (parameter.lowest, parameter.highest, parameter.step),
                "expected {} from {} to {} in steps of {}, as it was fitted, found {} to {} in \
                 steps of {}",
                axis.name,
                axis.lowest,
                axis.highest,
                axis.step,
                parameter.lowest,
                parameter.highest,
                parameter.step
            );
        }
        ensure!(
            (parameter.lowest..=parameter.highest).contains(&value),
            "expected {} from {} to {}, the fit has {value}",
            entry.name,
            parameter.lowest,
            parameter.highest
        );
        table.push(entry.with(value));
        seen.push(entry.name);
    }
    if let Some(missing) = PARAMETERS.iter().find(|p| !seen.contains(&p.name)) {
        bail!(
            "expected the parameter {} in the table, found none",
            missing.name
        );
    }

    let mut head = &lines[..begin];
    // What an earlier call said about values that are no longer there.
    let comment = head.iter().rev().take_while(|line| line.starts_with("// "));
    let comment = comment.count();
    let first = begin - comment;
    if comment > 0 && lines[first].starts_with(COMMENT) {
        head = &lines[..first];
    }
    let mut text = String::new();
    let origin = wrapped(&format!("{COMMENT}{origin}"));
    let all = head.iter().map(|line| (*line).to_string());
    let all = all.chain(origin).chain([BEGIN.to_string()]).chain(table);
    for line in all.chain(lines[end..].iter().map(|line| (*line).to_string())) {
        text += &line;
        text.push('\n');
    }
    Ok(text)
}

/// A line of the table, in pieces.
struct Entry<'a> {
    line: &'a str,
    name: &'a str,
    value: &'a str,
}

impl<'a> Entry<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (name, value) = line.trim().strip_suffix(',')?.split_once(": ")?;
        value.parse::<f64>().ok()?;
        Some(Self { line, name, value })
    }

    /// The line with another value.
    fn with(&self, value: f64) -> String {
        if self.value.parse() == Ok(value) {
            return self.line.to_string();
        }
        let old = format!(": {},", self.value);
        self.line.replacen(&old, &format!(": {value:?},"), 1)
    }
}

/// A comment in lines of at most 100 characters.
fn wrapped(comment: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    // A number and its unit stay together.
    let kept = comment.replace(" %", "\u{a0}%");
    for word in kept.split(' ') {
        let word = &word.replace('\u{a0}', " ");
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= 100 => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) => lines.push(format!("// {word}")),
            None => lines.push(word.clone()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Player;
    use crate::search::space::Space;

    const SOURCE: &str = include_str!("../../bot/src/eval/weights.rs");

    fn told(source: &str, fitted: &[Axis]) -> String {
        let written = with_weights(source, &Weights::default(), fitted, "`x`");
        written.unwrap_err().to_string()
    }

    #[test]
    fn the_values_in_use_change_nothing_but_the_comment() {
        let space = Space::of_names(&[], &Player::default()).unwrap();
        let once = with_weights(SOURCE, &Weights::default(), space.axes(), "`a`: one").unwrap();
        let comment = format!("// Values of the run `a`: one\n{BEGIN}\n");
        assert_eq!(once.matches(&comment).count(), 1);
        assert_eq!(once.matches(COMMENT).count(), 1);
        let without = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.starts_with("// "));
            lines.map(String::from).collect()
        };
        assert_eq!(without(&once), without(SOURCE));
        let twice = with_weights(&once, &Weights::default(), space.axes(), "`a`: one").unwrap();
        assert_eq!(once, twice);
    }

    #[test]
    fn values_are_written_as_literals_of_rust() {
        let mut weights = Weights::default();
        for (name, value) in [
            ("steps", 4.0),
            ("completion", -0.125),
            ("refuge_share", 0.031),
        ] {
            weights.set(name, value).unwrap();
        }
        let origin = "`night`: ".to_string() + &"many words ".repeat(30);
        let text = with_weights(SOURCE, &weights, &[], origin.trim()).unwrap();
        for line in [
            "    steps: 4.0,",
            "    completion: -0.125,",
            "    refuge_share: 0.031,",
        ] {
            assert_eq!(text.lines().filter(|&l| l == line).count(), 1, "{line}");
        }
        check_comment(&text);
        // The next run's comment takes the place of this one.
        let next = with_weights(&text, &Weights::default(), &[], "`x`: y").unwrap();
        assert!(!next.contains("night") && !next.contains("many words"));
    }

    /// Whether the comment sits on the table, and nothing else has changed its place.
    fn check_comment(text: &str) {
        let comment = text.find(COMMENT).unwrap();
        let table = text[comment..].find(BEGIN).unwrap();
        let between = text[comment..comment + table].lines();
        let good = |line: &str| line.starts_with("// ") && line.chars().count() <= 100;
        assert!(between.clone().all(good));
        assert!(between.count() > 2);
    }

    #[test]
    fn another_table_is_refused() {
        let line = "    spot: 1";
        assert!(SOURCE.contains(line));
        assert!(told("", &[]).contains("found none"));
        let other = SOURCE.replace(line, "    sport: 1");
        assert!(told(&other, &[]).contains("the parameter sport is not among those of this build"));
        let other: Vec<&str> = SOURCE.lines().filter(|l| !l.starts_with(line)).collect();
        assert_eq!(
            told(&other.join("\n"), &[]),
            "expected the parameter spot in the table, found none"
        );
        let other = SOURCE.replace(line, "    spot = 1");
        assert!(told(&other, &[]).contains("expected `name: value,`"));
        let mut axes = Space::of_names(&["spot".into()], &Player::default());
        let mut axes = axes.as_mut().unwrap().axes().to_vec();
        axes[0].step += 1.0;
        assert!(told(SOURCE, &axes).contains("as it was fitted"));
    }
}
