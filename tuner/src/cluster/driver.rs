//! The driver: a run that has its games played by workers.

use super::message::{Answer, Job, Versioned};
use super::{
    consumer, streams, version, Connection, ANSWERS, ANSWERS_SUBJECT, DRIVER_PATIENCE, GAMES,
    GAMES_SUBJECT, PAUSE,
};
use crate::digest::Digest;
use crate::executor::{Batch, Done, Executor, Game, Timed};
use anyhow::{bail, ensure, Context as _, Result};
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{Context, Message};
use columns_cli::mistake::complain;
use futures_util::StreamExt;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};
use tokio::time::{sleep, timeout};

/// Games sent before their arrival is waited for.
const SENT_AT_ONCE: usize = 200;
/// How often to look whether to stop.
const LOOK: Duration = Duration::from_millis(200);
/// How long it may be quiet before it is checked that the games are still there.
const QUIET: Duration = Duration::from_secs(5);
/// How long it may be quiet before a line on standard error says so.
const TOO_QUIET: Duration = Duration::from_secs(30);

/// The workers of a server, for one run.
pub struct Remote<'a> {
    connection: &'a Connection,
    /// What the run is called on the server.
    run: String,
    version: Digest,
    stop: Arc<AtomicBool>,
    /// Answers, as they come in.
    answers: Option<pull::Stream>,
}

impl<'a> Remote<'a> {
    /// Has the games of a run played by the workers of a server, until `stop` is set.
    ///
    /// Games that an earlier process of the run has left on the server, and that no worker has
    /// begun, are removed from it; answers to that process come to this one.
    ///
    /// # Errors
    /// One line: why the server cannot be used.
    pub fn new(connection: &'a Connection, run: Digest, stop: Arc<AtomicBool>) -> Result<Self> {
        let run = run.to_string();
        let cleared = connection.runtime.block_on(async {
            let (games, answers) = streams(&connection.context).await?;
            games
                .purge()
                .filter(format!("{GAMES_SUBJECT}.{run}"))
                .await?;
            // Answers that were given to that process are free again.
            if answers
                .get_consumer::<pull::Config>(&driver(&run))
                .await
                .is_ok()
            {
                answers.delete_consumer(&driver(&run)).await?;
            }
            anyhow::Ok(())
        });
        cleared.with_context(|| connection.shown.clone())?;
        Ok(Self {
            connection,
            run,
            version: version(),
            stop,
            answers: None,
        })
    }

    /// Takes everything of a run that has ended off the server.
    ///
    /// # Errors
    /// One line: why the server cannot be used.
    pub fn finish(self) -> Result<()> {
        let run = &self.run;
        let cleared = self.connection.runtime.block_on(async {
            let (games, answers) = streams(&self.connection.context).await?;
            games
                .purge()
                .filter(format!("{GAMES_SUBJECT}.{run}"))
                .await?;
            answers
                .purge()
                .filter(format!("{ANSWERS_SUBJECT}.{run}"))
                .await?;
            answers.delete_consumer(&driver(run)).await?;
            anyhow::Ok(())
        });
        cleared.with_context(|| self.connection.shown.clone())
    }
}

impl Drop for Remote<'_> {
    /// The stream of answers tells the server when it ends, for which it needs the runtime.
    fn drop(&mut self) {
        let _inside = self.connection.runtime.enter();
        self.answers = None;
    }
}

/// The driver's place in the stream of answers.
fn driver(run: &str) -> String {
    format!("driver-{run}")
}

/// What a game of a batch is called within its run. The same batch has the same names in a later
/// process, whatever part of it is left.
fn key(batch: Digest, game: Game) -> String {
    format!("{batch}-{}-{}", game.player, game.seed)
}

/// The digest of what the games of a batch have in common.
fn digest(batch: &Batch<'_>) -> Result<Digest> {
    let common = (batch.cases, batch.work, batch.players);
    Ok(Digest::of(&serde_json::to_vec(&common)?))
}

/// A word that no other offer has: from the clock, and from which process it is.
fn offer() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let nanoseconds = now.map_or(0, |now| now.as_nanos());
    format!("{nanoseconds:x}-{:x}", std::process::id())
}

/// The games of a batch that have not come back, and the answers that wait for those before
/// them.
struct Open {
    /// The games by key.
    games: HashMap<String, usize>,
    /// What each came to, once it is known.
    results: Vec<Option<Timed>>,
    /// The messages to take away when a game is in the ledger.
    held: Vec<Vec<Message>>,
    /// How many games are in the ledger.
    done: usize,
}

