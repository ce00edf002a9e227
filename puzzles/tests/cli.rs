//! The command as a user runs it.

use assert_cmd::Command;
use columns_cli::lock::Beside;
use columns_core::puzzles::samegame::features::{Network, PAIRS};
use std::path::PathBuf;

fn puzzles(arguments: &str) -> Command {
    let mut command = Command::cargo_bin("puzzles").expect("the command is built");
    command.args(arguments.split_whitespace());
    command
}

/// Runs on an input and returns the status, standard output and standard error.
fn run(arguments: &str, input: impl Into<Vec<u8>>) -> (i32, String, String) {
    let output = puzzles(arguments).write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let status = output.status.code().expect("an exit status");
    (status, text(output.stdout), text(output.stderr))
}

fn answer(arguments: &str, input: &str) -> String {
    let (status, out, err) = run(arguments, input);
    assert_eq!((status, err.as_str()), (0, ""), "{arguments} on {input:?}");
    out
}

const MAYA: &str = "3\n1 0\n2 1 0\n2 3 4 0\n3 1 0\n2 4 3 4 0\n";

#[test]
fn the_examples_of_the_statements() {
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

fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn solved_games_replay_to_their_scores() {
    let boards = file("solved.txt", BOARDS);
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
                "a table goes with the lines: {err}"
            );
            let check = format!("samegame check --scoring {scoring} {}", boards.display());
            let table = answer(&check, &games);
            assert!(table.contains("total"), "{table}");
            // The same number of nodes gives the same games.
            if form.is_empty() {
                assert_eq!(run(&solve, BOARDS).1, games);
            }
        }
    }
}

#[test]
fn a_learned_evaluation_plays() {
    // Singles of the rarest colour count more than all else.
    let singles = 4 * 18 + 5;
    let mut network = Network::ZERO;
    network.scale = [[4096; 2]; PAIRS];
    network.linear[singles / 2][singles % 2] = -4000;
    let path = file("network.txt", &(network.text() + "\n"));
    let board = "ABCDEBACDE\nCADBEECABD\nBBDACEADCE\nEACBDDBECA\nDEBCAABEDC\nACEDBDBCAE\n";
    let boards = file("learned.txt", board);
    let solve = "samegame solve --scoring js-games --nodes 3000 --jobs 1";
    let (status, plain, _) = run(solve, board);
    assert_eq!(status, 0);
    assert_eq!(run(&format!("{solve} --network none"), board).1, plain);
    let with = format!("{solve} --network {}", path.display());
    let (status, games, _) = run(&with, board);
    assert_eq!(status, 0);
    assert_ne!(games, plain);
    assert_eq!(run(&with, board).1, games);
    let check = format!("samegame check --scoring js-games {}", boards.display());
    assert!(answer(&check, &games).contains("total"));
}

/// Games, and why they are wrong.
const WRONG: &str = "
board 1 score 99 moves 0,0 | board 1: the game scores 3 by tiles, not 99
board 1 moves 0,0 9,9 | board 1: move 2: 9,9 lies outside the board of 4 × 3
board 1 moves 2,2 3,2 | board 1: move 2: the tile at 3,2 has no neighbour of its colour
board 2 score 0 moves 1,0 | board 2: move 1: the tile at 1,0 has no neighbour
";

#[test]
fn a_wrong_game_is_told() {
    let boards = file("wrong.txt", BOARDS);
    let check = format!("samegame check --scoring tiles {}", boards.display());
    for (games, expected) in WRONG.lines().filter_map(|line| line.split_once(" | ")) {
        let (found, _, err) = run(&check, games);
        // The other boards have no game, which is told in a line of its own.
        let missing = "puzzles: expected a game for each board, found none for ";
        let (told, missing): (Vec<&str>, Vec<&str>) =
            err.lines().partition(|line| !line.starts_with(missing));
        assert_eq!(
            (found, told.len(), missing.len()),
            (1, 1, 1),
            "{games}: {err}"
        );
        assert!(told[0].contains(expected), "{games}: {err}");
    }
    let (status, out, _) = run(&format!("{check} --json"), "board 1 score 99 moves 0,0");
    assert_eq!(status, 1);
    assert!(out.contains("\"right\":false"), "{out}");
}

