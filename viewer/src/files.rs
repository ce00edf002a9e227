//! What dropped or pasted files hold: cases, plans, boards, saved moments. Which case a
//! plan belongs to, their names say.

use crate::link;
use columns_core::case::Case;
use columns_core::plan::Plan;
use columns_core::puzzles::{maya, samegame};
use columns_core::text::ParseError;
use serde::{Deserialize, Serialize};

/// Most bytes of a file that the page should read; a case of the longest kind has 40 KB.
pub const LARGEST: usize = 16 << 20;
/// Most files at once.
pub const MOST: usize = 4000;

/// A file.
#[derive(Debug, Deserialize)]
pub struct File {
    /// Its name, with the folders that are known.
    pub name: String,
    /// What it holds; `None` if that is not text.
    pub text: Option<String>,
}

/// What was found.
#[derive(Debug, Default, Serialize)]
pub struct Found {
    /// Cases and the plans for them.
    pub games: Vec<Game>,
    /// Plans without a case among the files.
    pub plans: Vec<Loose>,
    /// SameGame boards and Maya puzzles.
    pub puzzles: Vec<Puzzle>,
    /// The address of a saved moment, the part after `#`.
    pub moment: Option<String>,
    /// What is wrong with the others, a line each.
    pub mistakes: Vec<String>,
}

/// A case and its plans.
#[derive(Debug, Serialize)]
pub struct Game {
    /// Its name.
    pub name: String,
    /// Its text.
    pub case: String,
    /// Its plans.
    pub plans: Vec<Loose>,
}

/// A plan.
#[derive(Debug, Clone, Serialize)]
pub struct Loose {
    /// Its name.
    pub name: String,
    /// Its text.
    pub plan: String,
}

