//! `judge open`: fills the page `columns.html` with runs, and opens it in a browser.

use anyhow::{Context, Result, ensure};
use clap::Args;
use columns_cli::{input, output};
use columns_judge::store::{LEDGER_FILE, Run, Store, game_file_path};
use serde_json::json;
use std::fs::{self, Permissions};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::{env, iter};

/// Open runs in the page: their results, and every game
///
/// Writes the page to open.html in the store, and opens it in a browser.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  judge open\n  judge open last~1 last")]
pub(crate) struct Options {
    /// Runs to open [default: last]
    #[arg(value_name = "RUN", default_value = "last", hide_default_value = true)]
    runs: Vec<String>,
    /// Page to fill with the runs [default: columns.html beside this command, or else the page that
    /// `cargo xtask viewer` has built]
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// URL of the published page, for the links that the opened page creates
    #[arg(long, value_name = "URL")]
    page_url: Option<String>,
    #[command(flatten)]
    store: Store,
}

/// The start tag of the page element that receives the files of the runs, as JSON.
const DATA_ELEMENT: &str = r#"<script type="application/json" id="inside">"#;

/// The file name of the filled page in the store.
const PAGE_FILE: &str = "open.html";

/// The start of messages about a missing or unsuitable page.
const PAGE_EXPECTED: &str = "expected the page of `cargo xtask viewer` here, or as --page FILE";

/// The maximum size of a page, and the maximum total size of the files in it, in bytes.
const MAX_PAGE_BYTES: u64 = 64 << 20;

pub(crate) fn run(args: &Options) -> Result<()> {
    let runs = args.runs.iter().map(|run| args.store.read(run));
    let runs = runs.collect::<Result<Vec<_>>>()?;
    let page = args.read_page()?;
    let (mut files, mut size) = (Vec::new(), 0);
    for run in &runs {
        for file in read_files(run) {
            let (name, text) = file?;
            size += text.len() as u64;
            ensure!(
                size <= MAX_PAGE_BYTES,
                "expected runs of at most {} MiB for a page: open fewer runs, or one with fewer cases",
                MAX_PAGE_BYTES >> 20
            );
            files.push(json!({"name": name, "text": text}));
        }
    }
    let data = json!({"base": args.page_url, "files": files});
    // Escape `<`, so that the JSON cannot contain the end tag of its element.
    let data = data.to_string().replace('<', "\\u003c");
    let page = page.replace(DATA_ELEMENT, &format!("{DATA_ELEMENT}{data}"));
    let path = write_page(&args.store.folder, &page)?;
    let advice = match open::that(&path) {
        Ok(()) => "",
        Err(_) => ": no browser could be started here; open the file in one",
    };
    output::print(&format!("page     {}{advice}\n", path.display()))
}

/// Writes the page into the store, or else into a new private folder. Returns its absolute path.
fn write_page(store: &Path, page: &str) -> Result<PathBuf> {
    // The user may be allowed to read the store, but not to write to it: fall back to a temporary folder.
    let written = write_new(store, page).or_else(|_| {
        let mut folder = tempfile::Builder::new();
        folder
            .prefix("columns-")
            .permissions(Permissions::from_mode(0o700));
        write_new(&folder.tempdir()?.keep(), page)
    });
    let path = written.context("cannot write the page, in the store or in a temporary folder")?;
    path.canonicalize()
        .with_context(|| path.display().to_string())
}

/// Writes the page as a new file, which replaces the previous page. If the page's name is a link, replaces
/// the link and leaves its target unchanged.
fn write_new(folder: &Path, page: &str) -> Result<PathBuf> {
    let path = folder.join(PAGE_FILE);
    let mut file = tempfile::Builder::new()
        .prefix(".columns-")
        .tempfile_in(folder)?;
    file.write_all(page.as_bytes())?;
    file.persist(&path)?;
    Ok(path)
}

impl Options {
    /// Reads the text of the page.
    ///
    /// Without --page, reads `columns.html` beside this executable, or else the page that
    /// `cargo xtask viewer` wrote to the same target folder.
    fn read_page(&self) -> Result<String> {
        let own = env::current_exe().context("cannot find the folder of this executable")?;
        let installed = own.with_file_name("columns.html");
        let built = own.with_file_name("../viewer/columns.html");
        let default = if installed.is_file() {
            installed
        } else {
            built
        };
        let path = self.page.as_ref().unwrap_or(&default);
        let text = input::read(path, MAX_PAGE_BYTES).context(PAGE_EXPECTED)?;
        ensure!(
            text.matches(DATA_ELEMENT).count() == 1,
            "{PAGE_EXPECTED}, found no room for runs"
        );
        Ok(text)
    }
}

/// Reads the files of a run one by one, as (path, text) pairs: its ledger, its cases and its plans.
fn read_files(run: &Run) -> impl Iterator<Item = Result<(String, String)>> {
    let file = |name: String, text: &[u8]| {
        let text = String::from_utf8_lossy(text).into_owned();
        (format!("{}/{name}", run.folder.display()), text)
    };
    let ledger = input::read_start(&run.folder.join(LEDGER_FILE), MAX_PAGE_BYTES + 1);
    let ledger = ledger.map(|ledger| file(LEDGER_FILE.into(), &ledger));
    let games = run.cases().into_iter().flat_map(move |entry| {
        let name = entry.name();
        let case = entry.load().map(|case| {
            let text = case.to_string();
            file(format!("in/{name}.txt"), text.as_bytes())
        });
        // A case that has not been played has no plan.
        let plan = fs::read(game_file_path(&run.folder, "out", &name));
        let plan = plan.map(|plan| Ok(file(format!("out/{name}.txt"), &plan)));
        iter::once(case).chain(plan)
    });
    iter::once(ledger).chain(games)
}
