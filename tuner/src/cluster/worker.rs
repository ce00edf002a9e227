//! The worker: a process that plays games for all runs of a server.

use super::{asking, Answer, Connection, Job};
use crate::{contestant::Contestant, game::Played};
use anyhow::Result;
use async_nats::{connection::State, Client};
use columns_generator::generate;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// The pause before another try.
const PAUSE: Duration = Duration::from_millis(500);
/// The number of tries to send an answer; then the driver has gone.
const TRIES: usize = 20;

/// What the tasks of a worker share.
struct Shared {
    client: Client,
    subject: String,
    /// True if no more games may be begun.
    stop: &'static AtomicBool,
    /// A permit for each game that may be played at a time.
    playing: Semaphore,
    begun: Instant,
    /// Milliseconds after `begun` when there was work last.
    busy: AtomicU64,
}

/// See [`Connection::work`].
pub(super) fn work(
    connection: &Connection,
    jobs: usize,
    idle: Option<Duration>,
    stop: &'static AtomicBool,
    tick: impl Fn() + Send + Sync + 'static,
) -> Result<()> {
    let shared = Arc::new(Shared {
        client: connection.client.clone(),
        subject: asking(),
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
        while !hands.is_empty() {
            let ended = tokio::select! {
                Some(ended) = hands.join_next() => ended?,
                () = sleep(PAUSE) => connection.check(),
            };
            if ended.is_err() {
                shared.stop.store(true, Ordering::Relaxed);
                result = result.and(ended);
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
            // A request that waits for a connection would be stale when it arrives.
            let is_connected = self.client.connection_state() == State::Connected;
            let reply = match self.client.request(self.subject.clone(), "".into()) {
                request if is_connected => request.await.ok(),
                _ => None,
            };
            let Some(reply) = reply else {
                sleep(PAUSE).await;
                continue;
            };
            if let Ok(job) = serde_json::from_slice(&reply.payload) {
                self.answer(job).await?;
                self.busy.fetch_max(now(), Ordering::Relaxed);
                tick();
            }
        }
        Ok(())
    }

    /// Plays a game and sends its result.
    async fn answer(&self, job: Job) -> Result<()> {
        let (subject, key) = (job.answers.clone(), job.key.clone());
        let (played, seconds) = self.play(job).await?;
        let answer = Answer {
            key,
            played,
            seconds,
        };
        let bytes = serde_json::to_vec(&answer)?;
        for _ in 0..TRIES {
            let sent = self.client.request(subject.clone(), bytes.clone().into());
            if sent.await.is_ok() || self.stop.load(Ordering::Relaxed) {
                break;
            }
            sleep(PAUSE).await;
        }
        Ok(())
    }

    /// Plays a game. Returns its result and how long it took.
    async fn play(&self, job: Job) -> Result<(Played, f64)> {
        let _permit = self.playing.acquire().await?;
        let played = tokio::task::spawn_blocking(move || {
            let begun = Instant::now();
            let contestant = Contestant::Bot {
                player: job.player,
                work: job.work,
            };
            let played = contestant.play(&generate(job.seed, &job.cases))?;
            Ok((played, begun.elapsed().as_secs_f64()))
        });
        played.await?
    }
}
