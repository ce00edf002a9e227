//! Players: the bot of this build or any program, with the limits of its games.

use crate::{bot_player::BotPlayer, game_result::GameResult};
use anyhow::{Context, Result, ensure};
use columns_cases::digest::Digest;
use columns_core::rules::case::Case;
use columns_generator::{Spec, generate};
use columns_judge::arena::process::Limits;
use columns_judge::bot::Bot;
use columns_judge::program::files::{FilePatterns, ProgramFiles, combine_digests, describe_change};
use columns_judge::program::{OnChange, Program};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The bot or a program, with the limits of its games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Player {
    /// The bot of this build, in this process.
    Bot {
        /// The weights and networks of the bot.
        player: BotPlayer,
        /// The amount of search work per game, in microseconds, at least 1.
        work_us: u64,
    },
    /// A program, started for each game and judged as in `judge run`. If the program reads the clock, its
    /// games vary.
    Program(ProgramPlayer),
}

/// A program, the limits of its games, and its files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProgramPlayer {
    /// The command line. A fit replaces `{name}` with the value of the parameter named `name`.
    pub command: String,
    /// The limits of a game. In JSON, they are fields of the player.
    #[serde(flatten)]
    pub limits: Limits,
    /// The files of the program when the run began, shared by all players of a fit; empty before
    /// [`Player::identify`].
    pub files: ProgramFiles,
}

/// A player, and the data that identify it: a run resumes only with the same player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct IdentifiedPlayer {
    /// Digest of the bot's behaviour when the run began; `None` for a program, which is identified by its
    /// files.
    pub behaviour_digest: Option<Digest>,
    /// The player, with the limits of its games.
    pub player: Player,
}

impl IdentifiedPlayer {
    /// Identifies a player at the beginning of a run. `patterns` name further files that affect how a program
    /// plays.
    ///
    /// # Errors
    /// Returns an error if [`Player::identify`] fails.
    pub fn new(mut player: Player, patterns: &FilePatterns) -> Result<Self> {
        Ok(Self {
            behaviour_digest: player.identify(patterns)?,
            player,
        })
    }

    /// Returns a digest of the bot's behaviour, or of the contents of a program's files. Programs with the
    /// same files have the same digest, even if their arguments differ.
    pub fn digest(&self) -> Digest {
        match &self.player {
            Player::Bot { player, .. } => player.behaviour_digest(),
            Player::Program(program) => {
                combine_digests(program.files.initial_files().iter().map(|file| file.digest))
            }
        }
    }
}

/// Describes a change in the bot's behaviour since the run began; `None` if it is the same.
pub(crate) fn describe_behaviour_change(current: Digest, original: Digest) -> Option<String> {
    (current != original).then(|| {
        format!(
            "the player does not play as the one that began the run (behaviour {current}, then {original})"
        )
    })
}

impl Player {
    /// Identifies the player for a run. Finds and reads the files of a program, and returns `None`; for the
    /// bot, returns a digest of its behaviour. `patterns` name further files of the program.
    ///
    /// # Errors
    /// Returns an error if the command line of a program is invalid or still has a placeholder, if the
    /// program cannot be started, or if one of its files cannot be read.
    pub fn identify(&mut self, patterns: &FilePatterns) -> Result<Option<Digest>> {
        self.check_no_placeholders()?;
        // Report a mistyped file name even if the program cannot be found.
        patterns.find()?;
        match self {
            Self::Bot { player, .. } => Ok(Some(player.behaviour_digest())),
            Self::Program(player) => {
                let bot = player.parse_command()?;
                let program = Program::new(bot, player.limits, Path::new("."), patterns)?;
                // If the program cannot be started, fail here instead of in the first game.
                program.query_version()?;
                player.files = program.files;
                Ok(None)
            }
        }
    }

    /// Replaces the files of a program with those of `original`, the same player at the start of the run.
    pub fn set_files_of(&mut self, original: &Self) {
        if let (Self::Program(program), Self::Program(original)) = (self, original) {
            program.files.clone_from(&original.files);
        }
    }

