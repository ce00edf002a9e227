//! Classifies opened files as cases, plans, runs and SameGame boards. "Open files" in the README lists the
//! rules.
//!
//! The page pairs a plan with the case whose file name has the same [`Key`].

use crate::case_facts::NamedCase;
use crate::key::Key;
use crate::run::{self, Run};
use columns_core::rules::case::Case;
use columns_core::text::ParseError;
use columns_puzzles::samegame::notation::parse_boards;
use serde::{Deserialize, Serialize};

/// Maximum size of a file that the page reads, in bytes. Real files are far smaller: the longest cases take
/// 40 KB, and the ledger of a thousand games takes 700 KB.
pub(crate) const MAX_FILE_BYTES: usize = 16 << 20;
/// Maximum number of files that the user can open together. `judge open` has a limit of its own.
pub(crate) const MAX_FILES: usize = 10_000;

/// The list of supported formats, for the message about text in an unknown format.
const EXPECTED: &str = "a case, a plan, a run of the judge or of pahcer, or a SameGame board";

/// An opened file or pasted text.
#[derive(Debug, Deserialize)]
pub(crate) struct OpenedFile {
    /// The file name, preceded by its folders if the browser reports them.
    pub(crate) name: String,
    /// The content as text. Replacement characters stand for bytes that are not UTF-8.
    pub(crate) text: String,
    /// True if the content is not UTF-8.
    #[serde(default)]
    pub(crate) is_binary: bool,
    /// The format that the user has chosen; `None` to detect it from the content.
    #[serde(default)]
    pub(crate) chosen_format: Option<Format>,
}

/// The contents of opened files, by format.
#[derive(Debug, Default, Serialize)]
pub(crate) struct OpenedFiles {
    pub(crate) cases: Vec<NamedCase>,
    pub(crate) plans: Vec<UnpairedPlan>,
    /// Rejected files in a folder, each with exactly one number in its name. If the folder contains plans,
    /// the page counts these files as invalid plans.
    pub(crate) doubtful_plans: Vec<UnpairedPlan>,
    pub(crate) runs: Vec<Run>,
    pub(crate) boards: Vec<SameGameBoard>,
    /// A message for each rejected file that is neither doubtful nor ignored.
    pub(crate) errors: Vec<String>,
    /// The names of unrecognised files inside folders.
    pub(crate) ignored_names: Vec<String>,
}

/// A plan that is not yet paired with a case.
#[derive(Debug, Serialize)]
pub(crate) struct UnpairedPlan {
    pub(crate) name: String,
    pub(crate) key: Key,
    /// The folder of the file, which names the player; empty if the browser reports none.
    pub(crate) folder: String,
    pub(crate) plan: String,
    /// The message to show if a doubtful file is not a plan; `None` to list the file as ignored. Always
    /// `None` for plans.
    pub(crate) error: Option<String>,
}

/// A SameGame board from an opened file. Its name is that of the file, followed by the number of the board if
/// the file has several.
#[derive(Debug, Serialize)]
pub(crate) struct SameGameBoard {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// A text format, detected from the content or chosen by the user.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Format {
    Case,
    Plan,
    SameGame,
    /// A run of the judge or of pahcer.
    Run,
    Unknown,
}

/// Detects the format of the text.
///
/// JSON may be a run. A first line of two numbers starts a case. A first line of one number starts a case if
/// the text has letters; otherwise, a plan or a SameGame board of digits. Other rows of tiles form a SameGame
/// board. Here, letters are `a` to `z` and `*`.
fn detect_format(text: &str) -> Format {
    if text.trim_start().starts_with(['{', '[']) {
        return Format::Run;
    }
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first: Vec<&str> = lines.next().unwrap_or("").split_whitespace().collect();
    let number = |word: &&str| word.bytes().all(|b| b.is_ascii_digit());
    let letters = || text.bytes().any(|b| b.is_ascii_lowercase() || b == b'*');
    // A line of a plan has two numbers, or one number of at most two digits. A row of a board is longer and
    // has no whitespace.
    let is_row = |line: &str| line.len() > 2 && !line.contains(char::is_whitespace);
    match first[..] {
        [_, _] if first.iter().all(number) => Format::Case,
        [word] if number(&word) && word.len() < 6 => {
            if letters() {
                Format::Case
            } else if lines.next().is_some_and(is_row) {
                Format::SameGame
            } else {
                Format::Plan
            }
        }
        [] => Format::Case,
        _ if text.parse::<Case>().is_ok() => Format::Case,
        _ if is_board(text) => Format::SameGame,
        _ => Format::Unknown,
    }
}

/// True if the text looks like a SameGame board: it has several rows, and either consists of capital letters,
/// digits, `.` and `-`, or parses as a board.
fn is_board(text: &str) -> bool {
    let rows = || {
        let rows = text
            .lines()
            .map(|line| line.split('#').next().unwrap_or("").trim());
        rows.filter(|row| !row.is_empty())
    };
    let tile = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || " \t.-".contains(c);
    let plain = rows().all(|row| row.chars().all(tile));
    let parses = || parse_boards(text).is_ok();
    rows().count() > 1 && (plain || parses())
}

