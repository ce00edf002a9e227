//! Games played by several machines, over NATS JetStream.
//!
//! * this file: the server, its streams, and the version that all processes must share;
//! * [`message`]: what is sent;
//! * [`driver`]: the run that has games played;
//! * [`worker`]: a process that plays them.
//!
//! Two streams, both work queues on disk:
//!
//! | stream | subject | message | taken away when |
//! | --- | --- | --- | --- |
//! | `COLUMNS_GAMES` | `columns.games.RUN` | a game to be played | its answer is in the other stream |
//! | `COLUMNS_ANSWERS` | `columns.answers.RUN` | what a game came to | the driver has it in its ledger |
//!
//! A message whose receiver does not acknowledge it, since it was killed, is handed out again. So a
//! game may be played twice, and an answer may arrive twice, but none is lost. The driver knows
//! every game by its key and counts it once. Games are the same on every machine, so it does not
//! matter which answer counts.

pub mod driver;
pub mod message;
pub mod worker;

use crate::digest::Digest;
use crate::player::Player;
use anyhow::{anyhow, ensure, Context, Result};
use async_nats::jetstream::consumer::{pull, PullConsumer};
use async_nats::jetstream::stream::{Config, RetentionPolicy, Stream};
use async_nats::{jetstream, ConnectOptions, Event, ServerAddr};
use columns_bot::eval::weights::PARAMETERS;
use columns_cli::mistake::complain;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::runtime::Runtime;

/// Version of the messages.
const FORMAT: u32 = 2;
/// The stream of games to be played, and the subjects in it.
const GAMES: &str = "COLUMNS_GAMES";
const GAMES_SUBJECT: &str = "columns.games";
/// The stream of what they came to, and the subjects in it.
const ANSWERS: &str = "COLUMNS_ANSWERS";
const ANSWERS_SUBJECT: &str = "columns.answers";
/// The workers' common place in the stream of games.
const WORKERS: &str = "workers";
/// A worker that is silent for this time loses its game to another one.
const WORKER_PATIENCE: Duration = Duration::from_secs(10);
/// How often a worker says that it is still playing.
const WORKER_PULSE: Duration = Duration::from_secs(3);
/// An answer that the driver has not acknowledged after this time is handed to it again.
const DRIVER_PATIENCE: Duration = Duration::from_mins(2);
/// How long the server keeps a message, such as the games of a run that was given up.
const KEPT: Duration = Duration::from_hours(7 * 24);
/// How long a try to reach the server may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How long to wait before something that failed is tried again.
const PAUSE: Duration = Duration::from_millis(500);

/// Which server, and how to be let in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Server {
    /// Its address, `nats://HOST:PORT` or `tls://HOST:PORT`; several of one cluster with commas.
    pub url: String,
    /// A file of credentials, as `nsc` writes it.
    pub credentials: Option<PathBuf>,
    /// Certificates of authorities to trust beside the system's.
    pub authorities: Option<PathBuf>,
    /// This client's certificate and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
}

/// A connection to a server. It comes back by itself when it is lost, for as long as it takes.
#[derive(Debug)]
pub struct Connection {
    runtime: Runtime,
    context: jetstream::Context,
    shown: String,
}

impl Connection {
    /// Connects to a server.
    ///
    /// # Errors
    /// One line with the address, without passwords: that it is none, or why the server
    /// cannot be used.
    pub fn open(server: &Server) -> Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .context("cannot start threads")?;
        let addresses: Vec<ServerAddr> = server
            .url
            .split(',')
            .map(|url| url.trim().parse::<ServerAddr>())
            .collect::<Result<_, _>>()
            .context("expected the address of a NATS server, as in nats://host:4222")?;
        let shown: Vec<String> = addresses
            .iter()
            .map(|address| {
                format!(
                    "{}://{}:{}",
                    address.scheme(),
                    address.host(),
                    address.port()
                )
            })
            .collect();
        let shown = shown.join(",");
        let context = runtime
            .block_on(connect(server, addresses, shown.clone()))
            .with_context(|| shown.clone())?;
        Ok(Self {
            runtime,
            context,
            shown,
        })
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
) -> Result<jetstream::Context> {
    let lost = AtomicBool::new(false);
    let mut options = ConnectOptions::new()
        .name("columns tuner")
        .connection_timeout(TIMEOUT)
        .event_callback(move |event| {
            let told = match event {
                Event::Disconnected if !lost.swap(true, Ordering::Relaxed) => {
                    Some("the connection is lost; waiting for the server")
                }
                Event::Connected if lost.swap(false, Ordering::Relaxed) => Some("connected again"),
                _ => None,
            };
            if let Some(told) = told {
                complain("tuner", &format!("{shown}: {told}"));
            }
            std::future::ready(())
        });
    if let Some(path) = &server.credentials {
        let loaded = options.credentials_file(path).await;
        options = loaded.with_context(|| format!("{}: cannot be read", path.display()))?;
    }
    if let Some(path) = &server.authorities {
        ensure!(
            path.is_file(),
            "{}: expected a file of certificates",
            path.display()
        );
        options = options.add_root_certificates(path.clone());
    }
    if let Some((certificate, key)) = &server.certificate {
        for path in [certificate, key] {
            ensure!(
                path.is_file(),
                "{}: expected a certificate or its key",
                path.display()
            );
        }
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
    let client = tokio::time::timeout(2 * TIMEOUT, options.connect(addresses))
        .await
        .context("no NATS server answers")?
        .map_err(|error| anyhow!("no NATS server can be used: {error}"))?;
    let context = jetstream::new(client);
    streams(&context)
        .await
        .context("expected a NATS server with JetStream (nats-server -js)")?;
    Ok(context)
}

/// The streams of games and answers, made where they are not there.
async fn streams(context: &jetstream::Context) -> Result<(Stream, Stream)> {
    let stream = |name: &str, subject: &str| {
        context.get_or_create_stream(Config {
            name: name.into(),
            subjects: vec![format!("{subject}.>")],
            retention: RetentionPolicy::WorkQueue,
            max_age: KEPT,
            ..Config::default()
        })
    };
    Ok((
        stream(GAMES, GAMES_SUBJECT).await?,
        stream(ANSWERS, ANSWERS_SUBJECT).await?,
    ))
}

/// The place of a durable consumer in a stream.
async fn consumer(
    stream: &Stream,
    name: &str,
    subject: String,
    patience: Duration,
) -> Result<PullConsumer> {
    let config = pull::Config {
        durable_name: Some(name.into()),
        filter_subject: subject,
        ack_wait: patience,
        max_ack_pending: -1,
        ..pull::Config::default()
    };
    Ok(stream.get_or_create_consumer(name, config).await?)
}

/// The digest of all that two processes must have in common to work on one run: the format of
/// messages, how the bot plays, and what its parameters are.
pub fn version() -> Digest {
    let mut digest = Digest::of(&FORMAT.to_le_bytes());
    digest.add(Player::default().behaviour().to_string().as_bytes());
    for parameter in PARAMETERS {
        let (lowest, highest) = (parameter.lowest, parameter.highest);
        digest.add(format!("{} {lowest} {highest}\n", parameter.name).as_bytes());
    }
    digest
}
