//! Reads files and standard input. Errors name the file and, if the text is at fault, the line.

use anyhow::{Context, Result, ensure};
use columns_core::network::Mlp;
use columns_core::rules::case::Case;
use columns_core::text;
use std::error::Error;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::str::FromStr;

/// Maximum size of a case file in bytes, far above the 40 KB of the longest case.
const MAX_CASE_BYTES: u64 = 16 << 20;

/// True for the path `-`: standard input if the file is read, standard output if it is written.
pub fn is_stdio(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns the name of a file as messages show it: `standard input` for `-`, and the path otherwise.
pub fn name(path: &Path) -> String {
    if is_stdio(path) {
        "standard input".into()
    } else {
        path.display().to_string()
    }
}

/// Reads the first `limit` bytes of a file, or of standard input for `-`.
///
/// # Errors
/// Returns an error if the file cannot be read. The error names the file.
pub fn read_start(path: &Path, limit: u64) -> Result<Vec<u8>> {
    try_read_start(path, limit).with_context(|| format!("{}: cannot be read", name(path)))
}

fn try_read_start(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if is_stdio(path) {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)?;
    } else {
        File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Reads a text file of at most `limit` bytes, or standard input for `-`. Skips a byte order mark. The error
/// for a larger file states `limit` in whole MiB.
///
/// # Errors
/// Returns an error if the file cannot be read, is larger, or is not UTF-8. The error names the file, and the
/// line of the first invalid byte.
pub fn read(path: &Path, limit: u64) -> Result<String> {
    let bytes = read_start(path, limit + 1)?;
    ensure!(
        bytes.len() as u64 <= limit,
        "{}: expected at most {} MiB",
        name(path),
        limit >> 20
    );
    let text = text::decode_utf8(&bytes).with_context(|| name(path))?;
    // Some editors begin a file with a byte order mark.
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_string())
}

/// Reads and parses a file of at most `limit` bytes, or standard input for `-`.
///
/// # Errors
/// Returns an error if the file cannot be read or parsed. The error names the file and says in one line what
/// is wrong.
pub fn read_parsed<T>(path: &Path, limit: u64) -> Result<T>
where
    T: FromStr,
    T::Err: Error + Send + Sync + 'static,
{
    read(path, limit)?.parse().with_context(|| name(path))
}

/// Reads a case from a file, or from standard input for `-`.
///
/// # Errors
/// Returns an error if the file cannot be read or is not a case. The error names the file. If the file is not
/// a case, the error also names the line, and says what was expected there.
pub fn read_case(path: &Path) -> Result<Case> {
    read_parsed(path, MAX_CASE_BYTES)
}

/// Maximum size in bytes of a small text file, such as weights, a network or a configuration.
pub const MAX_FILE_BYTES: u64 = 1 << 20;

/// Reads a network: the first line of a file that `tuner learn` or a run of `tuner fit` wrote.
///
/// Returns `None` for the path `none`.
///
/// # Errors
/// Returns an error if the file cannot be read or is not a network. The error names the file and says in one
/// line what was expected.
pub fn read_network<const PAIRS: usize>(path: &Path) -> Result<Option<Box<Mlp<PAIRS>>>> {
    if path.as_os_str() == "none" {
        return Ok(None);
    }
    let text = read(path, MAX_FILE_BYTES)?;
    let line = text.lines().next().unwrap_or_default();
    let network = Mlp::parse(line);
    network.map(Some).with_context(|| {
        let name = name(path);
        format!("{name}: expected a network of `tuner learn`")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_is_the_first_line_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("network.txt");
        let read = |text: &str| {
            std::fs::write(&path, format!("{text}\nwhere it comes from\n")).unwrap();
            read_network::<1>(&path)
        };
        let mut network = Mlp::ZERO;
        network.feature_means = [[3, -200]];
        network.linear_weights = [[0, -24]];
        let text = network.to_text();
        assert_eq!(*read(&text).unwrap().unwrap(), network);
        for other in ["", &text[1..], &format!("{text}O")] {
            let error = read(other).unwrap_err().to_string();
            assert!(error.ends_with("network.txt: expected a network of `tuner learn`"));
        }
    }

    #[test]
    fn errors_name_the_file_and_the_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let path_text = path.display();
        let result = |bytes: &[u8], limit| {
            std::fs::write(&path, bytes).unwrap();
            read(&path, limit).map_err(|error| format!("{error:#}"))
        };
        assert_eq!(result(b"1\n2", 3), Ok("1\n2".into()));
        assert_eq!(result(b"\xef\xbb\xbf1\n2", 9), Ok("1\n2".into()));
        assert_eq!(
            result(&vec![b'x'; (2 << 20) + 1], 2 << 20),
            Err(format!("{path_text}: expected at most 2 MiB"))
        );
        assert_eq!(
            result(b"1\n2\n\xff", 9),
            Err(format!(
                "{path_text}: line 3: expected text, found bytes that are not UTF-8"
            ))
        );
        assert_eq!(read_start(&path, 2).unwrap(), b"1\n");
        let message = |path: &Path| format!("{:#}", read(path, 9).unwrap_err());
        for unreadable in [folder.path(), &folder.path().join("none")] {
            let start = format!("{}: cannot be read: ", unreadable.display());
            assert!(message(unreadable).starts_with(&start));
        }
        std::fs::write(&path, "6 13\nx").unwrap();
        let error = format!("{:#}", read_case(&path).unwrap_err());
        assert!(error.starts_with(&format!(
            "{path_text}: line 2: expected the number of columns"
        )));
    }
}
