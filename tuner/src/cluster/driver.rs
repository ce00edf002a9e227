//! The driver: hands the games of a run to the workers of a server, and collects their answers.

use super::connection::Connection;
use super::protocol::{Job, JobAnswer, answer_subject, request_subject};
use crate::executor::{Batch, Executor, Game, OnResult};
use crate::{game_result::GameResult, player::Player};
use anyhow::{Context, Result, bail};
use async_nats::{Subject, Subscriber, client::PublishErrorKind};
use columns_cases::digest::Digest;
use columns_cli::stderr::warn;
use futures_util::{FutureExt, StreamExt};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// The maximum time that the driver waits between two checks of `stop` and of the server's refusals.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);
/// The maximum time that the driver holds a request while it has no game. After that, it replies with an
/// empty message.
const MAX_HOLD_TIME: Duration = Duration::from_secs(1);
/// The age at which a request no longer gets a game, since its worker may have given up. A worker waits for
/// five seconds.
const STALE_REQUEST_AGE: Duration = Duration::from_secs(3);
/// The minimum time before a game is handed out again.
const RESEND_AFTER: Duration = Duration::from_secs(10);
/// The number of answers whose playing times are kept, to decide when to hand out a game again.
const RECENT_GAMES: usize = 100;
/// The driver prints a warning if no answer has arrived for this long.
const SILENCE_BEFORE_WARNING: Duration = Duration::from_secs(30);

/// The workers of a server, for one run.
struct RemoteWorkers<'a> {
    connection: &'a Connection,
    /// The subject of the run's answers.
    answer_subject: String,
    stop: &'a AtomicBool,
    requests: Subscriber,
    answers: Subscriber,
    /// The workers that wait for a game, each with the earliest possible arrival time of its request.
    waiting_workers: VecDeque<(Subject, Instant)>,
    /// The time when the driver last read all requests.
    last_read: Instant,
    /// The playing times of the last [`RECENT_GAMES`] answers.
    playing_times: VecDeque<Duration>,
}

/// Subscribes to the requests and the answers of a server's workers. Returns an executor that hands these
/// workers the games of one run until `stop` is set. `run` is the identity of the run.
///
/// # Errors
/// Returns an error if the server cannot be used. The error names the server and the reason.
pub fn connect_workers<'a>(
    connection: &'a Connection,
    run: Digest,
    stop: &'a AtomicBool,
) -> Result<Box<dyn Executor + 'a>> {
    let client = &connection.client;
    let answer_subject = answer_subject(run);
    let subscribed = connection.runtime.block_on(async {
        // In a queue group, each request reaches only one driver.
        let requests = client
            .queue_subscribe(request_subject(), "drivers".into())
            .await?;
        let answers = client.subscribe(answer_subject.clone()).await?;
        anyhow::Ok((requests, answers))
    });
    let (requests, answers) = subscribed.with_context(|| connection.address().to_string())?;
    Ok(Box::new(RemoteWorkers {
        connection,
        answer_subject,
        stop,
        requests,
        answers,
        waiting_workers: VecDeque::new(),
        last_read: Instant::now(),
        playing_times: VecDeque::new(),
    }))
}

