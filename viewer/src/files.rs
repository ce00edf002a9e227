//! What dropped or pasted files hold: cases, plans, results, boards, saved moments. The names say
//! which case a plan belongs to: the page pairs those with the same key.

use crate::about::About;
use crate::link;
use crate::results::{self, Results};
use columns_core::puzzles::{inc, maya, samegame};
use columns_core::rules::case::Case;
use columns_core::text::{quote, ParseError};
use columns_generator::guess;
use serde::{Deserialize, Serialize};

/// Largest number of bytes of a file that the page should read. A case of the longest kind has
/// 40 KB, the results of a thousand games 700 KB.
pub const LARGEST: usize = 16 << 20;
/// Largest number of files at once.
pub const MOST: usize = 4000;

/// A file.
#[derive(Debug, Deserialize)]
pub struct File {
    /// Its name, with the folders that are known.
    pub name: String,
    /// What it holds; `None` if that is not text.
    pub text: Option<String>,
    /// What it must be, where the visitor has said so.
    #[serde(default)]
    pub only: Option<Kind>,
}

/// What was found.
#[derive(Debug, Default, Serialize)]
pub struct Found {
    /// Cases.
    pub cases: Vec<Opened>,
    /// Plans.
    pub plans: Vec<Loose>,
    /// Numbered files in folders that are nothing the page knows: lost plans if their folder has plans.
    pub doubtful: Vec<Doubtful>,
    /// Results of the judge.
    pub results: Vec<Results>,
    /// SameGame boards, Maya and Inc puzzles.
    pub puzzles: Vec<Puzzle>,
    /// The address of a saved moment, the part after `#`.
    pub moment: Option<String>,
    /// What is wrong with the others, a line each.
    pub mistakes: Vec<String>,
}

/// A case.
#[derive(Debug, Serialize)]
pub struct Opened {
    /// Its name.
    pub name: String,
    /// See [`Key`].
    pub key: Key,
    /// Its text.
    pub case: String,
    /// What a table says of it.
    pub about: About,
}

/// A plan.
#[derive(Debug, Serialize)]
pub struct Loose {
    /// Its name.
    pub name: String,
    /// See [`Key`].
    pub key: Key,
    /// The folder that it lies in, as far as that is known: a player's name.
    pub folder: String,
    /// Its text.
    pub plan: String,
}

/// A file that is a plan only if its neighbours are.
#[derive(Debug, Serialize)]
pub struct Doubtful {
    /// The file as a plan.
    #[serde(flatten)]
    pub plan: Loose,
    /// The message if it is no plan.
    pub mistake: String,
}

/// The part of a name that a plan and its case have in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Key {
    /// The number in the name without leading zeros, or the name without its ending.
    pub text: String,
    /// Whether it is a number: a plan of one number is never for a case of another.
    pub number: bool,
}

/// A puzzle.
#[derive(Debug, Serialize)]
pub struct Puzzle {
    /// `samegame`, `maya` or `inc`.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// What a text is meant to be, by its looks or by what the visitor says.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A case.
    Case,
    /// A plan.
    Plan,
    /// SameGame boards.
    Board,
    /// A Maya puzzle.
    Maya,
    /// An Inc board.
    Inc,
    /// A saved moment.
    Moment,
    /// Results of the judge.
    Results,
    /// Nothing that the page knows.
    Unknown,
}

/// Two numbers in the first line begin a case, one a plan or a Maya puzzle, 1 or −1 and a number
/// an Inc board; rows of tiles are a board.
fn kind(text: &str) -> Kind {
    if link::read_saved(text).is_some() {
        return Kind::Moment;
    }
    if text.trim_start().starts_with('{') {
        return Kind::Results;
    }
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first: Vec<&str> = lines.next().unwrap_or("").split_whitespace().collect();
    // A Maya puzzle has five more lines, a plan thousands.
    let rest: Vec<&str> = lines.take(6).collect();
    let number = |word: &&str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let letters = text.bytes().any(|b| b.is_ascii_lowercase() || b == b'*');
    let parts = |line: &str| line.split_whitespace().count();
    match first[..] {
        ["1" | "+1" | "-1", turns] if number(&turns) && !letters => Kind::Inc,
        [_, _] if first.iter().all(number) => Kind::Case,
        [word] if number(&word) && word.len() < 6 => {
            let ends_in_0 = |line: &&str| line.split_whitespace().last() == Some("0");
            if letters {
                Kind::Case
            } else if rest.len() == 5
                && rest.iter().all(ends_in_0)
                && !rest.iter().all(|line| parts(line) == 2)
            {
                Kind::Maya
            } else if rest
                .first()
                .is_some_and(|line| parts(line) == 1 && line.len() > 2)
            {
                Kind::Board
            } else {
                Kind::Plan
            }
        }
        [] => Kind::Case,
        _ if text.parse::<Case>().is_ok() => Kind::Case,
        _ if is_board(text) => Kind::Board,
        _ => Kind::Unknown,
    }
}

