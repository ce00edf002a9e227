//! `judge init`: writes a `columns.toml`.

use anyhow::{Context, Result, bail, ensure};
use columns_cli::{file, input, output};
use columns_judge::config::FILE_NAME;
use std::path::Path;
use toml::{Table, Value};

/// The contents of a new `columns.toml`. Only `bot` is set; the other settings are commented out.
const TEMPLATE: &str = include_str!("../template.toml");

pub(crate) fn run() -> Result<()> {
    let path = Path::new(FILE_NAME);
    ensure!(!path.exists(), "{FILE_NAME}: exists already");
    let (text, next) = match cargo_program(Path::new("Cargo.toml"))? {
        Some(name) => (
            fill_template(&name),
            format!("plays the program {name} of Cargo.toml; `judge run` builds it first"),
        ),
        None => (
            TEMPLATE.into(),
            "now set the command of your bot there".into(),
        ),
    };
    file::write(path, text.as_bytes())?;
    output::print(&format!("{FILE_NAME}: written; {next}\n"))
}

/// Returns the template filled in for the cargo program `name`.
fn fill_template(name: &str) -> String {
    let bot = Value::from(format!("target/release/{name}"));
    let build = Value::from(format!("cargo build --release --bin {name}"));
    TEMPLATE
        .replace("bot = \"./bot\"", &format!("bot = {bot}"))
        .replace("#build = \"make\"", &format!("build = {build}"))
        .replace(
            "#sources = [\"src\"]",
            "sources = [\"src\", \"Cargo.toml\"]",
        )
}

/// Returns the name of the program that a `Cargo.toml` builds: `default-run`, or else the only `[[bin]]`, or
/// else the name of the package. Returns `None` if the file does not exist, or if it has no `[package]`, as
/// in a workspace.
fn cargo_program(manifest: &Path) -> Result<Option<String>> {
    if !manifest.exists() {
        return Ok(None);
    }
    let text = input::read(manifest, input::MAX_FILE_BYTES)?;
    let invalid = || format!("{}: cannot be read as TOML", manifest.display());
    let table: Table = text.parse().with_context(invalid)?;
    let Some(package) = table.get("package") else {
        return Ok(None);
    };
    let name = |value: &Value, key: &str| Some(value.get(key)?.as_str()?.to_string());
    let programs = table.get("bin").and_then(Value::as_array);
    let programs: Vec<String> = programs
        .into_iter()
        .flatten()
        .filter_map(|bin| name(bin, "name"))
        .collect();
    if let Some(program) = name(package, "default-run") {
        return Ok(Some(program));
    }
    match &programs[..] {
        [] => Ok(name(package, "name")),
        [program] => Ok(Some(program.clone())),
        several => bail!(
            "Cargo.toml: expected one program, found {}: name one as `default-run`",
            several.join(", ")
        ),
    }
}
