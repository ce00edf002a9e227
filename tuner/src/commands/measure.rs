//! Measures the steps of a network's parameters before a fit, and prints the progress. [`network_parameters`]
//! explains these steps.

use super::progress;
use anyhow::{Context, Result, bail, ensure};
use columns_cli::command::Interrupted;
use columns_generator::Spec;
use columns_tuner::search::axis::Axis;
use columns_tuner::search::network_parameters::{self, MEASURED_CASES};
use columns_tuner::{bot_player::BotPlayer, executor::Threads};

/// The work of a game of 300 columns with a beam of width 1, in microseconds. The work of a game grows in
/// proportion to the width of its beam.
const WORK_PER_WIDTH_US: u64 = 2400;

/// Measures the steps of the network's parameters in games with about `work_us` microseconds of work each.
/// Returns the axes of the parameters that have an effect.
pub(crate) fn measure_axes(
    player: &BotPlayer,
    work_us: u64,
    case_spec: &Spec,
    threads: Threads<'_>,
) -> Result<Vec<Axis>> {
    let network = player.network.as_deref();
    let network = network.context("expected a network to fit, found none")?;
    let width = (work_us / WORK_PER_WIDTH_US).max(2) as usize;
    let bar = progress::new_game_bar(MEASURED_CASES);
    let Threads { pool, stop, .. } = threads;
    let measured = network_parameters::measure_steps(
        network,
        player.as_search_player(),
        width,
        case_spec,
        &pool,
        stop,
        || {
            bar.inc(1);
        },
    )?;
    bar.finish_and_clear();
    let Some(axes) = measured else {
        // The run has recorded nothing yet, so the same command measures from scratch.
        bail!(Interrupted(
            "before a generation was played; to continue, give the same command again".into()
        ));
    };
    ensure!(
        !axes.is_empty(),
        "the network changes nothing in these cases: expected longer ones or a wider beam (--work)"
    );
    Ok(axes)
}
