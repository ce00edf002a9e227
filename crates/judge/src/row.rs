//! The rows of a run, each with a case and its game, and the summary of all rows.

use crate::program::files::{ProgramChanges, join_paths};
use columns_cases::{classes::CaseProperties, digest::Digest};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The maximum number of names in [`Summary::worst_games`].
const MAX_WORST_GAMES: usize = 5;

/// The way a game ended. The variants after [`EndedEarly`](Self::EndedEarly) are failed games, which score 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameStatus {
    /// All columns have landed.
    #[default]
    Ok,
    /// A column did not fit. The points scored before it count.
    EndedEarly,
    /// The bot exceeded the time limit.
    Tle,
    /// The bot exceeded the memory limit.
    Mle,
    /// The bot printed no valid plan.
    Invalid,
    /// The bot was killed by a signal, or exited with a status other than 0.
    Crashed,
}

impl GameStatus {
    /// Returns the name that tables show.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::EndedEarly => "ended early",
            Self::Tle => "TLE",
            Self::Mle => "MLE",
            Self::Invalid => "invalid",
            Self::Crashed => "crashed",
        }
    }

    /// True if the game failed and therefore scores 0. A game that ended early has not failed.
    pub fn is_failed(self) -> bool {
        self > Self::EndedEarly
    }
}

/// The result of a game, the resources that the bot used, and the numbers that it reported.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Game {
    /// Points; 0 for a failed game.
    pub score: u64,
    /// Number of columns that have landed; `None` for a failed game.
    pub placed_columns: Option<usize>,
    /// Number of steps of the longest chain; `None` for a failed game.
    pub longest_chain: Option<usize>,
    /// Wall time from the start to the end of the bot, in seconds.
    pub wall_s: f64,
    /// Processor time of the bot, in seconds.
    pub cpu_s: f64,
    /// Peak resident memory of the bot, in MiB.
    pub peak_memory_mib: f64,
    /// The status of the game: normal end, early end or failure.
    pub status: GameStatus,
    /// The reason for the failure, in one line; `None` if the game has not failed.
    pub reason: Option<String>,
    /// Numbers that the bot reported, by name: see [`parse_numbers`](crate::verdict::parse_numbers).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub numbers: BTreeMap<String, f64>,
}

/// A row of a run: a case and the game on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Name of the case, such as `0001`.
    pub name: String,
    /// Seed of the case; `None` if its file name is not a number: see
    /// [`CaseEntry::seed`](crate::cases::CaseEntry::seed).
    pub seed: Option<u64>,
    /// Digest of the text of the case.
    pub case_digest: Digest,
    /// Digest of the bot's standard output, which may not be a valid plan.
    pub output_digest: Digest,
    /// The properties of the case, such as its size and its colours.
    #[serde(flatten)]
    pub properties: CaseProperties,
    /// Points of the quickstart rule on this case: see [`columns_core::rules::quickstart`].
    pub quickstart_score: u64,
    /// The result of the game. In JSON, its fields are fields of the row.
    #[serde(flatten)]
    pub game: Game,
    /// Points divided by the number of columns of the case.
    pub points_per_column: f64,
    /// The changes to the program's files. In JSON, its fields are fields of the row.
    #[serde(flatten)]
    pub program: ProgramChanges,
}

impl Row {
    /// Looks up a number of this game by name: a field of the row in JSON, or else a number that the bot
    /// reported. Returns `None` if the field is null, such as `placed_columns` in a failed game, or is not a
    /// number.
    pub fn number(&self, name: &str) -> Option<f64> {
        let fields = serde_json::to_value(self).ok()?;
        let reported = || self.game.numbers.get(name).copied();
        fields.get(name).map_or_else(reported, Value::as_f64)
    }
}

