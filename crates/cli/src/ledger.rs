//! A file of records that survives an interruption at any moment and reveals damage.
//!
//! Each line is a JSON object that begins with a checksum:
//!
//! ```json
//! {"crc":"1a2b3c4d","ledger":"run","format":3,…}
//! {"crc":"5e6f7a8b","game":{…}}
//! ```
//!
//! The checksum is the CRC-32 that gzip uses. It covers the fields after the checksum up to the end of the
//! line, and the fields of all earlier lines. A changed, missing, duplicated or misplaced line breaks the
//! chain of checksums: the error names the first line whose checksum does not match, unless it is the last
//! line of the file. Only missing lines at the end leave no trace. The first line, the header, contains the
//! kind of the file, its format, and the configuration of the work.
//!
//! A process resumes the work by reading the records ([`Ledger::next_record`]) and appending further ones. An
//! incomplete or damaged last line is reported and ignored, and the next write removes it.

use crate::{input, lock, stderr::log};
use anyhow::{Context, Result, bail, ensure};
use columns_core::text::quote;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::{collections::BTreeSet, fmt, fs::File, iter, marker::PhantomData};

/// The header of a ledger: the configuration of the work that it records.
pub trait Header: Serialize + DeserializeOwned {
    /// The kind of the file as the header stores it, such as `judge run`.
    const LEDGER: &'static str;
    /// The kind of the file in messages, such as `a run of the tuner`.
    const DESCRIPTION: &'static str;
    /// The version of the format. Files in another version are refused.
    const FORMAT_VERSION: u32;
    /// The last version of the project that reads the previous format.
    const PREVIOUS_FORMAT_RELEASE: &'static str = "0.2.0";
}

/// The error for a file in the format of another version of the project.
#[derive(Debug)]
pub struct OtherFormat(String);

impl fmt::Display for OtherFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for OtherFormat {}

/// The first line of a ledger, without the checksum.
#[derive(Debug, Serialize)]
struct FirstLine<'a, H> {
    ledger: &'a str,
    format: u32,
    #[serde(flatten)]
    header: &'a H,
}

/// A file of records of type `R`. The file stays locked until the `Ledger` is dropped.
#[derive(Debug)]
pub struct Ledger<R> {
    lines: Lines,
    /// True if [`next_record`](Self::next_record) has returned all records of earlier processes.
    at_end: bool,
    record: PhantomData<R>,
}

/// A position between two lines.
#[derive(Debug, Clone, Copy, Default)]
struct Position {
    /// Number of lines before this position.
    line: u64,
    /// Number of bytes before this position.
    bytes: u64,
    /// Checksum of the previous line; 0 at the start of the file.
    crc: u32,
}

/// The file of a ledger, read and written line by line.
#[derive(Debug)]
struct Lines {
    name: String,
    description: &'static str,
    file: BufReader<File>,
    /// The position after the last line that was read or written.
    position: Position,
}

/// The maximum length of a line, in bytes. It limits the memory use for a file without line breaks, such as
/// `/dev/zero`.
const MAX_LINE_BYTES: u64 = 1 << 26;

/// The length of the start of a line, up to and including the checksum field, in bytes.
const CHECKSUM_BYTES: usize = r#"{"crc":"1a2b3c4d","#.len();

impl Position {
    /// Returns the text of a line that holds `value` at this position, and the position after the line.
    fn encode_line(self, value: &impl Serialize) -> Result<(Vec<u8>, Self)> {
        let text = serde_json::to_string(value)?;
        let fields = text.strip_prefix('{').filter(|&fields| fields != "}");
        let fields = fields.context("expected an object with fields")?.as_bytes();
        let (begin, crc) = self.line_start(fields);
        let line = [&begin, fields, b"\n"].concat();
        let position = self.advance(&line, crc);
        Ok((line, position))
    }

    /// Returns the JSON object of a line that was read at this position, and the position after the line;
    /// `None` if the checksum differs or the line is incomplete.
    fn decode_line(self, line: &[u8]) -> Option<(Vec<u8>, Self)> {
        let (actual, fields) = line.strip_suffix(b"\n")?.split_at_checked(CHECKSUM_BYTES)?;
        let (begin, crc) = self.line_start(fields);
        let object = || ([b"{", fields].concat(), self.advance(line, crc));
        (actual == begin).then(object)
    }

