//! The command `generator`: seeded test cases for the Columns Game.

use anyhow::{bail, Context, Result};
use clap::Parser;
use columns_cli::{command, file, input, output, progress};
use columns_generator::args::SpecArgs;
use columns_generator::seeds::{file_name, SeedList, SeedRange};
use columns_generator::{generate, Profile, Spec};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The most files of one call: more than any contest has tests. A larger number is likely to be a
/// mistyped one.
const MAX_FILES: u128 = 1_000_000;
/// Most bytes of a file of seeds; one with [`MAX_FILES`] lines is far smaller.
const MAX_SEEDS_FILE: u64 = 64 << 20;

/// Print a seeded test case of the Columns Game, or write many to a folder
///
/// The same seed, profile and options give the same bytes on every machine and in
/// every release. Seed 1 alone is the sample of the contest's statement; with any
/// other option that says what to generate it is drawn like every other seed.
#[derive(Debug, Parser)]
#[command(
    name = "generator",
    allow_negative_numbers = true,
    after_help = "Examples:\n  \
        generator 1\n  \
        generator --seeds 2..=101 --out in\n  \
        generator --seeds 1..=20 --out growing --profile growing --width 9 --colours 7\n  \
        generator --profiles"
)]
struct Options {
    /// The seed of the one case to print, 0 to 18446744073709551615
    #[arg(value_parser = seed)]
    seed: Option<u64>,

    /// Seeds of the cases to write: one seed, A..=B, or A..B which leaves out B
    #[arg(short, long, value_name = "RANGE", conflicts_with = "seed")]
    seeds: Option<SeedRange>,

    /// Read the seeds from a file: a seed or a range on each line, # for comments
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "seeds"])]
    seeds_file: Option<PathBuf>,

    /// Write a file for each seed into this folder, 0002.txt for seed 2; it is made
    /// if missing, and files there are replaced
    #[arg(short, long, alias = "out-dir", value_name = "DIR")]
    out: Option<PathBuf>,

    /// List the profiles, what `--profile` may be, and what each draws
    #[arg(long, exclusive = true)]
    profiles: bool,

    #[command(flatten)]
    spec: SpecArgs,
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

fn main() -> ExitCode {
    command::main("generator", |options| run(&options))
}

fn run(options: &Options) -> Result<ExitCode> {
    if options.profiles {
        let rows = Profile::ALL.map(|profile| [profile.name(), profile.description()]);
        let lines = rows.map(|[name, draws]| format!("{name:16}{draws}\n"));
        output::forgive_closed_pipe(output::print(&lines.concat()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let spec = Spec::try_from(options.spec)?;
    let seeds: SeedList = match (options.seed, options.seeds, &options.seeds_file) {
        (Some(seed), ..) => SeedRange::from(seed).into(),
        (_, Some(range), _) => range.into(),
        (.., Some(path)) => read_seeds(path)?,
        _ => bail!(
            "expected a seed, as in `generator 1`, or --seeds or --seeds-file \
             (see generator --help)"
        ),
    };
    let Some(dir) = &options.out else {
        let mut all = seeds.iter();
        let (Some(seed), None) = (all.next(), all.next()) else {
            let count = seeds.count();
            bail!("expected --out DIR for {count} seeds: only one case can be printed");
        };
        let text = generate(seed, &spec).to_string();
        output::print(&text)?;
        return Ok(ExitCode::SUCCESS);
    };
    let count = seeds.count();
    if count > MAX_FILES {
        bail!("expected at most {MAX_FILES} seeds to write files for, found {count}");
    }
    if let Some(read) = &options.seeds_file {
        for path in seeds.iter().map(|seed| dir.join(file_name(seed))) {
            file::check_none_is(&path, [&**read])?;
        }
    }
    let _folder = file::make_folder(dir)?;
    let bar = progress::bar(count as u64, "{bar:40} {pos}/{len} cases, {eta} left");
    for seed in seeds.iter() {
        let path = dir.join(file_name(seed));
        file::replace(&path, generate(seed, &spec).to_string().as_bytes())
            .with_context(|| format!("{}: expected to write the file", path.display()))?;
        bar.inc(1);
    }
    bar.finish();
    Ok(ExitCode::SUCCESS)
}

fn read_seeds(path: &Path) -> Result<SeedList> {
    let shown = input::name(path);
    let bytes = input::try_read_start(path, MAX_SEEDS_FILE + 1)
        .with_context(|| format!("{shown}: expected a file of seeds"))?;
    if bytes.len() as u64 > MAX_SEEDS_FILE {
        bail!("{shown}: expected a file of seeds, found more than {MAX_SEEDS_FILE} bytes");
    }
    SeedList::from_bytes(&bytes).with_context(|| shown)
}
