//! Tests of the command blocks in the documents.
//!
//! The info string, which is the text after the opening fence, gives the kind of a block:
//!
//! * `sh`: commands, which must succeed;
//! * `console`: commands after `$`, each followed by its output;
//! * `sh slow`, `console slow`: slow blocks of either kind, which only an ignored test runs;
//! * `sh not run: REASON`: commands that take too long or need something that the tests do not have. Their
//!   options must occur in the help of the called program;
//! * `text`: no commands; `toml`: a TOML file.
//!
//! The blocks of a document run in order, in a temporary folder with the parts of a clone that they need. In
//! an output, `...` matches any lines. Parts that depend on the machine, such as times, are not compared.
//! With `UPDATE_DOCS=1`, the tests write the outputs that differ into the documents.
//!
//! Other tests check that linked and named files exist, and that each screenshot appears in a document.

use crate::commands;
use regex::Regex;
use snapbox::Assert;
use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use tempfile::TempDir;

/// A fenced code block of a document.
struct Block {
    /// The line of the opening fence, counted from 1.
    line: usize,
    /// The info string of the opening fence.
    kind: String,
    text: String,
}

/// The suffix of the info string of a slow block.
const SLOW_SUFFIX: &str = " slow";

/// Returns the root of the workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn parse_blocks(document: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_inside = false;
    for (line, text) in (1..).zip(document.lines()) {
        if let Some(kind) = text.trim_start().strip_prefix("```") {
            is_inside = !is_inside;
            if is_inside {
                blocks.push(Block {
                    line,
                    kind: kind.trim().to_string(),
                    text: String::new(),
                });
            }
        } else if let (true, Some(block)) = (is_inside, blocks.last_mut()) {
            block.text += text;
            block.text.push('\n');
        }
    }
    assert!(!is_inside, "a block has no end");
    blocks
}

/// Describes why the kind of a block is invalid or does not fit its text; `None` for a valid block.
fn fault(block: &Block) -> Option<&'static str> {
    let programs = ["cargo"].iter().chain(&commands::COMMANDS);
    let is_call = |line: &str| {
        let first = line.split(' ').next();
        line.starts_with("$ ") || programs.clone().any(|name| first == Some(name))
    };
    match block.kind.trim_end_matches(SLOW_SUFFIX) {
        "console" if !block.text.starts_with("$ ") => Some("expected a command after $"),
        "text" if block.text.lines().any(is_call) => {
            Some("expected no commands in a block of text")
        }
        "sh" | "console" | "text" | "toml" => None,
        kind => match kind.strip_prefix("sh not run: ") {
            Some(reason) if !reason.trim().is_empty() => None,
            _ => Some(
                "expected sh, console, text, toml, sh slow, console slow, or sh not run: REASON",
            ),
        },
    }
}

/// Returns the commands of a block of kind `console`, each with its expected output.
fn parse_session(text: &str) -> Vec<(String, String)> {
    let mut session: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            session.push((command.to_string(), String::new()));
        } else if let Some((command, output)) = session.last_mut() {
            if command.ends_with('\\') {
                command.push('\n');
                command.push_str(line);
            } else {
                output.push_str(line);
                output.push('\n');
            }
        }
    }
    session
}

/// Replaces the parts of an output that depend on the machine, such as times, with placeholders.
fn mask(text: &str) -> String {
    let masks = [
        // A row of the table that `judge run` prints.
        (r"( +\d+\.\d\d){2}( +\d+)+  (ok|ended|TLE)", " TIME $3"),
        (r"(?m)^at most  .*$", "at most TIME"),
        (r"\d{4}-\d\d-\d\d \d\d:\d\d", "STARTED"),
        // The digest of a bot.
        (r", [0-9a-f]{8}\b", ", DIGEST"),
        // A row of the table that `puzzles samegame solve` prints.
        (r"(?m) +\d+\.\d *$", " TIME"),
        (r"(?m) +$", ""),
    ];
    masks
        .iter()
        .fold(text.to_string(), |text, (pattern, replacement)| {
            Regex::new(pattern)
                .unwrap()
                .replace_all(&text, *replacement)
                .into_owned()
        })
}

/// Returns the document with the new output of a command. Old lines stay if they differ only in parts that
/// depend on the machine, and `...` stays where the lines around it agree.
fn with_output(document: &str, command: &str, old: &str, new: &str) -> String {
    let kept = |line| {
        old.lines()
            .find(|old| mask(old) == mask(line))
            .unwrap_or(line)
    };
    let new: String = new
        .lines()
        .map(|line| format!("{}\n", kept(line)))
        .collect();
    let (new, _) = Assert::new().normalize(new.into(), old.to_string().into());
    let call = format!("$ {command}\n");
    document.replacen(&format!("{call}{old}"), &format!("{call}{new}"), 1)
}

