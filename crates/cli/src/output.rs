//! Prints to standard output, and handles a reader that has closed it.

use crate::progress;
use anyhow::{Context, Error, Result};
use columns_core::text::group_digits;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::os::{fd::AsFd, unix::fs::FileTypeExt};

/// Prints text to standard output and flushes it. Succeeds even if the reader has closed the pipe or the
/// terminal.
///
/// # Errors
/// Returns an error if the text cannot be written.
pub fn print(text: &str) -> Result<()> {
    ignore_closed_pipe(print_to_reader(text))
}

/// Like [`print()`], but fails if the reader has closed the pipe. Meant for work that is useless without a
/// reader.
///
/// # Errors
/// Returns an error if the text cannot be written, or if the reader has closed the pipe: see
/// [`ignore_closed_pipe`].
pub fn print_to_reader(text: &str) -> Result<()> {
    let written = progress::suspend(|| {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes()).and_then(|()| out.flush())
    });
    let written = written.map_err(|error| {
        if is_hangup(&error) {
            ErrorKind::BrokenPipe.into()
        } else {
            error
        }
    });
    written.context("standard output")
}

/// True if `error` means that standard output is a terminal that has been closed. If standard output is a
/// file, the same error means that the disk has failed.
fn is_hangup(error: &io::Error) -> bool {
    let stdout = io::stdout().as_fd().try_clone_to_owned().map(File::from);
    let metadata = stdout.and_then(|stdout| stdout.metadata());
    error.raw_os_error() == Some(nix::errno::Errno::EIO as i32)
        && metadata.is_ok_and(|metadata| metadata.file_type().is_char_device())
}

/// Formats a count: `1 game`, `2 games`, `1,000 games`.
pub fn count_text(number: usize, thing: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {thing}{s}", group_digits(number as u64))
}

/// True if this error means that the reader of standard output has closed the pipe.
pub fn is_closed_pipe(error: &Error) -> bool {
    let cause = error.downcast_ref::<io::Error>();
    cause.is_some_and(|cause| cause.kind() == ErrorKind::BrokenPipe)
}

/// Returns `result`, but turns an error into success if the error means that the reader of standard output
/// has closed the pipe.
///
/// # Errors
/// Returns any other error in `result` unchanged.
pub fn ignore_closed_pipe<T: Default>(result: Result<T>) -> Result<T> {
    result.or_else(|error| {
        if is_closed_pipe(&error) {
            Ok(T::default())
        } else {
            Err(error)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_a_plural_and_separators() {
        let texts = [0, 1, 13_948].map(|number| count_text(number, "game"));
        assert_eq!(texts, ["0 games", "1 game", "13,948 games"]);
    }

    #[test]
    fn only_a_closed_pipe_is_ignored() {
        let fails = |kind: ErrorKind| -> Result<u8> {
            Err(io::Error::from(kind)).context("standard output")
        };
        assert_eq!(ignore_closed_pipe(Ok(7)).unwrap(), 7);
        assert_eq!(ignore_closed_pipe(fails(ErrorKind::BrokenPipe)).unwrap(), 0);
        assert!(ignore_closed_pipe(fails(ErrorKind::StorageFull)).is_err());
    }
}
