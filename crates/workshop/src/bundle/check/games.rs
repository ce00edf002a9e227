//! Plays the submission as in the contest, and checks its time, its memory and its plans.

use super::{Check, PROGRESS_TEMPLATE, print_result};
use crate::cases;
use crate::chore::STOP_REQUESTED;
use anyhow::Result;
use columns_cli::pool::Pool;
use columns_cli::progress;
use columns_judge::arena::process::Limits;
use columns_judge::cases::CaseEntry;
use columns_judge::games::GameRunner;
use columns_judge::program::{Program, files::FilePatterns};
use columns_judge::row::{GameStatus, Summary};
use columns_judge::table::{self, Table};
use std::num::NonZeroUsize;
use std::path::Path;

/// The maximum memory of a game, in MiB: half of the contest's limit. Games of a dozen columns need the most,
/// because their beam reaches its maximum width.
const MAX_MEMORY_MIB: f64 = 512.0;

impl Check<'_> {
    /// Plays contest-like cases one at a time, as `judge run --jobs 1` does. Adds a failure for each game
    /// that exceeds a limit or [`MAX_MEMORY_MIB`], crashes, or prints no valid plan.
    pub(super) fn play_contest_games(&mut self, program: &Path) -> Result<()> {
        let bot = format!("'{}'", program.display()).parse()?;
        let program = Program::new(
            bot,
            Limits::CONTEST,
            Path::new("."),
            &FilePatterns::default(),
        )?;
        let pool = Pool::new(Some(NonZeroUsize::MIN));
        let games = GameRunner { program, pool };
        let cases = cases::contest_cases(self.options.cases);
        let table = Table::new(cases.iter().map(CaseEntry::name), Vec::new());
        let bar = progress::new_bar(cases.len() as u64, PROGRESS_TEMPLATE).with_message("contest");
        let mut rows = Vec::new();
        print_result("contest", &table.header_line());
        games.play(
            &cases,
            &STOP_REQUESTED,
            |_, _| Ok(()),
            |row| {
                print_result("", &table.row_line(row, None));
                bar.inc(1);
                rows.push(row.clone());
                Ok(())
            },
        )?;
        bar.finish_and_clear();
        for row in &rows {
            let (name, peak) = (&row.name, row.game.peak_memory_mib);
            if let Some(reason) = &row.game.reason {
                self.fail(row.game.status.name(), format!("{name}: {reason}"));
            } else if peak > MAX_MEMORY_MIB {
                let details =
                    format!("{name}: {peak:.0} MiB, at most {MAX_MEMORY_MIB} are promised");
                self.fail(GameStatus::Mle.name(), details);
            }
        }
        for line in table::format_summary(&Summary::new(&rows)).lines() {
            print_result("", line);
        }
        Ok(())
    }
}
