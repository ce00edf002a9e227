//! `tuner refine`: making a network better by playing.

use super::searching::{Searching, OF_NETWORK};
use super::{fit::finish, playing::Playing, progress};
use anyhow::{bail, ensure, Context, Result};
use clap::Args;
use columns_bot::learned::networks::Network;
use columns_cli::{command::Stopped, file};
use columns_generator::generate;
use columns_tuner::search::network::{axes, probed, Spread};
use columns_tuner::{
    executor::Threads, experiment::folder, experiment::run::Run, player::Player,
    search::space::Axis,
};
use std::{ops::ControlFlow, path::PathBuf, process::ExitCode};

/// Make a network better by playing
///
/// The same search as that of `tuner fit`, over all numbers of the network but the weights of its
/// first layer. A step of a number is the change that makes the values of the states of one layer
/// spread by one match; so it is measured first.
///
/// The run lives in a folder and survives every stop: go on with `tuner resume`. It comes to the
/// same bytes then, and for any number of jobs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner refine --out refined
  tuner eval --network refined/network.txt --seeds 20001..=20060")]
pub(crate) struct Options {
    /// Folder for the run, new or empty
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    searching: Searching,
    #[command(flatten)]
    playing: Playing,
}

/// The number of cases that show the effect of each number.
const LOOKED_AT: usize = 32;

/// The work of a state of a beam's width over 300 columns, in microseconds: so the beams of these
/// cases are about as wide as those of the games.
const STATE: u64 = 2400;

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let player = self.searching.player.read()?;
        let network = player.network.as_deref();
        let network = network.context("expected a network to refine, found none")?;
        let start = self.searching.games_are.bot(player.clone())?;
        let config = |axes| self.searching.config(axes, start.clone(), OF_NETWORK);
        // Options and folder are checked before the steps are measured, which takes a while.
        config(axes(network))?;
        folder::check(&self.out)?;
        let _made = file::make_folder(&self.out)?;
        let crew = self.playing.crew()?;
        let config = config(self.measured(&player, network, crew.threads)?)?;
        finish(Run::create(&self.out, config)?, &crew)
    }

    /// The numbers of the network, each with its step.
    fn measured(&self, player: &Player, network: &Network, threads: Threads) -> Result<Vec<Axis>> {
        let cases = self.searching.games_are.spec()?;
        let width = (self.searching.games_are.work() / STATE).max(2) as usize;
        let networks = probed(network);
        let bar = progress::games(LOOKED_AT);
        let look = |index: usize| {
            let case = generate(1 + index as u64, &cases);
            Spread::of(&networks, player.bot(), width, &case)
        };
        let mut spreads = Vec::new();
        let Threads { pool, stop } = threads;
        let done = pool.in_order(LOOKED_AT, stop, look, |_, spread| {
            spreads.push(spread);
            bar.inc(1);
            Ok(ControlFlow::Continue(()))
        });
        bar.finish_and_clear();
        if done? < LOOKED_AT {
            bail!(Stopped("before a generation was played".into()));
        }
        let axes = Spread::axes(&spreads, network);
        ensure!(
            !axes.is_empty(),
            "the network changes nothing in these cases: expected longer ones or a wider beam (--work)"
        );
        Ok(axes)
    }
}