    /// Describes a change to the player since its run began: to the files of a program, or to the behaviour
    /// of the bot. Returns `None` if nothing has changed. `original` is the digest of the bot's behaviour
    /// when the run began; `None` for a program.
    pub(crate) fn describe_change(&self, original: Option<Digest>) -> Option<String> {
        match self {
            Self::Bot { player, .. } => {
                let original = original?;
                describe_behaviour_change(player.behaviour_digest(), original)
            }
            Self::Program(player) => match player.to_resumed_program() {
                Ok(program) => describe_change(&program.files.check().changed),
                Err(error) => Some(format!("{error:#}")),
            },
        }
    }

    /// Checks that the command line of a program has no placeholders left, such as `{width}`. `${width}` is a
    /// shell variable, which is allowed.
    fn check_no_placeholders(&self) -> Result<()> {
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

    /// Plays the sample case, `generator 1`, with the program of a new run. Returns the reason if the game
    /// fails; `None` otherwise, and for the bot of this build.
    ///
    /// # Errors
    /// Returns an error if the program cannot be started, or if its executable has changed.
    pub fn play_sample(&self) -> Result<Option<String>> {
        let Self::Program(program) = self else {
            return Ok(None);
        };
        let sample = generate(1, &Spec::default());
        let mut started = program.to_program()?;
        // Check only the executable, since the other files may turn out to be output.
        let executable = started.files.initial_files().into_iter().take(1);
        started.files = executable.collect::<Vec<_>>().into();
        Ok(started.play(&sample, &NEVER_STOP)?.game.reason)
    }

    /// Removes the files that have changed since the run began from those of the program: they are output of
    /// this or another program. Call it after the sample case has been played with all programs of the run.
    pub fn untrack_output_files(&self) {
        if let Self::Program(program) = self {
            program.files.untrack_output_files();
        }
    }

    /// Plays a case within the limits of this player.
    ///
    /// # Errors
    /// Returns an error if the player is a program that has changed, that cannot be started, or that the
    /// machine cannot run.
    pub fn play(&self, case: &Case) -> Result<GameResult> {
        let program = match self {
            Self::Bot { player, work_us } => return Ok(player.play(case, *work_us)),
            Self::Program(program) => program.to_program()?,
        };
        let game = program.play(case, &NEVER_STOP)?.game;
        Ok(GameResult {
            points: game.score,
            placed_columns: game.placed_columns.unwrap_or(0),
            mean_beam_width: 0,
            failure: game.reason.is_some().then_some(game.status),
        })
    }
}

impl ProgramPlayer {
    fn parse_command(&self) -> Result<Bot> {
        self.command.parse().context("--bot")
    }

    /// Returns the program for a resumed run. Its files are compared with `self.files`, their state when the
    /// run began.
    fn to_resumed_program(&self) -> Result<Program> {
        Program::resume(
            self.parse_command()?,
            self.limits,
            Path::new("."),
            self.files.clone(),
        )
    }

    /// Returns the program, ready to play. It refuses to play once a file has changed.
    fn to_program(&self) -> Result<Program> {
        Ok(Program {
            bot: self.parse_command()?,
            limits: self.limits,
            folder: ".".into(),
            on_change: OnChange::Stop,
            files: self.files.clone(),
        })
    }
}

/// A stop flag that is never set: after Ctrl-C, the programs finish the games in progress.
static NEVER_STOP: AtomicBool = AtomicBool::new(false);

impl fmt::Display for Player {
    /// Writes the limits of the player's games.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bot { work_us, .. } => write!(f, "{} ms of work", *work_us as f64 / 1000.0),
            Self::Program(ProgramPlayer { limits, .. }) => write!(
                f,
                "{} s and {} MiB",
                limits.time_limit_s, limits.memory_limit_mib
            ),
        }
    }
}