#[test]
fn the_result_file_is_written_whole_or_not_at_all() {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("games.txt");
    let _ = std::fs::remove_file(&out);
    let solve = format!("samegame solve --nodes 1000 --out {}", out.display());
    assert_eq!(run(&solve, "AB\nB\n").0, 2);
    assert!(!out.exists());
    assert_eq!(run(&solve, BOARDS).0, 0);
    assert!(std::fs::read_to_string(&out)
        .unwrap()
        .contains("board 2 score"));
}

#[test]
fn the_best_games_are_kept_and_improved() {
    let boards = file("kept.txt", BOARDS);
    let kept = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("best.txt");
    let _ = std::fs::remove_file(&kept);
    let read = || std::fs::read_to_string(&kept).unwrap();
    let solve = |scoring: &str, resumed: &PathBuf, input: &str| {
        let resumed = resumed.display();
        run(
            &format!("samegame solve --scoring {scoring} --nodes 5000 --jobs 1 --resume {resumed}"),
            input,
        )
    };
    let (status, games, table) = solve("js-games", &kept, BOARDS);
    assert_eq!(status, 0, "{table}");
    assert!(table.contains("this run"), "{table}");
    let first = read();
    assert!(first.contains("board 1 tiles 0110/2102/2201 scoring js-games runs 1 score "));
    // A worse game in the file is replaced, by one as good as that of the first run, since
    // these are optimal; the other one stays, moves and all.
    let worse = first
        .replace("runs 1", "runs 7")
        .lines()
        .map(|line| match line.split_once(" score ") {
            Some((head, _)) if line.starts_with("board 2") => format!("{head} score -8 moves\n"),
            _ => format!("{line}\n"),
        })
        .collect::<String>();
    std::fs::write(&kept, &worse).unwrap();
    assert_eq!(solve("js-games", &kept, BOARDS).0, 0);
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
    // Other boards and other scorings have their own games; the printed ones are those of the run.
    let (status, others, _) = solve("tiles", &kept, "XX\nYY\n");
    assert_eq!((status, others.lines().count()), (0, 2));
    assert!(read().contains("board 1 tiles XX/YY scoring tiles runs 1 score 4 moves"));
    assert!(read().starts_with(&second));
    let check = format!("samegame check --scoring js-games {}", boards.display());
    let (status, table, err) = run(&check, read());
    assert_eq!(status, 0);
    assert_eq!(table, answer(&check, &games));
    assert!(err.ends_with("other boards or scorings: 1 game\n"), "{err}");
}

#[test]
fn one_process_at_a_time_works_on_the_best_games() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("shared");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).unwrap();
    let kept = folder.join("best.txt");
    let solve = format!("samegame solve --nodes 100 --resume {}", kept.display());
    let other = Beside::lock(&kept, "these games").unwrap();
    let (status, out, err) = run(&solve, BOARDS);
    assert_eq!((status, out.as_str(), err.lines().count()), (2, "", 1));
    assert!(
        err.contains("another process is working on these games"),
        "{err}"
    );
    drop(other);
    assert_eq!(run(&solve, BOARDS).0, 0);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
}

/// A full disk behind standard error, and nobody who reads standard output.
#[cfg(target_os = "linux")]
#[test]
fn nobody_has_to_listen() {
    let boards = file("heard.txt", BOARDS);
    let kept = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("heard_best.txt");
    let _ = std::fs::remove_file(&kept);
    let shell = format!(
        "set -o pipefail; {} samegame solve --nodes 100 --resume {} {} 2>/dev/full | true",
        assert_cmd::cargo::cargo_bin!("puzzles").display(),
        kept.display(),
        boards.display()
    );
    let done = Command::new("bash").args(["-c", &shell]).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    let games = std::fs::read_to_string(&kept).unwrap();
    assert_eq!(games.lines().count(), 3, "{games}");
}

