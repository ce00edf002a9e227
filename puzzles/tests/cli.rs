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

/// Calls, what they read (`/` ends a line), and what they are told.
const MISTAKES: &str = r"
samegame score | | line 1: expected the order
samegame score | AB/ | line 2: expected 1 to 50 rows
samegame score | A/AB/ | line 2: expected colours of the order A, which has no B
samegame score | AA/AA/ | line 1: expected an order in which A stands once
samegame score | AB/AB/A/ | line 3: expected a row of 2 cells as in line 2
samegame score | AB/A?/ | line 2: expected a row of letters or digits
samegame score | A/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/ | a row of 1 to 50 tiles
samegame solve | | line 1: expected the rows of a board
samegame solve | AB/ABC/ | line 2: expected a row of 2 cells
samegame solve | AB/.B/ | line 2: expected a tile at place 1
samegame solve | AB//../ | line 3: expected at least one tile
samegame solve --scoring best | A/ | expected topcoder, tiles, js-games or quadratic
samegame solve --scoring quadratic:1,x,2 | A/ | numbers from -1000000 to 1000000
samegame solve --time-limit -1 | A/ | expected seconds from 0 to 86400
samegame solve --time-limit 1 --nodes 2 | A/ | cannot be used with
samegame solve --nodes 99999999999999999999 | A/ | number too large
samegame solve --jobs 0 | A/ | expected a whole number from 1 to 1024
maya | | line 1: expected the number of moves
maya | 0/0/0/0/0/0/ | from 1 to 5, found '0'
maya | 6/0/0/0/0/0/ | from 1 to 5, found '6'
maya | 1/11 0/0/0/0/0/ | line 2: expected stack 1 of 5: a colour
maya | 1/1 2 1 2 1 2 1 2 0/0/0/0/0/ | line 2: expected stack 1 of 5: 0 after at most 7 blocks
maya | 1/1 0/0/0/0/ | stack 5 of 5
maya | 1/1 0/0/0/0/0/x/ | line 7: expected the end of the input
maya | 1/1 1 1 0/0/0/0/0/ | expected a field without matches
inc | | line 1: expected `inc turns`
inc | 1 0/11/11/ | turns from 1 to 10, found '0'
inc | 1 11/11/11/ | turns from 1 to 10, found '11'
inc | 0 1/11/11/ | inc 1 or -1, found '0'
inc | 1 1/11/111/ | line 3: expected a row of 2 squares
inc | 1 1/14/11/ | line 2: expected a row of 2 to 5 squares
inc | 1 1/11/11/11/11/11/11/ | line 7: expected the end of the board
inc /nonexistent.txt | | /nonexistent.txt: cannot be read
maya . | | .: cannot be read
frob | | unrecognized subcommand
 | | requires a subcommand
samegame | | requires a subcommand
";

#[test]
fn every_mistake_is_one_line_and_status_2() {
    let refused = |arguments: &str, input: &[u8], expected: &str| {
        let (status, out, err) = run(arguments, input);
        let shown = String::from_utf8_lossy(input);
        let told = format!("{arguments} on {shown:?}: {err}");
        assert_eq!((status, out.as_str()), (2, ""), "{told}");
        assert_eq!(err.lines().count(), 1, "{told}");
        assert!(err.contains(expected), "{told}");
    };
    for line in MISTAKES.trim_matches('\n').lines() {
        let parts: Vec<&str> = line.split('|').collect();
        let input = parts[1].trim().replace('/', "\n");
        let expected = parts[2].trim().replace('\'', "\"");
        refused(parts[0], input.as_bytes(), &expected);
    }
    let rows = format!("A\n{}", "A\n".repeat(51));
    let told = "line 52: expected the end of the board";
    refused("samegame score", rows.as_bytes(), told);
    let row = format!("{}\n", "AB".repeat(33));
    let told = "board 1: expected at most 64 × 64, found 66 × 1";
    refused("samegame solve", row.as_bytes(), told);
    refused("samegame score", &[0xff, 0xfe, 0], "line 1: expected text");
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

    let noise = file("noise.txt", &network.text()[1..]);
    for (network, board, expected) in [
        (
            noise.display().to_string(),
            board,
            "noise.txt: expected a network of `tuner learn`, for this game",
        ),
        (
            path.display().to_string(),
            "AAB\n\nABCDEF\n",
            "board 2: expected at most 5 colours for a learned evaluation, found 6",
        ),
        ("missing".to_string(), board, "missing: cannot be read"),
    ] {
        let (status, out, err) = run(&format!("{solve} --network {network}"), board);
        assert_eq!((status, out.as_str()), (2, ""), "{err}");
        assert_eq!(err.lines().count(), 1, "{err}");
        assert!(err.contains(expected), "{err}");
    }
}

