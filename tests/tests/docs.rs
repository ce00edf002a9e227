//! The documents' blocks of commands work as they are written.
//!
//! The first word behind the fence says what a block is:
//!
//! * `sh`: commands that are run, and must succeed;
//! * `console`: commands behind `$`, which are run, and what they print;
//! * `sh not run: REASON`: commands that take too long, or need what a test has not; the help of
//!   each must know its options;
//! * `text`: no commands.
//!
//! Links between documents, and the files that they name, are looked up too.
//!
//! A document's blocks are run in order, in a folder that has what they need of a clone. Times and
//! memory are not compared, nor are lines for which `...` stands.
#![cfg(unix)]

mod commands;

use regex::Regex;
use snapbox::Assert;
use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use tempfile::TempDir;

/// A block of a document.
#[derive(Debug, PartialEq)]
struct Block {
    /// The line of its fence, counted from 1.
    line: usize,
    /// What stands behind the fence.
    kind: String,
    text: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The blocks between fences.
fn blocks(document: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for (line, text) in (1..).zip(document.lines()) {
        if let Some(kind) = text.trim_start().strip_prefix("```") {
            inside = !inside;
            if inside {
                blocks.push(Block {
                    line,
                    kind: kind.trim().to_string(),
                    text: String::new(),
                });
            }
        } else if let (true, Some(block)) = (inside, blocks.last_mut()) {
            block.text += text;
            block.text.push('\n');
        }
    }
    assert!(!inside, "a block has no end");
    blocks
}

/// What is wrong with the mark of a block.
fn fault(block: &Block) -> Option<&'static str> {
    let called = ["cargo"].iter().chain(&commands::COMMANDS);
    let calls = |line: &str| {
        let first = line.split(' ').next();
        line.starts_with("$ ") || called.clone().any(|name| first == Some(name))
    };
    match block.kind.as_str() {
        "console" if !block.text.starts_with("$ ") => Some("expected a command behind $"),
        "text" if block.text.lines().any(calls) => Some("a text with commands"),
        "sh" | "console" | "text" => None,
        kind => match kind.strip_prefix("sh not run: ") {
            Some(reason) if !reason.trim().is_empty() => None,
            _ => Some("expected sh, console, text, or sh not run: REASON"),
        },
    }
}

/// The commands of a block of the kind `console`, and what each prints.
fn conversation(text: &str) -> Vec<(String, String)> {
    let mut said: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            said.push((command.to_string(), String::new()));
        } else if let Some((command, printed)) = said.last_mut() {
            if command.ends_with('\\') {
                command.push('\n');
                command.push_str(line);
            } else {
                printed.push_str(line);
                printed.push('\n');
            }
        }
    }
    said
}

/// A text without what depends on the machine: times and memory.
fn masked(text: &str) -> String {
    let masks = [
        // A row of `judge run`.
        (r"( +\d+\.\d\d){2}( +\d+)+  (ok|died|TLE)", " TIME $3"),
        (r"(?m)^at most  .*$", "at most TIME"),
        (r"\d{4}-\d\d-\d\dT\d\d:\d\d", "STARTED"),
        // A bot, and the processor in `judge history`.
        (r"build [0-9a-f]{8}", "BUILD"),
        (
            r"(%|\d\.\d\d)  (processor|\w.*\S)  +bot",
            "$1  PROCESSOR  bot",
        ),
        // A row of `puzzles samegame solve`.
        (r"(?m) +\d+\.\d *$", " TIME"),
        (r"(?m) +$", ""),
    ];
    masks.iter().fold(text.to_string(), |text, (mask, with)| {
        Regex::new(mask)
            .unwrap()
            .replace_all(&text, *with)
            .into_owned()
    })
}

/// A folder with what a clone has after its commands are built.
fn clone() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let link = |from: PathBuf, to: &str| {
        let to = folder.path().join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(from, to).unwrap();
    };
    link(commands::folder().to_path_buf(), "target/release");
    link(root().join("puzzles/boards"), "puzzles/boards");
    folder
}

/// Runs commands in a shell that ends with the first of them that fails.
fn shell(folder: &Path, text: &str) -> Output {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = [commands::folder().to_path_buf()]
        .into_iter()
        .chain(std::env::split_paths(&path));
    Command::new("sh")
        .args(["-e", "-c", &format!("exec 2>&1\n{text}")])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(path).unwrap())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// The commands in a block that are not there, and the options that their help does not know.
