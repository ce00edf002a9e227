//! What the chores share: output folders, cargo, and Ctrl-C.

use anyhow::{ensure, Context, Result};
use columns_cli::command::{self, STOPPED};
use columns_cli::file::{self, Folder};
use columns_cli::paths::{Format, Paths};
use columns_judge::process;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Makes the folder of a file that will be written, which must not lie among the sources.
///
/// # Errors
/// Names the file if it does, cannot be written, or would lose what is no earlier result.
pub(crate) fn folder_for(
    out: &Path,
    format: Format,
    sources: &[PathBuf],
) -> Result<Option<Folder>> {
    let shown = out.display();
    let place = std::path::absolute(out).with_context(|| shown.to_string())?;
    let is_source = |above: &Path| sources.iter().any(|folder| file::is_same(above, folder));
    ensure!(
        !place.ancestors().any(is_source),
        "{shown}: lies among the sources that it is made from"
    );
    let folder = place.parent().map(file::make_folder).transpose()?;
    Paths::default().written(format, [out]).check()?;
    Ok(folder)
}

/// Cargo, in the workspace.
pub(crate) fn cargo(workspace: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(workspace);
    cargo
}

/// Runs a command and returns its status as that of this one.
pub(crate) fn status(command: &mut Command) -> Result<ExitCode> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| name)?;
    Ok(ExitCode::from(status.code().map_or(1, |code| code as u8)))
}

/// Does a chore that plays games. Ctrl-C kills these, so that the chore ends and cleans up; the
/// second one ends it at once.
pub(crate) fn until_interrupted(chore: impl FnOnce() -> Result<ExitCode>) -> Result<ExitCode> {
    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    command::on_interrupt(|| {
        INTERRUPTED.store(true, Relaxed);
        process::kill_all();
    })?;
    let done = chore();
    // A game that cannot be played stops the others as well, but is an error.
    if INTERRUPTED.load(Relaxed) {
        return Ok(ExitCode::from(STOPPED));
    }
    done
}