/// Returns the folder of a file, with `/` as separator; empty if the path has no folder.
fn folder(name: &str) -> String {
    let folder = name.rsplit_once(['/', '\\']).map_or("", |(path, _)| path);
    folder.replace('\\', "/")
}

/// True if a file name has one of these extensions, given without the dot. Ignores case.
fn has_ending(name: &str, endings: &[&str]) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| endings.iter().any(|one| one.eq_ignore_ascii_case(ending)))
}

/// True if a file is in a folder `out` at any depth, has exactly one number in its name and is not JSON. Such
/// a file is a plan, regardless of its content.
fn is_output(name: &str) -> bool {
    let is_json = has_ending(name, &["json", "jsonl"]);
    !is_json && Key::from_name(name).is_number && folder(name).split('/').any(|part| part == "out")
}

/// True if the text is a number n, followed by n pairs of numbers.
fn is_plan(text: &str) -> bool {
    let mut words = text
        .split_whitespace()
        .map(|word| word.parse::<usize>().ok());
    let count = words.next().flatten();
    let all_numbers = words.clone().all(|word| word.is_some());
    all_numbers && count.and_then(|count| count.checked_mul(2)) == Some(words.count())
}

impl UnpairedPlan {
    fn new(name: &str, text: &str, error: Option<String>) -> Self {
        Self {
            name: name.to_string(),
            key: Key::from_name(name),
            folder: folder(name),
            plan: text.to_string(),
            error,
        }
    }
}

/// Classifies files by format, and parses all of them except plans.
pub(crate) fn classify_files(files: Vec<OpenedFile>) -> OpenedFiles {
    let mut content = OpenedFiles::default();
    for file in files {
        content.add(&file);
    }
    content
}

impl OpenedFiles {
    /// Adds a file. Ignores files of unknown format in a folder, except those whose name has exactly one
    /// number: they may be plans.
    fn add(&mut self, file: &OpenedFile) {
        let name = file.name.as_str();
        let text = file.text.strip_prefix('\u{feff}').unwrap_or(&file.text);
        let in_folder = !folder(name).is_empty();
        let format = match (file.chosen_format, is_output(name)) {
            (Some(chosen), _) => chosen,
            (None, true) => Format::Plan,
            (None, false) if file.is_binary => Format::Unknown,
            (None, false) => detect_format(text),
        };
        let is_loose = in_folder && file.chosen_format.is_none() && !is_output(name);
        let result = match format {
            Format::Plan if is_loose && !is_plan(text) => Err(String::new()),
            _ => self.add_text(name, format, text),
        };
        let Err(mut error) = result else { return };
        if file.is_binary {
            error = "expected text, found bytes that are not UTF-8".into();
        }
        // In a folder, show messages only for cases, boards and the judge's own files.
        let is_known =
            matches!(format, Format::Case | Format::SameGame) || has_ending(name, &["jsonl"]);
        let error = (!in_folder || is_known).then(|| format!("{name}: {error}"));
        match error {
            error if is_loose && Key::from_name(name).is_number => {
                self.doubtful_plans
                    .push(UnpairedPlan::new(name, text, error));
            }
            Some(error) => self.errors.push(error),
            None => self.ignored_names.push(name.to_string()),
        }
    }