impl RemoteWorkers<'_> {
    /// Sends a message. Returns an error only if the message is too large. All other failures are ignored,
    /// since a worker without a reply repeats its request.
    async fn send(&self, to: Subject, message: Vec<u8>) -> Result<()> {
        let sent = self.connection.client.publish(to, message.into()).await;
        match sent {
            Err(error) if error.kind() == PublishErrorKind::MaxPayloadExceeded => {
                bail!("{}: {error}", self.connection.address())
            }
            _ => Ok(()),
        }
    }

    /// Reads the requests that have arrived. Each gets the time of the previous read, since it may have
    /// arrived at any time after that.
    fn read_requests(&mut self) {
        let since = self.last_read;
        while let Some(Some(request)) = self.requests.next().now_or_never() {
            self.waiting_workers
                .extend(request.reply.map(|worker| (worker, since)));
        }
        self.last_read = Instant::now();
    }

    /// Hands games to the waiting workers while there are games to hand out. A request that is stale or has
    /// waited too long gets an empty reply.
    async fn hand_out(&mut self, batch: &Batch<'_>, open: &mut OpenBatch) -> Result<()> {
        self.read_requests();
        while let Some(&(_, since)) = self.waiting_workers.front() {
            let age = since.elapsed();
            let game = if age < STALE_REQUEST_AGE && !self.is_stopped() {
                open.next(self.resend_after())
            } else {
                None
            };
            if game.is_none() && age < MAX_HOLD_TIME {
                break;
            }
            let job = game.map(|game| self.job(batch, open, batch.games[game]));
            let message = job.transpose()?.unwrap_or_default();
            if let Some((worker, _)) = self.waiting_workers.pop_front() {
                self.send(worker, message).await?;
            }
        }
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns the time before a game is handed out again.
    fn resend_after(&self) -> Duration {
        let longest = self.playing_times.iter().max().copied().unwrap_or_default();
        RESEND_AFTER.max(3 * longest)
    }

    fn job(&self, batch: &Batch<'_>, open: &OpenBatch, game: Game) -> Result<Vec<u8>> {
        let Player::Bot { player, work_us } = &batch.players[game.player] else {
            bail!("expected games of the bot, found those of a program: continue without --nats");
        };
        Ok(serde_json::to_vec(&Job {
            answer_subject: self.answer_subject.clone(),
            key: open.key(game),
            case_spec: *batch.case_spec,
            seed: game.seed,
            work_us: *work_us,
            player: player.clone(),
        })?)
    }

    async fn play(&mut self, batch: &Batch<'_>, on_result: &mut OnResult<'_>) -> Result<()> {
        let mut open = OpenBatch::new(batch)?;
        let (mut last_answer, mut has_warned) = (Instant::now(), false);
        let mut reported = 0;
        // After `stop` is set, wait for the answers to the games in progress.
        while reported < batch.games.len()
            && (!self.is_stopped() || open.is_in_progress(self.resend_after()))
        {
            self.connection.check_refusal()?;
            self.hand_out(batch, &mut open).await?;
            tokio::select! {
                Some(request) = self.requests.next() => {
                    self.waiting_workers.extend(request.reply.map(|worker| (worker, self.last_read)));
                }
                Some(message) = self.answers.next() => {
                    (last_answer, has_warned) = (Instant::now(), false);
                    if let Ok(answer) = serde_json::from_slice(&message.payload) {
                        self.receive(&mut open, &answer);
                    }
                    if let Some(worker) = message.reply {
                        self.send(worker, Vec::new()).await?;
                    }
                    while let Some(&Some(result)) = open.results.get(reported) {
                        reported += 1;
                        if on_result(reported - 1, result)? {
                            return Ok(());
                        }
                    }
                }
                () = sleep(CHECK_INTERVAL) => {}
            }
            if last_answer.elapsed() > SILENCE_BEFORE_WARNING && !has_warned {
                has_warned = true;
                warn(
                    "tuner",
                    &format!(
                        "no game has come back for 30 s; waiting for workers of this build (tuner worker \
                     --nats {})",
                        self.connection.address()
                    ),
                );
            }
        }
        Ok(())
    }

    /// Stores the result that an answer reports, unless the game already has a result or is not in the batch.
    /// Always stores the playing time.
    fn receive(&mut self, open: &mut OpenBatch, answer: &JobAnswer) {
        if let Some(&index) = open.indices_by_key.get(&answer.key) {
            open.results[index].get_or_insert(answer.result);
        }
        let playing_time = Duration::try_from_secs_f64(answer.duration_s);
        self.playing_times.extend(playing_time.ok());
        if self.playing_times.len() > RECENT_GAMES {
            self.playing_times.pop_front();
        }
    }
}

impl Executor for RemoteWorkers<'_> {
    fn play(&mut self, batch: &Batch<'_>, on_result: &mut OnResult<'_>) -> Result<()> {
        let connection = self.connection;
        connection.runtime.block_on(self.play(batch, on_result))
    }
}

/// The progress of a batch: its games, their results, and the games that workers are playing.
struct OpenBatch {
    /// The digest of the cases and the players. The key of each game begins with this digest.
    batch_digest: Digest,
    /// The index of each game in the batch, by its key.
    indices_by_key: HashMap<String, usize>,
    /// The result of each game, once it is known.
    results: Vec<Option<GameResult>>,
    /// Index of the next game to hand out for the first time.
    next_unsent: usize,
    /// The games in progress, each with the time when it was last handed out, in the order of these times.
    in_progress: VecDeque<(usize, Instant)>,
}

impl OpenBatch {
    fn new(batch: &Batch<'_>) -> Result<Self> {
        let mut open = Self {
            batch_digest: Digest::new(&serde_json::to_vec(&(batch.case_spec, batch.players))?),
            indices_by_key: HashMap::new(),
            results: vec![None; batch.games.len()],
            next_unsent: 0,
            in_progress: VecDeque::new(),
        };
        let keys = batch.games.iter().map(|&game| open.key(game));
        open.indices_by_key = keys.zip(0..).collect();
        Ok(open)
    }

    /// Returns the key of a game. A process that resumes the run computes the same keys for the remaining
    /// games, so it can use late answers.
    fn key(&self, Game { player, seed }: Game) -> String {
        format!("{}-{player}-{seed}", self.batch_digest)
    }

    /// Returns the next game to hand out: a game that no worker has received yet. If there is none, returns
    /// the game that was handed out longest ago, if this was at least `resend_after` ago.
    fn next(&mut self, resend_after: Duration) -> Option<usize> {
        self.remove_answered();
        let index = if self.next_unsent < self.results.len() {
            self.next_unsent += 1;
            self.next_unsent - 1
        } else {
            let (index, since) = *self.in_progress.front()?;
            if since.elapsed() < resend_after {
                return None;
            }
            self.in_progress.pop_front();
            index
        };
        self.in_progress.push_back((index, Instant::now()));
        Some(index)
    }

    /// True if the answer to a game in progress may still arrive.
    fn is_in_progress(&mut self, resend_after: Duration) -> bool {
        self.remove_answered();
        self.in_progress
            .iter()
            .any(|(_, since)| since.elapsed() < resend_after)
    }

    fn remove_answered(&mut self) {
        let results = &self.results;
        self.in_progress
            .retain(|&(index, _)| results[index].is_none());
    }
}
