//! The driver: a run that has its games played by workers.

use super::{asking, version, Answer, Connection, Job};
use crate::executor::{Batch, Done, Executor, Game};
use crate::{contestant::Contestant, digest::Digest, game::Played};
use anyhow::{bail, Context, Result};
use async_nats::{client::PublishErrorKind, Subject, Subscriber};
use columns_cli::mistake::complain;
use futures_util::{FutureExt, StreamExt};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// The time between two checks of `stop` and of the server's refusals.
const CHECK: Duration = Duration::from_millis(200);
/// The longest time that a worker waits for a reply where there is no game.
const HELD: Duration = Duration::from_secs(1);
/// A request of this age may have been given up by its worker, which waits for [`super::TIMEOUT`]:
/// it gets no game.
const STALE: Duration = Duration::from_secs(3);
/// A game is handed out again after this time, or after three times the longest of the recent games.
const PATIENCE: Duration = Duration::from_secs(10);
/// The number of recent games whose times are known.
const RECENT: usize = 100;
/// The time without an answer after which a line on standard error says so.
const TOO_QUIET: Duration = Duration::from_secs(30);

/// The workers of a server, for one run.
pub(super) struct Remote<'a> {
    connection: &'a Connection,
    /// The subject of the run's answers.
    subject: String,
    stop: &'a AtomicBool,
    asks: Subscriber,
    answers: Subscriber,
    /// The workers that wait for a game, and the earliest time at which they may have asked.
    waiting: VecDeque<(Subject, Instant)>,
    /// The last time that all requests had been read.
    read: Instant,
    /// How long the recent games took their workers to play.
    times: VecDeque<Duration>,
}

impl<'a> Remote<'a> {
    /// Has the games of a run played by the workers of a server, until `stop` is set.
    ///
    /// # Errors
    /// One line: why the server cannot be used.
    pub(super) fn new(
        connection: &'a Connection,
        run: Digest,
        stop: &'a AtomicBool,
    ) -> Result<Self> {
        let client = &connection.client;
        let subject = format!("columns.{}.answers.{run}", version());
        let listening = connection.runtime.block_on(async {
            // A worker's question goes to one driver.
            let asks = client.queue_subscribe(asking(), "drivers".into()).await?;
            let answers = client.subscribe(subject.clone()).await?;
            anyhow::Ok((asks, answers))
        });
        let (asks, answers) = listening.with_context(|| connection.shown.clone())?;
        Ok(Self {
            connection,
            subject,
            stop,
            asks,
            answers,
            waiting: VecDeque::new(),
            read: Instant::now(),
            times: VecDeque::new(),
        })
    }

    /// Sends a message. If the connection loses it, the worker asks again.
    async fn send(&self, to: Subject, message: Vec<u8>) -> Result<()> {
        let sent = self.connection.client.publish(to, message.into()).await;
        match sent {
            Err(error) if error.kind() == PublishErrorKind::MaxPayloadExceeded => {
                bail!("{}: {error}", self.connection.shown)
            }
            _ => Ok(()),
        }
    }

    /// Reads the requests that have come. They may have waited since the last time, while this
    /// process did other work.
    fn read_requests(&mut self) {
        let since = self.read;
        while let Some(Some(ask)) = self.asks.next().now_or_never() {
            self.waiting.extend(ask.reply.map(|worker| (worker, since)));
        }
        self.read = Instant::now();
    }

    /// Hands games to the workers that wait, while there are any. Stale requests get none.
    async fn hand_out(&mut self, batch: &Batch<'_>, open: &mut Open) -> Result<()> {
        self.read_requests();
        let patience = self.patience();
        while let Some(&(_, since)) = self.waiting.front() {
            let age = since.elapsed();
            let game = if age < STALE && !self.stop.load(Ordering::Relaxed) {
                open.next(patience)
            } else {
                None
            };
            if game.is_none() && age < HELD {
                break;
            }
            let job = game.map(|index| self.job(batch, open, index)).transpose()?;
            let message = job.map(|job| serde_json::to_vec(&job)).transpose()?;
            if let Some((worker, _)) = self.waiting.pop_front() {
                self.send(worker, message.unwrap_or_default()).await?;
            }
        }
        Ok(())
    }

    /// The time after which a game is handed out again.
    fn patience(&self) -> Duration {
        let longest = self.times.iter().max().copied().unwrap_or_default();
        PATIENCE.max(3 * longest)
    }

