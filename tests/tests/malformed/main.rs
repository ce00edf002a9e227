//! Tests of malformed calls. Every command must refuse them with one line on standard error and exit
//! status 2. It must print nothing to standard output and change no files. It must do the same, without
//! a panic, if standard error goes to a full disk.
//!
//! Each line of a table is a call, split into words as a shell would split it. `< FILE` at the end of a
//! call sets standard input to a file, and `<< 'TEXT'` to a text with `\n` for line breaks. Without
//! either, standard input is empty. A `?` before a call means that the message must be about an
//! unexpected argument or an unknown subcommand; without `?`, it must be about another mistake. The parts
//! after `=>`, separated by ` | `, must occur in the line on standard error.
#![cfg(target_os = "linux")]

mod calls;
#[path = "../commands/mod.rs"]
mod commands;
mod temp_folder;

use calls::{BOT, GENERATOR, JUDGE, PUZZLES, TUNER, XTASK};
use std::collections::HashSet;
use temp_folder::TempFolder;

/// Returns the calls of a table, without blank lines and comments.
fn calls(table: &str) -> impl Iterator<Item = &str> {
    let lines = table.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Runs a call, and describes the first fault of the command's answer, if there is one.
fn fault(temp: &TempFolder, name: &str, line: &str) -> Option<String> {
    let (call, expected) = line.split_once("=>").unwrap_or((line, ""));
    let mut expected = expected.split(" | ").map(str::trim);
    let (unknown, call) = match call.strip_prefix('?') {
        Some(call) => (true, call),
        None => (false, call),
    };
    let before = temp.contents();
    let answer = temp.call(name, call, false);
    let message = answer.errors.trim_end();
    let lines = message.lines().count();
    let complaints = ["unexpected argument", "unrecognized subcommand"];
    let fault = if answer.status != "exit status: 2" {
        answer.status.clone()
    } else if !answer.output.is_empty() {
        format!("prints {:?}", answer.output)
    } else if lines != 1 || !message.starts_with(&format!("{name}: ")) {
        "does not print one line that begins with its name".to_string()
    } else if message.contains(|c: char| c.is_control() && c != '\n') {
        "prints control characters".to_string()
    } else if complaints.iter().any(|words| message.contains(words)) != unknown {
        "the `?` before the call is missing or wrong".to_string()
    } else if let Some(part) = expected.find(|part| !message.contains(part)) {
        format!("does not print {part:?}")
    } else if temp.contents() != before {
        "changes files".to_string()
    } else {
        let with_full = temp.call(name, call, true);
        if with_full.status != answer.status || !with_full.output.is_empty() {
            format!(
                "with a full standard error: {}, prints {:?}",
                with_full.status, with_full.output
            )
        } else if temp.contents() != before {
            "changes files with a full standard error".to_string()
        } else {
            return None;
        }
    };
    Some(format!("{name} {call}\n    {fault}\n    {message}"))
}

/// Asserts that a command refuses all calls of a table.
#[track_caller]
fn all_are_refused(name: &str, table: &str) {
    let temp = TempFolder::new();
    let faults: Vec<String> = calls(table)
        .filter_map(|line| fault(&temp, name, line))
        .collect();
    assert!(
        faults.is_empty(),
        "{} calls:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

#[test]
fn the_bot_refuses_malformed_calls() {
    all_are_refused("bot", BOT);
}

#[test]
fn the_generator_refuses_malformed_calls() {
    all_are_refused("generator", GENERATOR);
}

#[test]
fn the_judge_refuses_malformed_calls() {
    all_are_refused("judge", JUDGE);
}

#[test]
fn the_puzzles_refuse_malformed_calls() {
    all_are_refused("puzzles", PUZZLES);
}

#[test]
fn the_tuner_refuses_malformed_calls() {
    all_are_refused("tuner", TUNER);
}

#[test]
fn xtask_refuses_malformed_calls() {
    all_are_refused("workshop", XTASK);
}

#[test]
fn there_are_at_least_450_different_calls() {
    let count = |table| calls(table).collect::<HashSet<_>>().len();
    let counts = [BOT, GENERATOR, JUDGE, PUZZLES, TUNER, XTASK].map(count);
    assert!(counts.iter().sum::<usize>() >= 450, "{counts:?}");
}
