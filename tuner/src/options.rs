//! Options that several commands share: the NATS server with its credentials.

use clap::Args;
use std::path::PathBuf;

/// The address of a server, if the user gives one, and the credentials for it.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "The NATS server")]
pub struct ServerOptions {
    /// Address of the server whose workers play: `nats://HOST:PORT` or `tls://…`
    #[arg(long, hide = !cfg!(feature = "nats"), value_name = "URL")]
    pub nats: Option<String>,
    /// File with credentials, as written by `nsc`
    #[arg(long, hide = !cfg!(feature = "nats"), value_name = "FILE", requires = "nats")]
    pub nats_creds: Option<PathBuf>,
    /// File with certificates to trust in addition to the system's
    #[arg(long, hide = !cfg!(feature = "nats"), value_name = "FILE", requires = "nats")]
    pub nats_ca: Option<PathBuf>,
    /// File with this machine's certificate
    #[arg(long, hide = !cfg!(feature = "nats"), value_name = "FILE", requires_all = ["nats", "nats_key"])]
    pub nats_cert: Option<PathBuf>,
    /// File with the private key of --nats-cert
    #[arg(long, hide = !cfg!(feature = "nats"), value_name = "FILE", requires_all = ["nats", "nats_cert"])]
    pub nats_key: Option<PathBuf>,
}
