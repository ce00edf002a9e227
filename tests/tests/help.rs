//! Tests of the help and the version of all commands.

use crate::commands::{COMMANDS, command};
use regex::Regex;
use std::process::Output;

/// The words that select a command or subcommand, such as `puzzles`, `samegame`, `solve`.
pub(crate) type CommandWords = Vec<String>;

/// Runs a command with the additional arguments `more`.
fn run(words: &[String], more: &[&str]) -> Output {
    let mut command = command(&words[0]);
    command.args(&words[1..]).args(more).output().unwrap()
}

/// Runs a command, asserts that it succeeds without messages, and returns its standard output.
fn stdout(words: &[String], more: &[&str]) -> String {
    let output = run(words, more);
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Returns all commands and subcommands, with their help.
pub(crate) fn read_all_help_texts() -> Vec<(CommandWords, String)> {
    let mut help_texts: Vec<(CommandWords, String)> = Vec::new();
    let mut next: Vec<CommandWords> = COMMANDS.map(|name| vec![name.to_string()]).into();
    while let Some(words) = next.pop() {
        let help = stdout(&words, &["--help"]);
        let subcommands = help
            .split_once("\nCommands:\n")
            .and_then(|(_, after)| after.split("\n\n").next())
            .unwrap_or_default();
        for line in subcommands.lines() {
            let entry = line
                .strip_prefix("  ")
                .filter(|entry| !entry.starts_with(' '));
            if let Some(name) = entry.and_then(|entry| entry.split(' ').next())
                && name != "help"
            {
                next.push([&words[..], &[name.to_string()]].concat());
            }
        }
        help_texts.push((words, help));
    }
    help_texts
}

/// Returns the words that a user types to call a command, such as `cargo xtask bundle`.
fn call(words: &[String]) -> String {
    let line = words.join(" ");
    match line.strip_prefix("workshop") {
        Some(rest) => format!("cargo xtask{rest}"),
        None => line,
    }
}

const MAX_HELP_LINES: usize = 70;

/// Words in mixed case that a help text may contain. Any other such word counts as an identifier from the
/// code.
const MIXED_CASE_WORDS: [&str; 4] = ["MiB", "SameGame", "TopCoder", "WebAssembly"];

/// Returns the faults of a help text. A help text must have a title, the usage, examples that call the
/// command, and the options, in this order. It must not contain identifiers from the code.
fn faults(words: &[String], help: &str) -> Vec<String> {
    let call = call(words);
    let usage = format!("\n\nUsage: {call}");
    let parts = [usage.as_str(), "\n\nExamples:\n", "\n\nOptions:\n"];
    let positions: Vec<Option<usize>> = parts.iter().map(|part| help.find(part)).collect();
    let mut faults = Vec::new();
    for (part, position) in parts.iter().zip(&positions) {
        if position.is_none_or(|position| position == 0) {
            faults.push(format!("{part:?} is missing"));
        }
    }
    if !positions.is_sorted() {
        faults.push("the parts are in the wrong order".to_string());
    }
    let rest = help.split("\n\nExamples:\n").last().unwrap_or_default();
    let part = rest.split("\n\n").next().unwrap_or_default();
    let examples: Vec<&str> = part.lines().collect();
    for line in &examples {
        if !line.starts_with("  ") || line.chars().count() > 100 {
            faults.push(format!(
                "not an example of at most 100 characters: {line:?}"
            ));
        }
    }
    if !examples.iter().any(|line| line.contains(&call)) {
        faults.push("no example calls the command".to_string());
    }
    if help.lines().next().is_none_or(|first| first.ends_with('.')) {
        faults.push("the first line is not a title".to_string());
    }
    let lines = help.lines().count();
    if lines > MAX_HELP_LINES {
        faults.push(format!(
            "{lines} lines, at most {MAX_HELP_LINES} are allowed"
        ));
    }
    let mixed_case = Regex::new(r"\b[A-Z][a-z]+[A-Z]\w*").unwrap();
    for word in mixed_case.find_iter(help).map(|word| word.as_str()) {
        if !MIXED_CASE_WORDS.contains(&word) {
            faults.push(format!("{word} is a name of the code"));
        }
    }
    faults
        .iter()
        .map(|fault| format!("{call}: {fault}"))
        .collect()
}

#[test]
pub(crate) fn all_help_texts_have_the_same_layout() {
    let help_texts = read_all_help_texts();
    assert!(help_texts.len() >= 30, "{help_texts:?}");
    let faults: Vec<String> = help_texts
        .iter()
        .flat_map(|(words, help)| faults(words, help))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn options_have_the_same_names_everywhere() {
    for (words, help) in read_all_help_texts() {
        let line = call(&words);
        // The descriptions of options are indented by 10 spaces.
        let options: Vec<&str> = help
            .lines()
            .filter(|line| !line.starts_with("          "))
            .map(str::trim_start)
            .filter(|line| line.starts_with('-'))
            .collect();
        for (long, expected) in [
            ("--out <", "-o, --out <"),
            ("--jobs <", "-j, --jobs <N>"),
            ("--seeds <", "-s, --seeds <RANGE>"),
        ] {
            let option = options.iter().find(|option| option.contains(long));
            assert!(
                option.is_none_or(|o| o.starts_with(expected)),
                "{line}: {option:?}"
            );
        }
        if words[0] == "workshop" {
            continue;
        }
        let json = options.iter().find(|option| option.starts_with("--json"));
        assert!(
            json.is_none_or(|o| *o == "--json"
                || ["--json  ", "--json [<FILE>]", "--json[=<FILE>]"]
                    .iter()
                    .any(|s| o.starts_with(s))),
            "{line}: {json:?}"
        );
        // Of these commands, only the bot has `--threads`, since its threads share one search. Other commands
        // run independent jobs, and have `--jobs`.
        for old in ["--out-dir", "--threads"] {
            let is_old = |option: &&str| option.starts_with(old) && words[0] != "bot";
            assert!(!options.iter().any(is_old), "{line}: {old}");
        }
    }
}

#[test]
fn every_command_prints_its_version() {
    let version = env!("CARGO_PKG_VERSION").replace('.', "\\.");
    for name in COMMANDS {
        let words = [name.to_string()];
        let call = call(&words);
        let expected =
            Regex::new(&format!("^{call} {version}( \\([0-9a-f]{{9,}}\\))?\n$")).unwrap();
        let text = stdout(&words, &["--version"]);
        assert!(expected.is_match(&text), "{text}");
        assert_eq!(stdout(&words, &["-V"]), text);
    }
}
