//! The main function that all commands share: parses the command line, runs the command, and returns the exit
//! status.

use crate::output::ignore_closed_pipe;
use crate::progress;
use crate::signals;
use crate::stderr::{fail, log, warn};
use anyhow::{Result, anyhow};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, Parser};
use std::ffi::OsStr;
use std::fmt;
use std::process::ExitCode;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::Duration;

/// The version that every command prints: the environment variable `COLUMNS_VERSION` at build time, or else
/// the version of the package.
///
/// The release workflow sets the variable to the version and the commit. Other builds do not read the commit:
/// otherwise all commands would be rebuilt after every commit.
pub const VERSION: &str = match option_env!("COLUMNS_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

/// The number of the latest termination signal that the process has received; 0 before the first one.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Returns the exit status of an interrupted command, as shells report a signal: 130 after Ctrl-C, 143 after
/// SIGTERM.
pub fn interrupted_status() -> u8 {
    128 + SIGNAL.load(Ordering::Relaxed) as u8
}

/// True once a termination signal has reached the process.
pub fn is_interrupted() -> bool {
    SIGNAL.load(Ordering::Relaxed) != 0
}

/// Error for work that was interrupted by Ctrl-C or another termination signal. The text follows
/// "interrupted" in the message: it says how far the work got, and how to resume it.
#[derive(Debug, Clone)]
pub struct Interrupted(pub String);

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "interrupted {}", self.0)
    }
}

impl std::error::Error for Interrupted {}

/// The effect of a second signal on the games in progress, if [`set_second_signal_effect`] has set it.
static SECOND_SIGNAL_EFFECT: OnceLock<&str> = OnceLock::new();

/// Calls `stop` on the first Ctrl-C, SIGHUP or SIGTERM. `stop` should make the work end soon.
///
/// A second signal ends the process immediately, but damages no file. Signals that were ignored when the
/// process started stay ignored.
///
/// # Errors
/// Returns an error if the process cannot watch for signals.
pub fn on_interrupt(stop: impl Fn() + Send + 'static) -> Result<()> {
    signals::watch(move |signal| {
        if SIGNAL.swap(signal, Ordering::Relaxed) != 0 {
            write_with_timeout(progress::clear);
            std::process::exit(i32::from(interrupted_status()));
        }
        if let Some(effect) = SECOND_SIGNAL_EFFECT.get() {
            let message = "finishing the games in progress; press Ctrl-C again to end immediately";
            write_with_timeout(move || log(&format!("{message} ({effect})")));
        }
        stop();
    })
}

/// Makes the process report, on the first signal, that it is finishing the games in progress and that a
/// second signal ends it immediately. `effect` tells the user what the second signal means for the games, for
/// example "the run can still be resumed". Later calls do nothing.
pub fn set_second_signal_effect(effect: &'static str) {
    SECOND_SIGNAL_EFFECT.get_or_init(|| effect);
}

/// Calls `write` in another thread, and waits at most 200 ms for it, so that a signal takes effect even if
/// the terminal or pager is blocked.
fn write_with_timeout(write: impl FnOnce() + Send + 'static) {
    const TERMINAL_TIMEOUT: Duration = Duration::from_millis(200);
    let (done, is_done) = mpsc::channel();
    let write = move || {
        write();
        let _ = done.send(());
    };
    if thread::Builder::new().spawn(write).is_ok() {
        let _ = is_done.recv_timeout(TERMINAL_TIMEOUT);
    }
}

/// Parses the options, calls `run` with them, and returns the exit status.
///
/// Prints help and version to standard output. If the command line is wrong or `run` fails, prints one line
/// to standard error that begins with `name`, and returns status 2. For the error [`Interrupted`], returns
/// the status of the signal instead. If the reader of standard output closes it early, returns status 0.
pub fn main<Options: Parser>(
    name: &str,
    run: impl FnOnce(Options) -> Result<ExitCode>,
) -> ExitCode {
    signals::catch_sigxfsz();
    let status = match parse::<Options>() {
        Ok(options) => ignore_closed_pipe(run(options)),
        Err(error) if !error.use_stderr() => {
            let _ = error.print();
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            let command = Options::command();
            let (full_name, command) = named_command(&command, name, std::env::args_os().skip(1));
            let message = describe_usage_error(command, &error);
            Err(anyhow!("{message} (see {full_name} --help)"))
        }
    };
    status.unwrap_or_else(|error| match error.downcast_ref() {
        Some(interrupted @ Interrupted(_)) => {
            warn(name, &interrupted.to_string());
            ExitCode::from(interrupted_status())
        }
        None => fail(name, &format!("{error:#}")),
    })
}

/// Returns the innermost subcommand that the command line names, or the command itself, with its full name.
fn named_command<'a>(
    command: &'a Command,
    name: &str,
    words: impl Iterator<Item: AsRef<OsStr>>,
) -> (String, &'a Command) {
    let name = command.get_bin_name().unwrap_or(name).to_string();
    let mut named = (name, command);
    for word in words {
        let Some(subcommand) = named.1.find_subcommand(word) else {
            break;
        };
        named = (format!("{} {}", named.0, subcommand.get_name()), subcommand);
    }
    named
}

