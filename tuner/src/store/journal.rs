//! A file of records that survives being killed at any moment.
//!
//! A run is a program whose every step follows from its configuration, so the records
//! it writes are always the same, in the same order. Each is a line of JSON with a checksum (see
//! [`mod@crate::store::line`]), appended before its content counts. A run that goes on after a
//! stop reads back what it wrote: the records up to the [`Mark`] of its last saved state are
//! history; those behind it are handed to the run again, in place of the work that they record.

use crate::store::digest::Digest;
use crate::store::line;
use anyhow::{bail, ensure, Context, Result};
use columns_core::text::quote;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A place in a journal: behind some of its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// How many lines lie before it.
    pub lines: u64,
    /// How many bytes they have.
    pub bytes: u64,
    /// The digest of these bytes.
    pub digest: Digest,
}

impl Mark {
    /// The place before the first line.
    pub const START: Self = Self {
        lines: 0,
        bytes: 0,
        digest: Digest::EMPTY,
    };

    /// Moves behind one more line, given with its line end.
    fn pass(&mut self, line: &[u8]) {
        self.lines += 1;
        self.bytes += line.len() as u64;
        self.digest.add(line);
    }
}

/// A journal of records of type `R`, each an object with fields in JSON.
#[derive(Debug)]
pub struct Journal<R> {
    path: PathBuf,
    file: File,
    /// The place behind all records that the run has come to so far.
    mark: Mark,
    /// Lines that an earlier process wrote and that the run has not come to again, with their
    /// records.
    ahead: VecDeque<(Vec<u8>, R)>,
}

impl<R: Serialize + DeserializeOwned + PartialEq> Journal<R> {
    /// A new journal.
    ///
    /// # Errors
    /// The file's name and why it cannot be made, for instance because it is there.
    pub fn create(path: &Path) -> Result<Self> {
        let file = File::options().append(true).create_new(true).open(path);
        Ok(Self {
            path: path.into(),
            file: file.with_context(|| format!("{}: cannot be made", path.display()))?,
            mark: Mark::START,
            ahead: VecDeque::new(),
        })
    }

    /// Opens a journal at a mark. Returns the records before it as well; [`Journal::ahead`] gives
    /// those behind it. A last line that was cut off or is damaged is removed: its work is done
    /// again.
    ///
    /// # Errors
    /// One line with the file's name and the line in it, if any other line is damaged, if the
    /// journal ends before the mark, or if it differs before the mark; or why the file cannot be
    /// read.
    pub fn open(path: &Path, mark: Mark) -> Result<(Self, Vec<R>)> {
        let shown = path.display();
        let bytes = fs::read(path).with_context(|| format!("{shown}: cannot be read"))?;
        let file = File::options()
            .append(true)
            .open(path)
            .with_context(|| format!("{shown}: cannot be written"))?;
        let mut journal = Self {
            path: path.into(),
            file,
            mark: Mark::START,
            ahead: VecDeque::new(),
        };
        let mut history = Vec::new();
        let mut whole = 0;
        for (line, record) in whole_lines(path, &bytes)? {
            whole += line.len() as u64;
            if journal.mark.lines < mark.lines {
                journal.mark.pass(line);
                history.push(record);
            } else {
                journal.ahead.push_back((line.to_vec(), record));
            }
        }
        ensure!(
            journal.mark.lines == mark.lines,
            "{shown}: expected at least {} lines, found {}",
            mark.lines,
            journal.mark.lines
        );
        ensure!(
            journal.mark == mark,
            "{shown}: lines 1 to {}: expected what the run wrote there, found something else",
            mark.lines
        );
        if whole < bytes.len() as u64 {
            let cut = journal.file.set_len(whole);
            cut.with_context(|| format!("{shown}: cannot be written"))?;
        }
        Ok((journal, history))
    }

