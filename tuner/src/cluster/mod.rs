//! Games played by several machines, over a NATS server.
//!
//! A worker asks for a game at the subject of its build, `columns.BUILD.games`; one of the drivers,
//! the processes that work on runs, hands it one, and gets the answer at the subject of its run,
//! `columns.BUILD.answers.RUN`. So processes of different builds never meet. Only the driver
//! remembers anything: the games that it has handed out, and their answers. A game whose answer does
//! not come is handed out again, so it may be played twice, but it counts once: the driver knows
//! every game by its key. Games are the same on every machine, so any of the answers may count.

mod driver;
mod worker;

use crate::executor::Executor;
use crate::{digest::Digest, game::Played, options::Server, player::Player};
use anyhow::{anyhow, bail, ensure, Context, Result};
use async_nats::{Client, ConnectOptions, Event, ServerAddr, ServerError};
use columns_bot::eval::weights::PARAMETERS;
use columns_cli::mistake::complain;
use columns_generator::Spec;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::{fs, time::Duration};
use tokio::runtime::{Builder, Runtime};

/// Version of the messages.
const FORMAT: u32 = 4;
/// The largest message: a game with its player, of about 12 KiB, and room for larger networks.
const LARGEST: usize = 1 << 16;
/// How long a request may wait for its reply, and a try to reach the server.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The subject where the workers of this build ask for a game: a request without content, to which
/// a [`Job`] is the reply, or nothing if there is no game.
pub fn asking() -> String {
    format!("columns.{}.games", version())
}

/// A game to be played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Job {
    /// The subject for the answer.
    answers: String,
    /// Names the game within its run.
    key: String,
    /// What the cases of the seeds are like.
    cases: Spec,
    /// The seed of the case.
    seed: u64,
    /// Work that the search may do, in microseconds.
    work: u64,
    /// Who plays.
    player: Player,
}

/// The result of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Answer {
    /// The key of the job.
    key: String,
    /// The result.
    played: Played,
    /// How long the game took to play.
    seconds: f64,
}

/// A connection to a server. It comes back by itself when it is lost, for as long as it takes.
#[derive(Debug)]
pub struct Connection {
    runtime: Runtime,
    client: Client,
    shown: String,
    /// Why the server has refused something, once it has.
    refusal: Arc<OnceLock<String>>,
}

impl Connection {
    /// Connects to a server, if one is given.
    ///
    /// # Errors
    /// One line with the address, without passwords: that it is none, or why the server
    /// cannot be used.
    pub fn open(server: &Server) -> Result<Option<Self>> {
        let Some(url) = &server.nats else {
            return Ok(None);
        };
        let mut runtime = Builder::new_multi_thread();
        let runtime = runtime.worker_threads(2).enable_all().build();
        let runtime = runtime.context("cannot start threads")?;
        let addresses = url.split(',').map(|url| url.trim().parse());
        let addresses = addresses.collect::<Result<Vec<ServerAddr>, _>>();
        let expected = "--nats: expected the address of a NATS server, as in nats://host:4222";
        let addresses = addresses.context(expected)?;
        ensure!(addresses.iter().all(|one| !one.host().is_empty()), expected);
        let shown = addresses.iter().map(|address| {
            let (scheme, host, port) = (address.scheme(), address.host(), address.port());
            format!("{scheme}://{host}:{port}")
        });
        let shown = shown.collect::<Vec<_>>().join(",");
        let refusal = Arc::default();
        let (seen, name) = (Arc::clone(&refusal), shown.clone());
        let client = runtime.block_on(connect(server, addresses, name, seen));
        let client = client.with_context(|| shown.clone())?;
        let most = client.max_payload();
        ensure!(
            most >= LARGEST,
            "{shown}: expected a server that takes messages of {LARGEST} bytes, found a max_payload \
             of {most}"
        );
        Ok(Some(Self {
            runtime,
            client,
            shown,
            refusal,
        }))
    }

