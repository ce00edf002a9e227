//! Options that several commands share: the NATS server with its credentials, and numbers in a range.

use clap::Args;
use std::{fmt::Display, path::PathBuf, str::FromStr};

/// The address of a server, if the user gives one, and the credentials for it.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "The NATS server, in a build with --features nats")]
pub struct Server {
    /// Address of a NATS server, `nats://HOST:PORT` or `tls://HOST:PORT`; its workers play the games
    #[arg(long, value_name = "URL")]
    pub nats: Option<String>,
    /// File with credentials, as written by `nsc`
    #[arg(long, value_name = "FILE", requires = "nats")]
    pub nats_creds: Option<PathBuf>,
    /// Certificates of authorities to trust in addition to the system's
    #[arg(long, value_name = "FILE", requires = "nats")]
    pub nats_ca: Option<PathBuf>,
    /// This machine's certificate
    #[arg(long, value_name = "FILE", requires_all = ["nats", "nats_key"])]
    pub nats_cert: Option<PathBuf>,
    /// The private key of this machine's certificate
    #[arg(long, value_name = "FILE", requires_all = ["nats", "nats_cert"])]
    pub nats_key: Option<PathBuf>,
}

/// Returns a parser of numbers within a range; `what` names them in messages.
pub fn number<T: FromStr + PartialOrd + Display + Copy>(
    what: &'static str,
    lowest: T,
    highest: T,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    let range = lowest..=highest;
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let (lowest, highest) = (range.start(), range.end());
        number.ok_or_else(|| format!("expected {what} from {lowest} to {highest}"))
    }
}