#[test]
fn a_wrong_game_is_told() {
    let boards = file("wrong.txt", BOARDS);
    let check = format!("samegame check --scoring tiles {}", boards.display());
    for (games, status, expected) in [
        (
            "board 1 score 99 moves 0,0",
            1,
            "board 1: the game scores 3 by tiles, not 99",
        ),
        (
            "board 1 moves 0,0 9,9",
            1,
            "board 1: move 2: 9,9 lies outside the board of 4 × 3",
        ),
        (
            "board 1 moves 2,2 3,2",
            1,
            "board 1: move 2: the tile at 3,2 has no neighbour of its colour",
        ),
        (
            "board 2 score 0 moves 1,0",
            1,
            "board 2: move 1: the tile at 1,0 has no neighbour",
        ),
        (
            "board 3 moves 0,0",
            2,
            "expected boards from 1 to 2, found 3",
        ),
        (
            "board 1 moves\nboard 1 moves",
            2,
            "expected one game for board 1",
        ),
        (
            "board 1 moves 1",
            2,
            "line 1: expected move 1 as column,row, found \"1\"",
        ),
        ("\nboard x", 2, "line 2: expected `board N"),
        (
            "board 1 score x moves",
            2,
            "line 1: expected a score, found \"x\"",
        ),
        ("", 2, "line 1: expected `board N score S moves"),
        ("{\"boards\":3}", 2, "expected the JSON of `solve --json`"),
    ] {
        let (found, _, err) = run(&check, games);
        assert_eq!((found, err.lines().count()), (status, 1), "{games}: {err}");
        assert!(err.contains(expected), "{games}: {err}");
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
    let (status, _, err) = run(
        "samegame solve --nodes 10 --out /nonexistent/games.txt",
        BOARDS,
    );
    assert_eq!((status, err.lines().count()), (2, 1), "{err}");
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

#[test]
fn a_damaged_file_of_best_games_is_told_and_left_alone() {
    let good = "board 1 tiles AA/BB scoring tiles runs 2 score 4 moves 0,0 0,0\n";
    for (text, expected) in [
        ("nonsense", "line 1: expected `board N"),
        (
            "board 1 score 3 moves 0,0",
            "line 1: expected `board N tiles ROWS scoring",
        ),
        (
            &good[..good.len() - 5],
            "line 1: expected the score of the moves, 2, found 4",
        ),
        (
            &good.replace("0,0 0,0", "0,0 9,0"),
            "line 1: expected legal moves, but move 2 is none",
        ),
        (
            &good.replace("AA/BB", "AA/B!"),
            "line 1: expected the rows of a board, found \"AA/B!\"",
        ),
        (
            &good.replace("scoring tiles", "scoring x"),
            "line 1: expected topcoder, tiles",
        ),
        (
            &good.replace("runs 2", "runs -2"),
            "line 1: expected a number of runs, found \"-2\"",
        ),
        (
            &format!("# best\n{good}{good}"),
            "line 3: expected one game for a board and a scoring",
        ),
    ] {
        let kept = file("damaged.txt", text);
        let solve = format!("samegame solve --nodes 100 --resume {}", kept.display());
        let (status, out, err) = run(&solve, BOARDS);
        assert_eq!((status, out.as_str()), (2, ""), "{text}: {err}");
        assert_eq!(err.lines().count(), 1, "{text}: {err}");
        assert!(
            err.contains("damaged.txt: ") && err.contains(expected),
            "{text}: {err}"
        );
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), text);
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    for place in [folder.as_path(), &folder.join("none/best.txt")] {
        let solve = format!("samegame solve --nodes 100 --resume {}", place.display());
        let (status, _, err) = run(&solve, BOARDS);
        assert_eq!((status, err.lines().count()), (2, 1), "{err}");
    }
}
