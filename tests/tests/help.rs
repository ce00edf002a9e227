//! What every command shows of itself: its help, its version, its completions.

mod commands;

use commands::{command, COMMANDS};
use regex::Regex;
use std::process::Output;

/// A command and its subcommands, as the words of a command line.
type Words = Vec<String>;

fn run(words: &[String], more: &[&str]) -> Output {
    let mut command = command(&words[0]);
    command.args(&words[1..]).args(more).output().unwrap()
}

/// What is printed by a command that must succeed and complain about nothing.
fn printed(words: &[String], more: &[&str]) -> String {
    let done = run(words, more);
    assert!(done.status.success() && done.stderr.is_empty(), "{done:?}");
    String::from_utf8(done.stdout).unwrap()
}

/// All commands and subcommands, with their help.
fn all() -> Vec<(Words, String)> {
    let mut found: Vec<(Words, String)> = Vec::new();
    let mut next: Vec<Words> = COMMANDS.map(|name| vec![name.to_string()]).into();
    while let Some(words) = next.pop() {
        let help = printed(&words, &["--help"]);
        let listed = help
            .split_once("\nCommands:\n")
            .map_or("", |(_, rest)| rest);
        let listed = listed.split("\n\n").next().unwrap_or_default();
        for line in listed.lines() {
            let indented = line
                .strip_prefix("  ")
                .filter(|rest| !rest.starts_with(' '));
            if let Some(name) = indented.and_then(|rest| rest.split(' ').next()) {
                if name != "help" {
                    next.push([&words[..], &[name.to_string()]].concat());
                }
            }
        }
        found.push((words, help));
    }
    found
}

/// The words with which a user calls a command.
fn called(words: &[String]) -> String {
    let line = words.join(" ");
    match line.strip_prefix("xtask") {
        Some(rest) => format!("cargo xtask{rest}"),
        None => line,
    }
}

/// What is wrong with a help text: it says what the command is for, then how it is used, then its
/// options, and ends with examples that call the command.
fn faults(words: &[String], help: &str) -> Vec<String> {
    let called = called(words);
    let usage = format!("\n\nUsage: {called}");
    let parts = [usage.as_str(), "\n\nOptions:\n", "\n\nExamples:\n"];
    let places: Vec<Option<usize>> = parts.iter().map(|part| help.find(part)).collect();
    let mut faults = Vec::new();
    for (part, place) in parts.iter().zip(&places) {
        if place.is_none_or(|place| place == 0) {
            faults.push(format!("no {part:?}"));
        }
    }
    if !places.is_sorted() {
        faults.push("the parts are in another order".to_string());
    }
    let examples = help.split("\n\nExamples:\n").last().unwrap_or_default();
    let examples: Vec<&str> = examples.trim_end().lines().collect();
    for line in &examples {
        if !line.starts_with("  ") || line.chars().count() > 100 {
            faults.push(format!(
                "not an example of at most 100 characters: {line:?}"
            ));
        }
    }
    if !examples.iter().any(|line| line.contains(&called)) {
        faults.push("no example calls it".to_string());
    }
    if help.lines().next().is_none_or(|first| first.ends_with('.')) {
        faults.push("its first line is no title".to_string());
    }
    let told = faults.iter().map(|fault| format!("{called}: {fault}"));
    told.collect()
}

#[test]
fn all_help_has_one_layout() {
    let all = all();
    assert!(all.len() >= 30, "{all:?}");
    let faults: Vec<String> = all
        .iter()
        .flat_map(|(words, help)| faults(words, help))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_layout_is_looked_at() {
    let words = ["judge".to_string(), "score".to_string()];
    let good = "Score\n\nUsage: judge score\n\nOptions:\n  -h\n\nExamples:\n  judge score a b\n";
    assert_eq!(faults(&words, good), Vec::<String>::new());
    for (from, to) in [
        ("Usage: judge", "Usage: bot"),
        ("Options:", "Choices:"),
        ("Examples:\n  ", "Example: "),
        ("judge score a b", "judge run"),
        ("Score\n", "Score.\n"),
    ] {
        let bad = good.replacen(from, to, 1);
        assert!(!faults(&words, &bad).is_empty(), "{bad}");
    }
}

/// An option has one name and one meaning in all commands.
#[test]
fn options_have_the_same_names_everywhere() {
    for (words, help) in all() {
        let line = called(&words);
        let options: Vec<&str> = help
            .lines()
            .map(str::trim_start)
            .filter(|line| line.starts_with('-'))
            .collect();
        for (long, shown) in [
            ("--out <", "-o, --out <"),
            ("--jobs <", "-j, --jobs <N>"),
            ("--seeds <", "-s, --seeds <RANGE>"),
        ] {
            let found = options.iter().find(|option| option.contains(long));
            assert!(
                found.is_none_or(|o| o.starts_with(shown)),
                "{line}: {found:?}"
            );
        }
        if words[0] == "xtask" {
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
        // The bot's threads search together; all others do several things at a time.
        for old in ["--out-dir", "--threads"] {
            let is_old = |option: &&str| option.starts_with(old) && words[0] != "bot";
            assert!(!options.iter().any(is_old), "{line}: {old}");
        }
    }
}

/// Command lines of earlier versions are understood.
#[test]
fn old_names_of_options_still_work() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, line: &str| {
        let mut command = command(name);
        let command = command.args(line.split(' ')).current_dir(folder.path());
        command.output().unwrap()
    };
    let generated = run("generator", "--seeds 1 --out-dir in");
    assert!(generated.status.success(), "{generated:?}");
    let mut bot = command("bot");
    let bot = bot
        .args(["--width", "2"])
        .pipe_stdin(folder.path().join("in/0001.txt"));
    let played = bot.unwrap().output().unwrap();
    assert!(played.status.success(), "{played:?}");
    let done = run("puzzles", "samegame solve --threads 1 --nodes 9 none.txt");
    // All that is wrong is the file.
    let told = String::from_utf8(done.stderr).unwrap();
    assert!(told.contains("none.txt: cannot be read"), "{told}");
}

#[test]
fn every_command_tells_its_version_and_completes_itself() {
    let version = env!("CARGO_PKG_VERSION").replace('.', "\\.");
    for name in COMMANDS {
        let words = [name.to_string()];
        let shown = called(&words);
        let expected = Regex::new(&format!(
            "^{shown} {version}( \\([0-9a-f]{{9,}}(, with changes)?\\))?\n$"
        ))
        .unwrap();
        let told = printed(&words, &["--version"]);
        assert!(expected.is_match(&told), "{told}");
        assert_eq!(printed(&words, &["-V"]), told);
        if name == "xtask" {
            continue;
        }
        for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
            let script = printed(&words, &["--completions", shell]);
            assert!(script.contains("version"), "{script}");
        }
        let refused = run(&words, &["--completions", "tcsh"]);
        assert_eq!(refused.status.code(), Some(2));
        let told = String::from_utf8(refused.stderr).unwrap();
        let expected = "--completions: expected bash, elvish, fish, powershell or zsh, found";
        assert!(
            told.contains(expected) && told.lines().count() == 1,
            "{told}"
        );
    }
}
