//! `tuner sample`: samples groups of states from games, as training data for `tuner learn`.

use super::{play_args, progress, selfplay, selfplay::PlayerArgs};
use anyhow::Result;
use clap::Args;
use columns_cases::seeds::SeedRange;
use columns_cli::options::integer_between;
use columns_cli::pool::{Pool, PoolOptions};
use columns_cli::stderr::log;
use columns_cli::{input, output};
use columns_core::text::group_digits;
use columns_generator::Spec;
use columns_generator_command::CaseOptions;
use columns_tuner::learn::dataset::{DatasetHeader, DatasetWriter, Group};
use columns_tuner::learn::sampling::{GroupKind, SamplingSettings, sample_groups};
use columns_tuner::record::RunLimits;
use std::{ops::ControlFlow, path::PathBuf};

/// The number of seeds of a data set without `--seeds`. They start at 1.
const DEFAULT_SEED_COUNT: u64 = 100;

/// Take groups of states from games, for `tuner learn`
///
/// A group holds states of one layer of a beam search: the ancestor of the best state at the end, other
/// survivors, and some states that were pruned. With --rollouts, a group has labels instead of that ancestor:
/// the values that narrow beams reach from each state. After any interruption, the same command resumes the
/// data set; the end of --seeds may then be larger.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner sample --seeds 1..=500 --columns 250 --beam-width 400 --out a.groups
  tuner sample --seeds 1..=500 --columns 250 --beam-width 100 --rollouts 12,30 --out c.groups
  tuner sample --resume c.groups --seeds 1..=1000")]
pub(crate) struct Options {
    /// The data set: the same command resumes it after an interruption
    #[arg(short, long, value_name = "FILE", required_unless_present = "resume")]
    out: Option<PathBuf>,
    /// Resume the data set in this file, with the options recorded there; only the end of --seeds may be
    /// larger
    #[arg(long, value_name = "FILE", conflicts_with_all =
        ["out", "beam_width", "PlayerArgs", "every", "ahead", "rollouts", "CaseOptions"])]
    resume: Option<PathBuf>,
    /// The seeds of the cases; a range with a larger end continues the data set [default: 1..=100]
    #[arg(short, long, value_name = "RANGE")]
    seeds: Option<SeedRange>,
    /// Width of the beam, in states
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = integer_between(10, 20_000_usize))]
    beam_width: usize,
    #[command(flatten)]
    player: PlayerArgs,
    #[command(flatten)]
    pool: PoolOptions,
    /// Take a group from one layer in N
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = integer_between(1, usize::MAX))]
    every: usize,
    /// Minimum number of layers from a group to the best state
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = integer_between(0, usize::MAX))]
    ahead: usize,
    /// Label states by rollouts over this many columns, with beams of this width
    #[arg(long, value_name = "COLUMNS,WIDTH", value_parser = parse_rollouts, conflicts_with = "ahead")]
    rollouts: Option<GroupKind>,
    #[command(flatten)]
    cases: CaseOptions,
}

/// Parses the value of `--rollouts`: the columns and the width of each rollout.
fn parse_rollouts(text: &str) -> Result<GroupKind, String> {
    let numbers = text.split_once(',').and_then(|(columns, width)| {
        let number = |text: &str| text.parse().ok().filter(|n| (1..=1000).contains(n));
        Some((number(columns)?, number(width)?))
    });
    let (columns, width) = numbers.ok_or("expected two numbers from 1 to 1000, such as 12,30")?;
    Ok(GroupKind::Rollouts { columns, width })
}

impl Options {
    pub(crate) fn run(&self) -> Result<()> {
        let path = self.resume.as_ref().or(self.out.as_ref());
        let path = path.expect("clap requires --out or --resume");
        let given = RunLimits::with_last_seed(self.seeds.map(SeedRange::last));
        let mut writer = DatasetWriter::open(path, &self.header()?, &given)?;
        let header = writer.header.clone();
        self.write(&input::name(path), &mut writer, |seed| {
            let case = columns_generator::generate(seed, &header.case_spec);
            sample_groups(&case, header.player.as_search_player(), header.settings)
        })
    }

    /// Returns the configuration that the options describe, or the configuration of `--resume`.
    fn header(&self) -> Result<DatasetHeader> {
        self.seeds.map(progress::check_seed_count).transpose()?;
        if let Some(path) = &self.resume {
            let original = DatasetHeader::read(path)?;
            selfplay::check_first_seed(self.seeds, original.first_seed)?;
            return Ok(original);
        }
        // Without `--seeds`, use the seeds of an existing file. The caller reports an unreadable file.
        let existing = || DatasetHeader::read(self.out.as_ref()?).ok();
        let seeds = self.seeds.or_else(|| Some(existing()?.seeds()));
        let seeds = seeds.or_else(|| SeedRange::new(1, DEFAULT_SEED_COUNT));
        let seeds = seeds.expect("at least one seed");
        let settings = SamplingSettings {
            beam_width: self.beam_width,
            layer_interval: self.every,
            group_kind: self.rollouts.unwrap_or(GroupKind::BestAncestor {
                min_layers_ahead: self.ahead,
            }),
        };
        let player = self.player.read_player()?;
        let case_spec = Spec::try_from(self.cases.0)?;
        Ok(DatasetHeader::new(player, case_spec, seeds, settings))
    }

    /// Plays the games that the file does not contain yet, and appends their groups.
    fn write(
        &self,
        name: &str,
        writer: &mut DatasetWriter,
        play: impl Fn(u64) -> Vec<Group> + Sync,
    ) -> Result<()> {
        let (seeds, recorded_count) = (writer.header.seeds(), writer.game_count);
        let count = seeds.into_iter().count().saturating_sub(recorded_count);
        if recorded_count > 0 {
            let games = output::count_text(recorded_count, "game");
            log(&format!("{name}: has {games} of --seeds {seeds}"));
        }
        if count == 0 {
            return Ok(());
        }
        let stop = play_args::finish_games_on_interrupt(play_args::RESUMABLE_EFFECT)?;
        let bar = progress::new_game_bar(count);
        let first = seeds.first() + recorded_count as u64;
        let work = |index: usize| play(first + index as u64);
        let tenth = count.div_ceil(10);
        let mut total = 0;
        let pool = Pool::new(self.pool.jobs);
        let played = pool.map_ordered(count, stop, work, |index, groups| {
            total += groups.len();
            writer.append(groups)?;
            bar.inc(1);
            let games = index + 1;
            if bar.is_hidden() && games.is_multiple_of(tenth) && games < count {
                let [games, count, total] = [games, count, total].map(|n| group_digits(n as u64));
                log(&format!("{games} of {count} games, {total} groups"));
            }
            Ok(ControlFlow::Continue(()))
        })?;
        bar.finish_and_clear();
        if played < count {
            return Err(play_args::interruption_error(played, count, "game", true));
        }
        let games = output::count_text(count, "game");
        let groups = output::count_text(total, "group");
        log(&format!("{name}: {games}, {groups}"));
        Ok(())
    }
}
