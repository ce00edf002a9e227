//! The head of a run: the bot, the cases, and the conditions of the games.

use crate::arena::process::Limits;
use crate::cases::Cases;
use crate::games::GameRunner;
use crate::program::files::ProgramFile;
use anyhow::Result;
use chrono::{DateTime, Local, SecondsFormat, Utc};
use columns_cli::pool::Pool;
use columns_cli::{command, ledger};
use serde::{Deserialize, Serialize};
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::Command;

/// The machine on which a run is played.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Number of threads that the judge can run at the same time.
    pub threads: usize,
    /// Model name of the processor; `None` if `/proc/cpuinfo` does not list one.
    pub processor: Option<String>,
    /// Operating system and architecture, such as `linux x86_64`.
    pub system: String,
}

impl Host {
    /// Reads the properties of this machine from the system and from `/proc/cpuinfo`.
    pub fn detect() -> Self {
        let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let mut lines = cpuinfo.lines();
        let model = lines.find_map(|line| line.strip_prefix("model name\t: "));
        Self {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            processor: model.map(Into::into),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }
}

/// The head of a run: the bot, the cases, and the conditions of the games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The name from the option `--name`; `None` if it was not given.
    pub name: Option<String>,
    /// The comment from the option `--comment`; `None` if it was not given.
    pub comment: Option<String>,
    /// The command line that starts the bot, quoted for a shell.
    pub bot: String,
    /// The folder in which the bot is started.
    pub folder: String,
    /// Version of the bot: see [`Program::query_version`](crate::program::Program::query_version).
    pub bot_version: String,
    /// The files of the program when the run began: see [`program::files`](crate::program::files). Some may
    /// turn out to be output of the bot: see [`Run::program_files`](crate::store::Run::program_files).
    pub files: Vec<ProgramFile>,
    /// Git commit of `folder`, at least nine hexadecimal digits; `None` outside a repository, or if Git is
    /// not installed.
    pub commit: Option<String>,
    /// True if tracked files of the repository had uncommitted changes.
    pub has_uncommitted_changes: bool,
    /// The cases to play, and where they come from.
    pub cases: Cases,
    /// The limits of each game. In JSON, they are fields of the head.
    #[serde(flatten)]
    pub limits: Limits,
    /// Number of games that run in parallel.
    pub jobs: usize,
    /// The machine on which the run began.
    pub host: Host,
    /// Start of the run in UTC, in the format of RFC 3339.
    pub start_time: String,
    /// Version of the judge that began the run.
    pub judge_version: String,
    /// The number of the base run with which `judge run --against` or `judge watch` compares this run; `None`
    /// for other runs.
    pub base_run: Option<String>,
}

impl ledger::Header for Head {
    const LEDGER: &'static str = "judge run";
    const DESCRIPTION: &'static str = "a run of the judge";
    const FORMAT_VERSION: u32 = 2;
}

impl Head {
    /// Describes a new run on this machine. Asks the program for its version.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started.
    pub fn new(runner: &GameRunner, cases: Cases) -> Result<Self> {
        let GameRunner { program, pool } = runner;
        let (commit, has_uncommitted_changes) = query_git(&program.folder);
        Ok(Self {
            name: None,
            comment: None,
            bot: program.bot.to_string(),
            folder: program.folder.display().to_string(),
            bot_version: program.query_version()?,
            files: program.files.initial_files(),
            commit,
            has_uncommitted_changes,
            cases,
            limits: program.limits,
            jobs: pool.jobs(),
            host: Host::detect(),
            start_time: Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true),
            judge_version: command::VERSION.into(),
            base_run: None,
        })
    }

    /// Formats the start time of the run in local time, to the minute: `2026-11-29 16:35 +09:00`.
    pub fn local_start_time(&self) -> String {
        let start = DateTime::parse_from_rfc3339(&self.start_time);
        start.map_or_else(
            |_| self.start_time.clone(),
            |start| start.with_timezone(&Local).format("%F %R %:z").to_string(),
        )
    }

    /// Returns a pool that plays as many games in parallel as this run.
    pub fn pool(&self) -> Pool {
        Pool::new(NonZeroUsize::new(self.jobs))
    }

    /// Describes how this machine and this judge differ from those that began the run, with a line for each
    /// difference.
    pub fn machine_changes(&self) -> Vec<String> {
        let now = Self {
            host: Host::detect(),
            judge_version: command::VERSION.into(),
            ..self.clone()
        };
        let changes = self.differences(&now).into_iter();
        changes
            .map(|(condition, [began, now])| {
                format!("the run began with {condition} {began}, and continues with {now}")
            })
            .collect()
    }

    /// Returns the conditions in which the games of two runs differ, each with both values. The scores of two
    /// runs on the same cases are comparable if there are no differences.
    pub fn differences(&self, other: &Self) -> Vec<(&'static str, [String; 2])> {
        let conditions = |head: &Self| {
            let processor = head.host.processor.clone();
            [
                ("time limit in s", head.limits.time_limit_s.to_string()),
                (
                    "memory limit in MiB",
                    head.limits.memory_limit_mib.to_string(),
                ),
                ("games at a time", head.jobs.to_string()),
                ("processor", processor.unwrap_or("an unknown one".into())),
                ("version of the judge", head.judge_version.clone()),
            ]
        };
        let both = conditions(self).into_iter().zip(conditions(other));
        let both = both.map(|((condition, mine), (_, other))| (condition, [mine, other]));
        both.filter(|(_, [mine, other])| mine != other).collect()
    }
}

/// Returns the Git commit of a folder, at least nine hexadecimal digits, and whether tracked files have
/// uncommitted changes. The commit is `None` outside a repository, or if Git is not installed.
fn query_git(folder: &Path) -> (Option<String>, bool) {
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        // In its hooks, Git sets GIT_DIR, which would select another repository.
        let variables = std::env::vars_os().map(|(name, _)| name);
        for name in variables.filter(|name| name.as_encoded_bytes().starts_with(b"GIT_")) {
            command.env_remove(name);
        }
        // An index lock would interfere with the user's own commands.
        command.arg("--no-optional-locks").arg("-C").arg(folder);
        let output = command.args(args).output();
        let output = output.ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
    };
    let commit = git(&["rev-parse", "--short=9", "HEAD"]);
    let changes = git(&["status", "--porcelain", "--untracked-files=no"]);
    (commit, changes.is_some_and(|changes| !changes.is_empty()))
}
