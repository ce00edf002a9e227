//! A file of records that survives a stop at any moment, and in which no damage goes unnoticed.
//!
//! Each line is an object in JSON that begins with a checksum:
//!
//! ```json
//! {"crc":"1a2b3c4d","ledger":"run","format":3,…}
//! {"crc":"5e6f7a8b","game":{…}}
//! ```
//!
//! The checksum is the CRC-32 (that of gzip) of what follows it, up to the closing brace, in this
//! line and in all before it. So a line that is changed, missing, doubled or in another place does
//! not fit to the line before, and is named by its number. The first line, the head, says what the
//! file holds, in which format, and with which configuration.
//!
//! To continue after a stop is to read the records that are there ([`Ledger::pass`]) and to append
//! others. A last line that was cut off is removed when the next one is written.

use anyhow::{bail, ensure, Context, Result};
use columns_cli::{input, lock};
use columns_core::text::quote;
use serde::de::DeserializeOwned;
use serde::Serialize;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::{fs::File, iter, marker::PhantomData};

/// What the head of a ledger holds: the configuration of the work that it records.
pub trait Head: Serialize + DeserializeOwned {
    /// What the file is, in one word.
    const LEDGER: &'static str;
    /// The same in messages, such as `a run of the tuner`.
    const WHAT: &'static str;
    /// The version of the format.
    const FORMAT: u32;
    /// The format of version 0.2 of the tuner.
    const FORMAT_0_2: u32 = 0;
}

/// The head as it is in the first line.
#[derive(Debug, Serialize)]
struct Titled<'a, H> {
    ledger: &'a str,
    format: u32,
    #[serde(flatten)]
    head: &'a H,
}

/// A file of records of type `R`, locked until this is dropped.
#[derive(Debug)]
pub struct Ledger<R> {
    path: PathBuf,
    /// To write.
    file: File,
    /// The lines that have not been passed.
    lines: Option<Lines>,
    /// The place behind the last line that was passed or written.
    place: Place,
    record: PhantomData<R>,
}

/// A place between two lines.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    /// Lines before it.
    line: u64,
    /// Their bytes.
    bytes: u64,
    /// The checksum of the last of them.
    crc: u32,
}

/// Reads the whole lines of a file, one after the other.
#[derive(Debug)]
struct Lines {
    name: String,
    what: &'static str,
    file: BufReader<File>,
    place: Place,
}

/// The most bytes of a line; a device may have no other end.
const LONGEST: u64 = 1 << 26;

/// The length of the part with the checksum, in bytes.
const HEAD: usize = r#"{"crc":"1a2b3c4d","#.len();

impl Place {
    /// The line of a value that follows here, and the place behind it.
    fn write(self, value: &impl Serialize) -> Result<(Vec<u8>, Self)> {
        let text = serde_json::to_string(value)?;
        let fields = text.strip_prefix('{').filter(|&fields| fields != "}");
        let fields = fields.context("expected an object with fields")?.as_bytes();
        let crc = self.checksum(fields);
        let line = [&begin(crc), fields, b"\n"].concat();
        let place = self.behind(&line, crc);
        Ok((line, place))
    }

    /// The fields of a line that follows here, as an object, and the place behind it; nothing if it
    /// does not follow.
    fn read(self, line: &[u8]) -> Option<(Vec<u8>, Self)> {
        let (found, fields) = line.strip_suffix(b"\n")?.split_at_checked(HEAD)?;
        let crc = self.checksum(fields);
        let object = || ([b"{", fields].concat(), self.behind(line, crc));
        (found == begin(crc)).then(object)
    }

    fn checksum(self, fields: &[u8]) -> u32 {
        let mut hasher = crc32fast::Hasher::new_with_initial(self.crc);
        hasher.update(fields);
        hasher.finalize()
    }

    fn behind(self, line: &[u8], crc: u32) -> Self {
        Self {
            line: self.line + 1,
            bytes: self.bytes + line.len() as u64,
            crc,
        }
    }
}

