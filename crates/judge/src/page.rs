//! Fills the page `columns.html` with runs, for `judge open`.

use crate::store::{LEDGER_FILE, Run, game_file_path};
use anyhow::{Context, Result, ensure};
use columns_cli::{file, input};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The start tag of the element that receives the files.
const DATA_ELEMENT: &str = r#"<script type="application/json" id="inside">"#;

/// The start of messages about a missing page.
const PAGE_EXPECTED: &str = "expected the page of `cargo xtask viewer` here, or as --page FILE";

/// The maximum size of a page, and the maximum total size of the files in it, in bytes.
const MAX_PAGE_BYTES: usize = 64 << 20;

/// Reads the text of the page.
///
/// Without the path `named`, the page is `columns.html` beside this executable. If that does not exist, it is
/// the page that `cargo xtask viewer` has built in the same target folder.
///
/// # Errors
/// Returns an error if no page is found, or if the page has no room for runs.
pub fn read(named: Option<&Path>) -> Result<String> {
    let own = std::env::current_exe().context("cannot find the folder of this executable")?;
    let beside = own.with_file_name("columns.html");
    let built = own.with_file_name("../viewer/columns.html");
    let default = if beside.is_file() { beside } else { built };
    let text =
        input::read(named.unwrap_or(&default), MAX_PAGE_BYTES as u64).context(PAGE_EXPECTED)?;
    ensure!(
        text.matches(DATA_ELEMENT).count() == 1,
        "{PAGE_EXPECTED}, found no room for runs"
    );
    Ok(text)
}

/// Fills a page with the ledgers, cases and plans of runs. `base` is the URL of the published page, for
/// links. Returns the path of the filled page, a temporary file.
///
/// # Errors
/// Returns an error if a run cannot be read, if the runs are too large, or if the page cannot be written.
pub fn fill(page: &str, runs: &[Run], base: Option<&str>) -> Result<PathBuf> {
    let mut files = Vec::new();
    let mut size = 0;
    for run in runs {
        for (name, text) in read_files(run)? {
            size += text.len();
            ensure!(
                size <= MAX_PAGE_BYTES,
                "expected runs of at most {} MiB for a page: open fewer of them",
                MAX_PAGE_BYTES >> 20
            );
            files.push(json!({"name": name, "text": text}));
        }
    }
    let inside: Value = json!({"base": base, "files": files});
    // The text must not contain the end tag of its element.
    let text = serde_json::to_string(&inside)?.replace('<', "\\u003c");
    let filled = page.replace(DATA_ELEMENT, &format!("{DATA_ELEMENT}{text}"));
    let numbers: Vec<String> = runs.iter().map(folder_name).collect();
    let path = std::env::temp_dir().join(format!("columns-runs-{}.html", numbers.join("-")));
    file::write(&path, filled.as_bytes())?;
    Ok(path)
}

/// Returns the files of a run as (name in the page, text) pairs.
fn read_files(run: &Run) -> Result<Vec<(String, String)>> {
    let folder = folder_name(run);
    let read = |path: PathBuf| fs::read(&path).with_context(|| path.display().to_string());
    let mut files = vec![(LEDGER_FILE.into(), read(run.folder.join(LEDGER_FILE))?)];
    for entry in run.cases() {
        let name = entry.name();
        let case = entry.load()?.to_string().into_bytes();
        files.push((format!("in/{name}.txt"), case));
        // A game that was not played, or a pruned run, has no plan.
        let plan = read(game_file_path(&run.folder, "out", &name)).ok();
        files.extend(plan.map(|plan| (format!("out/{name}.txt"), plan)));
    }
    let text = |(name, bytes): (String, Vec<u8>)| {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        (format!("runs/{folder}/{name}"), text)
    };
    Ok(files.into_iter().map(text).collect())
}

fn folder_name(run: &Run) -> String {
    run.folder
        .file_name()
        .unwrap_or_default()
        .display()
        .to_string()
}

/// Opens a file in a browser. Returns a line with the path of the file, and with advice if no browser could
/// be started.
pub fn open(path: &Path) -> String {
    let page = path.display();
    match open::that(path) {
        Ok(()) => format!("page     {page}"),
        Err(_) => {
            format!("page     {page}: no browser could be started here; open the file in one")
        }
    }
}