fn unknown_options(text: &str) -> Vec<String> {
    let quoted = Regex::new("'[^']*'").unwrap();
    let text = quoted.replace_all(text, "").replace("\\\n", " ");
    let mut unknown = Vec::new();
    for line in text
        .lines()
        .map(|line| line.replace("cargo xtask", "xtask"))
    {
        let words = line
            .split_whitespace()
            .take_while(|word| !word.starts_with('#'));
        let words: Vec<&str> = words.collect();
        let called = words
            .iter()
            .position(|word| commands::COMMANDS.contains(word));
        let Some(words) = called.map(|at| &words[at..]) else {
            continue;
        };
        let mut command = Command::new(commands::program(words[0]));
        let below = words[1..]
            .iter()
            .take_while(|word| word.chars().all(char::is_alphabetic));
        // A word that is no subcommand is an argument.
        let below = below.take(if words[0] == "puzzles" { 2 } else { 1 });
        if !["bot", "generator"].contains(&words[0]) {
            command.args(below);
        }
        let help = command.arg("--help").output().unwrap();
        if !help.status.success() {
            unknown.push(format!("{line}: {}", words[0]));
        }
        let help = String::from_utf8(help.stdout).unwrap();
        let known = |option: &str| {
            let ends = |rest: &str| !rest.starts_with(|c: char| c == '-' || c.is_alphanumeric());
            help.split(option).skip(1).any(ends)
        };
        let options = words.iter().filter(|word| word.starts_with("--"));
        let options = options.map(|word| word.split('=').next().unwrap_or_default());
        // Whatever follows `play` goes to `judge run`.
        let of_others = |option: &&str| words[1..].first() == Some(&"play") || known(option);
        let options = options.filter(|option| !of_others(option));
        unknown.extend(options.map(|option| format!("{line}: {option}")));
    }
    unknown
}

/// Runs the blocks of a document, and says what is wrong with them.
fn faults(name: &str, document: &str) -> Vec<String> {
    let folder = clone();
    let mut faults = Vec::new();
    for block in blocks(document) {
        let place = format!("{name}:{}", block.line);
        if let Some(fault) = fault(&block) {
            faults.push(format!("{place}: {fault}, found {:?}", block.kind));
        }
        if block.kind.starts_with("sh not run") {
            let unknown = unknown_options(&block.text).into_iter();
            faults.extend(unknown.map(|option| format!("{place}: unknown option: {option}")));
        } else if block.kind == "sh" {
            let done = shell(folder.path(), &block.text);
            if !done.status.success() {
                let told = String::from_utf8_lossy(&done.stdout);
                faults.push(format!("{place}: {}: {told}", done.status));
            }
        } else if block.kind == "console" {
            for (command, printed) in conversation(&block.text) {
                let done = shell(folder.path(), &command);
                let seen = String::from_utf8_lossy(&done.stdout).into_owned();
                let compared = Assert::new().try_eq(
                    Some(&place),
                    masked(&seen).into(),
                    masked(&printed).into(),
                );
                if let Err(difference) = compared {
                    faults.push(format!(
                        "{place}: {command}\n{difference}\nin full:\n{seen}"
                    ));
                }
            }
        }
    }
    faults
}

/// The documents of the project below a folder.
fn below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && name != "target" && !path.is_symlink() {
            below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// All documents, with what they hold.
fn documents() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    below(root(), &mut found);
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        (path, text)
    };
    found.into_iter().map(read).collect()
}

