//! What the judge reports about a game: the reason for a failure, the bot's standard error, and the score in
//! percent of the best known score.

use crate::environments::shell;
use crate::temp_folder::TempFolder;

/// Plays seeds 2 and 3 with the failing shell script `text` as the bot. Returns the output of `judge run`.
fn play_failing(temp: &TempFolder, text: &str, more: &[&str]) -> String {
    temp.put_script("bot", text);
    let run = [
        "run",
        "--seeds",
        "2..=3",
        "--columns",
        "3",
        "--bot",
        "./bot",
    ];
    let output = temp.judge(&[&run[..], more].concat());
    assert_eq!(output.status, 1, "{output:?}");
    output.out
}

#[test]
fn a_failed_game_is_shown_with_its_reason_and_standard_error() {
    for (text, more, result, columns) in [
        (
            "seq 30 >&2; exit 3",
            &[][..],
            "crashed: exit status: 3: 30",
            0,
        ),
        (
            "seq 30 >&2; echo 2; echo 1 0",
            &[],
            "invalid: line 2: expected",
            0,
        ),
        (
            "[ \"$1\" = --version ] && exit; seq 30 >&2; echo 0; exec sleep 9",
            &["--time-limit", "0.2", "--jobs", "2"],
            "TLE: more than 0.2 s",
            3,
        ),
    ] {
        let temp = TempFolder::new();
        play_failing(&temp, text, more);
        let shown = temp.judge(&["show", "last", "3"]);
        assert_eq!((shown.status, shown.err.as_str()), (1, ""));
        assert!(
            shown.out.starts_with(&format!("0003: {result}")),
            "{shown:?}"
        );
        shown.assert_shows(&[
            "\nstandard error, the last 20 of 30 lines (all with --stderr):\n  11\n  12\n",
            "\n  30\n",
        ]);
        assert_eq!(shown.out.matches("\ncolumn ").count(), columns, "{shown:?}");
        let all = temp.judge(&["show", "last", "3", "--stderr"]);
        all.assert_shows(&["\nstandard error:\n  1\n  2\n", "\n  30\n"]);
        let json = temp.judge(&["show", "last", "3", "--json"]).json();
        assert_eq!((&json["name"], &json["score"]), (&"0003".into(), &0.into()));
        assert!(json["stderr"].as_str().unwrap().starts_with("1\n2\n"));
    }
}

#[test]
fn a_run_names_the_command_that_shows_each_failed_game() {
    for (store, folder) in [(None, "runs/0001"), (Some("my runs"), "'my runs/0001'")] {
        let temp = TempFolder::new();
        let more: Vec<&str> = store.iter().flat_map(|store| ["--store", *store]).collect();
        let out = play_failing(&temp, "echo gone >&2; exit 3", &more);
        let line = format!("\n0003: crashed: exit status: 3: gone; judge show {folder} 0003\n");
        assert!(out.contains(&line), "{out}");
        let shown = shell(&temp, &format!("\"$0\" show {folder} 0003"));
        assert!(
            shown
                .out
                .starts_with("0003: crashed: exit status: 3: gone\n"),
            "{shown:?}"
        );
    }
    // The judge lists at most ten failed games, and prints how many more there are.
    let temp = TempFolder::new();
    let out = play_failing(&temp, "exit 1", &["--seeds", "4..=14"]);
    assert_eq!(
        out.matches("; judge show runs/0001 00").count(),
        10,
        "{out}"
    );
    assert!(
        out.contains("\n3 more failed games; judge show runs/0001 lists all\n"),
        "{out}"
    );
}

#[test]
fn scores_are_shown_in_percent_of_the_best_known() {
    let temp = TempFolder::new();
    // Three columns side by side match only in case 1, and three columns on one stack match only in case 2.
    temp.put("in/1.txt", "6 13\n3\nabc\nabd\nacd\n");
    temp.put("in/2.txt", "6 13\n3\ncaa\nabc\nbdd\n");
    let play = |bot: &str| {
        let output = temp.judge(&["run", "--in", "in", "--bot", bot, "--jobs", "1"]);
        assert_eq!(output.status, 0, "{output:?}");
        let endings = output
            .out
            .lines()
            .filter_map(|line| line.split_once("  ok"));
        let endings: Vec<String> = endings.map(|(_, ending)| ending.into()).collect();
        let best = output.out.lines().find(|line| line.starts_with("best "));
        (endings, best.unwrap_or_default().to_string())
    };
    let (side_by_side, on_one_stack) = ("echo 3 1 0 2 0 3 0", "echo 0");
    assert_eq!(play(side_by_side), (vec![String::new(); 2], String::new()));
    let (endings, best) = play(on_one_stack);
    assert_eq!(endings, [", 0.00 % of best", ", new best"]);
    assert_eq!(
        best,
        "best     50.00 % of the best known scores on 2 cases; 1 new best score"
    );
    let listed = temp.judge(&["list", "--json"]).json();
    assert_eq!(
        (&listed[1]["best_percent"], &listed[1]["shared_cases"]),
        (&50.0.into(), &2.into())
    );
    let (endings, best) = play(side_by_side);
    assert_eq!(endings, [", 100.00 % of best", ", 0.00 % of best"]);
    assert_eq!(
        best,
        "best     50.00 % of the best known scores on 2 cases; 0 new best scores"
    );
}
