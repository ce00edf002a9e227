//! The options of `cargo xtask bundle`.

use clap::Args;
use std::path::PathBuf;

/// Make target/submission/bot.rs, the single file that the judge takes, and check it
///
/// The checks compile the file as the judge does. They compare its plans with those of the
/// workspace's bot, on both processor paths, for cases of every kind and a fixed number of
/// states. They also play the sample and generated cases within the contest's time and memory.
/// If a check fails, the exit status is 1, and the file is written as bot.failed.rs instead.
/// `RUSTC_OLD` may name an old compiler to check as well.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask bundle                         make and check it, in about a minute
  cargo xtask bundle --cases 50              the long check: about 4 minutes
  cargo xtask bundle --quick                 without playing as in the contest
  cargo xtask bundle --source my/main.rs     bundle your own bot
  cargo xtask bundle --file bot.rs           check a file, made by hand or not")]
#[allow(clippy::struct_excessive_bools)] // one for each option
pub(crate) struct Options {
    /// Where to write the file [default: target/submission/bot.rs]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Bundle your own program, by its root file; it may use `columns_core`
    ///
    /// The checks do not compare its plans, which depend on its clock.
    #[arg(long, value_name = "MAIN.RS")]
    pub(crate) source: Option<PathBuf>,

    /// Search with up to this many threads, at most one for each core that the system reports
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: u16,

    /// Check this file instead of making one
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "pretty", "no_check", "source", "threads"])]
    pub(crate) file: Option<PathBuf>,

    /// Write the file and check nothing
    #[arg(long, conflicts_with_all = ["quick", "cases", "nodes"])]
    pub(crate) no_check: bool,

    /// Check all but the contest runs
    #[arg(long)]
    pub(crate) quick: bool,

    /// Keep line breaks, indentation and the names of the sources: the file is larger, but compiler
    /// messages are readable
    #[arg(long)]
    pub(crate) pretty: bool,

    /// The number of generated cases to play, in addition to the sample
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(..=1000))]
    pub(crate) cases: u16,

    /// The number of states to build for each compared plan
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: u64,
}
