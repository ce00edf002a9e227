//! Tests of the command `puzzles`: its answers, its game files, and its messages.

use assert_cmd::Command;
use std::path::{Path, PathBuf};

fn puzzles(arguments: &str) -> Command {
    let mut command = Command::cargo_bin("puzzles").expect("the command is built");
    command.args(arguments.split_whitespace());
    command
}

/// Runs the command on an input. Returns the exit status, standard output and standard error.
fn run(arguments: &str, input: impl Into<Vec<u8>>) -> (i32, String, String) {
    let output = puzzles(arguments).write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let status = output.status.code().expect("an exit status");
    (status, text(output.stdout), text(output.stderr))
}

/// Runs the command, asserts that it succeeds without messages, and returns its standard output.
fn answer(arguments: &str, input: &str) -> String {
    let (status, out, err) = run(arguments, input);
    assert_eq!((status, err.as_str()), (0, ""), "{arguments} on {input:?}");
    out
}

const MAYA: &str = "3\n1 0\n2 1 0\n2 3 4 0\n3 1 0\n2 4 3 4 0\n";

#[test]
fn the_examples_of_the_statements_are_answered() {
    assert_eq!(answer("samegame score", "RB\nRBB\nRRR\nRBB\n"), "64\n");
    assert_eq!(
        answer(
            "samegame score --json",
            "# order\nabcd\na b c d\na b c d # \nabcd\nabcd\n"
        ),
        "{\"score\":96}\n"
    );
    assert_eq!(answer("samegame score", "0 1\n01 1\n000\n011\n"), "64\n");
    assert_eq!(answer("maya", MAYA), "2 1 1\n3 1 1\n3 0 1\n");
    assert_eq!(answer("maya", "2\n1 0\n1 0\n0\n1 0 \n1 0  \n"), "-1\n");
    assert_eq!(
        answer("maya --json", "1\n1 0\n1 0\n0\n1 0\n0\n"),
        "{\"moves\":1,\"solution\":[{\"x\":3,\"y\":0,\"g\":-1}]}\n"
    );
    assert_eq!(answer("inc", "1 1\n333\n3.3\n333\n"), "111\n1.1\n333\n");
    assert_eq!(
        answer("inc --json", "-1 3\n- - - -\n3 3 3 3\n3333\n.33.\n"),
        "{\"board\":[\"....\",\"2222\",\"2222\",\".22.\"],\"points\":[0,10,0]}\n"
    );
}

const BOARDS: &str = "# one\n0 1 1 0\n2 1 0 2\n2 2 0 1\n\n# two\nAABB\nABAB\n";

/// Writes a file to Cargo's temporary folder for integration tests, and returns its path.
fn write_file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn solved_games_replay_to_their_scores() {
    let boards = write_file("solved.txt", BOARDS);
    for scoring in [
        "topcoder",
        "tiles",
        "js-games",
        "quadratic:1,-2.5,0,100,2",
        "quadratic:1000000,-1000000,1000000",
    ] {
        for form in ["", "--json"] {
            let solve = format!("samegame solve --scoring {scoring} --nodes 5000 {form}");
            let (status, games, err) = run(&solve, BOARDS);
            assert_eq!(status, 0);
            assert_eq!(
                err.is_empty(),
                !form.is_empty(),
                "text output needs a table on standard error: {err}"
            );
            let check = format!("samegame check --scoring {scoring} {}", boards.display());
            let table = answer(&check, &games);
            assert!(table.contains("total"), "{table}");
            // The same node limit results in the same games.
            if form.is_empty() {
                assert_eq!(run(&solve, BOARDS).1, games);
            }
        }
    }
}

/// Wrong games, each with a part of the expected message.
const WRONG_GAMES: &str = "
board 1 score 99 moves 0,0 | board 1: the game scores 3 by tiles, not 99
board 1 moves 0,0 9,9 | board 1: move 2: 9,9 is outside the board of 4 × 3
board 1 moves 2,2 3,2 | board 1: move 2: the tile at 3,2 has no neighbour of its colour
board 2 score 0 moves 1,0 | board 2: move 1: the tile at 1,0 has no neighbour
";