#[test]
fn the_blocks_of_all_documents_work() {
    let mut documents = documents();
    // The longest first, so that none is left at the end with one core.
    documents.sort_by_key(|(_, text)| Reverse(text.len()));
    // Some games have a clock: no more at a time than there are cores.
    let next = Mutex::new(documents.iter());
    let work = || {
        let mut found = Vec::new();
        loop {
            let Some((path, text)) = next.lock().unwrap().next() else {
                return found;
            };
            let name = path.strip_prefix(root()).unwrap().display().to_string();
            found.extend(faults(&name, text));
        }
    };
    let faults: Vec<String> = std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let running: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        let ended = running.into_iter().flat_map(|one| one.join().unwrap());
        ended.collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The links of a document that lead nowhere, and the files of the sources that it names and that
/// are not there.
fn astray(document: &Path, text: &str) -> Vec<String> {
    let folder = document.parent().unwrap();
    let headings = |text: &str| -> Vec<String> {
        let headings = text.lines().filter(|line| line.starts_with('#'));
        let anchor = |line: &str| -> String {
            let words = line.trim_start_matches('#').trim().to_lowercase();
            let kept = |c: &char| c.is_alphanumeric() || "_- ".contains(*c);
            words.chars().filter(kept).collect()
        };
        headings
            .map(|line| anchor(line).replace(' ', "-"))
            .collect()
    };
    let leads = |target: &str| {
        let (file, heading) = target.split_once('#').unwrap_or((target, ""));
        let path = match file {
            "" => document.to_path_buf(),
            file => folder.join(file),
        };
        path.exists()
            && (heading.is_empty()
                || headings(&fs::read_to_string(&path).unwrap()).contains(&heading.to_string()))
    };
    let links = Regex::new(r"\]\(([^)\s]+)\)").unwrap();
    let links = links.captures_iter(text).map(|found| found[1].to_string());
    let mut faults: Vec<String> = links
        .filter(|target| !target.contains("://") && !leads(target))
        .collect();
    // An entry of the notebook may name a file that is gone since.
    if !document.starts_with(root().join("docs/experiments")) {
        let named = Regex::new(r"`(\w+/[\w/-]+(?:\.rs|\.md|/)?)`").unwrap();
        let named = named.captures_iter(text).map(|found| found[1].to_string());
        faults.extend(named.filter(|name| {
            let room = root().join(name.split('/').next().unwrap());
            let is_room = room.join("Cargo.toml").exists();
            is_room && !root().join(name).exists() && !folder.join(name).exists()
        }));
    }
    faults
}

#[test]
fn links_and_named_files_are_there() {
    let faults: Vec<_> = documents()
        .into_iter()
        .map(|(path, text)| (path.clone(), astray(&path, &text)))
        .filter(|(_, faults)| !faults.is_empty())
        .collect();
    assert!(faults.is_empty(), "{faults:?}");

    let wrong =
        "[a](README.md) [b](missing.md) [c](README.md#nowhere) `core/src/beam.rs` `core/src`";
    assert_eq!(
        astray(&root().join("CHANGELOG.md"), wrong),
        ["missing.md", "README.md#nowhere", "core/src/beam.rs"]
    );
}

#[test]
fn the_functions_of_the_walk_are_in_their_files() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let code = Regex::new("`([^`]+)`").unwrap();
    let named = |cell| code.captures_iter(cell).map(|found| found[1].to_string());
    let walk = text
        .split("\n## ")
        .find(|part| part.starts_with("Follow a case"));
    let rows = walk
        .unwrap()
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains(".rs`"));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split('|').collect()).collect();
    assert!(rows.len() > 10);
    for row in rows {
        let files = named(row[2]).map(|file| fs::read_to_string(root().join(file)).unwrap());
        let files: Vec<String> = files.collect();
        for path in named(row[3]) {
            let (of, name) = path.rsplit_once("::").unwrap_or(("fn", &path));
            let function = format!("fn {name}");
            let has = |file: &String| file.contains(&function) && file.contains(of);
            let is_there = files.iter().any(has);
            assert!(is_there, "{path} is not in {}", row[2]);
        }
    }
}

#[test]
fn blocks_that_are_wrong_are_found() {
    let good = "```sh\nmkdir a\n```\n```console\n$ ls\na\n...\n$ echo 1   2.5\n1 9.5\n```\n\
        ```sh not run: minutes\ncargo test\njudge run --seeds \\\n    1 # --x\n```\n\
        ```text\na\n```\n";
    assert_eq!(faults("good", good), Vec::<String>::new());
    for (from, to, expected) in [
        ("mkdir a", "false; mkdir a", "exit status: 1"),
        ("\na\n...", "\nb\n...", "bad:4: ls"),
        (
            "sh not run: minutes",
            "sh not run",
            "expected sh, console, text",
        ),
        ("```text", "```", "expected sh, console, text"),
        ("```text\na", "```text\njudge run", "a text with commands"),
        ("$ ls", "ls", "expected a command behind $"),
        ("1 9.5", "2 9.5", "echo 1   2.5"),
        (
            "run --seeds",
            "run --seed",
            "unknown option: judge run --seed",
        ),
        ("judge run", "judge score", "unknown option: judge score"),
        ("judge run", "judge runs", "unknown option: judge runs"),
    ] {
        let bad = good.replacen(from, to, 1);
        assert_ne!(bad, good);
        let found = faults("bad", &bad).join("\n");
        assert!(found.contains(expected), "{expected}: {found}");
    }
}
