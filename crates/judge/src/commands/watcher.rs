//! The files that `judge watch` follows: their events, and the contents of the sources.

use anyhow::{Context, Result, ensure};
use columns_cli::stderr;
use columns_judge::bot::Bot;
use columns_judge::config::{Config, FILE_NAME};
use columns_judge::program::files::{FileFingerprint, FilePatterns};
use notify::event::{AccessKind, AccessMode};
use notify::{
    ErrorKind, Event, EventKind, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::{Once, mpsc::Sender};
use std::time::Duration;

/// The interval at which files are checked if the system cannot report events.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Prints the note about polling only once, although [`watch`] is called again and again.
static POLLING_NOTE: Once = Once::new();

/// Watches the folders of the sources and of `columns.toml` until the returned value is dropped. Sends a
/// message for each event that may mean that a source has changed. Ignores events in the store.
///
/// # Errors
/// Returns an error if a folder cannot be watched.
pub(crate) fn watch(
    sources: &Sources,
    store: &Path,
    sender: &Sender<()>,
) -> Result<Box<dyn Watcher>> {
    let store = std::path::absolute(store).context("cannot find the current folder")?;
    let roots = sources.watch_roots();
    let mut folders = BTreeMap::new();
    for root in &roots {
        // If folders are missing, wait for them in the nearest one that exists.
        let folder = root.ancestors().find(|folder| folder.is_dir());
        let folder = folder.unwrap_or(root);
        *folders.entry(folder).or_insert(false) |= folder == root;
    }
    let handler = || {
        let (sender, store, roots) = (sender.clone(), store.clone(), roots.clone());
        move |event: notify::Result<Event>| {
            // An error may mean that events were lost, so it counts as an event.
            if event.map_or(true, |event| is_change(&event, &store, &roots)) {
                // Sending cannot fail: the receiver lives as long as the command.
                let _ = sender.send(());
            }
        }
    };
    let start = |mut watcher: Box<dyn Watcher>| {
        for (folder, &is_recursive) in &folders {
            let mode = if is_recursive {
                RecursiveMode::Recursive
            } else {
                RecursiveMode::NonRecursive
            };
            watcher.watch(folder, mode)?;
        }
        Ok(watcher)
    };
    let config = notify::Config::default().with_poll_interval(POLL_INTERVAL);
    let watcher = RecommendedWatcher::new(handler(), config);
    let watcher = watcher.and_then(|watcher| start(Box::new(watcher)));
    let fall_back_to_polling = |error: notify::Error| {
        // A folder that has just disappeared does not mean that the system reports no changes.
        if matches!(error.kind, ErrorKind::PathNotFound) {
            return Err(error);
        }
        POLLING_NOTE.call_once(|| {
            stderr::log(&format!(
                "note: the system reports no changes ({error}), so the files are checked every second"
            ));
        });
        start(Box::new(PollWatcher::new(handler(), config)?))
    };
    Ok(watcher.or_else(fall_back_to_polling)?)
}

/// True if an event may mean that a source has changed: it is more than a read access, and concerns a file at
/// or below one of `roots` or a folder above it, but not in the store. Files whose names begin with a dot do
/// not count, since they belong to editors.
fn is_change(event: &Event, store: &Path, roots: &[PathBuf]) -> bool {
    let is_relevant_kind = match event.kind {
        EventKind::Access(kind) => kind == AccessKind::Close(AccessMode::Write),
        _ => true,
    };
    let is_hidden = |path: &Path| {
        let name = path.file_name().unwrap_or_default();
        name.as_encoded_bytes().starts_with(b".")
    };
    let is_source = |path: &PathBuf| {
        let is_related = |root: &PathBuf| path.starts_with(root) || root.starts_with(path);
        roots.iter().any(is_related) && !path.starts_with(store) && !is_hidden(path)
    };
    // An event without paths means that events were lost, so a source may have changed.
    is_relevant_kind && (event.paths.is_empty() || event.paths.iter().any(is_source))
}

/// The files whose changes start a build, including `columns.toml`.
pub(crate) struct Sources {
    patterns: FilePatterns,
    /// The files at the end of the last build.
    last_built: BTreeMap<PathBuf, FileFingerprint>,
    /// The files when the sources were last read.
    last_read: BTreeMap<PathBuf, FileFingerprint>,
}

impl Sources {
    /// Reads the sources that `columns.toml` names: those in `sources`, or else those in `files` and the
    /// files in the bot's command. If there is a `build`, the files in the command alone are not enough.
    /// Files in `store` never count.
    ///
    /// # Errors
    /// Returns an error if the file names no bot or no sources, or if a pattern matches no file.
    pub(crate) fn new(config: &Config, store: &Path) -> Result<Self> {
        let line = config.bot.as_ref();
        let line = line.context("expected a columns.toml with a bot (judge init writes one)")?;
        let mut patterns = vec![FILE_NAME.to_string()];
        if config.sources.is_empty() {
            patterns.extend_from_slice(&config.files);
            // The files that the bot's command names may be outputs of the build. With a build, watch them
            // only in addition to `files`.
            if config.build.is_none() || !config.files.is_empty() {
                let bot: Bot = line.parse().with_context(|| format!("{FILE_NAME}: bot"))?;
                let is_file = |word: &&String| config.folder.join(word).is_file();
                patterns.extend(bot.words().iter().filter(is_file).cloned());
            }
        } else {
            patterns.extend_from_slice(&config.sources);
        }
        ensure!(
            patterns.len() > 1,
            "{FILE_NAME}: expected `sources`, the files whose change makes the bot play"
        );
        let mut sources = Self {
            patterns: FilePatterns {
                patterns,
                ..config.file_patterns(store)
            },
            last_built: BTreeMap::new(),
            last_read: BTreeMap::new(),
        };
        // Check the patterns now: later, a pattern may match nothing for a moment while an editor replaces a
        // file.
        sources.patterns.find()?;
        sources.read();
        sources.accept();
        Ok(sources)
    }

    /// Returns the number of sources, not counting `columns.toml`.
    pub(crate) fn len(&self) -> usize {
        self.last_built.len() - 1
    }

    /// Reads the sources again. Returns the files that have changed since the last build, including new and
    /// removed files.
    pub(crate) fn read(&mut self) -> Vec<PathBuf> {
        let known = || self.last_read.keys().cloned().collect();
        let paths: Vec<PathBuf> = self.patterns.find().unwrap_or_else(|_| known());
        let read = |path: PathBuf| {
            let mut contents = self.last_read.get(&path).copied().unwrap_or_default();
            contents.update(&self.patterns.folder.join(&path));
            (path, contents)
        };
        self.last_read = paths.into_iter().map(read).collect();
        let both = [&self.last_built, &self.last_read];
        let paths: BTreeSet<&PathBuf> = both.into_iter().flat_map(BTreeMap::keys).collect();
        let is_changed = |path: &&PathBuf| {
            let [built, read] = both.map(|files| files.get(*path)?.digest);
            built != read
        };
        paths.into_iter().filter(is_changed).cloned().collect()
    }

    /// Treats the contents of the last read as the contents of the last build.
    pub(crate) fn accept(&mut self) {
        self.last_built.clone_from(&self.last_read);
    }

    /// Iterates over the paths of the sources, including `columns.toml`.
    pub(crate) fn paths(&self) -> impl Iterator<Item = PathBuf> {
        let paths = self.last_built.keys();
        paths.map(|path| self.patterns.folder.join(path))
    }

    /// Returns the files and folders that the patterns name. For a pattern such as `lib/*.py`, returns `lib`,
    /// the folder above the first special character.
    fn watch_roots(&self) -> Vec<PathBuf> {
        let is_plain =
            |part: &Component| !part.as_os_str().to_string_lossy().contains(['*', '?', '[']);
        let root = |pattern: &String| {
            let whole = self.patterns.folder.join(pattern);
            if whole.exists() {
                return whole;
            }
            whole.components().take_while(is_plain).collect()
        };
        self.patterns.patterns.iter().map(root).collect()
    }
}