    /// The records of a journal. It is not changed; another process may be working on it.
    ///
    /// # Errors
    /// One line with the file's name and the line in it, if any line but the last is damaged; or
    /// why the file cannot be read.
    pub fn read(path: &Path) -> Result<Vec<R>> {
        let bytes =
            fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
        let lines = whole_lines(path, &bytes)?;
        Ok(lines.into_iter().map(|(_, record)| record).collect())
    }

    /// The record that an earlier process wrote at this place, if it came this far.
    pub fn ahead(&self) -> Option<&R> {
        self.ahead.front().map(|(_, record)| record)
    }

    /// Tells the journal that the run has come to this record. It is in the file when this returns:
    /// it survives the end of the process, but not that of the system, see [`Journal::sync`].
    ///
    /// # Errors
    /// That an earlier process wrote another record here; that the record is no object in JSON; or
    /// why the file cannot be written.
    pub fn record(&mut self, record: &R) -> Result<()> {
        if let Some((line, before)) = self.ahead.pop_front() {
            ensure!(
                before == *record,
                "{}: line {}: expected {}, found {}",
                self.path.display(),
                self.mark.lines + 1,
                serde_json::to_string(record)?,
                serde_json::to_string(&before)?
            );
            self.mark.pass(&line);
            return Ok(());
        }
        let line = line::write(record)?;
        // One call for each line: a reader sees whole lines, unless the disk is full.
        self.file
            .write_all(&line)
            .with_context(|| format!("{}: cannot be written", self.path.display()))?;
        self.mark.pass(&line);
        Ok(())
    }

    /// The place behind the last record that the run has come to.
    pub fn mark(&self) -> Mark {
        self.mark
    }

    /// Returns when all records are on the disk.
    ///
    /// # Errors
    /// Why they cannot be brought there.
    pub fn sync(&self) -> Result<()> {
        self.file
            .sync_data()
            .with_context(|| format!("{}: cannot be written", self.path.display()))
    }
}

