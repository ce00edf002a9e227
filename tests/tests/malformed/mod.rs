//! Tests of malformed calls. Every command must refuse them with one line on standard error and exit status
//! 2. It must print nothing to standard output and change no files.
//!
//! Each text file in this folder lists calls of one command: each kind of mistake once, with the subcommand
//! for which it is most likely. A line is `CALL => PART | PART…`. The call is split into words as a shell
//! would split it. At the end of a call, `< FILE` sets standard input to a file, and `<< 'TEXT'` sets it to
//! TEXT, with `\n` for line breaks. Otherwise standard input is empty. Each PART must occur in the line on
//! standard error. Lines that begin with `#` are comments.

mod temp_folder;

use crate::commands::{COMMANDS, command};
use crate::help::read_all_help_texts;
use regex::Regex;
use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::os::unix::ffi::OsStrExt;
use temp_folder::TempFolder;

/// Runs a call and describes the first fault in the command's response, if any. `expected` holds the parts of
/// the message, separated by ` | `.
fn fault(temp: &TempFolder, name: &str, call: &str, expected: &str) -> Option<String> {
    let before = temp.read_contents();
    let output = temp.command(name, call).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    let message = message.trim_end();
    let lines = message.lines().count();
    // `cargo xtask` starts the workshop, which prints the name that the user typed.
    let printed_name = if name == "workshop" { "xtask" } else { name };
    let mut parts = expected.split(" | ").map(str::trim);
    let fault = if output.status.code() != Some(2) {
        output.status.to_string()
    } else if !output.stdout.is_empty() {
        format!("prints {:?}", String::from_utf8_lossy(&output.stdout))
    } else if lines != 1 || !message.starts_with(&format!("{printed_name}: ")) {
        "does not print one line that begins with its name".to_string()
    } else if message.contains(|c: char| c.is_control()) {
        "prints control characters".to_string()
    } else if let Some(part) = parts.find(|part| part.is_empty() || !message.contains(part)) {
        format!("does not print {part:?}")
    } else if temp.read_contents() != before {
        "changes files".to_string()
    } else {
        return None;
    };
    Some(format!("{name} {call}\n    {fault}\n    {message}"))
}

/// Asserts that a command refuses all calls in a table.
#[track_caller]
fn assert_refused(name: &str, table: &str) {
    let temp = TempFolder::new();
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    let faults: Vec<String> = lines
        .filter_map(|line| {
            let (call, expected) = line.split_once("=>").unwrap_or((line, ""));
            fault(&temp, name, call, expected)
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_bot_refuses_malformed_calls() {
    assert_refused("bot", include_str!("bot.txt"));
}

#[test]
fn the_generator_refuses_malformed_calls() {
    assert_refused("generator", include_str!("generator.txt"));
}

#[test]
fn the_judge_refuses_malformed_calls() {
    assert_refused("judge", include_str!("judge.txt"));
}

#[test]
fn the_puzzles_refuse_malformed_calls() {
    assert_refused("puzzles", include_str!("puzzles.txt"));
}

#[test]
fn the_tuner_refuses_malformed_calls() {
    assert_refused("tuner", include_str!("tuner.txt"));
}

#[test]
fn the_workshop_refuses_malformed_calls() {
    assert_refused("workshop", include_str!("workshop.txt"));
}

/// Parts of messages that reject an invalid number without naming the range that the option accepts.
const WITHOUT_RANGE: [&str; 4] = [
    "invalid digit",
    "too large to fit",
    "cannot parse",
    "is not in",
];

#[test]
fn every_option_for_a_number_names_its_range() {
    let temp = TempFolder::new();
    let option = Regex::new("(?m)^ +(?:-., )?(--[a-z-]+) <").unwrap();
    let (mut faults, mut with_range) = (Vec::new(), 0);
    for (words, help) in read_all_help_texts() {
        for (_, [option]) in option.captures_iter(&help).map(|found| found.extract()) {
            for number in ["x", "-1"] {
                // If the command accepts the number, it still refuses the unknown option.
                let call = format!("{} {option}={number} --bogus", words[1..].join(" "));
                let output = temp.command(&words[0], &call).output().unwrap();
                let message = String::from_utf8_lossy(&output.stderr);
                if WITHOUT_RANGE.iter().any(|part| message.contains(part)) {
                    faults.push(format!("{} {call}\n    {message}", words[0]));
                }
                with_range += usize::from(message.contains("a whole number from"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.concat());
    assert!(with_range > 50, "{with_range}");
}

#[test]
fn every_command_refuses_a_word_that_is_not_utf_8() {
    for name in COMMANDS {
        let output = command(name)
            .arg(OsStr::from_bytes(b"\xff"))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}: {output:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(message.lines().count(), 1, "{name}: {message}");
    }
}

#[test]
fn every_command_refuses_an_unknown_option_even_if_it_cannot_say_so() {
    let temp = TempFolder::new();
    let expected = "unexpected argument '--bogus' found";
    for (words, _) in read_all_help_texts() {
        let call = format!("{} --bogus", words[1..].join(" "));
        assert_eq!(fault(&temp, &words[0], &call, expected), None);
        let full_disk = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = temp.command(&words[0], &call).stderr(full_disk).output();
        assert_eq!(output.unwrap().status.code(), Some(2), "{words:?}");
    }
}
