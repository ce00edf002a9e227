//! Options that several commands have: the NATS server, and how to be let in; numbers.

use clap::Args;
use std::{fmt::Display, path::PathBuf, str::FromStr};

/// A server, if one is given.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "The NATS server, in a build with --features nats")]
pub struct Server {
    /// Games are played by the workers of a NATS server: its address,
    /// `nats://HOST:PORT` or `tls://HOST:PORT`
    #[arg(long, value_name = "URL")]
    pub nats: Option<String>,
    /// Credentials, a file as `nsc` writes it
    #[arg(long, value_name = "FILE", requires = "nats")]
    pub nats_creds: Option<PathBuf>,
    /// Certificates of authorities to trust beside the system's
    #[arg(long, value_name = "FILE", requires = "nats")]
    pub nats_ca: Option<PathBuf>,
    /// This machine's certificate
    #[arg(long, value_name = "FILE", requires_all = ["nats", "nats_key"])]
    pub nats_cert: Option<PathBuf>,
    /// The key of that certificate
    #[arg(long, value_name = "FILE", requires_all = ["nats", "nats_cert"])]
    pub nats_key: Option<PathBuf>,
}

/// Reads a number within a range; `what` names it where it is none.
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