/// A puzzle.
#[derive(Debug, Serialize)]
pub struct Puzzle {
    /// `samegame` or `maya`.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// What by its looks a text is meant to be.
enum Kind {
    Case,
    Plan,
    Board,
    Maya,
    Moment,
}

/// Two numbers in the first line begin a case, one a plan or a Maya puzzle; letters
/// without numbers are a board.
fn kind(text: &str) -> Kind {
    if link::read_saved(text).is_some() {
        return Kind::Moment;
    }
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first: Vec<&str> = lines.next().unwrap_or("").split_whitespace().collect();
    let number = |word: &&str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let letters = text.bytes().any(|b| b.is_ascii_lowercase() || b == b'*');
    let parts = |line: &str| line.split_whitespace().count();
    match first[..] {
        [_, _] if first.iter().all(number) => Kind::Case,
        [word] if number(&word) && word.len() < 6 => {
            let rest: Vec<&str> = lines.collect();
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
        _ => Kind::Board,
    }
}

/// A name without its folder and ending; the number in it if there is one, which is the
/// seed.
fn key(name: &str) -> String {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = file.split('.').next().unwrap_or(file);
    let digits: Vec<&str> = stem
        .split(|c: char| !c.is_ascii_digit())
        .filter(|run| !run.is_empty())
        .collect();
    match digits[..] {
        [number] => number.trim_start_matches('0').to_string(),
        _ => stem.to_lowercase(),
    }
}

/// Sorts files, the parts of a pair in any order.
pub fn sort(files: Vec<File>) -> Found {
    let mut found = Found::default();
    let mut cases: Vec<(String, Case)> = Vec::new();
    let mut plans: Vec<Loose> = Vec::new();
    for File { name, text } in files {
        let Some(text) = text else {
            let error = "expected text, found bytes that are not UTF-8";
            found.mistakes.push(format!("{name}: {error}"));
            continue;
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let checked: Result<(), ParseError> = match kind(text) {
            Kind::Case => text.parse().map(|case| cases.push((name.clone(), case))),
            Kind::Plan => {
                plans.push(Loose {
                    name: name.clone(),
                    plan: text.to_string(),
                });
                Ok(())
            }
            Kind::Board => samegame::notation::parse_boards(text).map(|boards| {
                let many = boards.len() > 1;
                for (index, board) in boards.iter().enumerate() {
                    let name = if many {
                        format!("{name}, board {}", index + 1)
                    } else {
                        name.clone()
                    };
                    found.puzzles.push(Puzzle {
                        kind: "samegame",
                        name,
                        text: board.to_string(),
                    });
                }
            }),
            Kind::Maya => text.parse::<maya::Puzzle>().map(|_| {
                found.puzzles.push(Puzzle {
                    kind: "maya",
                    name: name.clone(),
                    text: text.to_string(),
                });
            }),
            Kind::Moment => {
                found.moment = link::read_saved(text);
                Ok(())
            }
        };
        if let Err(error) = checked {
            found.mistakes.push(format!("{name}: {error}"));
        }
    }
    let alone = cases.len() == 1;
    for (name, case) in cases {
        let own = key(&name);
        let mut game = Game {
            name,
            case: case.to_string(),
            plans: Vec::new(),
        };
        plans.retain(|loose| {
            if !alone && key(&loose.name) != own {
                return true;
            }
            match check(&case, &loose.plan) {
                Ok(()) => game.plans.push(loose.clone()),
                Err(error) => found.mistakes.push(format!("{}: {error}", loose.name)),
            }
            false
        });
        found.games.push(game);
    }
    found.plans = plans;
    found
}

/// Whether a text is a plan for a case.
///
/// # Errors
/// What is wrong; the game would score 0.
pub fn check(case: &Case, plan: &str) -> Result<(), String> {
    Plan::parse(plan, case.width(), case.columns().len())
        .map(|_| ())
        .map_err(|error| format!("invalid plan, {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_generator::SAMPLE;

    const PLAN: &str = "2\n1 0\n6 2\n";

    fn sorted(files: &[(&str, &str)]) -> Found {
        let file = |&(name, text): &(&str, &str)| File {
            name: name.into(),
            text: Some(text.into()),
        };
        sort(files.iter().map(file).collect())
    }

    #[test]
    fn cases_and_plans_pair_up_by_seed() {
        let found = sorted(&[
            ("out/0002.txt", "0\n"),
            ("in/0001.txt", SAMPLE),
            ("in/0002.txt", "6 13\n1\nabc\n"),
            ("out/1.txt", PLAN),
            ("other/0001.out", PLAN),
            ("out/0003.txt", PLAN),
        ]);
        let games: Vec<_> = found
            .games
            .iter()
            .map(|game| (game.name.as_str(), game.plans.len()))
            .collect();
        assert_eq!(games, [("in/0001.txt", 2), ("in/0002.txt", 1)]);
        assert_eq!(found.plans.len(), 1);
        assert!(found.mistakes.is_empty());
    }

    #[test]
    fn one_case_takes_every_plan() {
        let found = sorted(&[("a.txt", PLAN), ("case", SAMPLE), ("b", "\u{feff}0\n")]);
        assert_eq!(found.games[0].plans.len(), 2);
    }

    #[test]
    fn puzzles_are_told_from_games() {
        let maya = "3\n1 0\n2 1 0\n2 3 4 0\n3 1 0\n2 4 3 4 0\n";
        let found = sorted(&[
            ("m", maya),
            ("s", "ABA\nABB\n\nCC\n"),
            ("t", "0 1 1\n1 0 0\n"),
            ("u", "123\n333\n"),
        ]);
        let kinds: Vec<_> = found
            .puzzles
            .iter()
            .map(|puzzle| (puzzle.kind, puzzle.name.as_str()))
            .collect();
        assert_eq!(
            kinds,
            [
                ("maya", "m"),
                ("samegame", "s, board 1"),
                ("samegame", "s, board 2"),
                ("samegame", "t"),
                ("samegame", "u")
            ]
        );
        assert_eq!(found.mistakes, Vec::<String>::new());
    }

    #[test]
    fn mistakes_name_the_file_and_the_line() {
        let found = sorted(&[
            ("cut", "6 13\n3\nabc\nab"),
            ("in/7.txt", "6 13\n1\nabc\n"),
            ("out/7.txt", "1\n7 0\n"),
            ("in/8.txt", "6 13\n1\nabc\n"),
            ("empty", ""),
        ]);
        assert_eq!(
            found.mistakes,
            [
                "cut: line 4: expected column 2 of 3, three letters a-z or ***, found \"ab\"",
                "empty: line 1: expected the width, a number from 6 to 12, found nothing",
                "out/7.txt: invalid plan, line 2: expected the position of placement 1 of 1, from 1 to 6, found \"7\"",
            ]
        );
        let binary = sort(vec![File {
            name: "x".into(),
            text: None,
        }]);
        assert_eq!(
            binary.mistakes,
            ["x: expected text, found bytes that are not UTF-8"]
        );
    }
}
