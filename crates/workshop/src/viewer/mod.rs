//! `cargo xtask viewer`: makes the page, one file that contains the rules, the bot and the generator as
//! WebAssembly.

mod modules;
mod page;

use crate::chore;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use columns_cli::file;
use columns_cli::output::print;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The compiler's target for the page.
const WASM_TARGET: &str = "wasm32-unknown-unknown";
/// Compiler flags for WebAssembly features that all current browsers support.
const WASM_FLAGS: &str = "-Ctarget-feature=+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint";
/// The maximum size of the page, in bytes. The chore fails if the page is larger.
const MAX_PAGE_BYTES: usize = 1_100_000;

/// Make target/viewer/columns.html, the page to watch and compare games, to play, and to ask the bot
///
/// The page is a single file. Open it from disk, or put it on any web server. Needs the compiler's
/// target wasm32-unknown-unknown.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask viewer                       make the page
  cargo xtask viewer --out columns.html    ... elsewhere")]
pub(crate) struct Options {
    /// Where to write the page [default: target/viewer/columns.html]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(crate) fn run(options: &Options, workspace: &Path) -> Result<ExitCode> {
    let out = options.out.clone();
    let out = out.unwrap_or_else(|| workspace.join("target/viewer/columns.html"));
    let sources = workspace.join("crates/viewer/web");
    let _folder = chore::prepare_output(&out, "id=\"inside\"", std::slice::from_ref(&sources))?;
    let wasm = compile(workspace)?;
    let page = page::make_page(&sources, &wasm)?;
    ensure!(
        page.len() <= MAX_PAGE_BYTES,
        "the page has {} bytes, at most {MAX_PAGE_BYTES} are allowed",
        page.len()
    );
    file::write(&out, page.as_bytes())?;
    let (bytes, path_text) = (page.len(), out.display());
    print(&format!(
        "{bytes} bytes\nopen this in a browser: {path_text}\n"
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Compiles `columns-viewer` and returns the WebAssembly module.
fn compile(workspace: &Path) -> Result<Vec<u8>> {
    // Use a separate folder. In a shared one, cargo would rebuild everything each time the flags change.
    let folder = workspace.join("target/viewer");
    let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    build
        .current_dir(workspace)
        .args(["build", "--package", "columns-viewer", "--lib"])
        .args(["--profile", "page", "--target", WASM_TARGET])
        .arg("--target-dir")
        .arg(&folder)
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env("RUSTFLAGS", WASM_FLAGS);
    if !build.status().context("cargo")?.success() {
        bail!("cannot build the WebAssembly: see the errors of cargo above");
    }
    let wasm = folder.join(WASM_TARGET).join("page/columns_viewer.wasm");
    std::fs::read(&wasm).with_context(|| wasm.display().to_string())
}