/// A summary of the games of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Number of games played, including failed games.
    pub games: usize,
    /// Number of games with each [`GameStatus`] that occurs.
    #[serde(flatten)]
    pub statuses: BTreeMap<GameStatus, usize>,
    /// Sum of points, which determines the contest's ranking.
    pub sum: u64,
    /// Mean points per game. A failed game counts as 0 points.
    pub mean: f64,
    /// Geometric mean of score / quickstart's score. A score of 0 counts as 1, so that a failed game does not
    /// make the mean 0.
    pub against_quickstart: f64,
    /// Longest wall time of a game, in seconds.
    pub max_wall_s: f64,
    /// Mean number of cores that the bot used: total processor time divided by total wall time.
    pub mean_cores_used: f64,
    /// Largest peak memory of a game, in MiB.
    pub max_peak_memory_mib: f64,
    /// Names of the worst games, at most five, the worst first:
    ///
    /// 1. failed games;
    /// 2. games that ended early, by the share of their columns that were placed.
    pub worst_games: Vec<String>,
    /// Notes about games that were played after files of the program had changed, such as `games 0005 to 0008
    /// were played after bot.awk changed`.
    pub changed_games: Vec<String>,
    /// The files that count as output of the bot: see [`ProgramChanges::output_files`].
    pub output_files: Vec<PathBuf>,
}

impl Summary {
    /// Summarises the rows of a run, which may be incomplete.
    pub fn new(rows: &[Row]) -> Self {
        let mut statuses = BTreeMap::new();
        for row in rows {
            *statuses.entry(row.game.status).or_default() += 1;
        }
        let games = rows.len();
        let mean = |sum: f64| sum / games.max(1) as f64;
        let total = |value: fn(&Row) -> f64| rows.iter().map(value).sum::<f64>();
        let largest = |value: fn(&Row) -> f64| rows.iter().map(value).fold(0.0, f64::max);
        let sum = rows.iter().map(|row| row.game.score).sum();
        let log = |score: u64| (score.max(1) as f64).ln();
        let log_ratio = |row: &Row| log(row.game.score) - log(row.quickstart_score);
        let wall = total(|row| row.game.wall_s).max(f64::MIN_POSITIVE);
        Self {
            games,
            statuses,
            sum,
            mean: mean(sum as f64),
            against_quickstart: mean(rows.iter().map(log_ratio).sum()).exp(),
            max_wall_s: largest(|row| row.game.wall_s),
            mean_cores_used: total(|row| row.game.cpu_s) / wall,
            max_peak_memory_mib: largest(|row| row.game.peak_memory_mib),
            worst_games: worst_games(rows),
            changed_games: changed_games(rows),
            output_files: output_files(rows),
        }
    }

    /// Returns notes about the files of the program that changed during the run.
    pub fn notes(&self) -> Vec<String> {
        let changed = self.changed_games.iter().cloned();
        let output = (!self.output_files.is_empty()).then(|| {
            let files = join_paths(&self.output_files);
            format!("{files} changed during the first game, so it counts as output of the bot")
        });
        changed.chain(output).collect()
    }

    /// Returns the number of failed games: over a limit, invalid or crashed.
    pub fn failed_games(&self) -> usize {
        let statuses = self.statuses.iter();
        let failed = statuses.filter(|(status, _)| status.is_failed());
        failed.map(|(_, count)| count).sum()
    }
}

/// Returns the names for [`Summary::worst_games`].
fn worst_games(rows: &[Row]) -> Vec<String> {
    // A failed game counts as having placed no columns, so it comes first.
    let placed =
        |row: &Row| row.game.placed_columns.unwrap_or(0) as f64 / row.properties.columns as f64;
    let not_ok = rows.iter().filter(|row| row.game.status != GameStatus::Ok);
    let mut ranked: Vec<&Row> = not_ok.collect();
    ranked.sort_by(|a, b| placed(a).total_cmp(&placed(b)));
    ranked.truncate(MAX_WORST_GAMES);
    ranked.into_iter().map(|row| row.name.clone()).collect()
}

/// Returns the files that turned out to be output of the bot.
pub fn output_files(rows: &[Row]) -> Vec<PathBuf> {
    let files = rows.iter().flat_map(|row| &row.program.output_files);
    let files: BTreeSet<&PathBuf> = files.collect();
    files.into_iter().cloned().collect()
}

