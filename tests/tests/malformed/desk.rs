//! A folder with files of every kind, in which commands are called.

use super::commands;
use columns_bot::eval::weights::Weights;
use columns_bot::weights_file;
use columns_core::puzzles::samegame::features::Network;
use columns_generator::{generate, Spec};
use columns_tuner::learn::dataset::{Group, Header, Writer};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// After this time a call counts as one that was not refused.
const PATIENCE: Duration = Duration::from_secs(60);

/// What came of a call.
pub(crate) struct Said {
    pub(crate) status: String,
    pub(crate) output: String,
    pub(crate) errors: String,
}

/// A folder for the calls of one command.
pub(crate) struct Desk {
    folder: TempDir,
}

impl Desk {
    /// A folder with the files that the tables name.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, contents: &[u8]| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, contents).unwrap();
        };
        let noise: Vec<u8> = (0..=255).rev().collect();
        let case = generate(2, &Spec::default().with_columns(20).unwrap()).to_string();
        let weights = weights_file::format(&Weights::default());
        put("empty", b"");
        put("noise", &noise);
        put("text", b"some words\nand more\n");
        put("case", case.as_bytes());
        put("cut", &case.as_bytes()[..case.len() / 2]);
        put("in/0001.txt", case.as_bytes());
        put("bad/0001.txt", case.as_bytes());
        put("bad/0002.txt", b"6 13\n1\nab\n");
        put("noisy/0002.txt", &noise);
        put("blocked/0002.txt/kept", b"mine");
        put("folder/kept", b"mine");
        std::os::unix::fs::symlink("in/0001.txt", folder.path().join("link")).unwrap();
        put("plan", b"1\n1 0\n");
        put("w.json", weights.as_bytes());
        put(
            "twice.json",
            weights.replacen('{', "{\"spot\": 1,", 1).as_bytes(),
        );
        put(
            "unknown.json",
            weights.replacen("\"spot\"", "\"sport\"", 1).as_bytes(),
        );
        put(
            "large.json",
            weights.replacen("\"spot\": ", "\"spot\": 99", 1).as_bytes(),
        );
        put("array.json", b"[1, 2]");
        put("object.json", b"{\"spot\": {}}");
        put("format.json", b"{\"format\": 99}");
        put("boards", b"AAB\nBBA\n");
        put("games", b"board 1 score 4 moves 0,0\n");
        put("far", b"board 7 score 4 moves 0,0\n");
        put(
            "double",
            b"board 1 score 4 moves 0,0\nboard 1 score 4 moves 0,0\n",
        );
        put("wide", "AB".repeat(33).as_bytes());
        put("network", Network::ZERO.text().as_bytes());
        put("seeds", b"1\n2..=x\n");
        put("down", b"5..=2\n");
        put("one", b"1\n");
        put("twice", b"1\n1\n");
        put("seeded/0001.txt", b"1..=3");
        put("run/config.json", b"{\"format\": 99}");
        put("half/config.json", b"{\"format\": 1}");
        put("rehearsal/1/weights.json", weights.as_bytes());
        let mut writer = Writer::resume(&folder.path().join("hollow"), &header("columns")).unwrap();
        writer.append(1, vec![Group::default()]).unwrap();
        drop(writer);
        for (name, game) in [("bare", "columns"), ("chess", "chess")] {
            drop(Writer::resume(&folder.path().join(name), &header(game)).unwrap());
        }
        Self { folder }
    }

    /// Everything in the folder.
    pub(crate) fn contents(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.folder.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path.clone());
                    found.insert(path, None);
                } else {
                    let contents = fs::read(&path).unwrap();
                    found.insert(path, Some(contents));
                }
            }
        }
        found
    }

    /// Makes a call; standard error may be full.
    pub(crate) fn say(&self, name: &str, call: &str, full: bool) -> Said {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let call = call.replace("{root}", root.to_str().unwrap());
        let call = call.replace("{escape}", "1\t2\u{7}\u{1b}[31m");
        let call = call.replace("{long}", &"x".repeat(300));
        let mut words = shell_words::split(&call).unwrap();
        let mut input = tempfile::tempfile().unwrap();
        if let Some(at) = words.iter().position(|word| word.starts_with('<')) {
            let given = words.split_off(at);
            match given[0].as_str() {
                "<" => input = File::open(self.folder.path().join(&given[1])).unwrap(),
                _ => input
                    .write_all(given[1].replace("\\n", "\n").as_bytes())
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
        let mut child = Command::new(commands::program(name))
            .args(words)
            .current_dir(self.folder.path())
            .stdin(Stdio::from(input))
            .stdout(Stdio::from(output.try_clone().unwrap()))
            .stderr(Stdio::from(stderr))
            .spawn()
            .unwrap();
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status.to_string();
            }
            if begun.elapsed() > PATIENCE {
                child.kill().unwrap();
                child.wait().unwrap();
                break "goes on and on".to_string();
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        let read = |file: &mut File| {
            let mut bytes = Vec::new();
            file.rewind().unwrap();
            file.read_to_end(&mut bytes).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        Said {
            status,
            output: read(&mut output),
            errors: read(&mut errors),
        }
    }
}

/// The head of a data set.
fn header(game: &str) -> Header {
    Header {
        game: game.to_string(),
        features: columns_bot::learned::features::FEATURES,
        made_with: serde_json::json!({}),
    }
}