#[test]
fn a_wrong_game_is_reported() {
    let boards = write_file("wrong.txt", BOARDS);
    let check = format!("samegame check --scoring tiles {}", boards.display());
    for (games, expected) in WRONG_GAMES
        .lines()
        .filter_map(|line| line.split_once(" | "))
    {
        let (status, _, err) = run(&check, games);
        // Besides the message about the mistake, a second one reports the boards without a game.
        let missing = "puzzles: expected a game for each board, found none for ";
        let (messages, missing): (Vec<&str>, Vec<&str>) =
            err.lines().partition(|line| !line.starts_with(missing));
        assert_eq!(
            (status, messages.len(), missing.len()),
            (1, 1, 1),
            "{games}: {err}"
        );
        assert!(messages[0].contains(expected), "{games}: {err}");
    }
    let (status, out, _) = run(&format!("{check} --json"), "board 1 score 99 moves 0,0");
    assert_eq!(status, 1);
    assert!(out.contains("\"all_correct\":false"), "{out}");
}

#[test]
fn the_result_file_is_written_whole_or_not_at_all() {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("games.txt");
    let _ = std::fs::remove_file(&out);
    let solve = format!("samegame solve --nodes 1000 --out {}", out.display());
    assert_eq!(run(&solve, "AB\nB\n").0, 2);
    assert!(!out.exists());
    assert_eq!(run(&solve, BOARDS).0, 0);
    assert!(
        std::fs::read_to_string(&out)
            .unwrap()
            .contains("board 2 score")
    );
    // Games that cannot be written are printed.
    let (status, games, err) = run("samegame solve --nodes 100 --out /dev/full", BOARDS);
    assert!(status == 2 && games.contains("board 2 score"), "{err}");
}

#[test]
fn the_best_games_are_kept_and_improved() {
    let boards = write_file("kept.txt", BOARDS);
    let best = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("best.txt");
    let _ = std::fs::remove_file(&best);
    let read = || std::fs::read_to_string(&best).unwrap();
    let solve = |scoring: &str, input: &str| {
        let best = best.display();
        run(
            &format!("samegame solve --scoring {scoring} --nodes 5000 --jobs 1 --resume {best}"),
            input,
        )
    };
    let (status, games, table) = solve("js-games", BOARDS);
    assert_eq!(status, 0, "{table}");
    assert!(!table.contains("before"), "{table}");
    let first = read();
    assert!(first.contains("board 1 tiles 0110/2102/2201 scoring js-games runs 1 score "));
    // Make the game of board 2 in the file worse. The solver replaces it with a game as good as that of the
    // first run, since both are optimal. The game of board 1 keeps its moves.
    let worse = first
        .replace("runs 1", "runs 7")
        .lines()
        .map(|line| match line.split_once(" score ") {
            Some((head, _)) if line.starts_with("board 2") => format!("{head} score -8 moves\n"),
            _ => format!("{line}\n"),
        })
        .collect::<String>();
    std::fs::write(&best, &worse).unwrap();
    let (status, _, table) = solve("js-games", BOARDS);
    assert_eq!(status, 0, "{table}");
    let cells = |line: usize| -> Vec<&str> {
        let line = table.lines().nth(line).unwrap();
        line.split_whitespace().collect()
    };
    assert!(
        cells(0).join(" ").contains("score before positions"),
        "{table}"
    );
    assert!(cells(2)[4] == "-8" && cells(2)[3] != "-8", "{table}");
    let second = read();
    let line = |text: &str, number| text.lines().nth(number).unwrap().to_string();
    let scores = |line: String| {
        line.split(" moves")
            .next()
            .unwrap()
            .replace("runs 1", "runs 8")
    };
    assert_eq!(
        line(&second, 1),
        line(&first, 1).replace("runs 1", "runs 8")
    );
    assert_eq!(scores(line(&second, 2)), scores(line(&first, 2)));
    // The file keeps the games of other boards and other scorings. The command prints only the games of the
    // boards in its input.
    let (status, others, _) = solve("tiles", "XX\nYY\n");
    assert_eq!((status, others.lines().count()), (0, 2));
    assert!(read().contains("board 1 tiles XX/YY scoring tiles runs 1 score 4 moves"));
    assert!(read().starts_with(&second));
    let check = format!("samegame check --scoring js-games {}", boards.display());
    let (status, table, err) = run(&check, read());
    assert_eq!(status, 0);
    assert_eq!(table, answer(&check, &games));
    assert!(err.ends_with("other boards or scorings: 1 game\n"), "{err}");
    // Without an option, the first game of the board names the scoring, not the first game of the file.
    let other = write_file("kept-other.txt", "XX\nYY\n");
    let (status, table, err) = run(&format!("samegame check {}", other.display()), read());
    assert!(status == 0 && table.contains("total"), "{err}");
}

