//! The files that `judge watch` follows: events of the system, and the contents of the sources.

use anyhow::{Context, Result, ensure};
use columns_cases::digest::Digest;
use columns_cli::stderr;
use columns_judge::bot::Bot;
use columns_judge::config::{Config, FILE_NAME};
use columns_judge::program::files::{FilePatterns, FileStamp, read_digest};
use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What the loop of `judge watch` waits for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Message {
    /// Something has changed in a watched folder.
    Changed,
    /// A signal ends the command.
    Interrupted,
    /// The games of a comparison have ended.
    Played,
}

/// The interval at which files are checked if the system reports no events.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Sends [`Message::Changed`] for events of the system in the watched folders.
pub(crate) struct Watcher {
    events: Box<dyn notify::Watcher>,
    sender: Sender<Message>,
    store: PathBuf,
    watched: BTreeSet<PathBuf>,
    /// The files and folders whose events count: see [`Sources::places`].
    places: Arc<Mutex<Vec<PathBuf>>>,
    is_polling: bool,
}

impl Watcher {
    /// Creates a watcher that ignores events in the store.
    ///
    /// # Errors
    /// Returns an error if the folder of the store has no absolute path.
    pub(crate) fn new(sender: Sender<Message>, store: &Path) -> Result<Self> {
        let store = std::path::absolute(store).context("cannot find the current folder")?;
        let mut watcher = Self {
            events: Box::new(notify::NullWatcher),
            sender,
            store,
            watched: BTreeSet::new(),
            places: Arc::default(),
            is_polling: false,
        };
        match RecommendedWatcher::new(watcher.handler(), notify::Config::default()) {
            Ok(events) => watcher.events = Box::new(events),
            Err(error) => watcher.poll(&error)?,
        }
        Ok(watcher)
    }

    /// Returns a function that sends a message for each event that may change a source.
    fn handler(&self) -> impl Fn(notify::Result<Event>) + Send + 'static {
        let (sender, store, places) =
            (self.sender.clone(), self.store.clone(), self.places.clone());
        move |event| {
            let places = places.lock().unwrap_or_else(PoisonError::into_inner);
            // An error may stand for lost events, so it counts as one.
            let is_change =
                event.is_err() || event.is_ok_and(|event| is_change(&event, &store, &places));
            if is_change {
                // The receiver lives as long as the process.
                let _ = sender.send(Message::Changed);
            }
        }
    }

    /// Switches to checking the files at intervals, and reports it.
    fn poll(&mut self, error: &notify::Error) -> Result<()> {
        stderr::log(&format!(
            "note: the system reports no changes ({error}), so the files are checked every second"
        ));
        let config = notify::Config::default().with_poll_interval(POLL_INTERVAL);
        self.events = Box::new(PollWatcher::new(self.handler(), config)?);
        (self.is_polling, self.watched) = (true, BTreeSet::new());
        Ok(())
    }

    /// Watches the folder of `columns.toml` and those of the sources, besides those that are watched already.
    ///
    /// # Errors
    /// Returns an error if a folder cannot be watched.
    pub(crate) fn watch(&mut self, sources: &Sources) -> Result<()> {
        *self.places.lock().unwrap_or_else(PoisonError::into_inner) = sources.places();
        for (folder, mode) in sources.folders() {
            if self.watched.contains(&folder) {
                continue;
            }
            match self.events.watch(&folder, mode) {
                Ok(()) => drop(self.watched.insert(folder)),
                Err(error) if !self.is_polling => {
                    self.poll(&error)?;
                    return self.watch(sources);
                }
                Err(error) => return Err(error).with_context(|| folder.display().to_string()),
            }
        }
        Ok(())
    }
}

/// True if an event may change a source: something was created, written, renamed or removed at or below one
/// of `places`, but not in the store. Files whose names begin with a dot belong to editors.
fn is_change(event: &Event, store: &Path, places: &[PathBuf]) -> bool {
    let is_kind = match event.kind {
        EventKind::Access(kind) => kind == AccessKind::Close(AccessMode::Write),
        _ => true,
    };
    let is_hidden = |path: &Path| {
        let name = path.file_name().unwrap_or_default();
        name.as_encoded_bytes().starts_with(b".")
    };
    let is_source = |path: &PathBuf| {
        let is_inside = places.iter().any(|place| path.starts_with(place));
        is_inside && !path.starts_with(store) && !is_hidden(path)
    };
    // An event without paths stands for lost events.
    is_kind && (event.paths.is_empty() || event.paths.iter().any(is_source))
}

/// The files whose contents start a build, and `columns.toml`.
pub(crate) struct Sources {
    patterns: FilePatterns,
    /// The contents when the last build ended.
    built: Contents,
    /// The contents when the sources were last read.
    seen: Contents,
    /// Sources whose changes do not start a build.
    ignored: HashSet<PathBuf>,
}

/// The contents of files at one time, by path: a digest, or `None` for a file that cannot be read, with the
/// stamp that saves reading it again.
#[derive(Debug, Clone, Default)]
struct Contents(BTreeMap<PathBuf, (Option<FileStamp>, Option<Digest>)>);

