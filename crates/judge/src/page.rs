//! Fills the page `columns.html` with the results of a run, for `judge run --open`.

use crate::report::Report;
use crate::run::Run;
use anyhow::{Context, Result, ensure};
use columns_cli::{file, input, json};
use serde_json::json;
use std::fs;
use std::path::Path;

/// Start tag of the element that receives the files.
const PLACE: &str = r#"<script type="application/json" id="inside">"#;

/// Start of the messages about a missing page.
const EXPECTED: &str = "--open: expected the page of `cargo xtask viewer` here, or as --page FILE";

/// Maximum number of cases in a page. The page reads up to 4000 files: two for each case, and the report.
const MOST: usize = 1999;

/// Maximum size of a page, in bytes.
const LIMIT: u64 = 64 << 20;

/// Reads the page for a run with this number of cases.
///
/// The page is the file `named`, if given. Otherwise it is `columns.html` beside this executable, or if that does not
/// exist, the page that `cargo xtask viewer` built in the same target folder.
///
/// # Errors
/// If there are too many cases, or if no page is found.
pub fn find(named: Option<&Path>, cases: usize) -> Result<String> {
    ensure!(
        cases <= MOST,
        "--open: expected at most {MOST} cases, found {cases}"
    );
    let own = std::env::current_exe().context("cannot find the folder of this executable")?;
    let beside = own.with_file_name("columns.html");
    let built = own.with_file_name("../viewer/columns.html");
    let default = if beside.is_file() { beside } else { built };
    let text = input::read(named.unwrap_or(&default), LIMIT).context(EXPECTED)?;
    ensure!(
        text.matches(PLACE).count() == 1,
        "{EXPECTED}, found no room for results"
    );
    Ok(text)
}

/// Fills a page with the cases, the plans and the report of a run, and opens it. Returns a line that names the file.
///
/// # Errors
/// If a case or a plan cannot be read, or the page cannot be written.
pub fn open(page: &str, run: &Run, report: &Report) -> Result<String> {
    let plans = run.out.as_deref().context("the plans were not kept")?;
    let player = run.bot.name();
    let mut files = vec![json!({"name": format!("{player}.json"), "text": json::pretty(report)?})];
    for entry in &run.cases {
        let (name, case, plan) = (entry.name(), entry.load()?, entry.plan(plans));
        let printed = fs::read(&plan).with_context(|| input::name(&plan))?;
        let printed = String::from_utf8_lossy(&printed);
        // The field `only` makes the page read the text as this format, even if it looks like another one.
        files.extend([
            json!({"name": format!("in/{name}.txt"), "text": case.to_string(), "only": "case"}),
            json!({"name": format!("{player}/{name}.txt"), "text": printed, "only": "plan"}),
        ]);
    }
    // The text must not contain the end tag of its element.
    let text = serde_json::to_string(&files)?.replace('<', "\\u003c");
    let filled = page.replace(PLACE, &format!("{PLACE}{text}"));
    let name = format!("columns-run-{}.html", report.started.replace(':', ""));
    let path = std::env::temp_dir().join(name);
    file::write(&path, filled.as_bytes())?;
    let page = format!("page     {}", path.display());
    Ok(match open::that(&path) {
        Ok(()) => page,
        Err(error) => format!("{page}: open it in a browser (none was found: {error})"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_about_a_missing_page_says_how_to_build_it() {
        let error = find(Some(Path::new("no/such/page.html")), 1).unwrap_err();
        let message = format!("{error:#}");
        assert!(
            message.contains("`cargo xtask viewer` here, or as --page FILE: no/such/page.html: ")
        );
    }
}
