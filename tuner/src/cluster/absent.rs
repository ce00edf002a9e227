//! The interface of the cluster in a build without NATS. In this build, naming a server is an error.

use crate::{executor::Executor, options::ServerOptions};
use anyhow::{Result, ensure};
use columns_cases::digest::Digest;
use std::{sync::atomic::AtomicBool, time::Duration};

const NO_NATS: &str = "this tuner was built without NATS; \
    `cargo build --release -p columns-tuner --features nats` builds one with it";

/// A connection, which cannot exist in this build.
#[derive(Debug)]
pub enum Connection {}

impl Connection {
    /// Returns `None` if the user names no server, and an error otherwise.
    ///
    /// # Errors
    /// Returns an error if the user names a server. The error shows the command that builds a tuner
    /// with NATS.
    pub fn open(server: &ServerOptions) -> Result<Option<Self>> {
        ensure!(server.nats.is_none(), "--nats: {NO_NATS}");
        Ok(None)
    }

    /// Cannot be called, since no connection exists.
    pub fn address(&self) -> &str {
        match *self {}
    }
}

/// Cannot be called, since a build without NATS can create no [`Connection`].
///
/// # Errors
/// Never returns an error, since it cannot be called.
pub fn connect_workers<'a>(
    connection: &'a Connection,
    _: Digest,
    _: &AtomicBool,
) -> Result<Box<dyn Executor + 'a>> {
    match *connection {}
}

/// Cannot be called, since a build without NATS can create no [`Connection`].
///
/// # Errors
/// Never returns an error, since it cannot be called.
pub fn run_worker(
    connection: &Connection,
    _: usize,
    _: Option<Duration>,
    _: &'static AtomicBool,
    _: impl Fn() + Send + Sync + 'static,
) -> Result<()> {
    match *connection {}
}
