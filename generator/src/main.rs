//! The command `generator`: seeded test cases for the Columns Game.

mod write;

use anyhow::{bail, Context, Result};
use clap::error::ErrorKind;
use clap::Parser;
use columns_generator::args::SpecArgs;
use columns_generator::generate;
use columns_generator::seeds::{file_name, SeedList, SeedRange};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::File;
use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// More files than any contest has tests; beyond it a slip of the pen is likelier
/// than a wish.
const MAX_FILES: u128 = 1_000_000;
/// A seeds file of the most cases, one a line, is far smaller.
const MAX_SEEDS_FILE: u64 = 64 << 20;

/// Print a seeded test case of the Columns Game, or write many to a folder.
///
/// The same seed, profile and options give the same bytes on every machine and in
/// every release. Seed 1 alone is the sample of the contest's statement; with any
/// other option that says what to generate it is drawn like every other seed.
#[derive(Debug, Parser)]
#[command(
    name = "generator",
    version,
    allow_negative_numbers = true,
    after_help = "Examples:\n  \
        generator 1\n  \
        generator --seeds 2..=101 --out-dir in\n  \
        generator --seeds 1..=20 --out-dir in --profile growing --width 9 --colours 7"
)]
struct Options {
    /// The seed of the one case to print, 0 to 18446744073709551615
    #[arg(value_parser = seed)]
    seed: Option<u64>,

    /// Seeds of the cases to write: one seed, A..=B, or A..B which leaves out B
    #[arg(long, value_name = "RANGE", conflicts_with = "seed")]
    seeds: Option<SeedRange>,

    /// Read the seeds from a file: a seed or a range on each line, # for comments
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "seeds"])]
    seeds_file: Option<PathBuf>,

    /// Write a file for each seed into this folder, 0002.txt for seed 2; it is made
    /// if missing, and files there are replaced
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,

    #[command(flatten)]
    spec: SpecArgs,
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

fn main() -> ExitCode {
    let options = match Options::try_parse() {
        Ok(options) => options,
        Err(error) if is_answer(error.kind()) => {
            // A pager that was closed is no mistake.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        Err(error) => return fail(&usage_line(&error.render().to_string())),
    };
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&format!("{error:#}")),
    }
}

/// Help and version are answers, not errors.
fn is_answer(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::DisplayHelp | ErrorKind::DisplayVersion)
}

/// The first paragraph of the option parser's message on one line; the rest is
/// usage and tips.
fn usage_line(message: &str) -> String {
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let paragraph = message.split("\n\n").next().unwrap_or(message);
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    format!("{} (see generator --help)", words.join(" "))
}

fn fail(message: &str) -> ExitCode {
    let shown: String = message
        .chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect();
    // Nobody is left to be told if standard error is closed.
    let _ = writeln!(std::io::stderr(), "error: {shown}");
    ExitCode::from(2)
}

fn run(options: &Options) -> Result<()> {
    let spec = options.spec.spec()?;
    let seeds: SeedList = match (options.seed, options.seeds, &options.seeds_file) {
        (Some(seed), ..) => SeedRange::from(seed).into(),
        (_, Some(range), _) => range.into(),
        (.., Some(path)) => read_seeds(path)?,
        _ => bail!("expected a seed, as in `generator 1`, or --seeds or --seeds-file (see generator --help)"),
    };
    let Some(dir) = &options.out_dir else {
        let mut all = seeds.iter();
        let (Some(seed), None) = (all.next(), all.next()) else {
            let count = seeds.count();
            bail!("expected --out-dir DIR for {count} seeds: only one case can be printed");
        };
        let text = generate(seed, &spec).to_string();
        let mut stdout = std::io::stdout().lock();
        return stdout
            .write_all(text.as_bytes())
            .and_then(|()| stdout.flush())
            .context("standard output: expected to write the whole case");
    };
    let count = seeds.count();
    if count > MAX_FILES {
        bail!("expected at most {MAX_FILES} seeds to write files for, found {count}");
    }
    write::make_dir(dir)?;
    let bar = progress(count as u64);
    for seed in seeds.iter() {
        let name = file_name(seed);
        write::replace(dir, &name, generate(seed, &spec).to_string().as_bytes())?;
        bar.inc(1);
    }
    bar.finish();
    Ok(())
}

fn read_seeds(path: &Path) -> Result<SeedList> {
    let shown = path.display();
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_SEEDS_FILE + 1).read_to_end(&mut bytes))
        .with_context(|| format!("{shown}: expected a file of seeds"))?;
    if bytes.len() as u64 > MAX_SEEDS_FILE {
        bail!("{shown}: expected a file of seeds, found more than {MAX_SEEDS_FILE} bytes");
    }
    SeedList::from_bytes(&bytes).with_context(|| shown.to_string())
}

/// A bar on a terminal, nothing in a pipe.
fn progress(count: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = "{bar:40} {pos}/{len} cases, {eta} left";
    let style = ProgressStyle::with_template(style).expect("the template is right");
    ProgressBar::new(count).with_style(style)
}
