//! The course of a run: plays the stage that [`State::next`](super::state::State::next) names, until
//! the run has ended.

use super::event::{Event, Stage};
use super::folder;
use super::run::{Listener, Run, Work};
use super::state::Next;
use crate::executor::Executor;
use anyhow::Result;

impl Run {
    /// Works until the run has ended, and writes its outcome into the folder.
    ///
    /// # Errors
    /// If a file cannot be written, or if games cannot be played. The error is
    /// [`Stopped`](columns_cli::command::Stopped) if the executor was stopped.
    pub fn work(&mut self, executor: &mut dyn Executor, listener: &mut dyn Listener) -> Result<()> {
        let mut work = Work {
            run: self,
            executor,
            listener,
        };
        let ended = work.run_stages();
        if self.played > 0 {
            self.record_seconds()?;
        }
        ended?;
        self.ledger.sync()?;
        folder::write_outcome(&self.folder, &self.state)
    }
}

impl Work<'_> {
    fn run_stages(&mut self) -> Result<()> {
        loop {
            let time_is_up = self.run.left() == Some(0.0);
            let (stage, event) = match self.run.state.next(time_is_up) {
                Next::End => return Ok(()),
                Next::Stop(reason) => (None, Event::Stop(reason)),
                Next::Play(stage) => (Some(stage), self.stage(stage)?),
            };
            self.run.record(event)?;
            self.run.record_seconds()?;
            self.run.ledger.sync()?;
            self.listener.event(stage, &self.run.state);
        }
    }

    fn stage(&mut self, stage: Stage) -> Result<Event> {
        match stage {
            Stage::Draw(number) => self.draw(number),
            Stage::Generation(number) => self.generation(number),
            Stage::Challenge(number) => self.challenge(number),
            Stage::Judgement(number) => self.judgement(number),
            Stage::Recovery => self.recovery(),
        }
    }
}