impl Open {
    fn new(keys: &[String]) -> Self {
        let games = keys.iter().cloned().zip(0..).collect();
        Self {
            games,
            results: vec![None; keys.len()],
            held: keys.iter().map(|_| Vec::new()).collect(),
            done: 0,
        }
    }

    /// Takes an answer. Returns its message if the answer is not needed.
    fn take(&mut self, answer: &Answer, message: Message) -> Option<Message> {
        let index = match self.games.get(&answer.key) {
            Some(&index) if index >= self.done => index,
            _ => return Some(message),
        };
        self.held[index].push(message);
        self.results[index].get_or_insert(Timed {
            played: answer.played,
            seconds: answer.seconds,
        });
        None
    }

    /// The next result in order, and the messages that it is good for.
    fn next(&mut self) -> Option<(usize, Timed, Vec<Message>)> {
        let index = self.done;
        let result = (*self.results.get(index)?)?;
        self.done += 1;
        Some((index, result, std::mem::take(&mut self.held[index])))
    }

    fn is_done(&self) -> bool {
        self.done == self.results.len()
    }
}

impl Executor for Remote<'_> {
    fn play(&mut self, batch: &Batch<'_>, done: &mut Done<'_>) -> Result<()> {
        let common = digest(batch)?;
        let keys: Vec<String> = batch.games.iter().map(|game| key(common, *game)).collect();
        let Self {
            connection,
            run,
            version,
            stop,
            answers,
        } = self;
        let mut playing = Playing {
            context: &connection.context,
            run,
            version: *version,
            stop,
            answers,
            batch,
            open: Open::new(&keys),
            keys,
            heard: Instant::now(),
            told: false,
        };
        connection.runtime.block_on(playing.play(done))
    }
}

/// A batch being played.
struct Playing<'a> {
    context: &'a Context,
    run: &'a str,
    version: Digest,
    stop: &'a AtomicBool,
    answers: &'a mut Option<pull::Stream>,
    batch: &'a Batch<'a>,
    keys: Vec<String>,
    open: Open,
    /// When something was heard last.
    heard: Instant,
    /// Whether a line has said that it is quiet.
    told: bool,
}

