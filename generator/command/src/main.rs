//! The command `generator`: seeded test cases for the Columns Game.

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use columns_cases::seeds::{MAX_FILE_BYTES, SeedList, SeedRange, file_name};
use columns_cli::options::integer_between;
use columns_cli::output::count_text;
use columns_cli::{command, file, input, output, progress, stderr};
use columns_generator::{Profile, Spec, generate};
use columns_generator_command::CaseOptions;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Name of the command, printed at the start of its messages.
const NAME: &str = "generator";

/// Print a seeded test case of the Columns Game, or write many to a folder
///
/// The same seed, profile and options give the same bytes on every machine and in
/// every release. Seed 1 without options gives the sample case of the contest's problem
/// statement. With another profile or an override, it gives a random case like any other seed.
#[derive(Debug, Parser)]
#[command(
    name = "generator",
    after_help = "Examples:\n  \
        generator 1\n  \
        generator --seeds 2..=101 --out in\n  \
        generator --seeds 1..=20 --out growing --profile growing --width 9 --colours 7\n  \
        generator --profiles"
)]
struct Options {
    /// Seed of the case to print, 0 to 18446744073709551615
    #[arg(value_parser = integer_between(0, u64::MAX))]
    seed: Option<u64>,

    /// Seeds of the cases to write: one seed, A..=B, or A..B, which excludes B
    #[arg(short, long, value_name = "RANGE", conflicts_with = "seed")]
    seeds: Option<SeedRange>,

    /// Read the seeds from a file: a seed or a range on each line, # for comments
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "seeds"])]
    seeds_file: Option<PathBuf>,

    /// Write a file for each seed to this folder: 0002.txt for seed 2. Creates the folder if
    /// needed, keeps other files, and never replaces a file with another case
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// List the values of `--profile`, and what each of them draws
    #[arg(long, exclusive = true)]
    profiles: bool,

    #[command(flatten)]
    cases: CaseOptions,
}

fn main() -> ExitCode {
    command::main(NAME, |options| run(&options))
}

fn run(options: &Options) -> Result<ExitCode> {
    if options.profiles {
        let line = |profile: Profile| format!("{profile:16}{}\n", profile.description());
        output::print(&Profile::ALL.map(line).concat())?;
        return Ok(ExitCode::SUCCESS);
    }
    let spec = Spec::try_from(options.cases.0)?;
    let one = options.seed.and_then(|seed| SeedRange::new(seed, seed));
    let seeds: SeedList = match (one.or(options.seeds), &options.seeds_file) {
        (Some(range), _) => SeedList::try_from(&[range][..]).context("--seeds")?,
        (_, Some(path)) => input::read_parsed(path, MAX_FILE_BYTES)?,
        _ => bail!(
            "expected a seed, as in `generator 1`, or --seeds or --seeds-file \
             (see generator --help)"
        ),
    };
    let count = seeds.iter().count();
    let Some(dir) = &options.out else {
        ensure!(
            count == 1,
            "expected --out DIR for {count} seeds: only one case can be printed"
        );
        let text = seeds.iter().map(|seed| generate(seed, &spec).to_string());
        output::print(&text.collect::<String>())?;
        return Ok(ExitCode::SUCCESS);
    };
    write_cases(options, &seeds, &spec, dir)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a file for each seed into the folder `dir`. Warns about other files in the folder, since
/// `judge run --in` plays all `*.txt` files there.
fn write_cases(options: &Options, seeds: &SeedList, spec: &Spec, dir: &Path) -> Result<()> {
    let _folder = file::create_folder(dir)?;
    let names: HashSet<String> = seeds.iter().map(file_name).collect();
    let count = names.len();
    file::check_outputs(names.iter().map(|name| dir.join(name)), &options.seeds_file)?;
    for seed in seeds.iter() {
        let path = dir.join(file_name(seed));
        // An unreadable file counts as another case.
        let is_own = !path.exists()
            || fs::read(&path).is_ok_and(|old| old == generate(seed, spec).to_string().as_bytes());
        ensure!(
            is_own,
            "{}: holds another case, which is not replaced: remove the file, or choose another folder",
            path.display()
        );
    }
    let bar = progress::new_bar(count as u64, "{bar:40} {pos}/{len} cases, {eta} left");
    for seed in seeds.iter() {
        let path = dir.join(file_name(seed));
        file::write_unsynced(&path, generate(seed, spec).to_string().as_bytes())?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let unreadable = || format!("{}: cannot be read", dir.display());
    let mut others = 0;
    for entry in fs::read_dir(dir).with_context(unreadable)? {
        let name = entry.with_context(unreadable)?.file_name();
        let name = name.to_string_lossy();
        others += usize::from(!name.starts_with('.') && !names.contains(&*name));
    }
    if others > 0 {
        let stay = if others == 1 { "stays" } else { "stay" };
        let message = format!(
            "{}: {} {stay} there",
            dir.display(),
            count_text(others, "other file")
        );
        stderr::warn(NAME, &message);
    }
    Ok(())
}