#[test]
fn the_best_games_of_the_standard_boards_are_what_they_claim_to_be() {
    let games = std::fs::read_to_string("boards/best.txt").unwrap();
    let check = "samegame check --json --scoring js-games boards/samegame20.txt";
    let report: serde_json::Value = serde_json::from_str(&answer(check, &games)).unwrap();
    assert_eq!(
        (&report["others"], &report["right"]),
        (&0.into(), &true.into())
    );
    assert_eq!(report["boards"].as_array().map(Vec::len), Some(20));
    // The README names the total with a comma for the thousands.
    let total = report["total"].as_f64().unwrap() as u64;
    let total = format!("**{},{:03}**", total / 1000, total % 1000);
    let readme = std::fs::read_to_string("README.md").unwrap();
    assert!(
        readme.contains(&total),
        "puzzles/README.md does not name {total}"
    );
}

/// What of a line is replaced, by what, and what is told of that.
const DAMAGES: &str = r#"
0,0 0,0 | 0,0 9,0 | expected legal moves, but move 2 is none
AA/BB | AA/B! | expected the rows of a board, found "AA/B!"
scoring tiles | scoring x | expected topcoder, tiles
runs 2 | runs -2 | expected a number of runs, found "-2"
"#;

#[test]
fn a_damaged_file_of_best_games_is_told_and_left_alone() {
    let good = "board 1 tiles AA/BB scoring tiles runs 2 score 4 moves 0,0 0,0\n";
    let refused = |text: &str, expected: &str| {
        let kept = file("damaged.txt", text);
        let solve = format!("samegame solve --nodes 100 --resume {}", kept.display());
        let (status, out, err) = run(&solve, BOARDS);
        assert_eq!((status, out.as_str()), (2, ""), "{text}: {err}");
        assert_eq!(err.lines().count(), 1, "{text}: {err}");
        let expected = format!("damaged.txt: {expected}");
        assert!(err.contains(&expected), "{text}: {err}");
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), text);
    };
    for row in DAMAGES.trim().lines() {
        let parts: Vec<&str> = row.split(" | ").collect();
        let damaged = good.replace(parts[0], parts[1]);
        refused(&damaged, &format!("line 1: {}", parts[2]));
    }
    let cut = &good[..good.len() - 5];
    refused(cut, "line 1: expected the score of the moves, 2, found 4");
    let twice = format!("# best\n{good}{good}");
    refused(
        &twice,
        "line 3: expected one game for a board and a scoring",
    );
}

#[test]
fn a_board_without_a_game_is_told() {
    let boards = file("missing-boards.txt", "AA\nBB\n\nAB\nAB\n\nAA\n");
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
        (status, &report["missing"]),
        (1, &serde_json::json!([1, 3]))
    );
    assert_eq!(report["right"], false);
}

#[test]
fn games_are_checked_by_the_scoring_that_they_name() {
    let boards = file("named-scoring.txt", "AAA\n");
    let games = |form: &str| {
        let solve = format!("samegame solve --scoring js-games --nodes 100 {form}");
        run(&format!("{solve} {}", boards.display()), "").1
    };
    let check = format!("samegame check {}", boards.display());
    for form in ["", "--json"] {
        assert!(answer(&check, &games(form)).contains("1001"), "{form}");
    }
    // The option says otherwise.
    let (status, _, err) = run(&format!("{check} --scoring tiles"), games(""));
    assert_eq!(status, 1);
    assert!(
        err.contains("the game scores 3 by tiles, not 1001"),
        "{err}"
    );
}

#[test]
fn only_one_board_is_scored() {
    let (status, _, err) = run("samegame score", "AB\nAB\n\nAB\n");
    assert_eq!(status, 2);
    let told = "line 4: expected the end of the input after one board, found \"AB\"";
    assert!(err.contains(told), "{err}");
}

#[test]
fn a_negative_factor_is_refused() {
    let (status, _, err) = run("samegame solve --scoring quadratic:0,1,0,0,-1", "AA\n");
    assert_eq!(status, 2);
    assert!(err.contains("a FACTOR that is not negative"), "{err}");
}
