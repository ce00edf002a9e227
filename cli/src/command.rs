//! From the command line to the exit status.

use crate::file;
use crate::mistake::{complain, fail};
use crate::output::{self, forgive_closed_pipe};
use crate::signals;
use anyhow::{anyhow, Result};
use clap::error::{ContextKind, ErrorKind};
use clap::{Arg, Command, Parser, ValueEnum};
use clap_complete::Shell;
use std::fmt;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// The version of the project, and the commit that it was built from where git knew it.
pub const VERSION: &str = env!("COLUMNS_VERSION");

/// The option of every command that prints a script for a shell.
const COMPLETIONS: &str = "completions";

/// The exit status of a command that was stopped.
pub const STOPPED: u8 = 130;

/// The error of work that was stopped by Ctrl-C, or as a system asks a process to end: where that
/// was, and how to go on.
#[derive(Debug, Clone)]
pub struct Stopped(pub String);

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "interrupted {}", self.0)
    }
}

impl std::error::Error for Stopped {}

/// Calls `stop` at Ctrl-C, a request to end, or a hangup, so that the work ends soon. The second one ends
/// this process, as soon as no file is being written. A signal that was ignored when the process started stays ignored.
///
/// # Errors
/// If the system refuses to deliver the signals.
pub fn on_interrupt(stop: impl Fn() + Send + 'static) -> Result<()> {
    let stops = AtomicBool::new(false);
    signals::watch(move || {
        if stops.swap(true, Ordering::Relaxed) {
            let _no_file = file::pause_writing();
            std::process::exit(i32::from(STOPPED));
        }
        stop();
    })
}

/// Reads the options and runs the command with them.
///
/// Help and version go to standard output. A reader of standard output that has gone is no
/// mistake, and status 0. A wrong command line or an error of the run is one line on standard error
/// that begins with `name`; the status is then 2, and [`STOPPED`] for the error [`Stopped`].
pub fn main<Options: Parser>(
    name: &str,
    run: impl FnOnce(Options) -> Result<ExitCode>,
) -> ExitCode {
    if let Some(done) = completions::<Options>() {
        return done.unwrap_or_else(|error| fail(name, &format!("{error:#}")));
    }
    let done = match parse::<Options>() {
        Ok(options) => forgive_closed_pipe(run(options)),
        Err(error) => {
            if matches!(
                error.kind(),
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
            ) {
                let _ = error.print();
                return ExitCode::SUCCESS;
            }
            let command = Options::command();
            let (help, command) = meant(&command, name, std::env::args().skip(1));
            let what = with_range(usage(command, &error), &self::command::<Options>(), &error);
            return fail(name, &format!("{what} (see {help} --help)"));
        }
    };
    done.unwrap_or_else(|error| match error.downcast_ref() {
        Some(stopped @ Stopped(_)) => {
            complain(name, &stopped.to_string());
            ExitCode::from(STOPPED)
        }
        None => fail(name, &format!("{error:#}")),
    })
}

/// The subcommand that a command line names, with its name in full; the command itself where the
/// line names none.
fn meant<'a>(
    command: &'a Command,
    name: &str,
    line: impl Iterator<Item = String>,
) -> (String, &'a Command) {
    let name = command.get_bin_name().unwrap_or(name).to_string();
    let mut found = (name, command);
    for word in line {
        let Some(subcommand) = found.1.find_subcommand(&word) else {
            break;
        };
        found = (format!("{} {}", found.0, subcommand.get_name()), subcommand);
    }
    found
}

/// Has a command take `-1` for a value, which is then told to be out of range, and not for an
/// option that it does not know. So do its subcommands.
fn with_negative_numbers(command: Command) -> Command {
    let command = command.mut_subcommands(with_negative_numbers);
    command.mut_args(|arg| {
        if arg.get_action().takes_values() {
            arg.allow_negative_numbers(true)
        } else {
            arg
        }
    })
}

/// The command, with what all commands have: the version and the completions.
fn command<Options: Parser>() -> Command {
    let command = with_negative_numbers(Options::command().version(VERSION));
    // A shell completes commands of one word; what is behind `cargo xtask` is none of them.
    if command.get_name().contains(' ') {
        return command;
    }
    let completions = Arg::new(COMPLETIONS)
        .long(COMPLETIONS)
        .value_name("SHELL")
        .exclusive(true)
        .display_order(900)
        .help_heading(None::<&str>)
        .help(
            "Print what makes a shell complete this command: bash, elvish, fish, powershell, zsh",
        );
    command.arg(completions)
}

