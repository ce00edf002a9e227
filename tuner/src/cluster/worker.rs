//! The worker: a process that plays games for all runs of a server.

use super::{version, Answer, Connection, Job, ASKING};
use crate::{contestant::Contestant, digest::Digest, game::Played};
use anyhow::{ensure, Result};
use async_nats::Client;
use columns_generator::generate;
use serde_json::Value;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// How long to wait before something that failed is tried again.
const PAUSE: Duration = Duration::from_millis(500);
/// How often an answer is sent before it is given up: the driver has gone.
const TRIES: usize = 20;

/// What the tasks of a worker share.
struct Shared {
    client: Client,
    version: Digest,
    /// Whether no more games may be begun.
    stop: &'static AtomicBool,
    /// A permit for each game that may be played at a time.
    playing: Semaphore,
    begun: Instant,
    /// Milliseconds after `begun` when there was work last.
    busy: AtomicU64,
}

/// Plays games, `jobs` at a time, until `stop` is set, or until there was none for as long as
/// `idle` says; calls `tick` after each.
///
/// # Errors
/// One line: a driver is not of this version.
pub fn work(
    connection: &Connection,
    jobs: usize,
    idle: Option<Duration>,
    stop: &'static AtomicBool,
    tick: impl Fn() + Send + Sync + 'static,
) -> Result<()> {
    let shared = Arc::new(Shared {
        client: connection.client.clone(),
        version: version(),
        stop,
        playing: Semaphore::new(jobs),
        begun: Instant::now(),
        busy: AtomicU64::new(0),
    });
    let tick = Arc::new(tick);
    connection.runtime.block_on(async {
        let mut hands = JoinSet::new();
        // One more than play, so that the next game is there when one ends.
        for _ in 0..=jobs {
            let (shared, tick) = (Arc::clone(&shared), Arc::clone(&tick));
            hands.spawn(async move { shared.hand(idle, &*tick).await });
        }
        let mut result = Ok(());
        while let Some(ended) = hands.join_next().await {
            let ended = ended.map_err(anyhow::Error::from).and_then(|ended| ended);
            if ended.is_err() {
                shared.stop.store(true, Ordering::Relaxed);
                result = ended;
            }
        }
        result
    })
}

impl Shared {
    /// Asks for games, plays them and sends the answers, one after the other.
    async fn hand(&self, idle: Option<Duration>, tick: &(impl Fn() + Sync)) -> Result<()> {
        let now = || self.begun.elapsed().as_millis() as u64;
        while !self.stop.load(Ordering::Relaxed) {
            let since = now().saturating_sub(self.busy.load(Ordering::Relaxed));
            if idle.is_some_and(|idle| u128::from(since) > idle.as_millis()) {
                break;
            }
            let version = self.version.to_string();
            // No driver is there, or no server.
            let Ok(reply) = self.client.request(ASKING, version.into()).await else {
                sleep(PAUSE).await;
                continue;
            };
            if let Some(job) = self.read(&reply.payload)? {
                self.answer(job).await?;
                self.busy.fetch_max(now(), Ordering::Relaxed);
                tick();
            }
        }
        Ok(())
    }

    /// The game of an offer, if there is one.
    fn read(&self, offer: &[u8]) -> Result<Option<Job>> {
        let mut offer: Value = serde_json::from_slice(offer).unwrap_or_default();
        let theirs = offer["version"].as_str().unwrap_or("none");
        ensure!(
            theirs == self.version.to_string(),
            "expected a driver of version {}, as this worker has, found {theirs}: run the same build \
             everywhere",
            self.version
        );
        Ok(serde_json::from_value(offer["job"].take())?)
    }

    /// Plays a game and sends its result.
    async fn answer(&self, job: Job) -> Result<()> {
        let (subject, key) = (job.answers.clone(), job.key.clone());
        let played = self.play(job).await?;
        let bytes = serde_json::to_vec(&Answer { key, played })?;
        for _ in 0..TRIES {
            let sent = self.client.request(subject.clone(), bytes.clone().into());
            if sent.await.is_ok() || self.stop.load(Ordering::Relaxed) {
                break;
            }
            sleep(PAUSE).await;
        }
        Ok(())
    }

    async fn play(&self, job: Job) -> Result<Played> {
        let _permit = self.playing.acquire().await?;
        let played = tokio::task::spawn_blocking(move || {
            let contestant = Contestant::Bot {
                player: job.player,
                work: job.work,
            };
            contestant.play(&generate(job.seed, &job.cases))
        });
        played.await?
    }
}