/// The lines of a journal with their records, without a last one that was cut off or is damaged.
fn whole_lines<'a, R: DeserializeOwned>(
    path: &Path,
    bytes: &'a [u8],
) -> Result<Vec<(&'a [u8], R)>> {
    let mut records = Vec::new();
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n').peekable();
    while let Some(line) = lines.next() {
        match line::read(line) {
            Ok(record) => records.push((line, record)),
            Err(_) if lines.peek().is_none() => break,
            Err(error) => bail!(
                "{}: line {}: expected a record of the run, found {} ({error:#})",
                path.display(),
                records.len() + 1,
                quote(&String::from_utf8_lossy(line.trim_ascii_end()))
            ),
        }
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Note {
        text: String,
    }

    type Notes = Journal<Note>;

    fn note(text: &str) -> Note {
        Note { text: text.into() }
    }

    fn told<T>(result: Result<T>) -> String {
        format!("{:#}", result.err().expect("an error"))
    }

    /// A journal of three records, a mark behind the first.
    fn written() -> (tempfile::TempDir, PathBuf, Mark) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut journal = Notes::create(&path).unwrap();
        journal.record(&note("one")).unwrap();
        let mark = journal.mark();
        journal.record(&note("two")).unwrap();
        journal.record(&note("three")).unwrap();
        journal.sync().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let first = text.lines().next().unwrap();
        assert_eq!(first, r#"{"crc":"68ed76b4","text":"one"}"#);
        (folder, path, mark)
    }

    /// Goes on with the journal of [`written()`].
    fn go_on(path: &Path, mark: Mark) -> Result<()> {
        let (mut journal, history) = Notes::open(path, mark)?;
        let left = [note("one"), note("two"), note("three")];
        assert_eq!(history, left[..history.len()]);
        left[history.len()..]
            .iter()
            .try_for_each(|record| journal.record(record))
    }

    #[test]
    fn a_journal_goes_on_where_it_was() {
        let (_folder, path, mark) = written();
        let (mut journal, history) = Notes::open(&path, mark).unwrap();
        assert_eq!(history, [note("one")]);
        for record in [note("two"), note("three")] {
            assert_eq!(journal.ahead().unwrap(), &record);
            journal.record(&record).unwrap();
        }
        assert_eq!(journal.ahead(), None);
        journal.record(&note("four")).unwrap();
        let end = journal.mark();
        assert_eq!(fs::read(&path).unwrap().len() as u64, end.bytes);
        let (journal, history) = Notes::open(&path, end).unwrap();
        assert_eq!(history, ["one", "two", "three", "four"].map(note));
        assert_eq!((journal.mark(), journal.ahead()), (end, None));
        assert!(told(Notes::create(&path)).contains("cannot be made"));
    }

    #[test]
    fn the_last_line_is_repaired_wherever_it_is_cut() {
        let (_folder, path, mark) = written();
        let bytes = fs::read(&path).unwrap();
        for length in mark.bytes as usize..bytes.len() {
            fs::write(&path, &bytes[..length]).unwrap();
            go_on(&path, mark).unwrap();
            assert_eq!(fs::read(&path).unwrap(), bytes, "cut to {length} bytes");
        }
        let (before, _) = bytes.split_at(bytes.len() - 10);
        fs::write(&path, [before, b"\0\0\0\0\n"].concat()).unwrap();
        go_on(&path, mark).unwrap();
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }

    #[test]
    fn every_changed_byte_is_named_or_repaired() {
        let (_folder, path, mark) = written();
        let whole = fs::read(&path).unwrap();
        let line_of = |at: usize| 1 + whole[..at].iter().filter(|&&byte| byte == b'\n').count();
        for at in 0..whole.len() {
            for to in (0..=255).filter(|&to| to != whole[at]) {
                let mut bytes = whole.clone();
                bytes[at] = to;
                fs::write(&path, &bytes).unwrap();
                // Where the end of a line is gone, that line and the next are one.
                let Err(error) = go_on(&path, mark) else {
                    assert_eq!(fs::read(&path).unwrap(), whole, "byte {at} is {to}");
                    assert!(line_of(at) > 1, "byte {at} is {to}");
                    continue;
                };
                let place = format!("{}: line {}: ", path.display(), line_of(at));
                assert!(error.to_string().starts_with(&place), "{at} {to}: {error}");
                assert_eq!(fs::read(&path).unwrap(), bytes, "left as it was");
            }
        }
    }

    #[test]
    fn other_damage_is_named() {
        let (_folder, path, mark) = written();
        let shown = path.display().to_string();
        let text = fs::read_to_string(&path).unwrap();
        let others = text.replace("one", "onn");
        let mut other = Notes::create(&path.with_file_name("other")).unwrap();
        other.record(&note("onn")).unwrap();
        let other = fs::read_to_string(path.with_file_name("other")).unwrap();
        for (text, expected) in [
            (
                others,
                "line 1: expected a record of the run, found \"{\\\"crc\\\"",
            ),
            (other, "lines 1 to 1: expected what the run wrote there"),
            (
                format!("\n{text}"),
                "line 1: expected a record of the run, found nothing",
            ),
            (text[..5].into(), "expected at least 1 lines, found 0"),
            (String::new(), "expected at least 1 lines, found 0"),
        ] {
            fs::write(&path, &text).unwrap();
            let told = told(Notes::open(&path, mark));
            assert!(told.starts_with(&format!("{shown}: {expected}")), "{told}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text, "left as it was");
        }
        assert!(told(Notes::open(&path.with_file_name("none"), mark)).contains("cannot be read"));
    }

    #[test]
    fn another_record_than_before_is_named() {
        let (_folder, path, mark) = written();
        let (mut journal, _) = Notes::open(&path, mark).unwrap();
        let told = told(journal.record(&note("zwei")));
        let expected = r#"line 2: expected {"text":"zwei"}, found {"text":"two"}"#;
        assert!(told.ends_with(expected), "{told}");
    }
}
