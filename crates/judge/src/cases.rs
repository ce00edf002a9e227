//! The cases of a run, which are generated from seeds or read from files.

use anyhow::{Context, Result, ensure};
use columns_cases::PaletteKind;
use columns_cases::seeds::{SeedList, file_name};
use columns_cli::input;
use columns_core::rules::case::Case;
use columns_generator::{Spec, generate, generate_shape};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The cases of a run, in the order of its table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cases {
    /// Cases made by the generator of this project.
    Generated {
        /// The seeds, in the order of the table.
        seeds: SeedList,
        /// The profile, and the options that override it.
        spec: Spec,
    },
    /// Cases from files. The run has copies of them in its folder `in`.
    Files {
        /// The folder from which the cases were copied.
        source: String,
        /// The names of the cases: the file names without `.txt`.
        names: Vec<String>,
    },
}

impl Cases {
    /// Lists the cases. `folder` holds the case files, if the cases are not generated.
    pub fn entries(&self, folder: &Path) -> Vec<CaseEntry> {
        match self {
            Self::Generated { seeds, spec } => {
                let entry = |seed| CaseEntry::Generated(seed, *spec);
                seeds.iter().map(entry).collect()
            }
            Self::Files { names, .. } => {
                let entry = |name| CaseEntry::File(folder.join(format!("{name}.txt")));
                names.iter().map(entry).collect()
            }
        }
    }

    /// Describes the cases as options of `judge run`, such as `--seeds 1..=20 --profile default`.
    pub fn options_text(&self) -> String {
        match self {
            Self::Generated { seeds, spec } => format!("--seeds {seeds} {spec}"),
            Self::Files { source, .. } => format!("--in {}", shell_words::quote(source)),
        }
    }
}

/// A case of a run, not yet loaded.
///
/// Only [`load`](Self::load) generates or reads the case: a list may have a million seeds, whose cases would
/// take gigabytes of memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CaseEntry {
    /// The case that the generator of this project makes from the seed.
    Generated(u64, Spec),
    /// The case in a file. Its name is the file name without extension.
    File(PathBuf),
}

impl CaseEntry {
    /// Returns the name of the case: `0001` for seed 1, or the name of its file without extension. The plan
    /// files of the case have the same name.
    pub fn name(&self) -> String {
        match self {
            Self::Generated(seed, _) => file_name(*seed).trim_end_matches(".txt").into(),
            Self::File(path) => path.file_stem().unwrap_or_default().display().to_string(),
        }
    }

    /// Returns the seed of a generated case, or the number in a file name such as `0001.txt`; `None` for
    /// other file names.
    pub fn seed(&self) -> Option<u64> {
        self.name().parse().ok()
    }

    /// Generates or reads the case.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is not a case. The error names the file. If the file is
    /// not a case, the error also names the line and what was expected there.
    pub fn load(&self) -> Result<Case> {
        match self {
            Self::Generated(seed, spec) => Ok(generate(*seed, spec)),
            Self::File(path) => input::read_case(path),
        }
    }

    /// Returns the kind of palette of a generated case; `None` for a case file, which does not state it.
    pub fn palette_kind(&self) -> Option<PaletteKind> {
        match self {
            Self::Generated(seed, spec) => Some(generate_shape(*seed, spec).palette_kind()),
            Self::File(_) => None,
        }
    }
}

/// Lists the names of the case files `*.txt` in a folder. Sorts the names by the numbers in them, and skips
/// folders and hidden files.
///
/// # Errors
/// Returns an error if the folder cannot be read or has no case files. Also returns an error if an entry
/// `*.txt` is neither a file nor a folder, or if its path is not UTF-8.
pub fn list_folder(folder: &Path) -> Result<Vec<String>> {
    let listing: io::Result<Vec<_>> = fs::read_dir(folder).and_then(Iterator::collect);
    let folder = input::name(folder);
    let listing = listing.with_context(|| format!("{folder}: expected a folder"))?;
    let mut names = Vec::new();
    for path in listing.iter().map(fs::DirEntry::path) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // On some disks macOS stores metadata of `0001.txt` in a file `._0001.txt`, which is not a case.
        if name.starts_with('.') || path.extension() != Some("txt".as_ref()) || path.is_dir() {
            continue;
        }
        // Reject a pipe: reading it as a case would block until a process writes to it.
        ensure!(
            path.is_file() && path.to_str().is_some(),
            "{}: expected a regular file whose name is UTF-8",
            path.display()
        );
        names.push(CaseEntry::File(path).name());
    }
    ensure!(
        !names.is_empty(),
        "{folder}: expected case files *.txt, found none"
    );
    names.sort_by_cached_key(|name| natural_sort_key(name));
    Ok(names)
}

/// Returns a key that sorts names by the numbers in them: `2` before `10`, `2a` before `10a`, numbers before
/// words.
fn natural_sort_key(name: &str) -> Vec<(u128, String)> {
    let parts = name.as_bytes();
    let parts = parts.chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
    let key = |part| {
        let text = String::from_utf8_lossy(part).into_owned();
        (text.parse().unwrap_or(u128::MAX), text)
    };
    parts.map(key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_lists_its_case_files() {
        let folder = tempfile::tempdir().unwrap();
        assert!(list_folder(folder.path()).is_err());
        for name in ["10", "0009", "1_b", "1_a", "02_x", "x", "100"] {
            fs::write(folder.path().join(format!("{name}.txt")), "").unwrap();
        }
        fs::write(folder.path().join("README.md"), "").unwrap();
        fs::create_dir(folder.path().join("0001.txt")).unwrap();
        // `README.md` and the folder `0001.txt` are not cases. The names are sorted by the numbers in them.
        let names = list_folder(folder.path()).unwrap();
        assert_eq!(names, ["1_a", "1_b", "02_x", "0009", "10", "100", "x"]);
    }
}
