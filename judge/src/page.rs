//! The page `columns.html` with the results of a run inside.

use crate::cases::Entry;
use crate::report::Report;
use anyhow::{bail, ensure, Context, Result};
use base64::engine::general_purpose::STANDARD as BASE64;
use base64::Engine as _;
use columns_cli::input;
use flate2::write::GzEncoder;
use flate2::Compression;
use serde::Serialize;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Where the page has room for files.
const PLACE: &str = r#"<script type="text/plain" id="inside">"#;

/// Largest number of cases that a page takes: two files for each and the report.
pub const MOST: usize = 1999;

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

/// The page: the one that is named, else one beside this executable, else the one that
/// `cargo xtask viewer` has made in the same target folder.
///
/// # Errors
/// If there is none.
pub fn find(named: Option<&Path>) -> Result<String> {
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
/// A case or an output that cannot be read, or a file that is no such page.
pub fn fill(page: &str, cases: &[Entry], out: &Path, report: &Report) -> Result<String> {
    let player = player(&report.bot);
    let mut files = vec![File {
        name: format!("{player}.json"),
        text: report.to_json()?,
        only: None,
    }];
    for entry in cases {
        files.push(File {
            name: format!("in/{}.txt", entry.name),
            text: entry.load()?.to_string(),
            only: Some("case"),
        });
        let path = entry.plan(out);
        let printed = fs::read(&path).with_context(|| input::name(&path))?;
        files.push(File {
            name: format!("{player}/{}.txt", entry.name),
            text: String::from_utf8_lossy(&printed).into_owned(),
            only: Some("plan"),
        });
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    serde_json::to_writer(&mut packed, &files)?;
    packed.flush()?;
    let text = BASE64.encode(packed.finish()?);
    ensure!(
        page.matches(PLACE).count() == 1,
        "expected the page that `cargo xtask viewer` makes, found no room for results"
    );
    Ok(page.replace(PLACE, &format!("{PLACE}{text}")))
}

/// What the page calls a bot: the name of its program.
fn player(command: &str) -> String {
    let program = command.split_whitespace().next().unwrap_or_default();
    let stem = PathBuf::from(program.trim_matches(['\'', '"']));
    let stem = stem
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned());
    stem.filter(|stem| !stem.is_empty())
        .unwrap_or_else(|| "bot".into())
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
