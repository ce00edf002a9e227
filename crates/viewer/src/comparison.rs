//! The comparison of two players: a verdict in words, and the numbers of `judge compare`.

use columns_stats::{
    ComparisonRow, ComparisonTable, Estimate, Pair, format_change, format_interval,
};
use serde::Serialize;

/// The comparison of player B with player A.
#[derive(Debug, Serialize)]
pub(crate) struct Comparison {
    /// A few sentences: which player scores more, the interval, the games won and any failed games.
    verdict: String,
    /// The results on all cases. Only this row is corrected for the number of candidates.
    all: Row,
    /// The results by class of case.
    classes: Vec<Row>,
}

/// The results on a set of cases.
#[derive(Debug, Serialize)]
struct Row {
    name: String,
    cases: usize,
    wins: usize,
    ties: usize,
    losses: usize,
    log_percent: Option<Change>,
    sum_percent: Option<Change>,
}

/// A change in the score, as a number and as text.
#[derive(Debug, Serialize)]
struct Change {
    mean: f64,
    text: String,
    /// The interval; empty if there is none.
    range: String,
    p: String,
}

/// Formats a change in percent as the judge does, but with the minus sign `−` instead of a hyphen.
pub(crate) fn change_text(percent: f64) -> String {
    format_change(percent, 2).replace('-', "−")
}

fn range_text(interval: (f64, f64)) -> String {
    format_interval(interval, 2).replace('-', "−")
}

impl From<Estimate> for Change {
    fn from(estimate: Estimate) -> Self {
        Self {
            mean: estimate.mean,
            text: change_text(estimate.mean),
            range: estimate.interval.map(range_text).unwrap_or_default(),
            p: estimate.p_text(),
        }
    }
}

impl From<&ComparisonRow> for Row {
    fn from(row: &ComparisonRow) -> Self {
        Self {
            name: row.name.clone(),
            cases: row.cases,
            wins: row.wins,
            ties: row.ties,
            losses: row.losses,
            log_percent: row.log_percent.map(Change::from),
            sum_percent: row.sum_percent.map(Change::from),
        }
    }
}

impl Comparison {
    /// Compares B with A. `candidates` is the number of players compared with A. Returns `None` if there are
    /// no cases.
    pub(crate) fn new(candidates: usize, names: &[String; 2], pairs: &[Pair]) -> Option<Self> {
        if pairs.is_empty() {
            return None;
        }
        let table = ComparisonTable::new(candidates.max(1), pairs);
        Some(Self {
            verdict: verdict(&table.all, names) + &failures(&table.all, names),
            all: Row::from(&table.all),
            classes: table.classes.iter().map(Row::from).collect(),
        })
    }
}

/// States which player scores more, and by how much: in percent, or as a factor if the factor is at least 2.
fn verdict(row: &ComparisonRow, [a, b]: &[String; 2]) -> String {
    let cases = row.cases;
    let Some(change) = row.log_percent else {
        return format!("{a} and {b} finished no game on the same case.");
    };
    let Some((low, high)) = change.interval else {
        let text = change_text(change.mean);
        return format!("{b} against {a}: {text}; too few games for an interval.");
    };
    let won = |name: &str, wins: usize| format!("{name} wins {wins} of {cases} games.");
    if low <= 0.0 && high >= 0.0 {
        let range = range_text((low, high));
        let won = won(b, row.wins);
        return format!("No difference between {b} and {a} is established ({range}); {won}");
    }
    let factor = |percent: f64| 1.0 + percent / 100.0;
    let (better, worse, wins, factors) = if low > 0.0 {
        (b, a, row.wins, [change.mean, low, high].map(factor))
    } else {
        let inverse = [change.mean, high, low].map(|percent| 1.0 / factor(percent));
        (a, b, row.losses, inverse)
    };
    let size = if factors[0] < 2.0 {
        let [mean, low, high] = factors.map(|factor| 100.0 * (factor - 1.0));
        let mean = change_text(mean);
        let mean = mean.trim_start_matches('+');
        format!("{mean} more than {worse} ({})", range_text((low, high)))
    } else {
        let [mean, low, high] = factors.map(|factor| {
            let digits = usize::from(factor < 99.95);
            format!("{factor:.digits$}")
        });
        format!("{mean} times {worse} ({low} to {high})")
    };
    format!("{better} scores {size}; {}", won("it", wins))
}

/// Describes the number of failed games of each player; empty if none failed.
fn failures(row: &ComparisonRow, [a, b]: &[String; 2]) -> String {
    let counts = [(a, row.failed_a), (b, row.failed_b)];
    let text = |(name, count): (&String, usize)| {
        let games = if count == 1 { "game" } else { "games" };
        (count > 0).then(|| format!(" {count} {games} of {name} failed."))
    };
    counts.into_iter().filter_map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case_facts::CaseFacts;
    use columns_generator::SAMPLE;

    /// Returns the verdict on games with these points; 0 means that the game failed.
    fn verdict_on(points: &[[u64; 2]]) -> String {
        let properties = CaseFacts::new(&SAMPLE.parse().unwrap(), None).properties;
        let pairs = points.iter().map(|&[a, b]| Pair {
            properties,
            a: Some(a).filter(|&points| points > 0),
            b: Some(b).filter(|&points| points > 0),
        });
        let names = ["base".to_string(), "mine".to_string()];
        let pairs: Vec<Pair> = pairs.collect();
        Comparison::new(1, &names, &pairs).unwrap().verdict
    }

    #[test]
    fn the_verdict_names_the_better_player() {
        let games = |factors: [u64; 6]| factors.map(|factor| [1000, factor]);
        for (points, expected) in [
            (
                games([1100; 6]),
                "mine scores 10.00 % more than base (+10.00 to +10.00 %); it wins 6 of 6 games.",
            ),
            (
                games([20_400; 6]),
                "mine scores 20.4 times base (20.4 to 20.4); it wins 6 of 6 games.",
            ),
            (
                games([50; 6]),
                "base scores 20.0 times mine (20.0 to 20.0); it wins 6 of 6 games.",
            ),
            (
                games([1000; 6]),
                "No difference between mine and base is established (+0.00 to +0.00 %); \
                 mine wins 0 of 6 games.",
            ),
        ] {
            assert_eq!(verdict_on(&points), expected);
        }
        for (points, expected) in [
            (
                &[[1000, 900]][..],
                "mine against base: −10.00 %; too few games for an interval.",
            ),
            (
                &[[1000, 900], [9, 0], [0, 8], [0, 0]],
                "mine against base: −10.00 %; too few games for an interval. \
                 2 games of base failed. 2 games of mine failed.",
            ),
            (
                &[[1000, 0]],
                "base and mine finished no game on the same case. 1 game of mine failed.",
            ),
        ] {
            assert_eq!(verdict_on(points), expected);
        }
    }
}
