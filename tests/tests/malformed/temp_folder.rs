//! A folder with valid and invalid files of every kind, in which the tests run commands.

use crate::commands;
use columns_bot::eval::weights::Weights;
use columns_bot::learned::features::FEATURE_COUNT;
use columns_bot_command::weights_file;
use columns_generator::{Spec, generate};
use columns_tuner::learn::dataset::{DatasetHeader, DatasetWriter, Group};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The time limit of a call. A command that runs longer has accepted the call, which is a fault.
const CALL_TIMEOUT: Duration = Duration::from_secs(60);

pub(crate) struct Answer {
    /// The exit status or signal, as text.
    pub(crate) status: String,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A folder in which the calls of one command run.
pub(crate) struct TempFolder {
    folder: TempDir,
}

impl TempFolder {
    /// Creates a folder with the files that the tables of calls name.
    pub(crate) fn new() -> Self {
        let temp = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        temp.put_cases();
        temp.put_weights();
        temp.put_boards();
        temp.put_runs();
        temp.put("seeds", b"1\n2..=x\n");
        temp.put("down", b"5..=2\n");
        temp.put("one", b"1\n");
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
        self.put("noisy/0002.txt", &noise);
        self.put("blocked/0002.txt/kept", b"mine");
        self.put("folder/kept", b"mine");
        std::os::unix::fs::symlink("in/0001.txt", self.folder.path().join("link")).unwrap();
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
        self.put("array.json", b"[1, 2]");
        self.put("object.json", b"{\"spot\": {}}");
        self.put("format.json", b"{\"format\": 99}");
    }

    /// Writes boards and games of SameGame, valid and invalid.
    fn put_boards(&self) {
        let game = "board 1 score 4 moves 0,0\n";
        self.put("boards", b"AAB\nBBA\n");
        self.put("games", game.as_bytes());
        self.put("far", b"board 7 score 4 moves 0,0\n");
        self.put("double", game.repeat(2).as_bytes());
        self.put("wide", "AB".repeat(33).as_bytes());
    }

    /// Writes run folders of the tuner and data sets for `tuner learn`, all of them invalid or empty.
    fn put_runs(&self) {
        self.put("run/config.json", b"{\"format\": 99}");
        self.put("half/config.json", b"{\"format\": 1}");
        let folder = self.folder.path();
        let mut writer =
            DatasetWriter::resume(&folder.join("hollow"), &header(FEATURE_COUNT)).unwrap();
        writer.append(1, vec![Group::default()]).unwrap();
        drop(writer);
        for (name, feature_count) in [("bare", FEATURE_COUNT), ("small", 2)] {
            drop(DatasetWriter::resume(&folder.join(name), &header(feature_count)).unwrap());
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

    /// Runs the command `name` with the arguments and the input of `call`. If `full` is true, standard error
    /// goes to a full disk.
    pub(crate) fn run(&self, name: &str, call: &str, full: bool) -> Answer {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let call = call
            .replace("{root}", root.to_str().unwrap())
            .replace("{escape}", "1\t2\u{7}\u{1b}[31m")
            .replace("{long}", &"x".repeat(300));
        let mut words = shell_words::split(&call).unwrap();
        let mut input = tempfile::tempfile().unwrap();
        if let Some(at) = words.iter().position(|word| word.starts_with('<')) {
            let redirection = words.split_off(at);
            match redirection[0].as_str() {
                "<" => input = File::open(self.folder.path().join(&redirection[1])).unwrap(),
                _ => input
                    .write_all(redirection[1].replace("\\n", "\n").as_bytes())
                    .unwrap(),
            }
            input.rewind().unwrap();
        }
        let [mut output, mut errors] = [(); 2].map(|()| tempfile::tempfile().unwrap());
        let stderr = if full {
            OpenOptions::new().write(true).open("/dev/full").unwrap()
        } else {
            errors.try_clone().unwrap()
        };
        let mut child = Command::new(commands::program_path(name))
            .args(words)
            .current_dir(self.folder.path())
            .stdin(Stdio::from(input))
            .stdout(Stdio::from(output.try_clone().unwrap()))
            .stderr(Stdio::from(stderr))
            .spawn()
            .unwrap();
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status.to_string();
            }
            if start.elapsed() > CALL_TIMEOUT {
                child.kill().unwrap();
                child.wait().unwrap();
                break "does not end".to_string();
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        let read = |file: &mut File| {
            let mut bytes = Vec::new();
            file.rewind().unwrap();
            file.read_to_end(&mut bytes).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        Answer {
            status,
            stdout: read(&mut output),
            stderr: read(&mut errors),
        }
    }
}

/// Creates the header of a data set of states with this number of features.
fn header(feature_count: usize) -> DatasetHeader {
    DatasetHeader {
        feature_count,
        sampling_options: serde_json::json!({}),
    }
}
