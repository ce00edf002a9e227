//! The page as it is handed out: a file with the version in its name, and its checksum. Whoever
//! has it needs nothing else, neither a build nor a network.

use anyhow::Result;
use columns_cli::file;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Writes the page and its checksum into a folder; where they are.
///
/// # Errors
/// A folder or file that cannot be written.
pub(super) fn write(page: &str, folder: &Path) -> Result<[PathBuf; 2]> {
    let _folder = file::make_folder(folder)?;
    let name = format!("columns-{}.html", env!("CARGO_PKG_VERSION"));
    let paths = [folder.join(&name), folder.join(format!("{name}.sha256"))];
    file::write(&paths[0], page.as_bytes())?;
    // As `sha256sum --check` reads it.
    file::write(&paths[1], format!("{}  {name}\n", sum(page)).as_bytes())?;
    Ok(paths)
}

fn sum(text: &str) -> String {
    let mut out = String::new();
    for byte in Sha256::digest(text) {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_comes_with_its_checksum() {
        let folder = tempfile::tempdir().unwrap();
        let [page, sum] = write("abc", &folder.path().join("out")).unwrap();
        assert_eq!(std::fs::read_to_string(&page).unwrap(), "abc");
        let told = std::fs::read_to_string(sum).unwrap();
        let name = page.file_name().unwrap().to_string_lossy().into_owned();
        // A known value: the hash of "abc".
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(told, format!("{known}  {name}\n"));
    }
}
