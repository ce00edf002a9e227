//! Malformed calls of every command: one line on standard error, status 2, nothing on standard
//! output, nothing left behind; and no panic if standard error is full.
//!
//! A call is a line of a table, its words as a shell splits them. `< FILE` at its end is a file for
//! standard input, `<< 'TEXT'` is text for it with `\n` for a line end; else it is empty. A `?`
//! before a call says that it holds a word that no command knows; without it such a word is a
//! mistake of the table. Behind `=>` stands what the line on standard error must say, with ` | `
//! between its parts.
#![cfg(target_os = "linux")]

mod calls;
#[path = "../commands/mod.rs"]
mod commands;
mod desk;

use calls::{BOT, GENERATOR, JUDGE, PUZZLES, TUNER, XTASK};
use desk::Desk;
use std::collections::HashSet;

/// The calls of a table.
fn calls(table: &str) -> impl Iterator<Item = &str> {
    let lines = table.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// What is wrong with the answer to a call, as a line that names it; `None` if nothing is.
fn fault(desk: &Desk, name: &str, line: &str) -> Option<String> {
    let (call, expected) = line.split_once("=>").unwrap_or((line, ""));
    let mut expected = expected.split(" | ").map(str::trim);
    let (unknown, call) = match call.strip_prefix('?') {
        Some(call) => (true, call),
        None => (false, call),
    };
    let before = desk.contents();
    let said = desk.say(name, call, false);
    let told = said.errors.trim_end();
    let lines = told.lines().count();
    let complains = ["unexpected argument", "unrecognized subcommand"];
    let what = if said.status != "exit status: 2" {
        said.status.clone()
    } else if !said.output.is_empty() {
        format!("prints {:?}", said.output)
    } else if lines != 1 || !told.starts_with(&format!("{name}: ")) {
        "not one line with its name".to_string()
    } else if told.contains(|c: char| c.is_control() && c != '\n') {
        "disturbs a terminal".to_string()
    } else if complains.iter().any(|words| told.contains(words)) != unknown {
        "knows or does not know its words".to_string()
    } else if let Some(part) = expected.find(|part| !told.contains(part)) {
        format!("does not say {part:?}")
    } else if desk.contents() != before {
        "leaves something behind".to_string()
    } else {
        let full = desk.say(name, call, true);
        if full.status != said.status || !full.output.is_empty() {
            format!(
                "with standard error full: {}, prints {:?}",
                full.status, full.output
            )
        } else if desk.contents() != before {
            "leaves something behind with standard error full".to_string()
        } else {
            return None;
        }
    };
    Some(format!("{name} {call}\n    {what}\n    {told}"))
}

/// Asserts that a command refuses all calls of a table.
#[track_caller]
fn all_are_refused(name: &str, table: &str) {
    let desk = Desk::new();
    let faults: Vec<String> = calls(table)
        .filter_map(|line| fault(&desk, name, line))
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
fn the_chores_refuse_malformed_calls() {
    all_are_refused("xtask", XTASK);
}

#[test]
fn there_are_at_least_450_different_calls() {
    let different = |table| calls(table).collect::<HashSet<_>>().len();
    let tables = [BOT, GENERATOR, JUDGE, PUZZLES, TUNER, XTASK].map(different);
    assert!(tables.iter().sum::<usize>() >= 450, "{tables:?}");
}