impl Contents {
    /// Returns the files that differ from the earlier contents, that are new, or that no longer exist.
    fn changed_since(&self, earlier: &Self) -> Vec<PathBuf> {
        let digest =
            |contents: &Self, path: &PathBuf| contents.0.get(path).and_then(|(_, digest)| *digest);
        let paths: BTreeSet<&PathBuf> = self.0.keys().chain(earlier.0.keys()).collect();
        let changed = paths
            .into_iter()
            .filter(|path| digest(self, path) != digest(earlier, path));
        changed.cloned().collect()
    }
}

impl Sources {
    /// Reads the sources of `columns.toml`: those under `sources`, or else what plays, which are the files in
    /// the command of the bot and those under `files`. Files in `store` never count.
    ///
    /// # Errors
    /// Returns an error if the file names no bot or no sources, or if a pattern matches no file.
    pub(crate) fn new(config: &Config, store: &Path) -> Result<Self> {
        let line = config.bot.as_ref();
        let line = line.context("expected a columns.toml with a bot (judge init writes one)")?;
        // The list of files comes first, so that a pattern cannot give it another name.
        let mut patterns = vec![FILE_NAME.to_string()];
        if config.sources.is_empty() {
            ensure!(
                config.build.is_none() || !config.files.is_empty(),
                "{FILE_NAME}: expected `sources`, the files whose change starts the build"
            );
            let bot: Bot = line.parse().with_context(|| format!("{FILE_NAME}: bot"))?;
            let is_file = |word: &&String| config.folder.join(word).is_file();
            patterns.extend(bot.words().iter().filter(is_file).cloned());
            patterns.extend_from_slice(&config.files);
        } else {
            patterns.extend_from_slice(&config.sources);
        }
        let mut sources = Self {
            patterns: FilePatterns {
                patterns,
                ..config.file_patterns(store)
            },
            built: Contents::default(),
            seen: Contents::default(),
            ignored: HashSet::new(),
        };
        // Later, a pattern may match nothing for a moment, while an editor replaces a file.
        sources.patterns.find()?;
        sources.read();
        sources.accept();
        ensure!(
            sources.len() > 0,
            "{FILE_NAME}: expected `sources`, the files whose change makes the bot play"
        );
        Ok(sources)
    }

    /// Returns the number of sources.
    pub(crate) fn len(&self) -> usize {
        self.built.0.len() - 1
    }

    /// Reads the sources again. Returns those that have changed since the last build.
    pub(crate) fn read(&mut self) -> Vec<PathBuf> {
        let folder = &self.patterns.folder;
        let known = || self.seen.0.keys().cloned().collect();
        let paths: Vec<PathBuf> = self.patterns.find().unwrap_or_else(|_| known());
        let read = |path: PathBuf| {
            let place = folder.join(&path);
            let earlier = self.seen.0.get(&path).copied().unwrap_or_default();
            if earlier.0.is_some() && earlier.0 == FileStamp::read(&place).ok() {
                return (path, earlier);
            }
            let now = read_digest(&place).ok();
            (
                path,
                now.map_or((None, None), |(stamp, digest)| (stamp, Some(digest))),
            )
        };
        self.seen = Contents(paths.into_iter().map(read).collect());
        let mut changed = self.seen.changed_since(&self.built);
        changed.retain(|path| !self.ignored.contains(path));
        changed
    }

    /// Treats the contents that were last read as those of the last build.
    pub(crate) fn accept(&mut self) {
        self.built.clone_from(&self.seen);
    }

    /// Iterates over the sources that start a build.
    pub(crate) fn paths(&self) -> impl Iterator<Item = PathBuf> {
        let paths = self.built.0.keys();
        let paths = paths.filter(|path| !self.ignored.contains(*path));
        paths.map(|path| self.patterns.folder.join(path))
    }

    /// Stops a file from starting builds.
    pub(crate) fn ignore(&mut self, path: PathBuf) {
        self.ignored.insert(path);
    }

    /// Returns the files and folders that the patterns name. For a pattern such as `lib/*.py`, this is the
    /// part before the first special character.
    fn places(&self) -> Vec<PathBuf> {
        let place = |pattern: &String| {
            let is_special =
                |part: &Component| part.as_os_str().to_string_lossy().contains(['*', '?', '[']);
            let whole = self.patterns.folder.join(pattern);
            if whole.exists() {
                return whole;
            }
            let parts = whole.components();
            parts.take_while(|part| !is_special(part)).collect()
        };
        self.patterns.patterns.iter().map(place).collect()
    }

    /// Returns the folders to watch: the [places](Self::places) with all below them, or the folder that holds
    /// a file.
    fn folders(&self) -> BTreeMap<PathBuf, RecursiveMode> {
        let mut folders = BTreeMap::new();
        for place in self.places() {
            if place.is_dir() {
                folders.insert(place, RecursiveMode::Recursive);
            } else if let Some(parent) = place.parent() {
                folders
                    .entry(parent.into())
                    .or_insert(RecursiveMode::NonRecursive);
            }
        }
        folders
    }
}
