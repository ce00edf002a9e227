//! The options of `cargo xtask bundle`: what it bundles, where it writes, and what it checks.

use clap::Args;
use columns_bundler::CONTEST_MAX_BYTES;
use columns_cli::options::integer_between;
use std::path::PathBuf;

/// Make target/submission/bot.rs, the single file for the contest, and check it
///
/// The checks compile the file as the contest server does. They compare its plans with those of the
/// workspace's bot, on both processor paths, for cases of every kind and a fixed number of
/// states. They also play the sample and generated cases within the contest's time and memory.
/// If a check fails, the exit status is 1, and the file is written as bot.failed.rs instead.
///
/// With `--source`, the file keeps the modules and names of your program, unless it is too large.
/// Lines on standard error name the steps that shortened it.
///
/// If `RUSTC_OLD` names an old compiler, the file is compiled with that compiler, too.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask bundle                         make and check it, in about a minute
  cargo xtask bundle --write                 the same, into submission/bot.rs
  cargo xtask bundle --cases 50              the long check: about 4 minutes
  cargo xtask bundle --quick                 without playing as in the contest
  cargo xtask bundle --source my/src/main.rs --out my.rs     bundle your own bot
  cargo xtask bundle --file bot.rs           check a file, even one written by hand")]
#[allow(clippy::struct_excessive_bools)] // one for each option
pub(crate) struct Options {
    /// Where to write the file [default: target/submission/bot.rs]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Write to submission/bot.rs, the file in the repository that is ready to submit
    #[arg(long, conflicts_with_all = ["out", "source", "threads", "file", "pretty"])]
    pub(crate) write: bool,

    /// Root file of your own program, to bundle it instead of the bot; its plans are not compared, since they
    /// depend on the clock
    #[arg(long, value_name = "MAIN.RS", conflicts_with_all = ["threads", "nodes"])]
    pub(crate) source: Option<PathBuf>,

    /// The Rust edition of your program [default: that of its Cargo.toml, or 2021]
    #[arg(long, value_name = "YEAR", value_parser = ["2015", "2018", "2021", "2024"], requires = "source")]
    pub(crate) edition: Option<String>,

    /// Shorten your program until it has at most this number of bytes
    #[arg(long = "limit", value_name = "BYTES", default_value_t = CONTEST_MAX_BYTES, requires = "source")]
    #[arg(value_parser = integer_between(0, usize::MAX))]
    pub(crate) max_bytes: usize,

    /// Make your program as short as possible
    #[arg(long, requires = "source", conflicts_with_all = ["max_bytes", "pretty"])]
    pub(crate) smallest: bool,

    /// Search with up to this many threads, at most one for each core that the system reports
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = integer_between(1, 256_u16))]
    pub(crate) threads: u16,

    /// Check this file instead of making one
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "pretty", "no_check", "source", "threads"])]
    pub(crate) file: Option<PathBuf>,

    /// Write the file and check nothing
    #[arg(long, conflicts_with_all = ["quick", "cases", "nodes"])]
    pub(crate) no_check: bool,

    /// Skip the games under the contest's limits
    #[arg(long)]
    pub(crate) quick: bool,

    /// Keep line breaks, modules and the names of the sources: the file is larger, but readable
    #[arg(long, conflicts_with = "max_bytes")]
    pub(crate) pretty: bool,

    /// The number of generated cases to play, in addition to the sample
    #[arg(long, value_name = "N", default_value_t = 5)]
    #[arg(value_parser = integer_between(0, 1000_u16))]
    pub(crate) cases: u16,

    /// The number of states to build for each compared plan
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    #[arg(value_parser = integer_between(1, u64::MAX))]
    pub(crate) nodes: u64,
}
