//! A connection to a NATS server.

use super::protocol::MAX_MESSAGE_BYTES;
use crate::options::ServerOptions;
use anyhow::{Context, Result, anyhow, bail, ensure};
use async_nats::connection::State;
use async_nats::{Auth, Client, ConnectOptions, Event, ReconnectToServer, ServerAddr, ServerError};
use columns_cli::stderr::warn;
use percent_encoding::percent_decode_str;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::{fs, path::PathBuf, time::Duration};
use tokio::runtime::{Builder, Runtime};

/// The time limit of a request, and of an attempt to reach the server.
const TIMEOUT: Duration = Duration::from_secs(5);

/// A connection to a server. It reconnects by itself, without a time limit.
#[derive(Debug)]
pub struct Connection {
    pub(super) runtime: Runtime,
    pub(super) client: Client,
    /// The addresses of the server, separated by commas, without credentials.
    address: String,
    /// The reason that the server gave for its first refusal, such as a forbidden subject.
    refusal: Arc<OnceLock<String>>,
}

impl Connection {
    /// Connects to the server that the user names. Returns `None` if the user names none.
    ///
    /// # Errors
    /// Returns an error if the address is invalid, or if the server cannot be used. The error shows
    /// no passwords.
    pub fn open(server: &ServerOptions) -> Result<Option<Self>> {
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
        let texts = addresses.iter().map(|address| {
            let (scheme, host, port) = (address.scheme(), address.host(), address.port());
            format!("{scheme}://{host}:{port}")
        });
        let address = texts.collect::<Vec<_>>().join(",");
        let refusal = Arc::<OnceLock<String>>::default();
        let configure = |options: ConnectOptions| {
            let options = options.name("columns tuner").request_timeout(Some(TIMEOUT));
            report_events(options, address.clone(), Arc::clone(&refusal))
        };
        let client = runtime.block_on(connect(server, configure, addresses.clone()));
        let client = client.with_context(|| address.clone())?;
        let watch = watch_credentials(
            client.clone(),
            server.clone(),
            addresses,
            Arc::clone(&refusal),
        );
        runtime.spawn(watch);
        let max_payload = client.max_payload();
        ensure!(
            max_payload >= MAX_MESSAGE_BYTES,
            "{address}: expected a server that takes messages of {MAX_MESSAGE_BYTES} bytes, found a \
             max_payload of {max_payload}"
        );
        Ok(Some(Self {
            runtime,
            client,
            address,
            refusal,
        }))
    }

    /// Returns an error if the server has refused the credentials, or a request such as one on a forbidden
    /// subject. The error gives the server's first refusal.
    pub(super) fn check_refusal(&self) -> Result<()> {
        match self.refusal.get() {
            Some(reason) => bail!("{}: the server refuses: {reason}", self.address),
            None => Ok(()),
        }
    }

    /// Returns the addresses of the server, separated by commas, without credentials.
    pub fn address(&self) -> &str {
        &self.address
    }
}

/// True if an error from the server means that it will never accept these credentials or this request. The
/// client retries after all other errors, such as a stale connection or too many connections.
fn is_refusal(reason: &str) -> bool {
    let reason = reason.to_ascii_lowercase();
    ["authorization", "authentication", "permissions violation"]
        .iter()
        .any(|words| reason.contains(words))
        && !reason.contains("timeout")
}

/// Adds a callback that warns when the connection is lost, reports when it is restored, and stores the
/// server's first refusal.
fn report_events(
    options: ConnectOptions,
    address: String,
    refusal: Arc<OnceLock<String>>,
) -> ConnectOptions {
    let is_lost = AtomicBool::new(false);
    options.event_callback(move |event| {
        let line = match event {
            Event::Disconnected if !is_lost.swap(true, Ordering::Relaxed) => {
                Some("the connection is lost; waiting for the server")
            }
            Event::Connected if is_lost.swap(false, Ordering::Relaxed) => Some("connected again"),
            Event::ServerError(ServerError::Other(reason)) if is_refusal(&reason) => {
                let _ = refusal.set(reason);
                None
            }
            _ => None,
        };
        if let Some(line) = line {
            warn("tuner", &format!("{address}: {line}"));
        }
        std::future::ready(())
    })
}

/// Keeps trying to connect while the connection is lost, and stores the error if the server refuses the
/// credentials. After a refusal, the client itself would stop trying, but report no error.
async fn watch_credentials(
    client: Client,
    server: ServerOptions,
    addresses: Vec<ServerAddr>,
    refusal: Arc<OnceLock<String>>,
) {
    while refusal.get().is_none() {
        tokio::time::sleep(TIMEOUT / 5).await;
        if client.connection_state() == State::Connected {
            continue;
        }
        if let Err(error) = connect(&server, |options| options, addresses.clone()).await {
            let reason = error.to_string();
            if is_refusal(&reason) {
                let _ = refusal.set(reason);
            }
        }
    }
}

