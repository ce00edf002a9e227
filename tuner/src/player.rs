//! Players: the bot of this build or any program, with the limits of its games.

use crate::{bot_player::BotPlayer, game_result::GameResult};
use anyhow::{Context, Result, bail, ensure};
use columns_cases::digest::Digest;
use columns_core::rules::case::Case;
use columns_generator::{Spec, generate};
use columns_judge::arena::process::Limits;
use columns_judge::program::{OnChange, Program, files::FilePatterns, files::digest_of};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::{collections::BTreeMap, fmt};

/// The bot or a program, with the limits of its games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Player {
    /// The bot of this build, in this process.
    Bot {
        /// The weights and networks of the bot.
        player: BotPlayer,
        /// Work of the search in a game, in microseconds, at least 1.
        work_us: u64,
    },
    /// A program, started for each game and judged in the same way as by `judge run`. If the program reads
    /// the clock, its games vary.
    Program(ProgramPlayer),
}

/// A program and the limits of its games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramPlayer {
    /// The command line. A fit replaces `{name}` with the value of the parameter named `name`.
    pub command: String,
    /// Wall-time limit of a game, in seconds.
    pub time_limit_s: f64,
    /// Memory limit, in MiB.
    pub memory_limit_mib: u64,
}

/// The data that identify a player: a run resumes only with the same player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The digest of the player: see [`Player::behaviour_digest`].
    pub behaviour_digest: Digest,
    /// The files that affect how a program plays, with digests of their contents, so that an error can name
    /// the file that has changed; empty for the bot.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub file_digests: BTreeMap<String, Digest>,
}

/// A player and its identity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IdentifiedPlayer {
    /// The identity of the player when the run began.
    pub identity: Identity,
    /// The player, with the limits of its games.
    pub player: Player,
}

impl Identity {
    /// Identifies a player in its current state. `patterns` name further files that affect how a program
    /// plays.
    ///
    /// # Errors
    /// Returns an error if the command line of a program is invalid or still has a placeholder, if the
    /// program cannot be started, or if one of its files cannot be read.
    pub fn new(player: &Player, patterns: &FilePatterns) -> Result<Self> {
        player.check_values()?;
        // Report a mistyped file name even if the program cannot be found.
        patterns.find()?;
        let mut file_digests = BTreeMap::new();
        if let Player::Program(program) = player {
            for file in program.program(patterns)?.files.begun() {
                file_digests.insert(file.path.display().to_string(), file.digest);
            }
        }
        Ok(Self {
            behaviour_digest: player.behaviour_digest()?,
            file_digests,
        })
    }

    /// Identifies the bot in this build with these weights and networks.
    pub fn of_bot(player: &BotPlayer) -> Self {
        Self {
            behaviour_digest: player.behaviour_digest(),
            file_digests: BTreeMap::new(),
        }
    }

    /// Identifies a player in its current state, with the same files. Leaves out files that no longer exist.
    ///
    /// # Errors
    /// Returns an error as [`Identity::new`] does.
    pub fn identify_again(&self, player: &Player) -> Result<Self> {
        let files = self.file_digests.keys().filter_map(|name| {
            let bytes = fs::read(name).ok()?;
            Some((name.clone(), Digest::new(&bytes)))
        });
        Ok(Self {
            behaviour_digest: player.behaviour_digest()?,
            file_digests: files.collect(),
        })
    }

    /// Describes the change since `begun`: a file, or the way the player plays. Returns `None` if nothing has
    /// changed.
    pub(crate) fn describe_change(&self, begun: &Self) -> Option<String> {
        let mut names = begun.file_digests.keys().chain(self.file_digests.keys());
        let changed =
            names.find(|&name| self.file_digests.get(name) != begun.file_digests.get(name));
        if let Some(name) = changed {
            let how = match (self.file_digests.get(name), begun.file_digests.get(name)) {
                (None, _) => "is not here, or not watched: the run was begun with it",
                (_, None) => "was not there, or not watched, when the run began",
                _ => "has changed since the run began",
            };
            return Some(format!("{name} {how}"));
        }
        let (now, begun) = (self.behaviour_digest, begun.behaviour_digest);
        (now != begun).then(|| {
            format!(
                "the player does not play as the one that began the run (behaviour {now}, then {begun})"
            )
        })
    }
}

impl IdentifiedPlayer {
    /// Identifies a player. `patterns` name further files that affect how a program plays.
    ///
    /// # Errors
    /// Returns an error as [`Identity::new`] does.
    pub fn new(player: Player, patterns: &FilePatterns) -> Result<Self> {
        Ok(Self {
            identity: Identity::new(&player, patterns)?,
            player,
        })
    }
}

impl Player {
    /// Returns the weights and networks of the bot; `None` for a program.
    pub fn as_bot(&self) -> Option<&BotPlayer> {
        match self {
            Self::Bot { player, .. } => Some(player),
            Self::Program(_) => None,
        }
    }