#[test]
fn an_output_is_updated_in_its_document() {
    let document = |output: &str| format!("```console\n$ list\n{output}```\n\nMore.\n");
    let old = "a 1\n2026-11-28 10:00 +00:00\n...\nz\n";
    let updated = |new| with_output(&document(old), "list", old, new);
    let expected = document("a 2\n2026-11-28 10:00 +00:00\n...\nz\n");
    assert_eq!(updated("a 2\n2026-11-29 12:00 +00:00\nb\nc\nz\n"), expected);
    assert_eq!(updated("none"), document("none\n"));
}

/// Creates a folder with the parts of a clone that the blocks need, such as the programs.
fn create_clone() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let link = |from: PathBuf, to: &str| {
        let to = folder.path().join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(from, to).unwrap();
    };
    link(commands::program_folder().to_path_buf(), "target/release");
    link(
        root().join("crates/puzzles/boards"),
        "crates/puzzles/boards",
    );
    folder
}

/// Runs commands in a shell until one fails. Standard error is redirected to standard output.
fn shell(folder: &Path, text: &str) -> Output {
    let system_path = std::env::var_os("PATH").unwrap_or_default();
    let path = [commands::program_folder().to_path_buf()]
        .into_iter()
        .chain(std::env::split_paths(&system_path));
    Command::new("sh")
        .args(["-e", "-c", &format!("exec 2>&1\n{text}")])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(path).unwrap())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Lists the unknown subcommands in the text of a block, and the options that the help of the called command
/// does not list.
fn unknown_options(text: &str) -> Vec<String> {
    let quoted = Regex::new("'[^']*'").unwrap();
    let text = quoted.replace_all(text, "").replace("\\\n", " ");
    let mut unknown = Vec::new();
    for line in text
        .lines()
        .map(|line| line.replace("cargo xtask", "workshop"))
    {
        let all_words: Vec<&str> = line
            .split_whitespace()
            .take_while(|word| !word.starts_with('#'))
            .collect();
        let start = all_words
            .iter()
            .position(|word| commands::COMMANDS.contains(word));
        let Some(words) = start.map(|at| &all_words[at..]) else {
            continue;
        };
        // `cargo xtask play` has no options to check, and is not a command of the workshop.
        if words.get(1) == Some(&"play") {
            continue;
        }
        let mut command = Command::new(commands::program_path(words[0]));
        // The number of words that can name a subcommand. Later words are arguments.
        let levels = if words[0] == "puzzles" { 2 } else { 1 };
        let subcommands = words[1..]
            .iter()
            .take_while(|word| word.chars().all(char::is_alphabetic))
            .take(levels);
        if !["bot", "generator"].contains(&words[0]) {
            command.args(subcommands);
        }
        let output = command.arg("--help").output().unwrap();
        if !output.status.success() {
            unknown.push(format!("{line}: {}", words[0]));
        }
        let help = String::from_utf8(output.stdout).unwrap();
        let is_listed = |option: &str| {
            let ends = |rest: &str| !rest.starts_with(|c: char| c == '-' || c.is_alphanumeric());
            help.split(option).skip(1).any(ends)
        };
        let options = words
            .iter()
            .filter(|word| word.starts_with("--"))
            .map(|word| word.split('=').next().unwrap_or_default())
            // The help lists the NATS options only in a build with the feature `nats`.
            .filter(|option| !option.starts_with("--nats") && !is_listed(option));
        unknown.extend(options.map(|option| format!("{line}: {option}")));
    }
    unknown
}

/// Runs the blocks of a document, including slow ones if `include_slow` is true. Returns descriptions of all
/// failures. With `UPDATE_DOCS=1`, writes outputs that differ into the document instead of describing them.
fn check_document(path: &Path, document: &str, include_slow: bool) -> Vec<String> {
    let folder = create_clone();
    let name = path.strip_prefix(root()).unwrap().display();
    let is_update = std::env::var_os("UPDATE_DOCS").is_some_and(|value| value == "1");
    let (mut faults, mut updated) = (Vec::new(), document.to_string());
    for block in parse_blocks(document) {
        let place = format!("{name}:{}", block.line);
        if let Some(fault) = fault(&block) {
            faults.push(format!("{place}: {fault}, found {:?}", block.kind));
        }
        let is_left_out = block.kind.ends_with(SLOW_SUFFIX) && !include_slow;
        let kind = block.kind.trim_end_matches(SLOW_SUFFIX);
        if is_left_out || kind.starts_with("sh not run") {
            let unknown = unknown_options(&block.text).into_iter();
            faults.extend(unknown.map(|option| format!("{place}: unknown option: {option}")));
        } else if kind == "sh" {
            let output = shell(folder.path(), &block.text);
            if !output.status.success() {
                let text = String::from_utf8_lossy(&output.stdout);
                faults.push(format!("{place}: {}: {text}", output.status));
            }
        } else if kind == "console" {
            for (command, expected) in parse_session(&block.text) {
                let output = shell(folder.path(), &command);
                let actual = String::from_utf8_lossy(&output.stdout).into_owned();
                let comparison = Assert::new().try_eq(
                    Some(&place),
                    mask(&actual).into(),
                    mask(&expected).into(),
                );
                match comparison {
                    Err(_) if is_update => {
                        updated = with_output(&updated, &command, &expected, &actual);
                    }
                    Err(difference) => faults.push(format!(
                        "{place}: {command}\n{difference}\nfull output:\n{actual}"
                    )),
                    Ok(()) => {}
                }
            }
        }
    }
    if updated != document {
        fs::write(path, updated).unwrap();
    }
    faults
}

