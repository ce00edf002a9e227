//! Tests of `columns.toml`: its settings, messages about its mistakes, and the file that `judge init` writes.

use crate::environments::shell;
use crate::temp_folder::TempFolder;

#[test]
fn columns_toml_names_the_bot_and_how_to_play_it() {
    let temp = TempFolder::new();
    let config = "bot = \"./mine\"\nbuild = \"cp source mine && chmod +x mine && echo built >> builds\"\n\
                  seeds = \"2..=3\"\nprofile = \"small\"\ntime-limit = 2\njobs = 1\n\
                  files = [\"source\", \"parts/*.py\"]\n";
    temp.put("columns.toml", config);
    temp.put("source", "#!/bin/sh\necho 0\n");
    temp.put("parts/module.py", "pass");
    temp.put("parts/__pycache__/module.pyc", "cache");
    temp.put("below/other.sh", "echo 0\n");
    let run = |more: &str| {
        let output = shell(&temp, &format!("cd below && exec \"$0\" run {more}"));
        assert_eq!(output.status, 0, "{output:?}");
        temp.last_run()
    };
    // In a subfolder, the judge still starts the bot and keeps the run in the folder of columns.toml.
    let head = run("")["head"].clone();
    assert_eq!(
        head["cases"]["generated"]["seeds"],
        serde_json::json!(["2..=3"])
    );
    assert_eq!(head["cases"]["generated"]["spec"]["profile"], "small");
    assert_eq!(
        (&head["time_limit_s"], &head["jobs"]),
        (&2.0.into(), &1.into())
    );
    let files: Vec<&str> = head["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    assert_eq!(files, ["./mine", "source", "parts/module.py"]);
    assert_eq!(temp.read("builds"), "built\n");
    // Options override the file. The build runs for any bot, unless an option disables it.
    let more = "--bot 'sh other.sh' --seeds 1 --profile default --time-limit 3";
    let head = run(more)["head"].clone();
    assert_eq!(
        head["cases"]["generated"],
        serde_json::json!({"seeds": ["1"], "spec": {"profile": "default"}})
    );
    assert_eq!(head["time_limit_s"], 3.0);
    assert_eq!(temp.read("builds"), "built\nbuilt\n");
    run("--no-build");
    assert_eq!(temp.read("builds"), "built\nbuilt\n");
    assert_eq!(temp.names("runs").len(), 4);
    // If the build fails, no game is played.
    std::fs::remove_file(temp.path("source")).unwrap();
    let output = temp.judge(&["run"]);
    assert_eq!((output.status, output.out.as_str()), (2, ""), "{output:?}");
    assert!(
        output
            .err
            .contains("judge: the build failed (exit status: 1), so no game was played: cp source"),
        "{output:?}"
    );
    assert_eq!(temp.names("runs").len(), 4);
}

#[test]
fn every_option_about_cases_limits_table_and_play_is_a_key() {
    let temp = TempFolder::new();
    temp.put_script("bot", "echo layers = 7 >&2; echo 0");
    let cases = |text: &str, more: &[&str]| {
        temp.put("columns.toml", format!("bot = \"./bot\"\n{text}"));
        let output = temp.judge(&[&["run"], more].concat());
        assert_eq!(output.status, 0, "{output:?}");
        let description = temp
            .judge(&["show"])
            .out
            .lines()
            .next()
            .unwrap()
            .to_string();
        let (_, cases) = description.rsplit_once("; ").unwrap();
        (cases.to_string(), output.out)
    };
    // Numbers, strings and lists have the syntax of the command line.
    let config = "seeds = \"2..=3,9\"\ncolumns = 40\nmagic-rate = 0.5\npalette = \"growing\"\n\
                  number = [\"layers\", \"placed\"]\nshuffle = true\nmax-time = \"5m\"\n";
    let (options, out) = cases(config, &[]);
    assert_eq!(
        options,
        "--seeds 2..=3,9 --profile default --columns 40 --palette growing --magic-rate 0.5"
    );
    assert!(
        out.lines()
            .next()
            .unwrap()
            .contains("  layers    placed  result"),
        "{out}"
    );
    let (options, _) = cases(
        "seeds = [2, \"4..6\"]\ncolumns = 9\n",
        &["--columns", "8", "--width", "9"],
    );
    assert_eq!(
        options,
        "--seeds 2,4..=5 --profile default --width 9 --columns 8"
    );
    // Paths in the file are relative to its folder. An option replaces the keys that contradict it.
    temp.put("cases/0007.txt", "6 13\n1\nabc\n");
    temp.put("seeds.txt", "5\n");
    let (options, _) = cases("in = \"cases\"\n", &[]);
    assert!(
        options.starts_with("--in /") && options.ends_with("/cases"),
        "{options}"
    );
    let (options, _) = cases("in = \"cases\"\n", &["--columns", "5", "--seeds", "3"]);
    assert_eq!(options, "--seeds 3 --profile default --columns 5");
    let (options, _) = cases("seeds-file = \"seeds.txt\"\ncolumns = 5\n", &[]);
    assert_eq!(options, "--seeds 5 --profile default --columns 5");
    let (options, _) = cases(
        "seeds = 3\ncolumns = 5\n",
        &["--in", "cases", "--seeds", "7"],
    );
    assert_eq!(options, "--in cases");
}

/// Invalid contents of columns.toml, each with parts of the expected message. `\n` stands for a newline.
const INVALID_CONFIGS: &str = r#"
bot = 5 => columns.toml: line 1: | invalid type: integer `5`, expected a string
\nbots = 1 => columns.toml: line 2: unknown key bots, expected one of bot, build, files, sources, jobs
\nseeds = "9..=1" => columns.toml: line 2: | expected a range that goes up
time-limit = 0 => columns.toml: line 1: | expected seconds from 0.001 to 86400
bot = "sh"\njobs = 0 => columns.toml: line 2: | expected a whole number from 1 to 1024
bot = "a | b" => columns.toml: bot: | started without a shell
files = ["none"]\nbot = "sh" => none: expected files of the bot | found none in
files = ["src/["]\nbot = "sh" => src/[: expected a file or a pattern
in = "src"\ncolumns = 9 => columns.toml: | cannot be used with
shuffle = "yes" => columns.toml: line 1: | shuffle: expected true or false
seeds = { first = 1 } => columns.toml: line 1: | seeds: expected a text, a number or a list
bot = => columns.toml: line 1: | value
"#;

#[test]
fn mistakes_in_columns_toml_name_the_line() {
    let temp = TempFolder::new();
    temp.put("src/a", "");
    std::os::unix::fs::symlink("nowhere", temp.path("src/link")).unwrap();
    for line in INVALID_CONFIGS.trim_matches('\n').lines() {
        let (text, parts) = line.split_once(" => ").unwrap();
        temp.put("columns.toml", text.replace("\\n", "\n"));
        temp.judge(&["run"])
            .assert_refused(&parts.split(" | ").collect::<Vec<_>>());
    }
}

#[test]
fn init_writes_a_file_that_can_be_read() {
    let temp = TempFolder::new();
    assert_eq!(temp.judge(&["init"]).status, 0);
    temp.judge(&["init"])
        .assert_refused(&["columns.toml: exists already"]);
    let text = temp.read("columns.toml");
    temp.judge(&["run"])
        .assert_refused(&["cannot run the bot ./bot: ./bot: no such file"]);
    // The commented-out values are valid, too.
    let is_value = |line: &&str| line.starts_with('#') && !line.starts_with("# ");
    let values = text
        .lines()
        .filter(is_value)
        .map(|line| line[1..].to_string() + "\n");
    let values: String = values
        .filter(|line| !["build", "files"].iter().any(|key| line.starts_with(key)))
        .collect();
    temp.put("columns.toml", format!("bot = \"./bot\"\n{values}"));
    temp.judge(&["run"])
        .assert_refused(&["cannot run the bot ./bot: ./bot: no such file"]);
}

#[test]
fn init_names_the_program_of_a_cargo_package() {
    let package = "[package]\nname = \"greedy\"\n";
    for (manifest, program) in [
        (package.to_string(), Some("greedy")),
        (format!("{package}[[bin]]\nname = \"main\"\n"), Some("main")),
        (
            format!("{package}default-run = \"b\"\n[[bin]]\nname = \"a\"\n[[bin]]\nname = \"b\"\n"),
            Some("b"),
        ),
        ("[workspace]\nmembers = []\n".into(), None),
    ] {
        let temp = TempFolder::new();
        temp.put("Cargo.toml", &manifest);
        assert_eq!(temp.judge(&["init"]).status, 0);
        let text = temp.read("columns.toml");
        let name = program.map_or("bot = \"./bot\"".into(), |name| {
            format!(
                "bot = \"target/release/{name}\"\n\n# Shell command that builds the bot before the games. \
                 If it fails, no game is played.\nbuild = \"cargo build --release --bin {name}\""
            )
        });
        assert!(text.contains(&name), "{text}");
        assert_eq!(
            text.contains("\nsources = [\"src\", \"Cargo.toml\"]\n"),
            program.is_some()
        );
    }
    let temp = TempFolder::new();
    let two = format!("{package}[[bin]]\nname = \"a\"\n[[bin]]\nname = \"b\"\n");
    temp.put("Cargo.toml", two);
    temp.judge(&["init"]).assert_refused(&[
        "Cargo.toml: expected one program, found a, b: name one as `default-run`",
    ]);
}