    /// Prepares the player for many games: finds and identifies a program only once.
    ///
    /// # Errors
    /// Returns an error if the command line of a program is invalid, or if one of its files cannot be found
    /// or read.
    pub fn prepare(&self) -> Result<PreparedPlayer<'_>> {
        Ok(match self {
            Self::Bot { player, work_us } => PreparedPlayer::Bot {
                player,
                work_us: *work_us,
            },
            Self::Program(program) => {
                PreparedPlayer::Program(program.program(&FilePatterns::default())?)
            }
        })
    }

    /// Returns a digest that identifies the player: [`BotPlayer::behaviour_digest`] for the bot, a digest of
    /// its files for a program.
    ///
    /// # Errors
    /// Returns an error if the command line of a program is invalid, if the program cannot be
    /// started, or if one of its files cannot be read.
    pub fn behaviour_digest(&self) -> Result<Digest> {
        match self {
            Self::Bot { player, .. } => Ok(player.behaviour_digest()),
            Self::Program(program) => {
                let program = program.program(&FilePatterns::default())?;
                // If the program cannot be started, fail here instead of in the first game.
                program.query_version()?;
                let digest = digest_of(program.files.begun().iter().map(|file| file.digest));
                Ok(Digest::new(digest.to_string().as_bytes()))
            }
        }
    }

    /// Checks that the command line of a program has no more placeholders, such as `{width}`. `${width}` is a
    /// shell variable, which is allowed.
    fn check_values(&self) -> Result<()> {
        let Self::Program(ProgramPlayer { command, .. }) = self else {
            return Ok(());
        };
        let is_letter = |c: char| c.is_alphabetic() || c == '_';
        for (at, _) in command.match_indices('{') {
            let (name, _) = command[at + 1..].split_once('}').unwrap_or_default();
            let is_name =
                name.starts_with(is_letter) && name.chars().all(|c| is_letter(c) || c.is_numeric());
            ensure!(
                !is_name || command[..at].ends_with('$'),
                "{command}: expected a value in the place of {{{name}}}; a text in braces needs blanks \
                 inside, as in '{{ {name} }}'"
            );
        }
        Ok(())
    }

    /// Checks that a program prints a plan for the sample case, `generator 1`.
    ///
    /// # Errors
    /// Returns an error if the command line is invalid or still has a placeholder, if the program cannot be
    /// started, or if its game fails. The error gives the reason.
    pub fn check_on_sample(&self) -> Result<()> {
        let Self::Program(program) = self else {
            return Ok(());
        };
        self.check_values()?;
        let sample = generate(1, &Spec::default());
        let played = program
            .program(&FilePatterns::default())?
            .play(&sample, &NEVER_STOP)?;
        if let Some(reason) = played.game.reason {
            let command = &program.command;
            bail!("{command}: expected a plan for the sample case (generator 1), found: {reason}");
        }
        Ok(())
    }
}

impl ProgramPlayer {
    /// Finds and identifies the program.
    fn program(&self, patterns: &FilePatterns) -> Result<Program> {
        let limits = Limits {
            time_limit_s: self.time_limit_s,
            memory_limit_mib: self.memory_limit_mib,
        };
        let bot = self.command.parse().context("--bot")?;
        let mut program = Program::new(bot, limits, Path::new("."), patterns)?;
        program.on_change = OnChange::Stop;
        Ok(program)
    }
}

/// A player that is prepared for many games.
#[derive(Debug)]
pub enum PreparedPlayer<'a> {
    /// The bot of this build.
    Bot {
        /// The weights and networks of the bot.
        player: &'a BotPlayer,
        /// Work of the search in a game, in microseconds.
        work_us: u64,
    },
    /// A program. Before each game, [`PreparedPlayer::play`] checks that the program has not changed.
    Program(Program),
}

/// A stop flag that is never set: after Ctrl-C, the programs finish the games in progress.
static NEVER_STOP: AtomicBool = AtomicBool::new(false);

impl PreparedPlayer<'_> {
    /// Plays a case.
    ///
    /// # Errors
    /// Returns an error if the player is a program that has changed, that cannot be started, or that the
    /// machine cannot run.
    pub fn play(&self, case: &Case) -> Result<GameResult> {
        let program = match self {
            Self::Bot { player, work_us } => return Ok(player.play(case, *work_us)),
            Self::Program(program) => program,
        };
        let game = program.play(case, &NEVER_STOP)?.game;
        Ok(GameResult {
            points: game.score,
            column_count: case.columns().len(),
            placed_columns: game.placed_columns.unwrap_or(0),
            mean_beam_width: 0,
            failure: game.reason.is_some().then_some(game.status),
        })
    }
}

impl fmt::Display for Player {
    /// Writes the limits of the player's games.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bot { work_us, .. } => write!(f, "{} ms of work", *work_us as f64 / 1000.0),
            Self::Program(limits) => write!(
                f,
                "{} s and {} MiB",
                limits.time_limit_s, limits.memory_limit_mib
            ),
        }
    }
}
