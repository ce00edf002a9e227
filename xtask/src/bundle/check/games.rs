//! The submission played as in the contest: within its time and memory, with valid plans.

use super::report::{Fault, PlayedCase};
use super::{ended, run, Check, BAR, MAX_MEMORY};
use crate::cases::{self, Named};
use anyhow::Result;
use columns_bot::contest;
use columns_cli::progress;
use columns_core::beam::Budget;
use columns_core::rules::plan::Plan;
use columns_core::rules::replay;
use columns_core::simd;
use columns_judge::process::End;
use columns_judge::verdict;
use std::path::Path;
use std::time::{Duration, Instant};

/// Time for a case (statement, section Limits).
const MAX_WALL: Duration = Duration::from_secs(4);
/// The most memory that a case may take, in bytes: a quarter of what the judge gives (statement,
/// section Limits).
const GOAL_MEMORY: u64 = 256 << 20;
/// The most that the mean score may differ from that of the workspace's bot, as a fraction.
const SCORE_TOLERANCE: f64 = 0.02;

impl Check<'_> {
    /// Plays as in the contest.
    pub(super) fn contest(&mut self, program: &Path) -> Result<()> {
        let list = cases::of_contest(self.settings.cases);
        let bar = progress::bar(list.len() as u64, BAR).with_message("contest");
        for named in &list {
            if let Some(game) = self.game(program, named)? {
                self.report.contest.push(game);
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        self.report_contest(list.len());
        Ok(())
    }

    fn game(&mut self, program: &Path, (name, case): &Named) -> Result<Option<PlayedCase>> {
        let input = case.to_string();
        let played = run(program, &input, MAX_WALL, &[])?;
        match played.end {
            End::Exited => {}
            End::OutOfTime => {
                self.fail(
                    Fault::Late,
                    format!("{name}: killed, {}", seconds(played.wall)),
                );
                return Ok(None);
            }
            End::OutOfMemory => {
                let details = format!("{name}: killed, above {}", mib(MAX_MEMORY));
                self.fail(Fault::TooMuchMemory, details);
                return Ok(None);
            }
            _ => {
                self.fail(Fault::Fails, format!("{name}: {}", ended(&played)));
                return Ok(None);
            }
        }
        if played.wall > MAX_WALL {
            let wall = seconds(played.wall);
            let details = format!("{name}: {wall}, the judge gives {}", seconds(MAX_WALL));
            self.fail(Fault::Late, details);
        }
        if played.peak_memory > GOAL_MEMORY {
            let peak = mib(played.peak_memory);
            let details = format!("{name}: {peak}, at most {} are promised", mib(GOAL_MEMORY));
            self.fail(Fault::TooMuchMemory, details);
        }
        let score = match verdict::judge(case, &played.output) {
            Ok(outcome) => outcome.points,
            Err(error) => {
                self.fail(Fault::PlanIsInvalid, format!("{name}: {error:#}"));
                return Ok(None);
            }
        };
        let workspace_score = if self.settings.score {
            let start = Instant::now();
            let clock = || start.elapsed().as_secs_f64();
            let budget = Budget::Until(contest::SECONDS);
            let plan = contest::answer(input.as_bytes(), budget, &clock, simd::Cpu::detect())?;
            let plan = Plan::parse(&plan, case.width(), case.columns().len())?;
            Some(replay::score(case, &plan).points)
        } else {
            None
        };
        Ok(Some(PlayedCase {
            case: name.clone(),
            width: case.width(),
            height: case.height(),
            columns: case.columns().len(),
            score,
            wall_seconds: played.wall.as_secs_f64(),
            peak_memory_mib: played.peak_memory as f64 / f64::from(1 << 20),
            workspace_score,
        }))
    }

    fn report_contest(&mut self, cases: usize) {
        let games = &self.report.contest;
        let mut lines = vec![format!(
            "{} of {cases} cases valid: case, size, columns, score, wall, peak memory",
            games.len()
        )];
        for game in games {
            lines.push(format!(
                "{:<8} {:>5} {:>6} {:>9} {:>6.2} s {:>4.0} MiB{}",
                game.case,
                format!("{}x{}", game.width, game.height),
                game.columns,
                game.score,
                game.wall_seconds,
                game.peak_memory_mib,
                match game.workspace_score {
                    Some(score) => format!("   workspace {score:>9}"),
                    None => String::new(),
                }
            ));
        }
        let most = |value: fn(&PlayedCase) -> f64| games.iter().map(value).fold(0.0, f64::max);
        lines.push(format!(
            "at most {:.2} s of {:.1}, {:.0} MiB of {}; mean score {:.0}",
            most(|game| game.wall_seconds),
            MAX_WALL.as_secs_f64(),
            most(|game| game.peak_memory_mib),
            MAX_MEMORY >> 20,
            mean(games.iter().map(|game| game.score)),
        ));
        let mut differs = None;
        if self.settings.score && !games.is_empty() {
            let own = mean(games.iter().filter_map(|game| game.workspace_score));
            let ratio = mean(games.iter().map(|game| game.score)) / own;
            let result = format!("the workspace's {own:.0}: {:+.2} %", 100.0 * (ratio - 1.0));
            // Not a number where all scores are 0.
            if (ratio - 1.0).abs() > SCORE_TOLERANCE {
                differs = Some(result.clone());
            }
            lines.push(result);
        }
        for (index, line) in lines.iter().enumerate() {
            self.say(if index == 0 { "contest" } else { "" }, line);
        }
        if let Some(details) = differs {
            self.fail(Fault::ScoreDiffers, details);
        }
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.2} s", time.as_secs_f64())
}

fn mib(bytes: u64) -> String {
    format!("{} MiB", bytes >> 20)
}

fn mean(values: impl Iterator<Item = u64> + Clone) -> f64 {
    values.clone().sum::<u64>() as f64 / values.count().max(1) as f64
}