    /// Adds text in this format. Returns an error message if the text is invalid or the format is unknown.
    /// Plans are not parsed here, since their cases may be unknown.
    fn add_text(&mut self, name: &str, format: Format, text: &str) -> Result<(), String> {
        let message = |error: ParseError| error.to_string();
        match format {
            Format::Case => {
                let case: Case = text.parse().map_err(|error| format!("{error}"))?;
                self.cases
                    .push(NamedCase::new(name.to_string(), name, &case, None));
            }
            Format::Plan => self.plans.push(UnpairedPlan::new(name, text, None)),
            Format::SameGame => {
                let boards = parse_boards(text).map_err(message)?;
                for (number, board) in (1..).zip(&boards) {
                    let name = match boards.len() {
                        1 => name.to_string(),
                        _ => format!("{name}, board {number}"),
                    };
                    let text = board.to_string();
                    self.boards.push(SameGameBoard { name, text });
                }
            }
            Format::Run => self.runs.push(run::parse_run(name, text)?),
            Format::Unknown => {
                let mut lines = (1..).zip(text.lines());
                let first = lines.find(|(_, line)| !line.trim().is_empty());
                let (line, found) = first.unwrap_or((1, ""));
                return Err(message(ParseError::new(line, EXPECTED, found.trim())));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classify(name: &str, text: &str, chosen_format: Option<Format>) -> OpenedFiles {
        let (name, text, is_binary) = (name.into(), text.into(), false);
        classify_files(vec![OpenedFile {
            name,
            text,
            is_binary,
            chosen_format,
        }])
    }

    #[test]
    fn a_file_name_has_a_key_and_a_folder() {
        for (name, text, is_number, above) in [
            ("a/out/0002.txt", "2", true, "a/out"),
            ("0001.txt", "1", true, ""),
            ("C:\\out\\run-7.out", "7", true, "C:/out"),
            ("two1and2.txt", "two1and2", false, ""),
        ] {
            let text = text.to_string();
            assert_eq!(Key::from_name(name), Key { text, is_number });
            assert_eq!(folder(name), above);
        }
    }

    #[test]
    fn boards_are_distinguished_from_cases_and_plans() {
        for (text, names) in [
            ("ABA\nABB\n\nCC\n", "x, board 1 x, board 2"),
            ("0 1 1\n1 0 0\n", "x"),
            ("123\n333\n", "x"),
            ("aab\nbba\n", "x"),
        ] {
            let content = classify("x", text, None);
            assert_eq!(content.errors, Vec::<String>::new());
            let boards = content.boards.iter();
            let board_names: Vec<&str> = boards.map(|board| board.name.as_str()).collect();
            assert_eq!(board_names.join(" "), names, "{text}");
        }
    }

    /// Counts the cases, plans, doubtful files, ignored files and errors that result from one file.
    fn counts(name: &str, text: &str) -> [usize; 5] {
        let content = classify(name, text, None);
        [
            content.cases.len(),
            content.plans.len(),
            content.doubtful_plans.len(),
            content.ignored_names.len(),
            content.errors.len(),
        ]
    }

    #[test]
    fn the_folder_decides_what_is_a_plan() {
        let odd = [
            "",
            "Segmentation fault\n",
            "3\n1 0\n",
            "6 13\n1\nabc\n",
            "ABC\nABC\n",
        ];
        for text in odd {
            assert_eq!(
                counts("run/out/0009.out", text),
                [0, 1, 0, 0, 0],
                "{text:?}"
            );
        }
        // In other folders, a numbered file is a plan if it is well-formed, or if the folder contains another
        // plan.
        for text in &odd[1..3] {
            assert_eq!(counts("run/a/0009.txt", text), [0, 0, 1, 0, 0], "{text:?}");
        }
        assert_eq!(counts("run/a/0009.txt", "1\n1 0\n"), [0, 1, 0, 0, 0]);
        let half = (usize::MAX / 2 + 1).to_string();
        assert_eq!(counts("run/a/0009.txt", &half), [0, 0, 1, 0, 0]);
        // In a folder, a file of unknown format without a number in its name is ignored. Outside folders, it
        // is reported.
        for name in [
            "run/out/.DS_Store",
            "run/out/notes.md",
            "run/a/package.json",
        ] {
            assert_eq!(counts(name, "{ \"a\": [] }"), [0, 0, 0, 1, 0], "{name}");
        }
        assert_eq!(counts("package.json", "{ \"a\": [] }"), [0, 0, 0, 0, 1]);
        // A damaged ledger is reported even in a folder. A damaged case with a number in its name may be a
        // plan.
        assert_eq!(
            counts("runs/0003/run.jsonl", "{ \"a\": [] }"),
            [0, 0, 0, 0, 1]
        );
        assert_eq!(counts("in/0003.txt", "6 13\n3\nabc\n"), [0, 0, 1, 0, 0]);
    }

    /// Invalid inputs, with `/` for a newline, each with the expected message.
    const INVALID_TEXTS: &str = r#"
6 13/3/abc/ab | line 4: expected column 2 of 3, three letters a-z or ***, found "ab"
| line 1: WIDTH nothing
hello | line 1: UNKNOWN "hello"
/fn main() {/}/ | line 2: UNKNOWN "fn main() {"
ABC/AB/ | line 2: expected a row of 3 cells as in line 1, found "AB"
{"name": "1"} | JSON, but no run of the judge or of pahcer
"#;

    #[test]
    fn messages_name_the_file_and_the_line() {
        let unknown = "expected a case, a plan, a run of the judge or of pahcer, \
            or a SameGame board, found";
        let width = "expected the width, a number from 6 to 12, found";
        for row in INVALID_TEXTS.trim().lines() {
            let (text, message) = row.split_once("| ").unwrap();
            let message = message.replace("WIDTH", width).replace("UNKNOWN", unknown);
            let content = classify("x", &text.trim_end().replace('/', "\n"), None);
            assert_eq!(content.errors, [format!("x: {message}")]);
        }
        // Text pasted as a case or as a plan is read as one, whatever it contains.
        for text in ["hello", "AAB\nABB\n"] {
            let line = text.lines().next().unwrap();
            let message = format!("x: line 1: {width} {line:?}");
            assert_eq!(classify("x", text, Some(Format::Case)).errors, [message]);
        }
        assert_eq!(classify("x", "1\n1 0\n", Some(Format::Plan)).plans.len(), 1);
        let message = "x: expected text, found bytes that are not UTF-8";
        for (name, plans) in [("x", 0), ("out/7.txt", 1)] {
            let (name, text, is_binary, chosen_format) =
                (name.into(), "1\n1 \u{fffd}".into(), true, None);
            let content = classify_files(vec![OpenedFile {
                name,
                text,
                is_binary,
                chosen_format,
            }]);
            assert_eq!(content.plans.len(), plans);
            assert_eq!(content.errors, &[message][plans..]);
        }
    }
}
