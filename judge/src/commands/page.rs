//! The page that `judge run --open` ends with.

use anyhow::{bail, Context, Result};
use columns_cli::file;
use columns_judge::cases::Entry;
use columns_judge::page;
use columns_judge::report::Report;
use std::path::{Path, PathBuf};

/// The page that a run ends with.
pub(super) struct Page {
    text: String,
    /// The folder of the bot's plans; a temporary one unless `--out` names one.
    pub(super) out: PathBuf,
    _folder: Option<tempfile::TempDir>,
}

impl Page {
    /// A page for this number of cases: the one that is named, or the one that lies here. Plans
    /// go to `out`, or to a folder that goes with this value.
    ///
    /// # Errors
    /// If there are too many cases, or if there is no page.
    pub(super) fn new(named: Option<&Path>, out: Option<&Path>, cases: usize) -> Result<Self> {
        if cases > page::MOST {
            bail!(
                "--open: expected at most {} cases, found {cases}",
                page::MOST
            );
        }
        let text = page::find(named)?;
        let folder = match out {
            Some(_) => None,
            None => Some(tempfile::tempdir().context("a folder for the plans")?),
        };
        let own = folder.as_ref().map(|folder| folder.path().to_path_buf());
        Ok(Self {
            text,
            out: out.map(Path::to_path_buf).or(own).unwrap_or_default(),
            _folder: folder,
        })
    }

    /// Writes the page and opens it; gives a line that says where it is.
    pub(super) fn open(&self, cases: &[Entry], report: &Report) -> Result<String> {
        let filled = page::fill(&self.text, cases, &self.out, report)?;
        let started: String = report
            .started
            .chars()
            .filter(char::is_ascii_digit)
            .take(14)
            .collect();
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