/// Reads the options.
fn parse<Options: Parser>() -> Result<Options, clap::Error> {
    let mut command = command::<Options>();
    let matches = command.try_get_matches_from_mut(std::env::args_os())?;
    Options::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Prints what makes a shell complete the command, if the command line asks for that. No command
/// and no other option need then be there.
fn completions<Options: Parser>() -> Option<Result<ExitCode>> {
    let mut command = command::<Options>();
    let mut words = std::env::args_os().skip(1);
    let asked = words.next()? == *format!("--{COMPLETIONS}");
    let offered = command
        .get_arguments()
        .any(|arg| arg.get_id() == COMPLETIONS);
    if !asked || !offered {
        return None;
    }
    let words: Vec<_> = words
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let found = words.join(" ");
    let Ok(shell) = Shell::from_str(&found, false) else {
        return Some(Err(anyhow!(
            "--{COMPLETIONS}: expected bash, elvish, fish, powershell or zsh, found {found:?}"
        )));
    };
    let name = command.get_name().to_string();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    let told = output::print(&String::from_utf8_lossy(&script));
    Some(told.map(|()| ExitCode::SUCCESS))
}

/// What is wrong with a command line.
fn usage(command: &Command, error: &clap::Error) -> String {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return format!("expected a command: {}", subcommands(command));
    }
    // The first paragraph on one line; the rest is usage and tips.
    let message = error.render().to_string();
    let paragraph = message.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let line = words.join(" ");
    line.strip_prefix("error: ").unwrap_or(&line).to_string()
}

/// Says which numbers are possible, where a parser of numbers only says that a text is no number.
fn with_range(what: String, command: &Command, error: &clap::Error) -> String {
    const REASONS: [&str; 3] = [
        "invalid digit found in string",
        "number too large to fit in target type",
        "cannot parse integer from empty string",
    ];
    let reason = REASONS.into_iter().find(|reason| what.ends_with(reason));
    let value = error
        .get(ContextKind::InvalidValue)
        .map(ToString::to_string);
    let (Some(reason), Some(value)) = (reason, value) else {
        return what;
    };
    // A parser tells its range when a number lies outside.
    let range = |number: &str| {
        let words = std::env::args().map(|word| match word.strip_suffix(&value) {
            Some(option) if option.is_empty() || option.ends_with('=') => {
                option.to_string() + number
            }
            _ => word,
        });
        let error = command.clone().try_get_matches_from(words).err()?;
        let text = error.render().to_string();
        let (_, range) = text.split_once(" is not in ")?;
        Some(range.lines().next()?.to_string())
    };
    let (most, most_signed) = (u64::MAX.to_string(), i64::MAX.to_string());
    let range = [&most, &most_signed, "-1", "0"].into_iter().find_map(range);
    let range = range.unwrap_or_else(|| format!("0..={most}"));
    what.replace(reason, &format!("expected a whole number in {range}"))
}

/// The names of the subcommands: `a, b or c`.
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
    use clap::CommandFactory;

    // Only their parsing is of interest.
    #[allow(dead_code)]
    #[derive(Debug, Parser)]
    enum Options {
        Score {
            #[arg(long)]
            width: u8,
        },
        Run,
        Compare,
    }

    #[test]
    fn a_wrong_command_line_is_told_in_one_line() {
        for (line, shown) in [
            (&["x"][..], "expected a command: score, run or compare"),
            (
                &["x", "score"],
                "the following required arguments were not provided: --width <WIDTH>",
            ),
            (
                &["x", "score", "--width", "a"],
                "invalid value 'a' for '--width <WIDTH>': invalid digit found in string",
            ),
            (&["x", "rum"], "unrecognized subcommand 'rum'"),
        ] {
            let error = Options::try_parse_from(line).unwrap_err();
            assert_eq!(usage(&Options::command(), &error), shown, "{line:?}");
        }
    }

    #[test]
    fn a_negative_number_is_a_value() {
        let mut command = with_negative_numbers(Options::command());
        let error = command.try_get_matches_from_mut(["x", "score", "--width", "-1"]);
        let told = usage(&command, &error.unwrap_err());
        assert_eq!(
            told,
            "invalid value '-1' for '--width <WIDTH>': -1 is not in 0..=255"
        );
    }

    #[test]
    fn the_help_of_the_subcommand_is_pointed_to() {
        let command = Options::command();
        for (line, shown) in [
            ("", "x"),
            ("--width 5", "x"),
            ("rum", "x"),
            ("score --width a", "x score"),
            ("run score", "x run"),
        ] {
            let words = line.split_whitespace().map(str::to_string);
            assert_eq!(meant(&command, "x", words).0, shown, "{line}");
        }
    }
}
