//! The files that a command reads and writes, checked before it works.

use crate::file::{check_writable, folder, place};
use crate::input::name;
use anyhow::{bail, Result};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// All files that a command reads and writes, in any order. `-` is standard input.
#[derive(Debug, Default)]
pub struct Paths {
    read: Vec<PathBuf>,
    written: Vec<PathBuf>,
}

impl Paths {
    /// Adds files that are read.
    #[must_use]
    pub fn read<P: AsRef<Path>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.read
            .extend(paths.into_iter().map(|path| path.as_ref().into()));
        self
    }

    /// Adds files that are written.
    #[must_use]
    pub fn written<P: AsRef<Path>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.written
            .extend(paths.into_iter().map(|path| path.as_ref().into()));
        self
    }

    /// Fails if a file cannot be written, or if writing it would replace one that is read or
    /// written otherwise, be it by links.
    ///
    /// # Errors
    /// Names the file, and the other one.
    pub fn check(&self) -> Result<()> {
        let places = self
            .read
            .iter()
            .filter_map(|path| Some((place(path)?, path)));
        let mut used: HashMap<_, &PathBuf> = places.collect();
        let mut folders = HashSet::new();
        for path in &self.written {
            if let Some(other) = place(path).and_then(|place| used.insert(place, path)) {
                bail!(
                    "{}: expected a file that this command does not use otherwise, found {}",
                    name(path),
                    name(other)
                );
            }
            // Files of one folder fare alike, unless they are there.
            if path.exists() || folders.insert(folder(path)) {
                check_writable(path)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn nothing_is_used_twice_unless_it_is_only_read() {
        let desk = tempfile::tempdir().unwrap();
        let at = |name: &str| desk.path().join(name);
        fs::write(at("a"), "").unwrap();
        fs::create_dir(at("sub")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(at("a"), at("link")).unwrap();
        let told = |read: &[&str], written: &[&str]| {
            let paths = Paths::default().read(read.iter().map(|name| at(name)));
            let paths = paths.written(written.iter().map(|name| at(name)));
            paths.check().map_err(|error| error.to_string())
        };
        assert_eq!(told(&["a", "a"], &["b", "sub/b"]), Ok(()));
        let both = |first: &str, second: &str| {
            Err(format!(
                "{}: expected a file that this command does not use otherwise, found {}",
                at(second).display(),
                at(first).display()
            ))
        };
        assert_eq!(told(&["a"], &["b", "sub/../a"]), both("a", "sub/../a"));
        assert_eq!(told(&[], &["b", "sub/../b"]), both("b", "sub/../b"));
        #[cfg(unix)]
        assert_eq!(told(&["link"], &["a"]), both("link", "a"));
        assert!(told(&[], &["sub"]).unwrap_err().ends_with("is a directory"));
        assert!(told(&[], &["none/b"])
            .unwrap_err()
            .contains("cannot be written"));
        // What keeps nothing can be used twice.
        #[cfg(unix)]
        let nothing = ["/dev/null", "/dev/null"];
        #[cfg(not(unix))]
        let nothing = [""; 0];
        let paths = Paths::default().read(["-", "-"]).read(nothing);
        assert!(paths.written(nothing).check().is_ok());
        let refused = Paths::default().written(["-"]).check().unwrap_err();
        assert!(refused.to_string().starts_with("-: expected a file"));
    }
}