    /// Returns the first [`CHECKSUM_BYTES`] bytes of a line with these fields, and the checksum.
    fn line_start(self, fields: &[u8]) -> (Vec<u8>, u32) {
        let mut hasher = crc32fast::Hasher::new_with_initial(self.crc);
        hasher.update(fields);
        let crc = hasher.finalize();
        (format!(r#"{{"crc":"{crc:08x}","#).into_bytes(), crc)
    }

    /// Returns the position after a line with this checksum.
    fn advance(self, line: &[u8], crc: u32) -> Self {
        Self {
            line: self.line + 1,
            bytes: self.bytes + line.len() as u64,
            crc,
        }
    }
}

fn unreadable(name: &str) -> String {
    format!("{name}: cannot be read")
}

/// Reads a line with its newline. The line is incomplete if it exceeds [`MAX_LINE_BYTES`] or the file ends.
fn read_line(file: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    file.take(MAX_LINE_BYTES).read_until(b'\n', &mut line)?;
    Ok(line)
}

impl Lines {
    /// Reads the header of a file. The position of `file` must be 0.
    fn open<H: Header>(name: &str, file: File) -> Result<(Self, H)> {
        let (description, expected) = (H::DESCRIPTION, H::FORMAT_VERSION);
        let mut lines = Self {
            name: name.into(),
            description,
            file: BufReader::with_capacity(1 << 16, file),
            position: Position::default(),
        };
        // Without a first line, `next` returns an error, so the default is never used.
        let header = lines.next::<Value>()?.unwrap_or_default();
        let ledger = &header["ledger"];
        ensure!(
            *ledger == H::LEDGER,
            "{name}: expected {description}, found a ledger of {}",
            ledger.as_str().unwrap_or("nothing")
        );
        let format = &header["format"];
        if *format != expected {
            let is_previous = format.as_u64() == Some(u64::from(expected) - 1);
            let advice = if is_previous {
                format!(
                    "version {} of this command reads it",
                    H::PREVIOUS_FORMAT_RELEASE
                )
            } else {
                "make it again".into()
            };
            bail!(OtherFormat(format!(
                "{name}: expected {description} in format {expected}, found format {format}: {advice}"
            )));
        }
        let other = || format!("{name}: line 1: expected a line of {description}");
        Ok((lines, serde_json::from_value(header).with_context(other)?))
    }

    /// Reads the next line; `None` at the end of the file. A truncated or damaged last line also counts as
    /// the end, and is reported on standard error. A truncated or damaged header is an error.
    fn next<R: DeserializeOwned>(&mut self) -> Result<Option<R>> {
        let (name, description, before) = (&self.name, self.description, self.position.line);
        let number = before + 1;
        let line = read_line(&mut self.file).with_context(|| unreadable(name))?;
        let Some((object, next)) = self.position.decode_line(&line) else {
            let rest = self.file.fill_buf().with_context(|| unreadable(name))?;
            if before > 0 && rest.is_empty() {
                if !line.is_empty() {
                    // A killed process leaves a partial line. A complete line must have been damaged.
                    let whole = line.ends_with(b"\n");
                    let state = if whole { "damaged" } else { "incomplete" };
                    report_ignored_last_line(&format!("{name}: line {number}: {state}"));
                }
                return Ok(None);
            }
            let (expected, advice) = match before {
                0 => (format!("the header of {description}"), "give another one"),
                _ => (
                    format!("the line of {description} that follows line {before}"),
                    "delete this line and all after it: the work then continues from there",
                ),
            };
            let found = quote(&String::from_utf8_lossy(line.trim_ascii_end()));
            bail!(
                "{name}: line {number}: expected {expected}, found another or a changed one: {found}; \
                 restore a copy of the file, or {advice}"
            );
        };
        self.position = next;
        let record = serde_json::from_slice(&object);
        let other = || format!("{name}: line {number}: expected a line of {description}");
        Ok(Some(record.with_context(other)?))
    }
}

/// Prints that the last line of a ledger is ignored. `state` names the file, the line and its fault, and is
/// printed only once, even if the command reads the ledger twice.
fn report_ignored_last_line(state: &str) {
    static REPORTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut reported = REPORTED.lock().unwrap_or_else(PoisonError::into_inner);
    if reported.insert(state.to_string()) {
        log(&format!("{state}, so this last line is ignored"));
    }
}

/// Writes a line at the byte offset `end` in one call, so that readers see only complete lines. Truncates the
/// file at `end` first, since a killed process may have left a partial line.
fn write_at(mut file: &File, end: u64, line: &[u8]) -> io::Result<()> {
    if file.metadata()?.len() != end {
        file.set_len(end)?;
    }
    file.seek(SeekFrom::Start(end))?;
    file.write_all(line)
}

impl<R: Serialize + DeserializeOwned> Ledger<R> {
    /// Opens the ledger with this header. Creates the ledger if the file does not exist, or if it contains
    /// only a part of this header.
    ///
    /// # Errors
    /// Returns an error if another process has locked the file, if the file is not a ledger of this kind,
    /// format and header, or if it cannot be read or written. The error names the file.
    pub fn open_or_create<H: Header>(path: &Path, header: &H) -> Result<Self> {
        let (ledger, recorded) = Self::open_with_any_header(path, header)?;
        check_same(path, &recorded, header)?;
        Ok(ledger)
    }

    /// Opens a ledger as [`Ledger::open_or_create`] does, but accepts a file whose header differs from
    /// `header`. Returns the ledger and the file's header.
    ///
    /// # Errors
    /// Returns an error as [`Ledger::open_or_create`] does, but not for a different header.
    pub fn open_with_any_header<H: Header>(path: &Path, header: &H) -> Result<(Self, H)> {
        let name = input::name(path);
        let busy = format!("{name}: another process is working on this {}", H::LEDGER);
        let file = lock::open_locked(path, &busy)?;
        let first_line = FirstLine {
            ledger: H::LEDGER,
            format: H::FORMAT_VERSION,
            header,
        };
        let (first, _) = Position::default().encode_line(&first_line)?;
        let mut start = Vec::new();
        let result = (&file).take(first.len() as u64).read_to_end(&mut start);
        result.with_context(|| unreadable(&name))?;
        if start.len() < first.len() && first.starts_with(&start) {
            let written = write_at(&file, 0, &first).and_then(|()| file.sync_data());
            written.with_context(|| format!("{name}: cannot be written"))?;
        }
        // Read through the handle that holds the lock: by now, the path may lead to another file.
        (&file).rewind().with_context(|| unreadable(&name))?;
        let (lines, header) = Lines::open::<H>(&name, file)?;
        let ledger = Self {
            lines,
            at_end: false,
            record: PhantomData,
        };
        Ok((ledger, header))
    }

    /// Returns the next record of an earlier process; `None` after the last one.
    ///
    /// # Errors
    /// Returns an error if a line before the last one is damaged. The error names the file and the line.
    pub fn next_record(&mut self) -> Result<Option<R>> {
        if self.at_end {
            return Ok(None);
        }
        let record = self.lines.next()?;
        self.at_end = record.is_none();
        Ok(record)
    }

    /// Appends a record. Once this returns, the record survives a crash of the process. It survives a crash
    /// of the system only after [`Ledger::sync`].
    ///
    /// # Errors
    /// Returns an error if a line before the last one is damaged, or if the file cannot be written. The error
    /// names the file.
    pub fn append(&mut self, record: &R) -> Result<()> {
        while self.next_record()?.is_some() {}
        let (line, next) = self.lines.position.encode_line(record)?;
        self.write(|file, end| write_at(file, end, &line))?;
        self.lines.position = next;
        Ok(())
    }

    /// Waits until all records are on the disk. Removes a truncated or damaged last line.
    ///
    /// # Errors
    /// Returns an error if a line before the last one is damaged, or if the file cannot be written. The error
    /// names the file.
    pub fn sync(&mut self) -> Result<()> {
        while self.next_record()?.is_some() {}
        self.write(|file, end| {
            write_at(file, end, b"")?;
            file.sync_data()
        })
    }

    fn write(&self, write: impl FnOnce(&File, u64) -> io::Result<()>) -> Result<()> {
        let written = write(self.lines.file.get_ref(), self.lines.position.bytes);
        written.with_context(|| format!("{}: cannot be written", self.lines.name))
    }
}

/// Reads the header and the records of a ledger without changing it, even while another process writes to it.
/// Skips a truncated or damaged last record, and reports it on standard error.
///
/// # Errors
/// Returns an error if the file cannot be read, or if it is not a ledger of this kind and format. The
/// iterator yields an error for a damaged line and for each line after it, but not for the last line of the
/// file. Every error names the file.
pub fn read<H: Header, R: DeserializeOwned>(
    path: &Path,
) -> Result<(H, impl Iterator<Item = Result<R>> + use<H, R>)> {
    let name = input::name(path);
    let file = File::open(path).with_context(|| unreadable(&name))?;
    let (mut lines, header) = Lines::open::<H>(&name, file)?;
    let records = iter::from_fn(move || lines.next().transpose());
    Ok((header, records))
}

/// True if the header of a ledger, its first line, is complete: a full disk may have left a part of it. Also
/// true if the file exists but cannot be read, so that the caller opens the ledger and gets the reason.
pub fn has_header(path: &Path) -> bool {
    match File::open(path).and_then(|file| read_line(&mut BufReader::new(file))) {
        Ok(line) => line.ends_with(b"\n"),
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}

/// Checks that `now`, the header of the work to resume, equals `recorded`, the header in the ledger.
///
/// # Errors
/// Returns an error if the headers differ. The error names the file and the first part that differs, with
/// both values unless they are long.
pub fn check_same<H: Header>(path: &Path, recorded: &H, now: &H) -> Result<()> {
    let [recorded, now] = [recorded, now].map(serde_json::to_value);
    if let Some(difference) = difference("", &recorded?, &now?) {
        let name = input::name(path);
        bail!(
            "{name}: {difference}; give the same options as then, with the same bot, or another --out"
        );
    }
    Ok(())
}

/// The maximum length of a value in a message, in bytes. Longer values, such as networks, are not shown.
const MAX_VALUE_BYTES_SHOWN: usize = 200;

/// Describes the first part that differs between two values; `None` if they are equal. `path` is the path of
/// the values, such as `axes.potential.start`. An entry of a list is identified by its `name`, or else by its
/// index.
fn difference(path: &str, expected: &Value, actual: &Value) -> Option<String> {
    let inner = |name: &str| match path {
        "" => name.to_string(),
        _ => format!("{path}.{name}"),
    };
    match (expected, actual) {
        _ if expected == actual => None,
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let mut both = a.iter().zip(b).enumerate();
            both.find_map(|(index, (a, b))| {
                let index = index.to_string();
                difference(&inner(a["name"].as_str().unwrap_or(&index)), a, b)
            })
        }
        (Value::Object(a), Value::Object(b)) => {
            let mut names = a.keys().chain(b.keys());
            names.find_map(|name| difference(&inner(name), &expected[name], &actual[name]))
        }
        _ => Some(match (expected.to_string(), actual.to_string()) {
            (a, b) if a.len().max(b.len()) > MAX_VALUE_BYTES_SHOWN => {
                format!("{path}: expected the one with which it was begun, found another")
            }
            (a, b) => format!("{path}: expected {a} as when it was begun, found {b}"),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use std::{fs, path::PathBuf};

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Notebook {
        owner: String,
        limit: f64,
    }

    impl Header for Notebook {
        const LEDGER: &'static str = "notebook";
        const DESCRIPTION: &'static str = "a notebook";
        const FORMAT_VERSION: u32 = 7;
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Note {
        text: String,
    }

    type Notes = Ledger<Note>;

    fn header() -> Notebook {
        Notebook {
            owner: "me".into(),
            limit: 0.1,
        }
    }

    const TEXTS: [&str; 4] = ["one", "two", "two", "three"];

    /// Writes a ledger with the notes [`TEXTS`], or resumes one.
    fn work(path: &Path) -> Result<()> {
        let mut ledger = Notes::open_or_create(path, &header())?;
        let mut count = 0;
        while let Some(note) = ledger.next_record()? {
            assert_eq!(note.text, TEXTS[count]);
            count += 1;
        }
        for text in &TEXTS[count..] {
            let text = *text;
            ledger.append(&Note { text: text.into() })?;
        }
        ledger.sync()
    }

    /// Writes a complete ledger. Returns its folder, its path and its bytes.
    fn written() -> (tempfile::TempDir, PathBuf, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes");
        work(&path).unwrap();
        let bytes = fs::read(&path).unwrap();
        (folder, path, bytes)
    }

    /// Runs [`work`] on a file with these bytes, and returns its error. Asserts that the file is unchanged
    /// after an error, and equals `whole` otherwise.
    fn error_of(path: &Path, bytes: &[u8], whole: &[u8]) -> Option<String> {
        fs::write(path, bytes).unwrap();
        let error = work(path).err();
        let after = fs::read(path).unwrap();
        assert!(after == if error.is_some() { bytes } else { whole });
        error.map(|error| format!("{error:#}"))
    }

    #[test]
    fn a_ledger_is_read_back() {
        let (_folder, path, bytes) = written();
        let text = String::from_utf8(bytes).unwrap();
        let first = r#"{"crc":"6a0cdfc0","ledger":"notebook","format":7,"owner":"me","limit":0.1}"#;
        assert_eq!(text.lines().next().unwrap(), first);
        let (actual, records) = read::<Notebook, Note>(&path).unwrap();
        assert_eq!(actual, header());
        let texts: Vec<String> = records.map(|record| record.unwrap().text).collect();
        assert_eq!(texts, TEXTS);
    }

    #[test]
    fn the_work_resumes_wherever_the_file_was_cut() {
        let (_folder, path, whole) = written();
        for length in 0..whole.len() {
            assert_eq!(error_of(&path, &whole[..length], &whole), None, "{length}");
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
        let mut count = 0;
        for at in 0..whole.len() {
            let line = 1 + whole[..at].iter().filter(|&&byte| byte == b'\n').count();
            for change in [1, 2, 0x10, 0x80, whole[at] ^ b'\n'] {
                let mut bytes = whole.clone();
                bytes[at] ^= change;
                if bytes == whole {
                    continue;
                }
                let Some(message) = error_of(&path, &bytes, &whole) else {
                    assert!(line >= TEXTS.len(), "byte {at} by {change}");
                    continue;
                };
                count += 1;
                let place = format!("{}: line {line}: ", path.display());
                assert!(
                    message.starts_with(&place),
                    "byte {at} by {change}: {message}"
                );
            }
        }
        assert!(count > 2 * whole.len());
    }

    #[test]
    fn missing_doubled_and_swapped_lines_are_named() {
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
                let Some(message) = error_of(&path, &lines.concat(), &whole) else {
                    // Only the last line of the file is wrong or missing, so the work repairs the file.
                    assert!(at >= TEXTS.len() - 1, "{what} at {at}");
                    continue;
                };
                let line = match (what, at) {
                    (2, at) => at + 2,
                    (3, 4) => 1,
                    (_, at) => at + 1,
                };
                let place = format!("{}: line {line}: ", path.display());
                assert!(message.starts_with(&place), "{what} at {at}: {message}");
            }
        }
    }

    #[test]
    fn other_files_are_refused_in_one_line() {
        let (_folder, path, whole) = written();
        let text = String::from_utf8(whole.clone()).unwrap();
        let with_head = |fields: &str| {
            let object: serde_json::Value = serde_json::from_str(fields).unwrap();
            Position::default().encode_line(&object).unwrap().0
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
                "expected a notebook in format 7, found format 6: version 0.2.0 of this command reads it",
            ),
            (
                with_head(r#"{"ledger":"notebook","format":7}"#),
                "line 1: expected a line of a notebook: missing field `owner`",
            ),
            (
                text.replace("two", "twp").into_bytes(),
                "line 3: expected the line of a notebook that follows line 2, found another or a \
                 changed one: \"{\\\"crc",
            ),
            (
                b"noise".to_vec(),
                "line 1: expected the header of a notebook",
            ),
            (
                format!("\n{text}").into_bytes(),
                "line 1: expected the header of a notebook, found another or a changed one: nothing; \
                 restore a copy of the file, or give another one",
            ),
        ] {
            let message = error_of(&path, &bytes, &whole).unwrap();
            let start = format!("{}: {expected}", path.display());
            assert!(message.starts_with(&start), "{message}");
        }
        // If the user follows the advice about a damaged line, the missing records are written again.
        let damaged = text.replace("two", "twp");
        let message = error_of(&path, damaged.as_bytes(), &whole).unwrap();
        assert!(
            message.contains("; restore a copy of the file, or delete this line and all after it:")
        );
        let left: String = damaged.split_inclusive('\n').take(2).collect();
        assert_eq!(error_of(&path, left.as_bytes(), &whole), None);
    }

    #[test]
    fn the_first_difference_is_named() {
        let (_folder, path, whole) = written();
        let owner = "you".into();
        let other = Notebook { owner, ..header() };
        let message = Notes::open_or_create(&path, &other)
            .unwrap_err()
            .to_string();
        let expected = r#": owner: expected "me" as when it was begun, found "you"; give "#;
        assert!(message.contains(expected), "{message}");
        assert_eq!(fs::read(&path).unwrap(), whole);
    }

    #[test]
    fn one_process_works_at_a_time() {
        let (_folder, path, whole) = written();
        let _ledger = Notes::open_or_create(&path, &header()).unwrap();
        let message = work(&path).unwrap_err().to_string();
        let expected = ": another process is working on this notebook";
        assert!(message.ends_with(expected), "{message}");
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
}
