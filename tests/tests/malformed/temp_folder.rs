//! A folder with valid and invalid files of every kind, in which the tests run commands.

use crate::commands;
use columns_bot::eval::weights::Weights;
use columns_bot::learned::features::FEATURE_COUNT;
use columns_bot_command::weights_file;
use columns_generator::{Spec, generate};
use columns_tuner::bot_player::BotPlayer;
use columns_tuner::learn::dataset::{DatasetHeader, DatasetWriter, Group};
use columns_tuner::learn::sampling::{GroupKind, SamplingSettings};
use columns_tuner::record::RunLimits;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The time limit of a call, in seconds. A command that runs longer has accepted the call, which is a fault.
const CALL_TIMEOUT_S: &str = "60";

/// A temporary folder in which the tests run the calls of one command.
pub(crate) struct TempFolder {
    folder: TempDir,
}

impl TempFolder {
    /// Creates a folder with the files that the calls use.
    pub(crate) fn new() -> Self {
        let temp = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        temp.put_cases();
        temp.put_weights();
        temp.put_boards();
        temp.put_runs();
        temp.put("seeds", b"1\n2..=x\n");
        temp.put("twice", b"1\n1\n");
        temp.put("seeded/0001.txt", b"1..=3");
        temp
    }

    /// Writes a file, and creates its parent folders if necessary.
    fn put(&self, name: &str, contents: &[u8]) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }

    /// Writes cases, a plan, and files that are not valid cases.
    fn put_cases(&self) {
        let noise: Vec<u8> = (0..=255).rev().collect();
        let case = generate(2, &Spec::default().with_columns(20).unwrap()).to_string();
        self.put("empty", b"");
        self.put("noise", &noise);
        self.put("text", b"some words\nand more\n");
        self.put("case", case.as_bytes());
        self.put("cut", &case.as_bytes()[..case.len() / 2]);
        self.put("in/0001.txt", case.as_bytes());
        self.put("bad/0001.txt", case.as_bytes());
        self.put("bad/0002.txt", b"6 13\n1\nab\n");
        self.put("blocked/0002.txt/kept", b"mine");
        self.put("folder/kept", b"mine");
        self.put("plan", b"1\n1 0\n");
    }

    /// Writes weights files, valid and malformed.
    fn put_weights(&self) {
        let weights = weights_file::format(&Weights::default());
        let put = |name: &str, from: &str, to: &str| {
            self.put(name, weights.replacen(from, to, 1).as_bytes());
        };
        self.put("w.json", weights.as_bytes());
        put("twice.json", "{", "{\"spot\": 1,");
        put("unknown.json", "\"spot\"", "\"sport\"");
        put("large.json", "\"spot\": ", "\"spot\": 99");
        self.put("object.json", b"{\"spot\": {}}");
    }

    /// Writes SameGame boards and games, valid and invalid.
    fn put_boards(&self) {
        let game = "board 1 score 4 moves 0,0\n";
        self.put("boards", b"AAB\nBBA\n");
        self.put("games", game.as_bytes());
        self.put("far", b"board 7 score 4 moves 0,0\n");
        self.put("double", game.repeat(2).as_bytes());
        self.put("wide", "AB".repeat(33).as_bytes());
    }

    /// Writes a run folder of the tuner and data sets for `tuner learn`, all of them invalid or empty.
    fn put_runs(&self) {
        self.put("half/config.json", b"{\"format\": 1}");
        let folder = self.folder.path();
        let open = |name, feature_count| {
            let seeds = "1".parse().unwrap();
            let settings = SamplingSettings {
                beam_width: 400,
                layer_interval: 4,
                group_kind: GroupKind::BestAncestor {
                    min_layers_ahead: 40,
                },
            };
            let header = DatasetHeader {
                feature_count,
                ..DatasetHeader::new(BotPlayer::default(), Spec::default(), seeds, settings)
            };
            DatasetWriter::open(&folder.join(name), &header, &RunLimits::default()).unwrap()
        };
        let hollow = open("hollow", FEATURE_COUNT).append(vec![Group::default()]);
        hollow.unwrap();
        for (name, feature_count) in [("bare", FEATURE_COUNT), ("small", 2)] {
            drop(open(name, feature_count));
        }
    }

    /// Maps the path of each file to its contents, and the path of each subfolder to `None`.
    pub(crate) fn read_contents(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut contents = BTreeMap::new();
        let mut folders = vec![self.folder.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path.clone());
                    contents.insert(path, None);
                } else {
                    let bytes = fs::read(&path).unwrap();
                    contents.insert(path, Some(bytes));
                }
            }
        }
        contents
    }

    /// Returns the command `name` with the arguments and the input of `call`. A run that takes longer than
    /// [`CALL_TIMEOUT_S`] is killed, and ends with a status other than 2.
    pub(crate) fn command(&self, name: &str, call: &str) -> Command {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let call = call
            .replace("{root}", root.to_str().unwrap())
            .replace("{escape}", "1\t2\u{7}\u{1b}[31m")
            .replace("{long}", &"x".repeat(300));
        let mut words = shell_words::split(&call).unwrap();
        let mut input = tempfile::tempfile().unwrap();
        if let Some(at) = words.iter().position(|word| word.starts_with('<')) {
            let redirection = words.split_off(at);
            if redirection[0] == "<" {
                input = File::open(self.folder.path().join(&redirection[1])).unwrap();
            } else {
                let text = redirection[1].replace("\\n", "\n");
                input.write_all(text.as_bytes()).unwrap();
                input.rewind().unwrap();
            }
        }
        let mut command = Command::new("timeout");
        command
            .arg(CALL_TIMEOUT_S)
            .arg(commands::program_path(name));
        command
            .args(words)
            .current_dir(self.folder.path())
            .stdin(input);
        command
    }
}