/// Whether a text is meant to be a board: rows of capital letters and digits, or whatever reads as
/// a board of more than one row. One word of small letters is none.
fn is_board(text: &str) -> bool {
    let rows = || {
        let rows = text
            .lines()
            .map(|line| line.split('#').next().unwrap_or("").trim());
        rows.filter(|row| !row.is_empty())
    };
    let tile = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || " \t.-".contains(c);
    let plain = rows().all(|row| row.chars().all(tile));
    let reads = || samegame::notation::parse_boards(text).is_ok();
    rows().count() > 1 && (plain || reads())
}

/// The key of a name: its folder and ending do not count.
pub fn key(name: &str) -> Key {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = file.split('.').next().unwrap_or(file);
    let digits: Vec<&str> = stem
        .split(|c: char| !c.is_ascii_digit())
        .filter(|run| !run.is_empty())
        .collect();
    match digits[..] {
        [number] => Key {
            text: number.trim_start_matches('0').to_string(),
            number: true,
        },
        _ => Key {
            text: stem.to_lowercase(),
            number: false,
        },
    }
}

/// The folders of a name.
fn folder(name: &str) -> String {
    let folder = name
        .rsplit_once(['/', '\\'])
        .map_or("", |(folder, _)| folder);
    folder.replace('\\', "/")
}

/// True if a file lies in a folder `out`, where every file is a plan, whatever it holds.
fn is_output(name: &str) -> bool {
    let is_json = name.to_ascii_lowercase().ends_with(".json");
    !is_json && folder(name).split('/').any(|part| part == "out")
}

impl Loose {
    fn new(name: &str, text: &str) -> Self {
        Self {
            name: name.to_string(),
            key: key(name),
            folder: folder(name),
            plan: text.to_string(),
        }
    }
}