/// Adds the paths of all documents below a folder. Skips hidden folders, `target` and links to folders.
fn add_documents(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && name != "target" && !path.is_symlink() {
            add_documents(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
}

/// Returns the path and the text of each document of the project.
fn documents() -> Vec<(PathBuf, String)> {
    let mut paths = Vec::new();
    add_documents(root(), &mut paths);
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        (path, text)
    };
    paths.into_iter().map(read).collect()
}

/// Runs the blocks of documents, including slow ones if `include_slow` is true, and asserts that all work.
fn assert_blocks_work(mut documents: Vec<(PathBuf, String)>, include_slow: bool) {
    // The longest documents come first, so that the threads finish at about the same time.
    documents.sort_by_key(|(_, text)| Reverse(text.len()));
    let next = Mutex::new(documents.iter());
    let work = || {
        let mut all = Vec::new();
        loop {
            let Some((path, text)) = next.lock().unwrap().next() else {
                return all;
            };
            all.extend(check_document(path, text, include_slow));
        }
    };
    let faults: Vec<String> = std::thread::scope(|scope| {
        // Some games have a time limit, so use no more threads than there are cores.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_blocks_of_all_documents_work() {
    assert_blocks_work(documents(), false);
}

#[test]
#[ignore = "takes a minute"]
fn the_slow_blocks_of_all_documents_work() {
    let mut documents = documents();
    documents.retain(|(_, text)| {
        parse_blocks(text)
            .iter()
            .any(|block| block.kind.ends_with(SLOW_SUFFIX))
    });
    assert_blocks_work(documents, true);
}

/// Lists the broken links of a document, and the missing files and folders that the document names in
/// backticks.
fn missing_targets(document: &Path, text: &str) -> Vec<String> {
    let folder = document.parent().unwrap();
    let anchors = |text: &str| -> Vec<String> {
        let anchor = |line: &str| -> String {
            let words = line.trim_start_matches('#').trim().to_lowercase();
            let is_kept = |c: &char| c.is_alphanumeric() || "_- ".contains(*c);
            words.chars().filter(is_kept).collect()
        };
        text.lines()
            .filter(|line| line.starts_with('#'))
            .map(|line| anchor(line).replace(' ', "-"))
            .collect()
    };
    let exists = |target: &str| {
        let (file, heading) = target.split_once('#').unwrap_or((target, ""));
        let path = match file {
            "" => document.to_path_buf(),
            file => folder.join(file),
        };
        path.exists()
            && (heading.is_empty()
                || anchors(&fs::read_to_string(&path).unwrap()).contains(&heading.to_string()))
    };
    let link = Regex::new(r"\]\(([^)\s]+)\)").unwrap();
    let mut missing: Vec<String> = link
        .captures_iter(text)
        .map(|captures| captures[1].to_string())
        .filter(|target| !target.contains("://") && !exists(target))
        .collect();
    // Entries of the notebook may name files that no longer exist.
    if !document.starts_with(root().join("docs/experiments")) {
        let path = Regex::new(r"`([\w.]+/[\w./-]*)`").unwrap();
        let names = path
            .captures_iter(text)
            .map(|captures| captures[1].to_string());
        missing.extend(names.filter(|name| {
            let top = name.split('/').next().unwrap();
            // Build output and runs are not part of the project.
            let is_in_project =
                !["target", "runs", ".."].contains(&top) && root().join(top).is_dir();
            is_in_project && !root().join(name).exists() && !folder.join(name).exists()
        }));
    }
    missing
}

#[test]
fn linked_and_named_files_exist() {
    let missing: Vec<_> = documents()
        .into_iter()
        .map(|(path, text)| (path.clone(), missing_targets(&path, &text)))
        .filter(|(_, targets)| !targets.is_empty())
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_document_shows_each_screenshot() {
    let documents = documents();
    for entry in fs::read_dir(root().join("docs/screenshots")).unwrap() {
        let name = entry.unwrap().file_name();
        let link = format!("docs/screenshots/{})", name.display());
        assert!(
            documents.iter().any(|(_, text)| text.contains(&link)),
            "{link}"
        );
    }
}

/// A fork must replace the placeholder `OWNER` in `Cargo.toml` and in `README.md`.
#[test]
fn the_readme_clones_the_repository_that_the_workspace_names() {
    let read = |name| fs::read_to_string(root().join(name)).unwrap();
    let manifest = read("Cargo.toml");
    let address = manifest
        .lines()
        .find_map(|line| line.strip_prefix("repository = "));
    let clone = format!("git clone {} ", address.unwrap().trim_matches('"'));
    assert!(read("README.md").contains(&clone), "expected {clone:?}");
}
