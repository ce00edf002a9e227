//! `judge init`: writes a `columns.toml`.

use anyhow::{Result, ensure};
use columns_cli::{file, output};
use columns_judge::config::{FILE_NAME, TEMPLATE};
use std::path::Path;

pub(crate) fn run() -> Result<()> {
    let path = Path::new(FILE_NAME);
    ensure!(!path.exists(), "{FILE_NAME}: exists already");
    file::write(path, TEMPLATE.as_bytes())?;
    output::print(&format!(
        "{FILE_NAME}: written; now set the command of your bot there\n"
    ))
}