/// Maximum width of a help text, in characters.
const HELP_WIDTH: usize = 100;

/// Applies the settings that all commands share to a command and its subcommands.
///
/// Options accept negative numbers, so that clap reports `-1` as out of range, not as an unknown option. A
/// help text has this order: title, description, usage, examples, options. The paragraphs after the title are
/// set as clap's `before_help`, not as its `long_about`. Otherwise, clap would print each option on lines of
/// its own, with blank lines between them.
fn with_common_settings(command: Command) -> Command {
    let command = command
        .mut_subcommands(with_common_settings)
        .mut_args(|arg| {
            let takes_values = arg.get_action().takes_values();
            arg.allow_negative_numbers(takes_values)
        })
        .max_term_width(HELP_WIDTH);
    let about = command
        .get_long_about()
        .map(ToString::to_string)
        .unwrap_or_default();
    let template = "{about}\n\n{before-help}{usage-heading} {usage}{after-help}\n\n{all-args}";
    let command = command.long_about(None).help_template(template);
    match about.split_once("\n\n") {
        Some((_, paragraphs)) => command.before_help(paragraphs.to_string()),
        None => command,
    }
}

/// Parses the command line of this process, with the settings that all commands share.
fn parse<Options: Parser>() -> Result<Options, clap::Error> {
    let mut command = with_common_settings(Options::command().version(VERSION));
    let matches = command.try_get_matches_from_mut(std::env::args_os())?;
    Options::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Describes in one line what is wrong with a command line.
pub fn describe_usage_error(command: &Command, error: &clap::Error) -> String {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return format!("expected a command: {}", subcommands(command));
    }
    // Keep only the first paragraph: the later ones contain the usage and tips.
    let text = error.render().to_string();
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let line = words.join(" ");
    let line = line.strip_prefix("error: ").unwrap_or(&line);
    line.to_string() + &suggestion(error).unwrap_or_default()
}

/// Returns the end of a message about a mistyped name, such as `; did you mean run?`; `None` if no name is
/// similar.
fn suggestion(error: &clap::Error) -> Option<String> {
    let kinds = [
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedArg,
        ContextKind::SuggestedValue,
    ];
    let names = match kinds.into_iter().find_map(|kind| error.get(kind))? {
        ContextValue::String(name) => name.clone(),
        ContextValue::Strings(names) => names.join(" or "),
        _ => return None,
    };
    Some(format!("; did you mean {names}?"))
}

/// Lists the names of the subcommands: `a, b or c`.
fn subcommands(command: &Command) -> String {
    let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options;
    use clap::CommandFactory;

    // The tests parse the options, but never read them.
    #[allow(dead_code)]
    #[derive(Debug, Parser)]
    enum Options {
        Score {
            #[arg(long, value_parser = options::integer_between(6, 12_u8))]
            width: u8,
        },
        Run,
        Compare,
        Play {
            #[arg(long, value_parser = ["growing", "fixed"])]
            palette: String,
        },
    }

    #[test]
    fn a_wrong_command_line_is_reported_in_one_line() {
        for (line, message) in [
            (
                &["x"][..],
                "expected a command: score, run, compare or play",
            ),
            (
                &["x", "score"],
                "the following required arguments were not provided: --width <WIDTH>",
            ),
            (
                &["x", "score", "--width", "a"],
                "invalid value 'a' for '--width <WIDTH>': expected a whole number from 6 to 12",
            ),
            (
                &["x", "rum"],
                "unrecognized subcommand 'rum'; did you mean run?",
            ),
            (
                &["x", "score", "--widht", "5"],
                "unexpected argument '--widht' found; did you mean --width?",
            ),
            (
                &["x", "play", "--palette", "growign"],
                "invalid value 'growign' for '--palette <PALETTE>' [possible values: growing, fixed]; \
                 did you mean growing?",
            ),
        ] {
            let error = Options::try_parse_from(line).unwrap_err();
            assert_eq!(
                describe_usage_error(&Options::command(), &error),
                message,
                "{line:?}"
            );
        }
    }

    #[test]
    fn a_blocked_terminal_does_not_block_a_signal() {
        let (_open, never) = mpsc::channel::<()>();
        write_with_timeout(move || {
            let _ = never.recv();
        });
        let (done, is_done) = mpsc::channel();
        write_with_timeout(move || done.send(()).unwrap());
        is_done.try_recv().unwrap();
    }

    #[test]
    fn a_negative_number_is_a_value() {
        let mut command = with_common_settings(Options::command());
        let error = command.try_get_matches_from_mut(["x", "score", "--width", "-1"]);
        let message = describe_usage_error(&command, &error.unwrap_err());
        assert_eq!(
            message,
            "invalid value '-1' for '--width <WIDTH>': expected a whole number from 6 to 12"
        );
    }

    #[test]
    fn a_message_names_the_help_of_the_subcommand() {
        let command = Options::command();
        for (line, full_name) in [
            ("", "x"),
            ("--width 5", "x"),
            ("rum", "x"),
            ("score --width a", "x score"),
            ("run score", "x run"),
        ] {
            let words = line.split_whitespace().map(str::to_string);
            assert_eq!(named_command(&command, "x", words).0, full_name, "{line}");
        }
    }
}