/// Sorts files.
pub fn sort(files: Vec<File>) -> Found {
    let mut found = Found::default();
    for File { name, text, only } in files {
        let Some(text) = text else {
            let error = "expected text, found bytes that are not UTF-8";
            found.mistakes.push(format!("{name}: {error}"));
            continue;
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let kind = only.unwrap_or_else(|| {
            if is_output(&name) {
                Kind::Plan
            } else {
                kind(text)
            }
        });
        let Err(error) = found.take(&name, kind, text) else {
            continue;
        };
        let mistake = format!("{name}: {error}");
        let plan = Loose::new(&name, text);
        if only.is_none() && plan.key.number && !plan.folder.is_empty() {
            found.doubtful.push(Doubtful { plan, mistake });
        } else {
            found.mistakes.push(mistake);
        }
    }
    found
}

impl Found {
    fn take(&mut self, name: &str, kind: Kind, text: &str) -> Result<(), String> {
        let told = |error: ParseError| error.to_string();
        let mut puzzle = |kind, name, text| self.puzzles.push(Puzzle { kind, name, text });
        match kind {
            Kind::Case => {
                let case: Case = text.parse().map_err(|error| format!("{error}"))?;
                self.cases.push(Opened {
                    name: name.to_string(),
                    key: key(name),
                    about: About::of(&case, guess::palette(&case)),
                    case: case.to_string(),
                });
            }
            Kind::Plan => self.plans.push(Loose::new(name, text)),
            Kind::Board => {
                let boards = samegame::notation::parse_boards(text).map_err(told)?;
                let many = boards.len() > 1;
                for (index, board) in boards.iter().enumerate() {
                    let name = if many {
                        format!("{name}, board {}", index + 1)
                    } else {
                        name.to_string()
                    };
                    puzzle("samegame", name, board.to_string());
                }
            }
            Kind::Maya => {
                text.parse::<maya::Puzzle>().map_err(told)?;
                puzzle("maya", name.to_string(), text.to_string());
            }
            Kind::Inc => {
                text.parse::<inc::Puzzle>().map_err(told)?;
                puzzle("inc", name.to_string(), text.to_string());
            }
            Kind::Moment => self.moment = link::read_saved(text),
            Kind::Results => self.results.push(results::read(name, text)?),
            Kind::Unknown => {
                let line = text.lines().position(|line| !line.trim().is_empty());
                let first = text.lines().find(|line| !line.trim().is_empty());
                return Err(format!(
                    "line {}: expected a case, a plan, results of `judge run --json`, \
                     a SameGame board, a Maya or Inc puzzle or a saved moment, found {}",
                    line.unwrap_or(0) + 1,
                    quote(first.unwrap_or("").trim())
                ));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(name: &str, text: &str, only: Option<Kind>) -> Found {
        let (name, text) = (name.into(), Some(text.into()));
        sort(vec![File { name, text, only }])
    }

    #[test]
    fn names_have_keys_and_folders() {
        for (name, text, number, above) in [
            ("a/out/0002.txt", "2", true, "a/out"),
            ("0001.txt", "1", true, ""),
            ("C:\\out\\run-7.out", "7", true, "C:/out"),
            ("two1and2.txt", "two1and2", false, ""),
        ] {
            let text = text.to_string();
            assert_eq!(key(name), Key { text, number });
            assert_eq!(folder(name), above);
        }
    }

    #[test]
    fn puzzles_are_told_from_games() {
        for (text, kind, names) in [
            ("3\n1 0\n2 1 0\n2 3 4 0\n3 1 0\n2 4 3 4 0\n", "maya", "x"),
            ("ABA\nABB\n\nCC\n", "samegame", "x, board 1 x, board 2"),
            ("0 1 1\n1 0 0\n", "samegame", "x"),
            ("123\n333\n", "samegame", "x"),
            ("aab\nbba\n", "samegame", "x"),
            ("-1 3\n12.\n333\n", "inc", "x"),
        ] {
            let found = sorted("x", text, None);
            assert_eq!(found.mistakes, Vec::<String>::new());
            let shown: Vec<&str> = found.puzzles.iter().map(|one| one.name.as_str()).collect();
            assert_eq!(shown.join(" "), names);
            assert!(found.puzzles.iter().all(|one| one.kind == kind), "{text}");
        }
    }

    #[test]
    fn files_of_a_folder_of_plans_are_plans() {
        for text in [
            "",
            "Segmentation fault\n",
            "3\n1 0\n",
            "6 13\n1\nabc\n",
            "ABC\nABC\n",
        ] {
            let found = sorted("run/out/0009.out", text, None);
            assert_eq!(
                (found.plans.len(), found.mistakes.len()),
                (1, 0),
                "{text:?}"
            );
        }
        // Elsewhere the page decides by the other files of the folder.
        for text in ["", "Segmentation fault\n"] {
            let found = sorted("run/a/0009.txt", text, None);
            assert_eq!(
                (found.doubtful.len(), found.mistakes.len()),
                (1, 0),
                "{text:?}"
            );
            assert!(found.doubtful[0]
                .mistake
                .starts_with("run/a/0009.txt: line 1: "));
        }
        assert_eq!(sorted("out/a.json", "{}", None).plans.len(), 0);
    }

    /// Texts, with a `/` behind each line, and what is told of them.
    const MISTAKES: &str = r#"
6 13/3/abc/ab | line 4: expected column 2 of 3, three letters a-z or ***, found "ab"
| line 1: WIDTH nothing
hello | line 1: UNKNOWN "hello"
/fn main() {/}/ | line 2: UNKNOWN "fn main() {"
ABC/AB/ | line 2: expected a row of 3 cells as in line 1, found "AB"
{/ "format": 1 } | line 2: expected a report of `judge run --json`: missing field `bot`
"#;

    #[test]
    fn mistakes_name_the_file_and_the_line() {
        let unknown = "expected a case, a plan, results of `judge run --json`, \
            a SameGame board, a Maya or Inc puzzle or a saved moment, found";
        let width = "expected the width, a number from 6 to 12, found";
        for row in MISTAKES.trim().lines() {
            let (text, told) = row.split_once("| ").unwrap();
            let told = told.replace("WIDTH", width).replace("UNKNOWN", unknown);
            let found = sorted("x", &text.trim_end().replace('/', "\n"), None);
            assert_eq!(found.mistakes, [format!("x: {told}")]);
        }
        // A field for cases takes cases, and one for plans plans.
        for text in ["hello", "AAB\nABB\n"] {
            let line = text.lines().next().unwrap();
            let told = format!("x: line 1: {width} {line:?}");
            assert_eq!(sorted("x", text, Some(Kind::Case)).mistakes, [told]);
        }
        assert_eq!(sorted("x", "1\n1 0\n", Some(Kind::Plan)).plans.len(), 1);
        let (name, text, only) = ("x".into(), None, None);
        let binary = sort(vec![File { name, text, only }]);
        let told = "x: expected text, found bytes that are not UTF-8";
        assert_eq!(binary.mistakes, [told]);
    }
}
