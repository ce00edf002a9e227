//! Where the cases of a run come from.

use anyhow::{ensure, Context, Result};
use columns_cli::input;
use columns_core::rules::case::Case;
use columns_generator::seeds::file_name;
use columns_generator::{generate, guess, shape, Palette, Spec};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// One case of a run. It is made or read when it is played: a bot starts as a copy of the judge, so
/// the judge's own memory is the least that can be measured of a bot. 500 cases in memory would be
/// more than most bots need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// That of the generator of this project for this seed.
    Generated(u64, Spec),
    /// A file.
    File(PathBuf),
}

impl Entry {
    /// What it is called, `0001` for seed 1; files of plans get this name.
    pub fn name(&self) -> String {
        match self {
            Self::Generated(seed, _) => file_name(*seed).trim_end_matches(".txt").into(),
            Self::File(path) => path.file_stem().unwrap_or_default().display().to_string(),
        }
    }

    /// The seed that it was generated from, or by which its file is named.
    pub fn seed(&self) -> Option<u64> {
        self.name().parse().ok()
    }

    /// The case.
    ///
    /// # Errors
    /// One line that names the file, the line in it, and what was expected.
    pub fn load(&self) -> Result<Case> {
        match self {
            Self::Generated(seed, spec) => Ok(generate(*seed, spec)),
            Self::File(path) => input::read_case(path),
        }
    }

    /// The file that the case is read from, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Generated(..) => None,
            Self::File(path) => Some(path),
        }
    }

    /// Where its plan is kept in a folder of plans.
    pub fn plan(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.txt", self.name()))
    }

    /// Whether the palette of `case`, which is this one, grows: as the generator
    /// has it, or a [guess](guess::palette).
    pub fn palette(&self, case: &Case) -> Palette {
        match self {
            Self::Generated(seed, spec) => shape(*seed, spec).palette(),
            Self::File(_) => guess::palette(case),
        }
    }
}

/// The case files `*.txt` of a folder, without hidden ones, by the numbers in their names.
///
/// # Errors
/// A folder that cannot be read or has no such file.
pub fn folder(folder: &Path) -> Result<Vec<Entry>> {
    let listing: io::Result<Vec<_>> = fs::read_dir(folder).and_then(Iterator::collect);
    let name = input::name(folder);
    let listing = listing.with_context(|| format!("{name}: expected a folder"))?;
    let is_text = |path: &PathBuf| path.extension() == Some("txt".as_ref()) && !path.is_dir();
    let paths = listing.iter().map(fs::DirEntry::path).filter(is_text);
    let mut entries: Vec<Entry> = paths.map(Entry::File).collect();
    // macOS keeps what some disks cannot store in files such as `._0001.txt`.
    entries.retain(|entry| !entry.name().starts_with('.'));
    ensure!(
        !entries.is_empty(),
        "{name}: expected case files *.txt, found none"
    );
    entries.sort_by_cached_key(|entry| natural(&entry.name()));
    Ok(entries)
}

/// A key that sorts names by the numbers in them: `2` before `10`, `2a`
/// before `10a`, and numbers before words.
fn natural(name: &str) -> Vec<(u128, String)> {
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
    fn names_sort_by_number() {
        let mut names = ["10", "0009", "1_b", "1_a", "02_x", "x", "100"];
        names.sort_by_cached_key(|name| natural(name));
        assert_eq!(names, ["1_a", "1_b", "02_x", "0009", "10", "100", "x"]);
    }

    #[test]
    fn a_folder_lists_its_case_files() {
        let folder = tempfile::tempdir().unwrap();
        assert!(super::folder(folder.path()).is_err());
        for name in ["0010.txt", "0002.txt", "README.md", "few.txt"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::create_dir(folder.path().join("0001.txt")).unwrap();
        let entries = super::folder(folder.path()).unwrap();
        let seen: Vec<_> = entries.iter().map(|e| (e.name(), e.seed())).collect();
        let expected = [("0002", Some(2)), ("0010", Some(10)), ("few", None)];
        assert_eq!(seen, expected.map(|(name, seed)| (name.to_string(), seed)));
    }

    #[test]
    fn a_case_is_generated_or_read() {
        let spec = Spec::default();
        let folder = tempfile::tempdir().unwrap();
        for seed in 1..=3 {
            let made = Entry::Generated(seed, spec);
            let file = made.plan(folder.path());
            fs::write(&file, made.load().unwrap().to_string()).unwrap();
            let read = Entry::File(file);
            assert_eq!((made.name(), made.seed()), (read.name(), Some(seed)));
            assert_eq!(made.load().unwrap(), read.load().unwrap());
        }
        // The sample grows, which can also be guessed.
        let sample = Entry::Generated(1, spec);
        let case = sample.load().unwrap();
        let read = Entry::File(sample.plan(folder.path()));
        assert_eq!(sample.palette(&case), Palette::Growing);
        assert_eq!(read.palette(&case), Palette::Growing);
        assert!(Entry::File(folder.path().join("0004.txt")).load().is_err());
    }
}