    /// The workers of the server, for the run of this identity. They play until `stop` is set.
    ///
    /// # Errors
    /// One line: why the server cannot be used.
    pub fn workers<'a>(
        &'a self,
        run: Digest,
        stop: &'a AtomicBool,
    ) -> Result<Box<dyn Executor + 'a>> {
        Ok(Box::new(driver::Remote::new(self, run, stop)?))
    }

    /// Plays games for the runs of the server, `jobs` at a time, until `stop` is set, or until there
    /// was none for as long as `idle` says. Calls `tick` after each.
    ///
    /// # Errors
    /// One line: what the server has refused.
    pub fn work(
        &self,
        jobs: usize,
        idle: Option<Duration>,
        stop: &'static AtomicBool,
        tick: impl Fn() + Send + Sync + 'static,
    ) -> Result<()> {
        worker::work(self, jobs, idle, stop, tick)
    }

    /// Fails if the server has refused something, such as a subject.
    fn check(&self) -> Result<()> {
        match self.refusal.get() {
            Some(reason) => bail!("{}: the server refuses: {reason}", self.shown),
            None => Ok(()),
        }
    }

    /// The address, without passwords.
    pub fn shown(&self) -> &str {
        &self.shown
    }
}

async fn connect(
    server: &Server,
    addresses: Vec<ServerAddr>,
    shown: String,
    refusal: Arc<OnceLock<String>>,
) -> Result<Client> {
    let lost = AtomicBool::new(false);
    let mut options = ConnectOptions::new()
        .name("columns tuner")
        .connection_timeout(TIMEOUT)
        .request_timeout(Some(TIMEOUT))
        .event_callback(move |event| {
            let line = match event {
                Event::Disconnected if !lost.swap(true, Ordering::Relaxed) => {
                    Some("the connection is lost; waiting for the server")
                }
                Event::Connected if lost.swap(false, Ordering::Relaxed) => Some("connected again"),
                Event::ServerError(ServerError::Other(reason)) => {
                    let _ = refusal.set(reason);
                    None
                }
                _ => None,
            };
            if let Some(line) = line {
                complain("tuner", &format!("{shown}: {line}"));
            }
            std::future::ready(())
        });
    if let Some(path) = &server.nats_creds {
        let loaded = options.credentials_file(path).await;
        options = loaded.with_context(|| format!("{}: cannot be read", path.display()))?;
    }
    let files = [&server.nats_ca, &server.nats_cert, &server.nats_key];
    for path in files.into_iter().flatten() {
        fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    }
    if let Some(path) = &server.nats_ca {
        options = options.add_root_certificates(path.clone());
    }
    if let (Some(certificate), Some(key)) = (&server.nats_cert, &server.nats_key) {
        options = options.add_client_certificate(certificate.clone(), key.clone());
    }
    // The library does not look for them in the address; a name alone is a token.
    if let Some(name) = addresses.iter().find_map(ServerAddr::username) {
        let password = addresses.iter().find_map(ServerAddr::password);
        options = match password {
            Some(password) => options.user_and_password(name.into(), password.into()),
            None => options.token(name.into()),
        };
    }
    tokio::time::timeout(2 * TIMEOUT, options.connect(addresses))
        .await
        .context("no NATS server answers")?
        .map_err(|error| anyhow!("no NATS server can be used: {error}"))
}

/// The digest of all that two processes must have in common to work on one run: the format of
/// messages, how the bot plays, and what its parameters are.
fn version() -> Digest {
    let mut digest = Digest::of(&FORMAT.to_le_bytes());
    digest.add(Player::default().behaviour().to_string().as_bytes());
    for parameter in PARAMETERS {
        let (lowest, highest) = (parameter.lowest, parameter.highest);
        digest.add(format!("{} {lowest} {highest}\n", parameter.name).as_bytes());
    }
    digest
}