impl Playing<'_> {
    async fn play(&mut self, done: &mut Done<'_>) -> Result<()> {
        if !self.offer().await? {
            return self.take_back().await;
        }
        let mut checked = Instant::now();
        // Nothing was there at the last look, although games are missing.
        let mut nothing = false;
        while !self.open.is_done() {
            if self.stop.load(Ordering::Relaxed) {
                return self.take_back().await;
            }
            match self.hear().await {
                Ok(Some(message)) => {
                    (self.heard, self.told, nothing) = (Instant::now(), false, false);
                    if self.take(message, done).await?.is_break() {
                        return self.take_back().await;
                    }
                }
                Ok(None) => {}
                // The server is away, or was and has forgotten who was listening.
                Err(_) => {
                    *self.answers = None;
                    sleep(PAUSE).await;
                }
            }
            let quiet = self.heard.elapsed();
            if quiet > QUIET && checked.elapsed() > QUIET {
                checked = Instant::now();
                // Games and answers of a server that has lost its disk are offered again. Twice,
                // for an answer may be on its way.
                match timeout(QUIET, self.left()).await {
                    Ok(Ok(0)) if nothing => {
                        nothing = false;
                        if !self.offer().await? {
                            return self.take_back().await;
                        }
                    }
                    Ok(Ok(left)) => nothing = left == 0,
                    _ => *self.answers = None,
                }
            }
            if quiet > TOO_QUIET && !self.told {
                self.told = true;
                complain(
                    "tuner",
                    "no game has come back for 30 s; waiting for workers (tuner worker --nats URL)",
                );
            }
        }
        Ok(())
    }

    /// Offers all games that have not come back; false if it was stopped over that.
    async fn offer(&mut self) -> Result<bool> {
        let offer = offer();
        let subject = format!("{GAMES_SUBJECT}.{}", self.run);
        let missing: Vec<usize> = (self.open.done..self.keys.len())
            .filter(|&index| self.open.results[index].is_none())
            .collect();
        for indices in missing.chunks(SENT_AT_ONCE) {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            // What has arrived is not taken twice: the offer is the same.
            while self.send(indices, &subject, &offer).await.is_err() {
                if self.stop.load(Ordering::Relaxed) {
                    return Ok(false);
                }
                sleep(PAUSE).await;
                let _ = streams(self.context).await;
            }
        }
        self.heard = Instant::now();
        Ok(true)
    }

    async fn send(&self, indices: &[usize], subject: &str, offer: &str) -> Result<()> {
        let mut sent = Vec::with_capacity(indices.len());
        for &index in indices {
            let game = self.batch.games[index];
            let job = Job {
                version: self.version,
                key: self.keys[index].clone(),
                offer: offer.into(),
                cases: *self.batch.cases,
                seed: game.seed,
                work: self.batch.work,
                player: self.batch.players[game.player].clone(),
            };
            let message = PublishMessage::build()
                .payload(serde_json::to_vec(&job)?.into())
                .message_id(format!("{} {} {offer}", self.run, job.key));
            sent.push(
                self.context
                    .send_publish(subject.to_string(), message)
                    .await?,
            );
        }
        for arrived in sent {
            arrived.await?;
        }
        Ok(())
    }

    /// The next answer; `None` if there was none for a moment.
    async fn hear(&mut self) -> Result<Option<Message>> {
        if self.answers.is_none() {
            *self.answers = Some(timeout(QUIET, self.listen()).await??);
        }
        let Some(answers) = self.answers else {
            bail!("nobody is listening");
        };
        match timeout(LOOK, answers.next()).await {
            Ok(Some(message)) => Ok(Some(message?)),
            Ok(None) => bail!("the answers have ended"),
            Err(_) => Ok(None),
        }
    }

    async fn listen(&self) -> Result<pull::Stream> {
        let (_, stream) = streams(self.context).await?;
        let subject = format!("{ANSWERS_SUBJECT}.{}", self.run);
        let consumer = consumer(&stream, &driver(self.run), subject, DRIVER_PATIENCE).await?;
        let messages = consumer
            .stream()
            .heartbeat(Duration::from_secs(2))
            .expires(Duration::from_secs(10))
            .messages();
        Ok(messages.await?)
    }

    /// Takes an answer, and hands over what is now in order. Only what is in the ledger is taken
    /// off the server.
    async fn take(&mut self, message: Message, done: &mut Done<'_>) -> Result<ControlFlow<()>> {
        let answer = match self.read(&message) {
            Ok(answer) => answer,
            Err(error) => {
                // Or the next process would stumble over it as well; that one offers the game anew.
                acknowledge(&message).await;
                let _ = self.context.client().flush().await;
                return Err(error);
            }
        };
        if let Some(surplus) = self.open.take(&answer, message) {
            acknowledge(&surplus).await;
        }
        while let Some((index, timed, messages)) = self.open.next() {
            let flow = done(index, timed)?;
            for message in messages {
                acknowledge(&message).await;
            }
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The answer of a message, if it comes from a worker of the same build.
    fn read(&self, message: &Message) -> Result<Answer> {
        let expected = || format!("expected answers from workers of version {}", self.version);
        let theirs: Versioned = serde_json::from_slice(&message.payload).with_context(expected)?;
        ensure!(
            theirs.version == self.version,
            "{}, as this driver has, found {}: run the same build everywhere",
            expected(),
            theirs.version
        );
        serde_json::from_slice(&message.payload).with_context(expected)
    }

    /// How many messages the server has for this run, games and answers, but for the answers that
    /// are held here.
    async fn left(&self) -> Result<usize> {
        let mut count = 0;
        for (name, subject) in [(GAMES, GAMES_SUBJECT), (ANSWERS, ANSWERS_SUBJECT)] {
            let stream = self.context.get_stream(name).await?;
            let subject = format!("{subject}.{}", self.run);
            let mut subjects = stream.info_with_subjects(subject).await?;
            while let Some(found) = subjects.next().await {
                count += found?.1;
            }
        }
        let held: usize = self.open.held.iter().map(Vec::len).sum();
        Ok(count.saturating_sub(held))
    }

    /// Removes the games from the server that no worker has begun.
    async fn take_back(&self) -> Result<()> {
        // If the server is away, so be it: the next process does it.
        let taken = timeout(QUIET, async {
            let (games, _) = streams(self.context).await?;
            let subject = format!("{GAMES_SUBJECT}.{}", self.run);
            games.purge().filter(subject).await?;
            anyhow::Ok(())
        });
        let _ = taken.await;
        Ok(())
    }
}

/// Has the server remove a message. If that request is lost, the message comes once more and is not
/// needed.
async fn acknowledge(message: &Message) {
    let _ = message.ack().await;
}
