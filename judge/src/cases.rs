//! Where the cases of a run come from.

use anyhow::{bail, Context, Result};
use columns_cli::input;
use columns_core::rules::case::Case;
pub use columns_generator::digest::digest;
use columns_generator::seeds::{file_name, SeedList};
use columns_generator::{generate, guess, shape, Palette, Spec};
use std::fs;
use std::path::{Path, PathBuf};

/// One case of a run. It is made or read when it is played: a bot starts as a copy of the judge, so
/// the judge's own memory is the least that can be measured of a bot. 500 cases in memory would be
/// more than most bots need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it is called, `0001` for seed 1; files of plans get this name.
    pub name: String,
    /// Its seed, if a generator made it from one or its file is named by one.
    pub seed: Option<u64>,
    /// What makes it.
    pub origin: Origin,
}

/// Where a case comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The generator of this project, with this seed.
    Generator(u64, Spec),
    /// A file.
    File(PathBuf),
}

impl Entry {
    /// The case of a seed, named by it.
    pub fn of_seed(seed: u64, origin: Origin) -> Self {
        Self {
            name: file_name(seed).trim_end_matches(".txt").into(),
            seed: Some(seed),
            origin,
        }
    }

    /// The case.
    ///
    /// # Errors
    /// One line that names the file, the line in it, and what was expected.
    pub fn load(&self) -> Result<Case> {
        match &self.origin {
            Origin::Generator(seed, spec) => Ok(generate(*seed, spec)),
            Origin::File(path) => input::read_case(path),
        }
    }

    /// The file that the case is read from, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match &self.origin {
            Origin::Generator(..) => None,
            Origin::File(path) => Some(path),
        }
    }

    /// Where its plan is kept in a folder of plans.
    pub fn plan(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.txt", self.name))
    }

    /// Whether the palette of `case`, which is this one, grows: as the generator
    /// has it, or a [guess](guess::palette).
    pub fn palette(&self, case: &Case) -> Palette {
        match &self.origin {
            Origin::Generator(seed, spec) => shape(*seed, spec).palette(),
            Origin::File(_) => guess::palette(case),
        }
    }
}

/// The generator's cases of some seeds.
pub fn generated(seeds: &SeedList, spec: &Spec) -> Vec<Entry> {
    let entry = |seed| Entry::of_seed(seed, Origin::Generator(seed, *spec));
    seeds.iter().map(entry).collect()
}

/// The files of some seeds in a folder, `0001.txt` for seed 1. Whether they are
/// there shows when they are read.
pub fn files_of_seeds(folder: &Path, seeds: &SeedList) -> Vec<Entry> {
    let entry = |seed| Entry::of_seed(seed, Origin::File(folder.join(file_name(seed))));
    seeds.iter().map(entry).collect()
}

/// The case files `*.txt` of a folder, by the numbers in their names.
///
/// # Errors
/// A folder that cannot be read or has no such file.
pub fn folder(folder: &Path) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    let unreadable = || format!("{}: expected a folder", input::name(folder));
    let listing = fs::read_dir(folder).with_context(unreadable)?;
    for item in listing {
        let path = item.with_context(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "txt") && !path.is_dir() {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            entries.push(Entry {
                seed: name.parse().ok(),
                name: name.into_owned(),
                origin: Origin::File(path),
            });
        }
    }
    if entries.is_empty() {
        bail!(
            "{}: expected case files *.txt, found none",
            input::name(folder)
        );
    }
    entries.sort_by_cached_key(|entry| natural(&entry.name));
    Ok(entries)
}

/// A key that sorts names by the numbers in them: `2` before `10`, `2a`
/// before `10a`.
fn natural(name: &str) -> Vec<(bool, u128, String)> {
    let bytes = name.as_bytes();
    bytes
        .chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit())
        .map(|part| {
            let text = String::from_utf8_lossy(part).into_owned();
            match text.parse() {
                Ok(number) => (false, number, text),
                Err(_) => (true, 0, text),
            }
        })
        .collect()
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
        let seen: Vec<_> = entries.iter().map(|e| (e.name.as_str(), e.seed)).collect();
        assert_eq!(seen, [("0002", Some(2)), ("0010", Some(10)), ("few", None)]);
    }

    #[test]
    fn seeds_are_generated_or_read() {
        let seeds: SeedList = "1..=3".parse().unwrap();
        let spec = Spec::default();
        let generated = generated(&seeds, &spec);
        let folder = tempfile::tempdir().unwrap();
        for entry in &generated {
            let case = entry.load().unwrap().to_string();
            fs::write(folder.path().join(format!("{}.txt", entry.name)), case).unwrap();
        }
        let read = files_of_seeds(folder.path(), &seeds);
        assert_eq!(read, super::folder(folder.path()).unwrap());
        for (a, b) in generated.iter().zip(&read) {
            assert_eq!((&a.name, a.seed), (&b.name, b.seed));
            assert_eq!(a.load().unwrap(), b.load().unwrap());
        }
        // The sample grows, which can also be guessed.
        let sample = generated[0].load().unwrap();
        assert_eq!(generated[0].palette(&sample), Palette::Growing);
        assert_eq!(read[0].palette(&sample), Palette::Growing);
        let missing = files_of_seeds(folder.path(), &"4".parse().unwrap());
        assert!(missing[0].load().is_err());
    }
}