#[test]
fn a_score_is_accepted_as_it_is_rounded() {
    let boards = write_file("rounded-boards.txt", "AAA\n");
    let best = write_file("rounded.txt", "");
    let solve = "samegame solve --scoring quadratic:0,0,77.4375 --nodes 100 --resume";
    for _ in 0..2 {
        let (status, games, err) = run(&format!("{solve} {}", best.display()), "AAA\n");
        assert_eq!(status, 0, "{err}");
        assert!(games.contains(" score 77.438 "), "{games}");
        answer(&format!("samegame check {}", boards.display()), &games);
    }
}

#[test]
fn one_process_at_a_time_works_on_the_best_games() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("shared");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).unwrap();
    let [best, link] = ["best.txt", "link.txt"].map(|name| folder.join(name));
    std::fs::write(&best, "").unwrap();
    std::os::unix::fs::symlink(&best, &link).unwrap();
    let solve = |path: &Path| {
        let solve = format!("samegame solve --nodes 100 --resume {}", path.display());
        run(&solve, BOARDS)
    };
    // This process holds the lock, as another `solve` would.
    let other = std::fs::File::create(folder.join("best.txt.lock")).unwrap();
    other.lock().unwrap();
    for path in [&best, &link] {
        let (status, out, err) = solve(path);
        assert_eq!((status, out.as_str(), err.lines().count()), (2, "", 1));
        assert!(
            err.contains("another process is working on these games"),
            "{err}"
        );
    }
    drop(other);
    assert_eq!(solve(&best).0, 0);
    // The lock file remains, but no temporary file.
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3);
}

/// Runs `solve` with standard error on a full disk, and with a standard output that no process reads.
#[cfg(target_os = "linux")]
#[test]
fn games_are_saved_even_if_nothing_can_be_printed() {
    let boards = write_file("unread.txt", BOARDS);
    let best = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("unread_best.txt");
    let _ = std::fs::remove_file(&best);
    let shell = format!(
        "set -o pipefail; {} samegame solve --nodes 100 --resume {} {} 2>/dev/full | true",
        assert_cmd::cargo::cargo_bin!("puzzles").display(),
        best.display(),
        boards.display()
    );
    let output = Command::new("bash").args(["-c", &shell]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let games = std::fs::read_to_string(&best).unwrap();
    assert_eq!(games.lines().count(), 3, "{games}");
}

/// Limits the size of files to 1 KiB, which is too little for the best games of all boards.
#[cfg(target_os = "linux")]
#[test]
fn games_are_printed_even_if_they_cannot_be_saved() {
    let boards: String = (0..64).map(|i| format!("{:b}\n\n", 64 + i)).collect();
    let boards = write_file("unsaved.txt", &boards);
    let best = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("unsaved_best.txt");
    let _ = std::fs::remove_file(&best);
    let shell = format!(
        "trap '' XFSZ; ulimit -f 1; {} samegame solve --nodes 100 --resume {} {}",
        assert_cmd::cargo::cargo_bin!("puzzles").display(),
        best.display(),
        boards.display()
    );
    let output = Command::new("bash").args(["-c", &shell]).output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("unsaved_best.txt: cannot be written"), "{err}");
    assert_eq!(out.matches(" score ").count(), 64, "{out}");
    assert!(std::fs::read_to_string(&best).unwrap().contains(" score "));
}

#[test]
fn the_best_games_of_the_standard_boards_have_the_scores_that_they_claim() {
    let games = std::fs::read_to_string("../boards/best.txt").unwrap();
    let check = "samegame check --json --scoring js-games ../boards/samegame20.txt";
    let report: serde_json::Value = serde_json::from_str(&answer(check, &games)).unwrap();
    assert_eq!(
        (&report["skipped_games"], &report["all_correct"]),
        (&0.into(), &true.into())
    );
    assert_eq!(report["boards"].as_array().map(Vec::len), Some(20));
    // The README shows the total with a thousands separator.
    let total = report["total"].as_f64().unwrap() as u64;
    let text = format!("**{},{:03}**", total / 1000, total % 1000);
    let readme = std::fs::read_to_string("../README.md").unwrap();
    assert!(
        readme.contains(&text),
        "crates/puzzles/README.md does not contain {text}"
    );
}