    fn job(&self, batch: &Batch<'_>, open: &Open, index: usize) -> Result<Job> {
        let game = batch.games[index];
        let Contestant::Bot { player, work } = &batch.players[game.player] else {
            bail!("expected games of the bot, found those of a program: continue without --nats");
        };
        Ok(Job {
            answers: self.subject.clone(),
            key: open.key(game),
            cases: *batch.cases,
            seed: game.seed,
            work: *work,
            player: player.clone(),
        })
    }

    async fn play(&mut self, batch: &Batch<'_>, done: &mut Done<'_>) -> Result<()> {
        let mut open = Open::new(batch)?;
        let (mut heard, mut quiet) = (Instant::now(), false);
        let mut count = 0;
        while count < batch.games.len() && self.is_worth_waiting(&mut open) {
            self.connection.check()?;
            self.hand_out(batch, &mut open).await?;
            tokio::select! {
                Some(ask) = self.asks.next() => {
                    self.waiting.extend(ask.reply.map(|worker| (worker, self.read)));
                }
                Some(message) = self.answers.next() => {
                    (heard, quiet) = (Instant::now(), false);
                    if let Ok(answer) = serde_json::from_slice(&message.payload) {
                        self.take(&mut open, &answer);
                    }
                    if let Some(worker) = message.reply {
                        self.send(worker, Vec::new()).await?;
                    }
                    while let Some(&Some(played)) = open.results.get(count) {
                        count += 1;
                        if done(count - 1, played)? {
                            return Ok(());
                        }
                    }
                }
                () = sleep(CHECK) => {}
            }
            if heard.elapsed() > TOO_QUIET && !quiet {
                quiet = true;
                complain("tuner", &format!(
                    "no game has come back for 30 s; waiting for workers of this build (tuner worker \
                     --nats {})",
                    self.connection.shown
                ));
            }
        }
        Ok(())
    }

    /// True until `stop` is set, and then while games are in hand that may still come back.
    fn is_worth_waiting(&self, open: &mut Open) -> bool {
        !self.stop.load(Ordering::Relaxed) || open.is_in_hand(self.patience())
    }

    fn take(&mut self, open: &mut Open, answer: &Answer) {
        open.take(answer);
        let time = Duration::try_from_secs_f64(answer.seconds);
        self.times.extend(time.ok());
        if self.times.len() > RECENT {
            self.times.pop_front();
        }
    }
}

impl Executor for Remote<'_> {
    fn play(&mut self, batch: &Batch<'_>, done: &mut Done<'_>) -> Result<()> {
        let connection = self.connection;
        connection.runtime.block_on(self.play(batch, done))
    }
}

/// The games of a batch that have not come back.
struct Open {
    /// What the keys of the batch have in common.
    common: Digest,
    /// The games by key.
    games: HashMap<String, usize>,
    /// The result of each, once it is known.
    results: Vec<Option<Played>>,
    /// Index of the next game to hand out for the first time.
    next: usize,
    /// The games in hand, and when they were handed out; the earliest first.
    out: VecDeque<(usize, Instant)>,
}

impl Open {
    fn new(batch: &Batch<'_>) -> Result<Self> {
        let mut open = Self {
            common: Digest::of_json(&(batch.cases, batch.players))?,
            games: HashMap::new(),
            results: vec![None; batch.games.len()],
            next: 0,
            out: VecDeque::new(),
        };
        let keys = batch.games.iter().map(|&game| open.key(game));
        open.games = keys.zip(0..).collect();
        Ok(open)
    }

    /// The key of a game; it is the same in a later process, whatever part of the batch is left.
    fn key(&self, Game { player, seed }: Game) -> String {
        format!("{}-{player}-{seed}", self.common)
    }

    /// The next game to hand out: a new one, or else one that was handed out long ago.
    fn next(&mut self, patience: Duration) -> Option<usize> {
        self.forget_known();
        let index = if self.next < self.results.len() {
            self.next += 1;
            self.next - 1
        } else {
            let (index, since) = *self.out.front()?;
            if since.elapsed() < patience {
                return None;
            }
            self.out.pop_front();
            index
        };
        self.out.push_back((index, Instant::now()));
        Some(index)
    }

    /// True if a game is in hand whose answer may still come.
    fn is_in_hand(&mut self, patience: Duration) -> bool {
        self.forget_known();
        self.out.iter().any(|(_, since)| since.elapsed() < patience)
    }

    fn forget_known(&mut self) {
        let results = &self.results;
        self.out.retain(|&(index, _)| results[index].is_none());
    }

    /// Takes an answer, if it is of this batch and the first to a game.
    fn take(&mut self, answer: &Answer) {
        if let Some(&index) = self.games.get(&answer.key) {
            self.results[index].get_or_insert(answer.played);
        }
    }
}