/// Connects to the server with the user's credentials, if there are any.
async fn connect(
    server: &ServerOptions,
    configure: impl FnOnce(ConnectOptions) -> ConnectOptions,
    addresses: Vec<ServerAddr>,
) -> Result<Client> {
    let credentials = decode_credentials(&addresses)?;
    let is_same = credentials.iter().all(|other| *other == credentials[0]);
    let has_own_credentials = !is_same && server.nats_creds.is_none();
    let options = if has_own_credentials {
        options_with_credentials(addresses.clone(), credentials)
    } else {
        match credentials.into_iter().next().unwrap_or_default() {
            Credentials {
                user_or_token: Some(name),
                password: Some(password),
            } => ConnectOptions::new().user_and_password(name, password),
            Credentials {
                user_or_token: Some(token),
                password: None,
            } => ConnectOptions::new().token(token),
            Credentials {
                user_or_token: None,
                ..
            } => ConnectOptions::new(),
        }
    };
    let mut options = configure(options.connection_timeout(TIMEOUT));
    let unreadable = |path: &PathBuf| format!("{}: cannot be read", path.display());
    let files = [&server.nats_ca, &server.nats_cert, &server.nats_key];
    for path in files.into_iter().flatten() {
        fs::read(path).with_context(|| unreadable(path))?;
    }
    if let Some(path) = &server.nats_creds {
        let loaded = options.credentials_file(path).await;
        options = loaded.with_context(|| unreadable(path))?;
    }
    if let Some(path) = &server.nats_ca {
        options = options.add_root_certificates(path.clone());
    }
    if let (Some(certificate), Some(key)) = (&server.nats_cert, &server.nats_key) {
        options = options.add_client_certificate(certificate.clone(), key.clone());
    }
    // If the addresses have different credentials, each attempt tries only the next address, so make one
    // attempt per address.
    let attempts = if has_own_credentials {
        addresses.len()
    } else {
        1
    };
    let mut result = Err(anyhow!("no NATS server answers"));
    for _ in 0..attempts {
        let connected = options.clone().connect(addresses.clone());
        match tokio::time::timeout(2 * TIMEOUT, connected).await {
            Ok(Ok(client)) => return Ok(client),
            Ok(Err(error)) => result = Err(anyhow!("no NATS server can be used: {error}")),
            Err(_) => {}
        }
    }
    result
}

/// The credentials in an address. They are read here, since `async-nats` ignores them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Credentials {
    /// The user, or a token if there is no password; `None` without credentials.
    user_or_token: Option<String>,
    password: Option<String>,
}

/// Returns the credentials of each address. An address without credentials gets the first credentials in the
/// list.
fn decode_credentials(addresses: &[ServerAddr]) -> Result<Vec<Credentials>> {
    let expected = "--nats: expected UTF-8 in the user and the password";
    // Decodes escapes such as `%40`, which stands for `@`.
    let decode = |text: &str| {
        let decoded = percent_decode_str(text).decode_utf8();
        decoded.map(String::from).context(expected)
    };
    let credentials = addresses.iter().map(|address| {
        anyhow::Ok(Credentials {
            user_or_token: address.username().map(decode).transpose()?,
            password: address.password().map(decode).transpose()?,
        })
    });
    let credentials = credentials.collect::<Result<Vec<_>>>()?;
    let first = credentials
        .iter()
        .find(|one| one.user_or_token.is_some())
        .cloned();
    let fallback = first.unwrap_or_default();
    let credentials = credentials.into_iter();
    Ok(credentials
        .map(|own| {
            if own.user_or_token.is_some() {
                own
            } else {
                fallback.clone()
            }
        })
        .collect())
}

/// Creates options that make the client try the addresses in turn, each with its own credentials.
fn options_with_credentials(
    addresses: Vec<ServerAddr>,
    credentials: Vec<Credentials>,
) -> ConnectOptions {
    // The number of addresses given to the client so far. The client asks for an address, and then for the
    // credentials of this address.
    let count = Arc::new(AtomicUsize::new(0));
    let attempts = Arc::clone(&count);
    ConnectOptions::with_auth_callback(move |_| {
        let last = attempts.load(Ordering::Relaxed).saturating_sub(1) % credentials.len();
        let own = credentials[last].clone();
        let mut auth = Auth::new();
        match own.password {
            None => auth.token = own.user_or_token,
            password => (auth.username, auth.password) = (own.user_or_token, password),
        }
        std::future::ready(Ok(auth))
    })
    .reconnect_to_server_callback(move |_, _| {
        let next = count.fetch_add(1, Ordering::Relaxed) % addresses.len();
        let addr = addresses[next].clone();
        std::future::ready(Some(ReconnectToServer { addr, delay: None }))
    })
}
