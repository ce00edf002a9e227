//! The driver: a run that has its games played by workers.

use super::{version, Answer, Connection, Job, Offer, ANSWERS, ASKING};
use crate::executor::{Batch, Done, Executor, Game};
use crate::{contestant::Contestant, digest::Digest, game::Played};
use anyhow::{bail, Context, Result};
use async_nats::{Subject, Subscriber};
use columns_cli::mistake::complain;
use futures_util::StreamExt;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// How often to look whether to stop.
const LOOK: Duration = Duration::from_millis(200);
/// How long a worker is kept waiting where there is no game. Less than the time that it waits.
const HELD: Duration = Duration::from_secs(1);
/// After this time a game is handed out again, or after three times the longest that one has taken.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long it may be quiet before a line on standard error says so.
const TOO_QUIET: Duration = Duration::from_secs(30);
const NOBODY: &str =
    "no game has come back for 30 s; waiting for workers (tuner worker --nats URL)";

/// The workers of a server, for one run.
pub struct Remote<'a> {
    connection: &'a Connection,
    /// The subject of the run's answers.
    subject: String,
    version: Digest,
    stop: &'a AtomicBool,
    asks: Subscriber,
    answers: Subscriber,
    /// The workers that wait for a game, and since when.
    waiting: VecDeque<(Subject, Instant)>,
    /// The longest time between offer and answer.
    longest: Duration,
}

impl<'a> Remote<'a> {
    /// Has the games of a run played by the workers of a server, until `stop` is set.
    ///
    /// # Errors
    /// One line: why the server cannot be used.
    pub fn new(connection: &'a Connection, run: Digest, stop: &'a AtomicBool) -> Result<Self> {
        let client = &connection.client;
        let subject = format!("{ANSWERS}.{run}");
        let listening = connection.runtime.block_on(async {
            // A worker's question goes to one driver.
            let asks = client.queue_subscribe(ASKING, "drivers".into()).await?;
            let answers = client.subscribe(subject.clone()).await?;
            anyhow::Ok((asks, answers))
        });
        let (asks, answers) = listening.with_context(|| connection.shown.clone())?;
        Ok(Self {
            connection,
            subject,
            version: version(),
            stop,
            asks,
            answers,
            waiting: VecDeque::new(),
            longest: Duration::ZERO,
        })
    }

    async fn send(&self, to: Subject, message: Vec<u8>) {
        // If it is lost, the worker asks again.
        let _ = self.connection.client.publish(to, message.into()).await;
    }

    async fn offer(&self, to: Subject, job: Option<Job>) -> Result<()> {
        let version = self.version;
        let offer = serde_json::to_vec(&Offer { version, job })?;
        self.send(to, offer).await;
        Ok(())
    }

    /// Hands games to those who wait, as far as there are any.
    async fn hand_out(&mut self, batch: &Batch<'_>, open: &mut Open) -> Result<()> {
        while let Some((_, since)) = self.waiting.front() {
            let game = open.next(3 * self.longest);
            if game.is_none() && since.elapsed() < HELD {
                break;
            }
            let job = game.map(|index| self.job(batch, open, index)).transpose()?;
            if let Some((worker, _)) = self.waiting.pop_front() {
                self.offer(worker, job).await?;
            }
        }
        Ok(())
    }

    fn job(&self, batch: &Batch<'_>, open: &Open, index: usize) -> Result<Job> {
        let game = batch.games[index];
        let Contestant::Bot { player, work } = &batch.players[game.player] else {
            bail!("expected games of the bot, found those of a program: go on without --nats");
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
        let (mut heard, mut told) = (Instant::now(), false);
        let mut count = 0;
        while count < batch.games.len() && !self.stop.load(Ordering::Relaxed) {
            self.hand_out(batch, &mut open).await?;
            tokio::select! {
                Some(ask) = self.asks.next() => {
                    let Some(worker) = ask.reply else { continue };
                    if ask.payload == self.version.to_string() {
                        self.waiting.push_back((worker, Instant::now()));
                    } else {
                        self.offer(worker, None).await?;
                    }
                }
                Some(message) = self.answers.next() => {
                    (heard, told) = (Instant::now(), false);
                    if let Ok(answer) = serde_json::from_slice(&message.payload) {
                        self.longest = self.longest.max(open.take(&answer));
                    }
                    if let Some(worker) = message.reply {
                        self.send(worker, Vec::new()).await;
                    }
                    while let Some(&Some(played)) = open.results.get(count) {
                        count += 1;
                        if done(count - 1, played)? {
                            return Ok(());
                        }
                    }
                }
                () = sleep(LOOK) => {}
            }
            if heard.elapsed() > TOO_QUIET && !told {
                told = true;
                complain("tuner", NOBODY);
            }
        }
        Ok(())
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
    /// What each came to, once it is known.
    results: Vec<Option<Played>>,
    /// Those before it have been handed out.
    next: usize,
    /// Those that were, and when; the earliest first.
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
    fn next(&mut self, long: Duration) -> Option<usize> {
        let results = &self.results;
        self.out.retain(|&(index, _)| results[index].is_none());
        let index = if self.next < results.len() {
            self.next += 1;
            self.next - 1
        } else {
            let (index, since) = *self.out.front()?;
            if since.elapsed() < long.max(PATIENCE) {
                return None;
            }
            self.out.pop_front();
            index
        };
        self.out.push_back((index, Instant::now()));
        Some(index)
    }

    /// Takes an answer, if it is of this batch and the first to a game. Returns how long it took.
    fn take(&mut self, answer: &Answer) -> Duration {
        let Some(&index) = self.games.get(&answer.key) else {
            return Duration::ZERO;
        };
        self.results[index].get_or_insert(answer.played);
        let out = self.out.iter().find(|(game, _)| *game == index);
        out.map_or(Duration::ZERO, |(_, since)| since.elapsed())
    }
}
