//! The worker: a process that plays games for all runs of a server.

use super::connection::Connection;
use super::protocol::{Job, JobAnswer, request_subject};
use crate::{game_result::GameResult, player::Player};
use anyhow::Result;
use async_nats::{Client, connection::State};
use columns_generator::generate;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// The time between two attempts to get a game or to send an answer. Also the interval at which the worker
/// checks whether the server has refused the credentials or a request.
const RETRY_INTERVAL: Duration = Duration::from_millis(500);
/// The maximum number of attempts to send an answer. If all fail, the driver has probably ended.
const MAX_SENDS: usize = 20;

/// The state that the tasks of a worker share.
struct Shared {
    client: Client,
    subject: String,
    /// Set when no more games may begin, and each result is sent only once more.
    stop: &'static AtomicBool,
    /// Set when no game has been played for longer than `max_idle`: no more games may begin.
    is_idle: AtomicBool,
    /// The maximum number of games that the worker plays at the same time.
    jobs: usize,
    /// One permit for each of these games.
    game_permits: Semaphore,
    start: Instant,
    /// The time when the last game ended, in milliseconds since `start`.
    last_game_end_ms: AtomicU64,
    /// The maximum time without a game before the worker ends; `None` if there is no limit.
    max_idle: Option<Duration>,
}

/// Plays games for the runs of a server, `jobs` at a time, until `stop` is set, or until no game has been
/// played for longer than `max_idle`; `None` means no limit. Calls `on_game_done` after each game.
///
/// # Errors
/// Returns an error if the server refuses the credentials or a request. The error gives the server's reason.
pub fn run_worker(
    connection: &Connection,
    jobs: usize,
    max_idle: Option<Duration>,
    stop: &'static AtomicBool,
    on_game_done: impl Fn() + Send + Sync + 'static,
) -> Result<()> {
    let shared = Arc::new(Shared {
        client: connection.client.clone(),
        subject: request_subject(),
        stop,
        is_idle: AtomicBool::new(false),
        jobs,
        game_permits: Semaphore::new(jobs),
        start: Instant::now(),
        last_game_end_ms: AtomicU64::new(0),
        max_idle,
    });
    let on_game_done = Arc::new(on_game_done);
    connection.runtime.block_on(async {
        let mut tasks = JoinSet::new();
        // Spawn one task more than `jobs`: it fetches the next game while `jobs` games are being played.
        for _ in 0..=jobs {
            let (shared, on_game_done) = (Arc::clone(&shared), Arc::clone(&on_game_done));
            tasks.spawn(async move { shared.play_games(&*on_game_done).await });
        }
        let mut result = Ok(());
        while !tasks.is_empty() {
            let ended = tokio::select! {
                Some(ended) = tasks.join_next() => ended?,
                () = sleep(RETRY_INTERVAL) => connection.check_refusal(),
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
    fn now_ms(&self) -> u64 {
        self.start.elapsed().as_millis() as u64
    }

    /// Returns the time since the end of the last game; 0 while a game is in progress.
    fn idle_time(&self) -> Duration {
        // A game returns its permit after it has stored the time of its end, so read the permits first.
        if self.game_permits.available_permits() < self.jobs {
            return Duration::ZERO;
        }
        let last_game_end_ms = self.last_game_end_ms.load(Ordering::Relaxed);
        Duration::from_millis(self.now_ms().saturating_sub(last_game_end_ms))
    }

    /// Asks for games, plays them and sends the answers, one game at a time.
    async fn play_games(&self, on_game_done: &(impl Fn() + Sync)) -> Result<()> {
        while !self.stop.load(Ordering::Relaxed) && !self.is_idle.load(Ordering::Relaxed) {
            if self.max_idle.is_some_and(|max| self.idle_time() > max) {
                // Another task may have received a game by now. It must not continue alone.
                self.is_idle.store(true, Ordering::Relaxed);
                break;
            }
            // Send no request without a connection: it would be stale when it arrives.
            let is_connected = self.client.connection_state() == State::Connected;
            let reply = match self.client.request(self.subject.clone(), "".into()) {
                request if is_connected => request.await.ok(),
                _ => None,
            };
            let Some(reply) = reply else {
                sleep(RETRY_INTERVAL).await;
                continue;
            };
            if let Ok(job) = serde_json::from_slice(&reply.payload) {
                self.answer(job).await?;
                on_game_done();
            }
        }
        Ok(())
    }

    /// Plays a game, and sends its result until the driver confirms it or `stop` is set, but at most
    /// [`MAX_SENDS`] times.
    async fn answer(&self, job: Job) -> Result<()> {
        let (subject, key) = (job.answer_subject.clone(), job.key.clone());
        let (result, duration_s) = self.play(job).await?;
        let answer = JobAnswer {
            key,
            result,
            duration_s,
        };
        let bytes = serde_json::to_vec(&answer)?;
        for _ in 0..MAX_SENDS {
            let sent = self.client.request(subject.clone(), bytes.clone().into());
            if sent.await.is_ok() || self.stop.load(Ordering::Relaxed) {
                break;
            }
            sleep(RETRY_INTERVAL).await;
        }
        Ok(())
    }

    /// Plays a game. Returns its result and the time that it took, in seconds.
    async fn play(&self, job: Job) -> Result<(GameResult, f64)> {
        let _permit = self.game_permits.acquire().await?;
        let game = tokio::task::spawn_blocking(move || {
            let start = Instant::now();
            let (player, work_us) = (job.player, job.work_us);
            let player = Player::Bot { player, work_us };
            let result = player.play(&generate(job.seed, &job.case_spec))?;
            Ok((result, start.elapsed().as_secs_f64()))
        });
        let played = game.await?;
        self.last_game_end_ms
            .fetch_max(self.now_ms(), Ordering::Relaxed);
        played
    }
}