fn begin(crc: u32) -> Vec<u8> {
    format!(r#"{{"crc":"{crc:08x}","#).into_bytes()
}

impl Lines {
    /// The next line and its record. Nothing at the end, or where the last line was cut off.
    fn next<R: DeserializeOwned>(&mut self) -> Result<Option<R>> {
        let (name, what, before) = (&self.name, self.what, self.place.line);
        let unreadable = || format!("{name}: cannot be read");
        let mut line = Vec::new();
        let mut file = (&mut self.file).take(LONGEST);
        file.read_until(b'\n', &mut line).with_context(unreadable)?;
        let Some((object, behind)) = self.place.read(&line) else {
            let rest = self.file.fill_buf().with_context(unreadable)?;
            ensure!(
                rest.is_empty(),
                "{name}: line {}: expected the line of {what} that follows line {before}, found \
                 another or a changed one: {}",
                before + 1,
                quote(&String::from_utf8_lossy(line.trim_ascii_end()))
            );
            return Ok(None);
        };
        self.place = behind;
        let record = serde_json::from_slice(&object);
        let other = || format!("{name}: line {}: expected a line of {what}", before + 1);
        Ok(Some(record.with_context(other)?))
    }

    /// Reads the head of a file, which is open at its beginning.
    fn of<H: Head>(path: &Path, file: File) -> Result<(Self, H)> {
        let (name, what, expected) = (input::name(path), H::WHAT, H::FORMAT);
        let mut lines = Self {
            name: name.clone(),
            what,
            file: BufReader::with_capacity(1 << 16, file),
            place: Place::default(),
        };
        let head = lines.next::<Value>()?;
        let head = head.with_context(|| format!("{name}: line 1: expected the head of {what}"))?;
        // Files from before there were ledgers have a format only.
        if let Some(ledger) = head["ledger"]
            .as_str()
            .filter(|&ledger| ledger != H::LEDGER)
        {
            bail!("{name}: expected {what}, found a ledger of {ledger}");
        }
        let found = &head["format"];
        ensure!(
            *found == expected,
            "{name}: expected {what} in format {expected}, found format {found}: {}",
            if *found == H::FORMAT_0_2 {
                "version 0.2 of the tuner reads it; begin a new one, or finish it with that version"
            } else {
                "make it again"
            }
        );
        let other = || format!("{name}: line 1: expected a line of {what}");
        Ok((lines, serde_json::from_value(head).with_context(other)?))
    }
}

impl<R: Serialize + DeserializeOwned> Ledger<R> {
    /// Opens the ledger of the work of this head, or begins it where there is no file, or only a
    /// part of this head.
    ///
    /// # Errors
    /// One line with the file's name: that another process works on it, that it is no such ledger
    /// or one of another format or head, or why it cannot be read or written.
    pub fn open_or_create<H: Head>(path: &Path, head: &H) -> Result<Self> {
        let (ledger, begun) = Self::open_or_begin(path, head)?;
        expect_same(path, &begun, head)?;
        Ok(ledger)
    }

    /// As [`Ledger::open_or_create`] for a head that may differ from that of the file, which is
    /// returned.
    ///
    /// # Errors
    /// Those of [`Ledger::open_or_create`], but for another head.
    pub fn open_or_begin<H: Head>(path: &Path, head: &H) -> Result<(Self, H)> {
        let titled = Titled {
            ledger: H::LEDGER,
            format: H::FORMAT,
            head,
        };
        let (first, _) = Place::default().write(&titled)?;
        let mut ledger = Self::locked(path, H::WHAT)?;
        let mut there = Vec::new();
        let start = (&ledger.file).take(first.len() as u64);
        let read = { start }.read_to_end(&mut there);
        read.with_context(|| format!("{}: cannot be read", input::name(path)))?;
        if there.len() < first.len() && first.starts_with(&there) {
            ledger.put(&first)?;
            ledger.place.bytes = first.len() as u64;
            ledger.sync()?;
        }
        ledger.with_head()
    }

    /// Reads the head through the handle that holds the lock: Windows refuses any other.
    fn with_head<H: Head>(mut self) -> Result<(Self, H)> {
        let file = self.file.seek(SeekFrom::Start(0));
        let file = file.and_then(|_| self.file.try_clone());
        let file = file.with_context(|| format!("{}: cannot be read", input::name(&self.path)))?;
        let (lines, head) = Lines::of::<H>(&self.path, file)?;
        self.place = lines.place;
        self.lines = Some(lines);
        Ok((self, head))
    }

    /// Passes the next record that an earlier process wrote; `None` after the last of them.
    ///
    /// # Errors
    /// One line with the file's name and the line in it, if the line is not as it was written.
    pub fn pass(&mut self) -> Result<Option<R>> {
        let Some(lines) = &mut self.lines else {
            return Ok(None);
        };
        let record = lines.next()?;
        self.place = lines.place;
        if record.is_none() {
            self.lines = None;
        }
        Ok(record)
    }

    fn locked(path: &Path, what: &str) -> Result<Self> {
        let name = input::name(path);
        let busy = format!("{name}: another process is working on {what}");
        Ok(Self {
            path: path.into(),
            file: lock::open(path, &busy)?,
            lines: None,
            place: Place::default(),
            record: PhantomData,
        })
    }

    /// Appends a record behind all that are there. It is in the file when this returns: it survives
    /// the end of the process, but not that of the system, see [`Ledger::sync`].
    ///
    /// # Errors
    /// One line with the file's name: which line is damaged, or why the file cannot be written.
    pub fn record(&mut self, record: &R) -> Result<()> {
        while self.pass()?.is_some() {}
        let (line, behind) = self.place.write(record)?;
        self.put(&line)?;
        self.place = behind;
        Ok(())
    }

    /// Writes a line behind the last place, in one call, so that a reader sees
    /// whole lines; what a process that was killed left of another is taken away.
    fn put(&mut self, line: &[u8]) -> Result<()> {
        let end = self.place.bytes;
        (|| {
            if self.file.metadata()?.len() != end {
                self.file.set_len(end)?;
            }
            self.file.seek(SeekFrom::Start(end))?;
            self.file.write_all(line)
        })()
        .with_context(|| format!("{}: cannot be written", input::name(&self.path)))
    }

    /// Returns when all records are on the disk; what was cut off behind them is removed.
    ///
    /// # Errors
    /// Why they cannot be brought there; or which line is damaged.
    pub fn sync(&mut self) -> Result<()> {
        while self.pass()?.is_some() {}
        (|| {
            if self.file.metadata()?.len() != self.place.bytes {
                self.file.set_len(self.place.bytes)?;
            }
            self.file.sync_data()
        })()
        .with_context(|| format!("{}: cannot be written", input::name(&self.path)))
    }
}

/// Reads a ledger without changing it; another process may be working on it. Gives its head and its
/// records, without a last one that was cut off.
///
/// # Errors
/// One line with the file's name: that it is no such ledger or one of another format, or why it
/// cannot be read; for a record the line that is not as it was written.
pub fn read<H: Head, R: DeserializeOwned>(
    path: &Path,
) -> Result<(H, impl Iterator<Item = Result<R>>)> {
    let file = File::open(path);
    let file = file.with_context(|| format!("{}: cannot be read", input::name(path)))?;
    let (mut lines, head) = Lines::of::<H>(path, file)?;
    let records = iter::from_fn(move || lines.next().transpose());
    Ok((head, records))
}

/// Checks that work which continues a ledger has the head that it was begun with.
///
/// # Errors
/// One line with the file's name, and the part that differs with both values.
pub fn expect_same<H: Head>(path: &Path, begun: &H, now: &H) -> Result<()> {
    let [begun, now] = [begun, now].map(serde_json::to_value);
    if let Some(difference) = difference(H::WHAT, &begun?, &now?) {
        let name = input::name(path);
        bail!("{name}: {difference}; give what it was made with, or another --out");
    }
    Ok(())
}

/// The most characters of a value that are shown; a network has thousands.
const LONG: usize = 200;

/// The first part of a value that is not the same in another, with both values, as a line for the
/// user. Nothing if all are the same.
fn difference(name: &str, expected: &Value, found: &Value) -> Option<String> {
    match (expected, found) {
        _ if expected == found => None,
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let mut both = a.iter().zip(b);
            both.find_map(|(a, b)| difference(name, a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let mut names = a.keys().chain(b.keys());
            names.find_map(|name| difference(name, &expected[name], &found[name]))
        }
        _ => Some(match (expected.to_string(), found.to_string()) {
            (a, b) if a.len().max(b.len()) > LONG => {
                format!("{name}: expected what it was begun with, found another")
            }
            (a, b) => format!("{name}: expected {a} as it was begun with, found {b}"),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use std::fs;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Notebook {
        owner: String,
        limit: f64,
    }

    impl Head for Notebook {
        const LEDGER: &'static str = "notebook";
        const WHAT: &'static str = "a notebook";
        const FORMAT: u32 = 7;
        const FORMAT_0_2: u32 = 6;
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Note {
        text: String,
    }

    type Notes = Ledger<Note>;

    fn head() -> Notebook {
        Notebook {
            owner: "me".into(),
            limit: 0.1,
        }
    }

    const TEXTS: [&str; 4] = ["one", "two", "two", "three"];

    /// Does the work, of which some may be in the file.
    fn work(path: &Path) -> Result<()> {
        let mut ledger = Notes::open_or_create(path, &head())?;
        let mut there = 0;
        while let Some(note) = ledger.pass()? {
            assert_eq!(note.text, TEXTS[there]);
            there += 1;
        }
        for text in &TEXTS[there..] {
            let text = *text;
            ledger.record(&Note { text: text.into() })?;
        }
        ledger.sync()
    }

    /// A ledger of the whole work.
    fn written() -> (tempfile::TempDir, PathBuf, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes");
        work(&path).unwrap();
        let bytes = fs::read(&path).unwrap();
        (folder, path, bytes)
    }

    /// The error of the work on a file of these bytes, which stays as it is; nothing if it comes to
    /// the whole.
    fn told(path: &Path, bytes: &[u8], whole: &[u8]) -> Option<String> {
        fs::write(path, bytes).unwrap();
        let error = work(path).err();
        let left = fs::read(path).unwrap();
        assert!(left == if error.is_some() { bytes } else { whole });
        error.map(|error| format!("{error:#}"))
    }

    #[test]
    fn a_ledger_is_read_as_it_was_written() {
        let (_folder, path, bytes) = written();
        let text = String::from_utf8(bytes).unwrap();
        let first = r#"{"crc":"6a0cdfc0","ledger":"notebook","format":7,"owner":"me","limit":0.1}"#;
        assert_eq!(text.lines().next().unwrap(), first);
        let (found, records) = read::<Notebook, Note>(&path).unwrap();
        assert_eq!(found, head());
        let texts: Vec<String> = records.map(|record| record.unwrap().text).collect();
        assert_eq!(texts, TEXTS);
    }

    #[test]
    fn the_work_goes_on_wherever_the_file_was_cut() {
        let (_folder, path, whole) = written();
        for length in 0..whole.len() {
            assert_eq!(told(&path, &whole[..length], &whole), None, "{length}");
        }
        let cut = &whole[..whole.len() - 3];
        fs::write(&path, cut).unwrap();
        let (_, records) = read::<Notebook, Note>(&path).unwrap();
        assert_eq!(records.count(), TEXTS.len() - 1);
        assert_eq!(fs::read(&path).unwrap(), cut, "reading changes nothing");
    }

    #[test]
    fn every_changed_byte_is_named_or_repaired() {
        let (_folder, path, whole) = written();
        let mut named = 0;
        for at in 0..whole.len() {
            let line = 1 + whole[..at].iter().filter(|&&byte| byte == b'\n').count();
            for change in [1, 2, 0x10, 0x80, whole[at] ^ b'\n'] {
                let mut bytes = whole.clone();
                bytes[at] ^= change;
                if bytes == whole {
                    continue;
                }
                let Some(told) = told(&path, &bytes, &whole) else {
                    assert!(line >= TEXTS.len(), "byte {at} by {change}");
                    continue;
                };
                named += 1;
                let place = format!("{}: line {line}: ", path.display());
                assert!(told.starts_with(&place), "byte {at} by {change}: {told}");
            }
        }
        assert!(named > 2 * whole.len());
    }

    #[test]
    fn lines_that_are_missing_doubled_or_swapped_are_named() {
        let (_folder, path, whole) = written();
        let lines: Vec<&[u8]> = whole.split_inclusive(|&byte| byte == b'\n').collect();
        for at in 0..lines.len() {
            let mut missing = lines.clone();
            missing.remove(at);
            let mut doubled = lines.clone();
            doubled.insert(at, lines[at]);
            let mut swapped = lines.clone();
            swapped.swap(at, (at + 1) % lines.len());
            for (what, lines) in [(1, missing), (2, doubled), (3, swapped)] {
                let Some(told) = told(&path, &lines.concat(), &whole) else {
                    // The last line may be written again; so may two that follow a wrong order.
                    assert!(at >= TEXTS.len() - 1, "{what} at {at}");
                    continue;
                };
                let line = match (what, at) {
                    (2, at) => at + 2,
                    (3, 4) => 1,
                    (_, at) => at + 1,
                };
                let place = format!("{}: line {line}: ", path.display());
                assert!(told.starts_with(&place), "{what} at {at}: {told}");
            }
        }
    }

    #[test]
    fn what_is_no_such_ledger_is_refused_in_a_line() {
        let (_folder, path, whole) = written();
        let text = String::from_utf8(whole.clone()).unwrap();
        let with_head = |fields: &str| {
            let object: serde_json::Value = serde_json::from_str(fields).unwrap();
            Place::default().write(&object).unwrap().0
        };
        for (bytes, expected) in [
            (
                with_head(r#"{"ledger":"diary","format":7}"#),
                "expected a notebook, found a ledger of diary",
            ),
            (
                with_head(r#"{"ledger":"notebook","format":8}"#),
                "expected a notebook in format 7, found format 8: make it again",
            ),
            (
                with_head(r#"{"ledger":"notebook","format":6}"#),
                "expected a notebook in format 7, found format 6: version 0.2 of the tuner reads it",
            ),
            (
                with_head(r#"{"ledger":"notebook","format":7}"#),
                "line 1: expected a line of a notebook: missing field `owner`",
            ),
            (b"noise".to_vec(), "line 1: expected the head of a notebook"),
            (
                format!("\n{text}").into_bytes(),
                "line 1: expected the line of a notebook that follows line 0, found another or a \
                 changed one: nothing",
            ),
        ] {
            let told = told(&path, &bytes, &whole).unwrap();
            let start = format!("{}: {expected}", path.display());
            assert!(told.starts_with(&start), "{told}");
        }
    }

    #[test]
    fn the_part_that_differs_is_named() {
        let (_folder, path, whole) = written();
        let owner = "you".into();
        let other = Notebook { owner, ..head() };
        let told = Notes::open_or_create(&path, &other)
            .unwrap_err()
            .to_string();
        let expected = r#": owner: expected "me" as it was begun with, found "you"; give "#;
        assert!(told.contains(expected), "{told}");
        assert_eq!(fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn one_process_works_at_a_time() {
        let (_folder, path, whole) = written();
        let _ledger = Notes::open_or_create(&path, &head()).unwrap();
        let busy = work(&path).unwrap_err().to_string();
        let expected = ": another process is working on a notebook";
        assert!(busy.ends_with(expected), "{busy}");
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
}
