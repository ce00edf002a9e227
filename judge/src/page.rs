//! The page `columns.html` with the results of a run inside: `judge run --open` ends with it.

use crate::report::Report;
use crate::run::Run;
use anyhow::{ensure, Context, Result};
use columns_cli::{file, input, json};
use serde_json::json;
use std::fs;
use std::path::Path;

/// Where the page has room for files.
const PLACE: &str = r#"<script type="application/json" id="inside">"#;

/// What there must be, in messages.
const EXPECTED: &str = "--open: expected the page of `cargo xtask viewer` here, or as --page FILE";

/// Largest number of cases that a page takes: two files for each and the report.
const MOST: usize = 1999;

/// Largest number of bytes of a page that are read.
const LIMIT: u64 = 64 << 20;

/// The text of a page with room for the results of this number of cases: the page that is named,
/// or the one that lies beside this executable, or where `cargo xtask viewer` has made it in the
/// same target folder.
///
/// # Errors
/// If there are too many cases, or if there is no page.
pub fn find(named: Option<&Path>, cases: usize) -> Result<String> {
    ensure!(
        cases <= MOST,
        "--open: expected at most {MOST} cases, found {cases}"
    );
    let own = std::env::current_exe().context("cannot tell where this executable is")?;
    let beside = own.with_file_name("columns.html");
    let made = own.with_file_name("../viewer/columns.html");
    let usual = if beside.is_file() { beside } else { made };
    let text = input::read(named.unwrap_or(&usual), LIMIT).context(EXPECTED)?;
    ensure!(
        text.matches(PLACE).count() == 1,
        "{EXPECTED}, found no room for results"
    );
    Ok(text)
}

/// Fills a page with a run: its cases, what the bot printed, which was kept, and what the judge
/// said. Opens it, and gives a line that says where it is.
///
/// # Errors
/// A case or a plan that cannot be read, or a page that cannot be written.
pub fn open(page: &str, run: &Run, report: &Report) -> Result<String> {
    let plans = run.out.as_deref().context("the plans were not kept")?;
    let player = run.bot.name();
    let mut files = vec![json!({"name": format!("{player}.json"), "text": json::pretty(report)?})];
    for entry in &run.cases {
        let (name, case, plan) = (entry.name(), entry.load()?, entry.plan(plans));
        let printed = fs::read(&plan).with_context(|| input::name(&plan))?;
        let printed = String::from_utf8_lossy(&printed);
        // What the page must take a text for, whatever it looks like, is `only`.
        files.extend([
            json!({"name": format!("in/{name}.txt"), "text": case.to_string(), "only": "case"}),
            json!({"name": format!("{player}/{name}.txt"), "text": printed, "only": "plan"}),
        ]);
    }
    // Nothing in it may end the element.
    let text = serde_json::to_string(&files)?.replace('<', "\\u003c");
    let filled = page.replace(PLACE, &format!("{PLACE}{text}"));
    let name = format!("columns-run-{}.html", report.started.replace(':', ""));
    let path = std::env::temp_dir().join(name);
    file::write(&path, filled.as_bytes())?;
    let page = format!("page     {}", path.display());
    Ok(match open::that(&path) {
        Ok(()) => page,
        Err(error) => format!("{page}: open it in a browser (nothing here does: {error})"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_page_says_how_to_make_one() {
        let told = find(Some(Path::new("no/such/page.html")), 1).unwrap_err();
        let told = format!("{told:#}");
        assert!(told.contains("`cargo xtask viewer` here, or as --page FILE: no/such/page.html: "));
    }
}
