//! `judge compare`: compares one or more runs with a run A, case by case.

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use columns_cli::json;
use columns_cli::options::JsonOption;
use columns_judge::compare::{self, Comparison};
use columns_judge::store::{Run, Store};

/// Compare run B, or several runs, with run A, case by case
///
/// Without names, compares the last two complete runs that share cases. With one name, compares that run with
/// the last other complete run that shares cases with it. Runs of `judge run --against` and `judge watch` are
/// not compared unless you name them. docs/comparing.md explains the table.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  judge compare
  judge compare last~2 last
  judge compare base wider
  judge compare base wider deeper")]
pub(crate) struct Options {
    /// The runs: A, then the runs to compare with it
    #[arg(value_name = "RUN")]
    runs: Vec<String>,
    #[command(flatten)]
    json: JsonOption,
    #[command(flatten)]
    store: Store,
}

/// The maximum number of runs to compare with A: the letters B to Z.
const MAX_CANDIDATES: usize = 25;

pub(crate) fn run(args: &Options) -> Result<()> {
    let runs = args.runs()?;
    let (a, candidates) = runs.split_first().context("expected a run to compare")?;
    let count = candidates.len();
    ensure!(
        count <= MAX_CANDIDATES,
        "expected at most {MAX_CANDIDATES} runs to compare with A, found {count}"
    );
    let compare = |(b, side): (&Run, char)| {
        Comparison::new(a, b, side, count)
            .with_context(|| format!("runs {} and {}", a.label(), b.label()))
    };
    let comparisons = candidates.iter().zip('B'..).map(compare);
    let comparisons = comparisons.collect::<Result<Vec<_>>>()?;
    let text = compare::format_comparisons(&comparisons);
    args.json.print(|| json::to_pretty(&comparisons), &text)
}

impl Options {
    /// Reads the runs to compare, A first.
    fn runs(&self) -> Result<Vec<Run>> {
        let named = self.runs.iter().map(|run| self.store.read(run));
        let runs = named.collect::<Result<Vec<_>>>()?;
        if runs.len() > 1 {
            return Ok(runs);
        }
        let store = &self.store;
        if let Some(a) = runs.first() {
            let is_b = |b: &Run| b.is_complete() && b.folder != a.folder && share_cases(a, b);
            let missing = || format!("{}: no other complete run shares its cases", a.label());
            let b = store.find_newest(is_b)?.with_context(missing)?;
            return Ok(vec![a.clone(), b]);
        }
        let mut newer: Vec<Run> = Vec::new();
        for a in store.newest_runs()? {
            let a = a?;
            if a.is_complete() {
                if let Some(b) = newer.iter().find(|b| share_cases(&a, b)) {
                    return Ok(vec![a, b.clone()]);
                }
                newer.push(a);
            }
        }
        let store = store.folder.display();
        bail!("{store}: expected two complete runs that share cases, found none")
    }
}

fn share_cases(a: &Run, b: &Run) -> bool {
    compare::common_games(a, b).next().is_some()
}
