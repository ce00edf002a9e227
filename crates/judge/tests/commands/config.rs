//! Tests of `columns.toml`: its settings, messages about its mistakes, and the file that `judge init` writes.

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
    let run = |folder: &str, more: &[&str]| {
        let output = assert_cmd::cargo::cargo_bin_cmd!("judge")
            .arg("run")
            .args(more)
            .current_dir(temp.path(folder))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        temp.last_run()
    };
    // In a subfolder, the judge still starts the bot and keeps the run in the folder of columns.toml.
    let head = run("below", &[])["head"].clone();
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
    // Options override the file, and another bot is not built.
    let more = [
        "--bot",
        "sh other.sh",
        "--seeds",
        "1",
        "--profile",
        "default",
        "--time-limit",
        "3",
    ];
    let head = run("below", &more)["head"].clone();
    assert_eq!(
        head["cases"]["generated"],
        serde_json::json!({"seeds": ["1"], "spec": {"profile": "default"}})
    );
    assert_eq!(head["time_limit_s"], 3.0);
    assert_eq!(temp.read("builds"), "built\n");
    assert_eq!(temp.names("runs").len(), 3);
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
    assert_eq!(temp.names("runs").len(), 3);
}

#[test]
fn mistakes_in_columns_toml_name_the_line() {
    let temp = TempFolder::new();
    temp.put("src/a", "");
    std::os::unix::fs::symlink("nowhere", temp.path("src/link")).unwrap();
    for (text, parts) in [
        (
            "bot = 5\n",
            [
                "columns.toml: line 1: ",
                "invalid type: integer `5`, expected a string",
            ],
        ),
        (
            "bot = \"./a\"\nbots = 1\n",
            ["columns.toml: line 2: ", "unknown field `bots`"],
        ),
        (
            "\nseeds = \"9..=1\"\n",
            ["columns.toml: line 2: ", "expected a range that goes up"],
        ),
        (
            "time-limit = 0\n",
            [
                "columns.toml: line 1: ",
                "expected seconds from 0.001 to 86400",
            ],
        ),
        (
            "bot = \"a | b\"\n",
            ["columns.toml: bot: ", "started without a shell"],
        ),
        (
            "files = [\"none\"]\nbot = \"sh\"\n",
            ["none: expected files of the bot", "found none in "],
        ),
        (
            "bot = \"sh\"\njobs = 0\n",
            [
                "columns.toml: line 2: ",
                "expected a whole number from 1 to 1024",
            ],
        ),
        (
            "files = [\"src/[\"]\nbot = \"sh\"\n",
            ["src/[: expected a file or a pattern", ""],
        ),
        ("bot =\n", ["columns.toml: line 1: ", "value"]),
    ] {
        temp.put("columns.toml", text);
        temp.judge(&["run"]).refuses(&parts);
    }
}

#[test]
fn init_writes_a_file_that_can_be_read() {
    let temp = TempFolder::new();
    assert_eq!(temp.judge(&["init"]).status, 0);
    temp.judge(&["init"])
        .refuses(&["columns.toml: exists already"]);
    let text = temp.read("columns.toml");
    temp.judge(&["run"])
        .refuses(&["cannot run the bot ./bot: ./bot: no such file"]);
    // The values in comments are valid, too.
    let is_value = |line: &&str| line.starts_with('#') && !line.starts_with("# ");
    let values = text
        .lines()
        .filter(is_value)
        .map(|line| line[1..].to_string() + "\n");
    let values: String = values
        .filter(|line| !line.starts_with("build") && !line.starts_with("files"))
        .collect();
    temp.put("columns.toml", format!("bot = \"./bot\"\n{values}"));
    temp.judge(&["run"])
        .refuses(&["cannot run the bot ./bot: ./bot: no such file"]);
}