/// Edits that damage a line: a part of the line, its replacement, and the expected message.
const EDITS: &str = r#"
0,0 0,0 | 0,0 9,0 | expected legal moves, but move 2 is illegal
AA/BB | AA/B! | expected the rows of a board, found "AA/B!"
scoring tiles | scoring x | expected topcoder, tiles
runs 2 | runs -2 | expected a number of runs, found "-2"
"#;

#[test]
fn a_damaged_file_of_best_games_is_reported_and_not_changed() {
    let good = "board 1 tiles AA/BB scoring tiles runs 2 score 4 moves 0,0 0,0\n";
    let assert_refused = |text: &str, expected: &str| {
        let best = write_file("damaged.txt", text);
        let solve = format!("samegame solve --nodes 100 --resume {}", best.display());
        let (status, out, err) = run(&solve, BOARDS);
        assert_eq!((status, out.as_str()), (2, ""), "{text}: {err}");
        assert_eq!(err.lines().count(), 1, "{text}: {err}");
        let expected = format!("damaged.txt: {expected}");
        assert!(err.contains(&expected), "{text}: {err}");
        assert_eq!(std::fs::read_to_string(&best).unwrap(), text);
    };
    for row in EDITS.trim().lines() {
        let parts: Vec<&str> = row.split(" | ").collect();
        let damaged = good.replace(parts[0], parts[1]);
        assert_refused(&damaged, &format!("line 1: {}", parts[2]));
    }
    let truncated = &good[..good.len() - 5];
    assert_refused(
        truncated,
        "line 1: expected the score of the moves, 2, found 4",
    );
    let twice = format!("# best\n{good}{good}");
    assert_refused(
        &twice,
        "line 3: expected one game for a board and a scoring",
    );
}

#[test]
fn the_number_of_searches_stays_at_its_maximum() {
    let line =
        |count: u64| format!("board 1 tiles AA scoring tiles runs {count} score 2 moves 0,0\n");
    let best = write_file("most-searches.txt", &line(u64::MAX));
    let solve = "samegame solve --scoring tiles --nodes 100";
    let (status, _, err) = run(&format!("{solve} --resume {}", best.display()), "AA\n");
    assert_eq!(status, 0, "{err}");
    assert!(
        std::fs::read_to_string(&best)
            .unwrap()
            .ends_with(&line(u64::MAX))
    );
}

#[test]
fn a_board_without_a_game_is_reported() {
    let boards = write_file("missing-boards.txt", "AA\nBB\n\nAB\nAB\n\nAA\n");
    let check = format!("samegame check {}", boards.display());
    let (status, _, err) = run(&check, "board 2 moves 0,0 0,0\n");
    assert_eq!(status, 1);
    assert_eq!(
        err,
        "puzzles: expected a game for each board, found none for 1, 3\n"
    );
    let (status, out, _) = run(&format!("{check} --json"), "board 2 moves 0,0 0,0\n");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (status, &report["boards_without_game"]),
        (1, &serde_json::json!([1, 3]))
    );
    assert_eq!(report["all_correct"], false);
}

#[test]
fn games_are_checked_with_the_scoring_that_their_file_names() {
    let boards = write_file("named-scoring.txt", "AAA\n");
    let games = |form: &str| {
        let solve = format!("samegame solve --scoring js-games --nodes 100 {form}");
        run(&format!("{solve} {}", boards.display()), "").1
    };
    let check = format!("samegame check {}", boards.display());
    for form in ["", "--json"] {
        assert!(answer(&check, &games(form)).contains("1001"), "{form}");
    }
    // The option overrides the scoring of the file.
    let (status, _, err) = run(&format!("{check} --scoring tiles"), games(""));
    assert_eq!(status, 1);
    assert!(
        err.contains("the game scores 3 by tiles, not 1001"),
        "{err}"
    );
    let unknown = "expected topcoder, tiles, js-games or quadratic:";
    for (form, from, to, expected) in [
        ("", "js-games", "js", unknown),
        ("--json", "js-games", "js", unknown),
        (
            "--json",
            "\"board\":1",
            "\"board\":0",
            "expected boards from 1 to 1, found 0",
        ),
        (
            "",
            "board 1",
            "board 2",
            "expected boards from 1 to 1, found 2",
        ),
    ] {
        let (status, out, err) = run(&check, games(form).replace(from, to));
        assert_eq!((status, out.as_str()), (2, ""), "{err}");
        assert!(err.contains(expected), "{err}");
    }
}
