//! A build without NATS: the interface of the module with NATS, which refuses every server.

use crate::{digest::Digest, executor::Executor, options::Server};
use anyhow::{ensure, Result};
use std::{sync::atomic::AtomicBool, time::Duration};

const WITHOUT: &str = "this tuner was built without NATS; \
    `cargo build --release -p columns-tuner --features nats` builds one with it";

/// A connection, which no process can have.
#[derive(Debug)]
pub enum Connection {}

impl Connection {
    /// Refuses a server if one is given.
    ///
    /// # Errors
    /// The command that builds a tuner with NATS.
    pub fn open(server: &Server) -> Result<Option<Self>> {
        ensure!(server.nats.is_none(), "--nats: {WITHOUT}");
        Ok(None)
    }

    /// The address of the server.
    pub fn shown(&self) -> &str {
        match *self {}
    }

    /// The workers of the server.
    ///
    /// # Errors
    /// None.
    pub fn workers(&self, _: Digest, _: &AtomicBool) -> Result<Box<dyn Executor + '_>> {
        match *self {}
    }

    /// Plays games for the runs of the server.
    ///
    /// # Errors
    /// None.
    pub fn work(
        &self,
        _: usize,
        _: Option<Duration>,
        _: &'static AtomicBool,
        _: impl Fn() + Send + Sync + 'static,
    ) -> Result<()> {
        match *self {}
    }
}
