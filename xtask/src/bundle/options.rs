//! The options of `cargo xtask bundle`.

use clap::Args;
use std::path::PathBuf;

/// Make target/submission/bot.rs, the one file that the judge takes, and check it
///
/// The file is compiled as the judge would, plays cases of every kind with a fixed number of
/// states as the bot of the workspace does, on both processor paths, and plays the
/// sample and generated cases as in the contest, within its time and memory. It gets
/// its name only if all goes well; else the status is 1, and the file lies beside it
/// under another name. `RUSTC_OLD` may name an old compiler to try as well.
#[derive(Args)]
#[command(after_help = "\
Examples:
  cargo xtask bundle                         make and check it, in about a minute
  cargo xtask bundle --cases 50              the long check: about 4 minutes
  cargo xtask bundle --quick                 without playing as in the contest
  cargo xtask bundle --source my/main.rs     bundle your own bot
  cargo xtask bundle --file bot.rs           check a file, made by hand or not")]
#[allow(clippy::struct_excessive_bools)] // each is an option
pub(crate) struct Options {
    /// Where to write the file [default: target/submission/bot.rs]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Bundle another program: its root, with the modules beside it; it may use `columns_core`
    ///
    /// Everything is checked but its plans, which depend on its clock.
    #[arg(long, value_name = "MAIN.RS")]
    pub(crate) source: Option<PathBuf>,

    /// Check this file instead of making one
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "pretty", "no_check", "source"])]
    pub(crate) file: Option<PathBuf>,

    /// Write the file and check nothing
    #[arg(long, conflicts_with_all = ["quick", "cases", "nodes"])]
    pub(crate) no_check: bool,

    /// Check all but the contest runs
    #[arg(long)]
    pub(crate) quick: bool,

    /// With line breaks, indentation and the names of the sources: larger, but a compiler's
    /// messages make sense
    #[arg(long)]
    pub(crate) pretty: bool,

    /// How many generated cases to play, besides the sample
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(..=1000))]
    pub(crate) cases: u16,

    /// How many states to build for a plan that is compared
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: u64,
}
