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
const TARGET: &str = "wasm32-unknown-unknown";
/// Compiler flags for WebAssembly features that all current browsers support.
const WASM_FLAGS: &str = "-Ctarget-feature=+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint";
/// The size of the page, in bytes, above which the chore fails instead of writing the page.
const MAX_PAGE_BYTES: usize = 1_100_000;

/// Make target/viewer/columns.html, the page to watch and compare games, to play, and to ask the bot
///
/// The page is a single file. Open it from disk, or put it on any web server. Needs the compiler's
/// target wasm32-unknown-unknown.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask viewer                                   make the page
  cargo xtask viewer --out columns.html                ... elsewhere
  cargo xtask viewer --screenshots docs/screenshots    ... and take the pictures of the documents
                                                       (needs chromium and chromedriver)")]
pub(crate) struct Options {
    /// Where to write the page [default: target/viewer/columns.html]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Also take the screenshots that the documents show, and save them in this folder
    #[arg(long, value_name = "DIR")]
    screenshots: Option<PathBuf>,
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
    let status = match &options.screenshots {
        Some(folder) => screenshots(workspace, &out, folder)?,
        None => ExitCode::SUCCESS,
    };
    let (bytes, path_text) = (page.len(), out.display());
    print(&format!(
        "{bytes} bytes\nopen this in a browser: {path_text}\n"
    ))?;
    Ok(status)
}

/// Compiles `columns-viewer` and returns the WebAssembly module.
fn compile(workspace: &Path) -> Result<Vec<u8>> {
    check_target()?;
    // Use a separate folder. In a shared one, cargo would rebuild everything after each build with other
    // flags.
    let folder = workspace.join("target/viewer");
    let mut build = chore::cargo_command(workspace);
    build
        .args(["build", "--package", "columns-viewer", "--lib"])
        .args(["--profile", "page", "--target", TARGET])
        .arg("--target-dir")
        .arg(&folder)
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env("RUSTFLAGS", WASM_FLAGS);
    if !build.status().context("cargo")?.success() {
        bail!("cannot build the WebAssembly: see the errors of cargo above");
    }
    let wasm = folder.join(TARGET).join("page/columns_viewer.wasm");
    std::fs::read(&wasm).with_context(|| wasm.display().to_string())
}

/// Checks that the compiler has the target for WebAssembly.
///
/// # Errors
/// Returns an error if the target is missing. The error says how to install it.
fn check_target() -> Result<()> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .context("rustc")?;
    let folder = String::from_utf8_lossy(&output.stdout).trim().to_string();
    ensure!(
        output.status.success() && Path::new(&folder).is_dir(),
        "the compiler has no target {TARGET}: install it with `rustup target add {TARGET}`"
    );
    Ok(())
}

/// Takes a screenshot of every view with a separate program, since the workshop contains no browser driver.
fn screenshots(workspace: &Path, page: &Path, folder: &Path) -> Result<ExitCode> {
    let here = std::env::current_dir()?;
    let mut command = chore::cargo_command(workspace);
    command
        .args(["run", "--package", "columns-browser"])
        .args(["--bin", "screenshots", "--"])
        .arg(here.join(page))
        .arg(here.join(folder));
    chore::run_command(&mut command)
}
