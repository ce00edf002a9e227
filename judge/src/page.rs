//! The page `columns.html` with the results of a run inside: `judge run --open` ends with it.

use crate::cases::Entry;
use crate::report::Report;
use anyhow::{bail, ensure, Context, Result};
use base64::engine::general_purpose::STANDARD as BASE64;
use base64::Engine as _;
use columns_cli::{file, input};
use flate2::write::GzEncoder;
use flate2::Compression;
use serde::Serialize;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Where the page has room for files.
const PLACE: &str = r#"<script type="text/plain" id="inside">"#;

/// Largest number of cases that a page takes: two files for each and the report.
const MOST: usize = 1999;

/// Largest number of bytes of a page that are read.
const LIMIT: u64 = 64 << 20;

/// A file inside the page.
#[derive(Serialize)]
struct File {
    name: String,
    text: String,
    /// What the page must take it for, whatever it looks like.
    only: Option<&'static str>,
}

/// The page that a run ends with.
pub struct Page {
    text: String,
    /// The folder of the bot's plans; a temporary one unless the user names one.
    pub out: PathBuf,
    _folder: Option<TempDir>,
}

impl Page {
    /// A page for this number of cases: the one that is named, or the one that lies here. Plans
    /// go to `out`, or to a folder that goes with this value.
    ///
    /// # Errors
    /// If there are too many cases, or if there is no page.
    pub fn new(named: Option<&Path>, out: Option<&Path>, cases: usize) -> Result<Self> {
        ensure!(
            cases <= MOST,
            "--open: expected at most {MOST} cases, found {cases}"
        );
        let text = find(named)?;
        ensure!(
            text.matches(PLACE).count() == 1,
            "--open: expected the page that `cargo xtask viewer` makes, found no room for results"
        );
        let folder = out.is_none().then(tempfile::tempdir).transpose();
        let folder = folder.context("a folder for the plans")?;
        let own = folder.as_ref().map(TempDir::path);
        Ok(Self {
            text,
            out: out.or(own).map(Path::to_path_buf).unwrap_or_default(),
            _folder: folder,
        })
    }

    /// Writes the page and opens it; gives a line that says where it is.
    ///
    /// # Errors
    /// A case or a plan that cannot be read, or a page that cannot be written.
    pub fn open(&self, cases: &[Entry], report: &Report) -> Result<String> {
        let filled = fill(&self.text, cases, &self.out, report)?;
        let started = report.started.chars().filter(char::is_ascii_digit);
        let started: String = started.take(14).collect();
        let path = std::env::temp_dir().join(format!("columns-run-{started}.html"));
        file::write(&path, filled.as_bytes())?;
        let shown = path.display();
        Ok(match open::that(&path) {
            Ok(()) => format!("page     {shown}"),
            Err(error) => {
                format!("page     {shown}: open it in a browser (nothing here does: {error})")
            }
        })
    }
}

/// The text of the page that is named, else of one beside this executable, else of the one that
/// `cargo xtask viewer` has made in the same target folder.
///
/// # Errors
/// If there is none.
fn find(named: Option<&Path>) -> Result<String> {
    if let Some(path) = named {
        return input::read(path, LIMIT);
    }
    let own = std::env::current_exe().context("cannot tell where this executable is")?;
    let places = [
        own.with_file_name("columns.html"),
        own.with_file_name("../viewer/columns.html"),
    ];
    match places.iter().find(|path| path.is_file()) {
        Some(path) => input::read(path, LIMIT),
        None => bail!(
            "{}: no such file: make the page with `cargo xtask viewer`, or name one with --page FILE",
            places[0].display()
        ),
    }
}

/// The page with a run inside: its cases, what the bot printed into the folder `out`, and what the
/// judge said.
///
/// # Errors
/// A case or an output that cannot be read.
fn fill(page: &str, cases: &[Entry], out: &Path, report: &Report) -> Result<String> {
    let player = player(&report.bot);
    let file = |name, text, only| File { name, text, only };
    let mut files = vec![file(format!("{player}.json"), report.to_json()?, None)];
    for entry in cases {
        let (name, case) = (&entry.name, entry.load()?.to_string());
        files.push(file(format!("in/{name}.txt"), case, Some("case")));
        let path = entry.plan(out);
        let printed = fs::read(&path).with_context(|| input::name(&path))?;
        let printed = String::from_utf8_lossy(&printed).into_owned();
        files.push(file(format!("{player}/{name}.txt"), printed, Some("plan")));
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    serde_json::to_writer(&mut packed, &files)?;
    packed.flush()?;
    let text = BASE64.encode(packed.finish()?);
    Ok(page.replace(PLACE, &format!("{PLACE}{text}")))
}

/// What the page calls a bot: the name of its program.
fn player(command: &str) -> String {
    let words = shell_words::split(command).unwrap_or_default();
    let stem = words
        .first()
        .and_then(|program| Path::new(program).file_stem());
    stem.map_or("bot".into(), |stem| stem.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_is_called_by_its_program() {
        assert_eq!(player("target/release/bot --nodes 5"), "bot");
        assert_eq!(player("'my-bot.exe'"), "my-bot");
        assert_eq!(player(""), "bot");
    }

    #[test]
    fn a_missing_page_says_how_to_make_one() {
        let told = find(Some(Path::new("no/such/page.html"))).unwrap_err();
        assert!(format!("{told:#}").contains("no/such/page.html"));
    }
}
