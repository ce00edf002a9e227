//! The worker: a process that plays games for all runs of a server.

use super::message::{Answer, Job, Versioned};
use super::{
    consumer, streams, version, Connection, ANSWERS_SUBJECT, GAMES_SUBJECT, PAUSE, WORKERS,
    WORKER_PATIENCE, WORKER_PULSE,
};
use crate::clock;
use crate::digest::Digest;
use crate::executor::Timed;
use crate::game::play;
use anyhow::{anyhow, bail, Result};
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Context, Message};
use columns_generator::generate;
use futures_util::StreamExt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// How long to ask for a game before asking again, so that the server knows that the worker lives.
const ASK: Duration = Duration::from_secs(2);

/// What the tasks of a worker share.
struct Shared {
    context: Context,
    version: Digest,
    /// Whether no more games may be begun.
    stop: Arc<AtomicBool>,
    /// A permit for each game that may be played at a time.
    playing: Semaphore,
    /// Games played.
    games: AtomicU64,
    begun: Instant,
    /// Milliseconds after `begun` when there was work last.
    busy: AtomicU64,
}

/// Plays games, `jobs` at a time, until `stop` is set, or until there was none for as long as
/// `idle` says; calls `tick` after each. Returns how many it has played.
///
/// # Errors
/// One line: a game came from a driver that this build cannot work with. Another worker gets it.
pub fn work(
    connection: &Connection,
    jobs: usize,
    idle: Option<Duration>,
    stop: &Arc<AtomicBool>,
    tick: impl Fn() + Send + Sync + 'static,
) -> Result<u64> {
    let shared = Arc::new(Shared {
        context: connection.context.clone(),
        version: version(),
        stop: Arc::clone(stop),
        playing: Semaphore::new(jobs),
        games: AtomicU64::new(0),
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
    })?;
    Ok(shared.games.load(Ordering::Relaxed))
}

impl Shared {
    /// Takes games, plays them and sends the answers, one after the other.
    async fn hand(&self, idle: Option<Duration>, tick: &(impl Fn() + Sync)) -> Result<()> {
        let mut place = None;
        while !self.stop.load(Ordering::Relaxed) {
            let now = self.begun.elapsed().as_millis() as u64;
            let since = now.saturating_sub(self.busy.load(Ordering::Relaxed));
            if idle.is_some_and(|idle| u128::from(since) > idle.as_millis()) {
                break;
            }
            match self.ask(&mut place).await {
                Ok(Some(message)) => {
                    self.answer(&message).await?;
                    let now = self.begun.elapsed().as_millis() as u64;
                    self.busy.fetch_max(now, Ordering::Relaxed);
                    tick();
                }
                Ok(None) => {}
                // The server is away, or was and has forgotten who was asking.
                Err(_) => {
                    place = None;
                    sleep(PAUSE).await;
                }
            }
        }
        Ok(())
    }

    /// A game to play; `None` if there is none for a while.
    async fn ask(&self, place: &mut Option<PullConsumer>) -> Result<Option<Message>> {
        if place.is_none() {
            let (games, _) = streams(&self.context).await?;
            let subject = format!("{GAMES_SUBJECT}.>");
            *place = Some(consumer(&games, WORKERS, subject, WORKER_PATIENCE).await?);
        }
        let Some(consumer) = place else {
            bail!("nobody is asking");
        };
        let batch = consumer.batch().max_messages(1).expires(ASK).messages();
        match timeout(2 * ASK, batch.await?.next()).await? {
            Some(message) => Ok(Some(message.map_err(|error| anyhow!(error))?)),
            None => Ok(None),
        }
    }

    /// Plays the game of a message and sends its result; only then is the message acknowledged.
    async fn answer(&self, message: &Message) -> Result<()> {
        let job = match self.read(message) {
            Ok(job) => job,
            Err(error) => {
                // A worker that can play it must get it at once.
                let _ = message.ack_with(AckKind::Nak(None)).await;
                // The process is about to end; this must be sent before.
                let _ = self.context.client().flush().await;
                return Err(error);
            }
        };
        let Some(run) = message.subject.strip_prefix(&format!("{GAMES_SUBJECT}.")) else {
            bail!(
                "expected a subject {GAMES_SUBJECT}.RUN, found {}",
                message.subject
            );
        };
        let (key, offer) = (job.key.clone(), job.offer.clone());
        let playing = self.play(job);
        tokio::pin!(playing);
        let timed = loop {
            tokio::select! {
                timed = &mut playing => break timed?,
                () = sleep(WORKER_PULSE) => {
                    // If this does not arrive, another worker plays the game as well.
                    let _ = message.ack_with(AckKind::Progress).await;
                }
            }
        };
        self.games.fetch_add(1, Ordering::Relaxed);
        let answer = Answer {
            version: self.version,
            key,
            played: timed.played,
            seconds: timed.seconds,
        };
        let subject = format!("{ANSWERS_SUBJECT}.{run}");
        let id = format!("{run} {} {offer}", answer.key);
        let bytes = serde_json::to_vec(&answer)?;
        let publish = || async {
            let message = PublishMessage::build()
                .payload(bytes.clone().into())
                .message_id(&id);
            self.context
                .send_publish(subject.clone(), message)
                .await?
                .await?;
            anyhow::Ok(())
        };
        while publish().await.is_err() {
            // Another worker gets the game later.
            if self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            sleep(PAUSE).await;
            let _ = streams(&self.context).await;
        }
        // If this does not arrive, the game is played again, and its answer does not count.
        let _ = message.ack().await;
        Ok(())
    }

    /// The game of a message, if this build can work with it.
    fn read(&self, message: &Message) -> Result<Job> {
        let theirs = serde_json::from_slice::<Versioned>(&message.payload);
        let theirs = theirs.map(|message| message.version);
        let job = serde_json::from_slice::<Job>(&message.payload);
        match (theirs, job) {
            (Ok(theirs), Ok(job)) if theirs == self.version => Ok(job),
            (Ok(theirs), _) => bail!(
                "expected a game from a driver of version {}, as this worker has, found {theirs}: \
                 run the same build everywhere",
                self.version
            ),
            (Err(_), _) => bail!(
                "expected a game from a driver of version {}, as this worker has, found something else: \
                 run the same build everywhere",
                self.version
            ),
        }
    }

    async fn play(&self, job: Job) -> Result<Timed> {
        let _permit = self.playing.acquire().await?;
        let played = tokio::task::spawn_blocking(move || {
            let begun = clock::thread_seconds();
            let played = play(&generate(job.seed, &job.cases), &job.player, job.work);
            Timed {
                played,
                seconds: clock::thread_seconds() - begun,
            }
        });
        Ok(played.await?)
    }
}