/// Describes the games that were played after files of the program had changed: see
/// [`Summary::changed_games`]. Games that are not consecutive are only counted.
fn changed_games(rows: &[Row]) -> Vec<String> {
    let mut games = BTreeMap::<&[PathBuf], Vec<usize>>::new();
    for (index, row) in rows.iter().enumerate() {
        games.entry(&row.program.changed).or_default().push(index);
    }
    games.remove(&[][..]);
    let sentence = |(files, games): (&[PathBuf], Vec<usize>)| {
        let (first, count) = (games[0], games.len());
        let last = games[count - 1];
        let [first_name, last_name] = [first, last].map(|index| &rows[index].name);
        let games = match count {
            1 => format!("game {first_name} was"),
            _ if last - first == count - 1 => format!("games {first_name} to {last_name} were"),
            _ => format!("{count} games were"),
        };
        format!("{games} played after {} changed", join_paths(files))
    };
    games.into_iter().map(sentence).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use columns_cases::{PaletteKind, classes::CaseProperties, digest::Digest};

    /// Creates a row for a case of 100 columns.
    pub(crate) fn row(name: &str, score: u64, status: GameStatus) -> Row {
        Row {
            name: name.into(),
            seed: name.parse().ok(),
            case_digest: Digest::new(name.as_bytes()),
            output_digest: Digest::EMPTY,
            properties: CaseProperties {
                width: 6,
                height: 13,
                columns: 100,
                magic_columns: 0,
                colours: 4,
                palette: Some(PaletteKind::Fixed),
            },
            quickstart_score: 100,
            game: Game {
                score,
                placed_columns: (!status.is_failed()).then_some(100),
                wall_s: 1.0,
                cpu_s: 1.0,
                status,
                ..Game::default()
            },
            points_per_column: score as f64 / 100.0,
            program: ProgramChanges::default(),
        }
    }

    #[test]
    fn a_summary_counts_and_ranks_the_games() {
        let mut late = row("late", 900, GameStatus::EndedEarly);
        late.game.placed_columns = Some(90);
        let mut soon = row("soon", 800, GameStatus::EndedEarly);
        soon.game.placed_columns = Some(80);
        let mut slow = row("slow", 400, GameStatus::Ok);
        slow.game.wall_s = 3.5;
        let crashed = row("crashed", 0, GameStatus::Crashed);
        let rows = [row("good", 1600, GameStatus::Ok), slow, late, soon, crashed];
        let summary = Summary::new(&rows);
        let statuses = [
            (GameStatus::Ok, 2),
            (GameStatus::EndedEarly, 2),
            (GameStatus::Crashed, 1),
        ];
        assert_eq!(summary.statuses, BTreeMap::from(statuses));
        assert_eq!((summary.games, summary.failed_games()), (5, 1));
        assert_eq!((summary.sum, summary.mean), (3700, 740.0));
        // The ratios to quickstart's score are 16, 4, 9, 8 and 1/100.
        let expected = (16.0 * 4.0 * 9.0 * 8.0 / 100.0_f64).powf(0.2);
        assert!((summary.against_quickstart - expected).abs() < 1e-9);
        assert_eq!(summary.worst_games, ["crashed", "soon", "late"]);
        assert!((summary.mean_cores_used - 5.0 / 7.5).abs() < 1e-9);
        assert!((summary.max_wall_s - 3.5).abs() < 1e-9);
    }

    #[test]
    fn games_after_a_change_are_described_by_their_files() {
        for (pattern, sentences) in [
            ("....", &[][..]),
            (
                "..aa",
                &["games 0003 to 0004 were played after a.py changed"],
            ),
            ("a.aa", &["3 games were played after a.py changed"]),
            (
                "..abb",
                &[
                    "game 0003 was played after a.py changed",
                    "games 0004 to 0005 were played after a.py, b.py changed",
                ],
            ),
        ] {
            let row = |(index, change): (usize, char)| {
                let mut row = row(&format!("{:04}", index + 1), 1, GameStatus::Ok);
                row.program.changed = match change {
                    '.' => vec![],
                    'a' => vec!["a.py".into()],
                    _ => vec!["a.py".into(), "b.py".into()],
                };
                row
            };
            let rows: Vec<Row> = pattern.chars().enumerate().map(row).collect();
            assert_eq!(Summary::new(&rows).changed_games, sentences, "{pattern}");
        }
    }
}
