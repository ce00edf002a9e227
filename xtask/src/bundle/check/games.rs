//! The submission played as in the contest: within its time and memory, with valid plans.

use super::{say, Check, BAR};
use crate::cases;
use anyhow::Result;
use columns_bot::contest;
use columns_cli::pool::Pool;
use columns_cli::progress;
use columns_core::beam::Budget;
use columns_core::rules::plan::Plan;
use columns_core::rules::replay;
use columns_core::simd;
use columns_judge::bot::Bot;
use columns_judge::cases::Entry;
use columns_judge::process::Limits;
use columns_judge::row::{Mark, Row};
use columns_judge::run::Run;
use columns_judge::table::Table;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Instant;

/// The most memory that a case may take, in MiB: a quarter of what the judge gives.
const GOAL_MEMORY: f64 = 256.0;
/// The most that the mean score may differ from that of the workspace's bot, as a fraction.
const SCORE_TOLERANCE: f64 = 0.02;

impl Check<'_> {
    /// Plays as in the contest, by the judge's own runner.
    pub(super) fn contest(&mut self, program: &Path) -> Result<()> {
        let run = Run {
            bot: Bot::parse("the submission", &format!("'{}'", program.display()))?,
            cases: cases::of_contest(self.options.cases),
            limits: Limits::CONTEST,
            pool: Pool::new(Some(NonZeroUsize::MIN)),
            out: None,
            best: None,
        };
        let table = Table::new(run.cases.iter().map(|case| case.name.as_str()), Vec::new());
        let bar = progress::bar(run.cases.len() as u64, BAR).with_message("contest");
        say("contest", &table.header());
        let rows = run.play(
            |_| Ok(()),
            |row| {
                bar.suspend(|| say("", &table.row(row)));
                bar.inc(1);
                Ok(())
            },
        )?;
        bar.finish_and_clear();
        for row in &rows {
            let (name, peak) = (&row.name, row.game.peak_memory_mib);
            if let Some(reason) = &row.game.reason {
                self.fail(row.game.mark.name(), format!("{name}: {reason}"));
            } else if peak > GOAL_MEMORY {
                let details = format!("{name}: {peak:.0} MiB, at most {GOAL_MEMORY} are promised");
                self.fail(Mark::Mle.name(), details);
            }
        }
        let most = |value: fn(&Row) -> f64| rows.iter().map(value).fold(0.0, f64::max);
        let mean = rows.iter().map(|row| row.game.score as f64).sum::<f64>() / rows.len() as f64;
        let result = format!(
            "at most {:.2} s of {:.1}, {:.0} MiB of {}; mean score {mean:.0}",
            most(|row| row.game.wall_s),
            Limits::CONTEST.time.as_secs_f64(),
            most(|row| row.game.peak_memory_mib),
            Limits::CONTEST.memory >> 20,
        );
        say("", &result);
        if self.options.score {
            self.score(mean, &run.cases)?;
        }
        Ok(())
    }

    /// Compares the mean score with that of the workspace's bot.
    fn score(&mut self, mean: f64, cases: &[Entry]) -> Result<()> {
        let mut total = 0;
        for entry in cases {
            let case = entry.load()?;
            let start = Instant::now();
            let clock = || start.elapsed().as_secs_f64();
            let budget = Budget::Until(contest::SECONDS);
            let input = case.to_string();
            let plan = contest::answer(input.as_bytes(), budget, &clock, simd::Cpu::detect())?;
            let plan = Plan::parse(&plan, case.width(), case.columns().len())?;
            total += replay::score(&case, &plan).points;
        }
        let own = total as f64 / cases.len() as f64;
        let difference = mean / own - 1.0;
        let result = format!("the workspace's {own:.0}: {:+.2} %", 100.0 * difference);
        say("", &result);
        // Not a number where all scores are 0.
        if difference.abs() > SCORE_TOLERANCE {
            self.fail("score differs", result);
        }
        Ok(())
    }
}
