//! `tuner learn`: a small network that ranks the states of a layer.

use anyhow::{ensure, Result};
use clap::Args;
use columns_bot::learned::features::DESCRIPTIONS;
use columns_bot::learned::networks;
use columns_cli::mistake::{complain, tell};
use columns_cli::paths::Paths;
use columns_cli::{file, input, output};
use columns_core::network::HIDDEN;
use columns_core::puzzles::samegame;
use columns_core::simd::Portable;
use columns_tuner::learn::dataset::{Dataset, Group};
use columns_tuner::learn::model::Model;
use columns_tuner::learn::train::{Quality, Training};
use columns_tuner::learn::trained;
use columns_tuner::learn::whole;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

/// Fit a small network to groups of states, and show how well it ranks
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner learn a.groups b.groups --out network.txt")]
pub(crate) struct Options {
    /// Data sets of `tuner sample`
    #[arg(required = true, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Where to write the network, in whole numbers
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Learn from states before which two colours come or one, the smaller network for those
    #[arg(long)]
    two_colours: bool,
    /// Also put the network into the bot: into bot/src/learned/trained.rs, that for two colours
    /// into `bot/src/learned/trained_two.rs`
    #[arg(long)]
    export: bool,
    /// The sources for --export [default: the workspace around the current folder]
    #[arg(long, value_name = "DIR", requires = "export")]
    workspace: Option<PathBuf>,
    /// Times that every group is seen
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=1000))]
    epochs: u32,
    /// Groups a step
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1 << 16))]
    batch: u32,
    /// Weight decay
    #[arg(long, value_name = "X", default_value_t = 0.2,
        value_parser = super::number("a number", 0.0_f32, 1.0))]
    decay: f32,
    /// Seeds the first weights and the order of the groups
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Hold out one of this many games to measure by
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(2..))]
    hold_out: u64,
    /// Also show what each feature is worth: how much the held-out loss rises without it
    #[arg(long)]
    worth: bool,
}

/// A game that has a learned evaluation, or a part of one.
struct Game {
    /// Its name in data sets.
    name: &'static str,
    /// The number of features of a state.
    features: usize,
    /// The number of hidden units of its network.
    units: usize,
    /// The source that holds its network, if there is one.
    trained: Option<&'static str>,
}

/// The units of the network for two colours: as many as there is room for in a submission.
const FEW_UNITS: usize = 8;

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let sets = self.data.iter().map(|path| Dataset::read(path));
        let sets = sets.collect::<Result<Vec<_>>>()?;
        let two = self.two_colours;
        let (columns, few) = (trained::COLUMNS, trained::TWO_COLOURS);
        let game = match &*sets[0].header.game {
            "samegame" if !two => Game {
                name: "samegame",
                features: 2 * samegame::features::PAIRS,
                units: HIDDEN,
                trained: None,
            },
            _ => Game {
                name: "columns",
                features: 2 * networks::PAIRS,
                units: if two { FEW_UNITS } else { HIDDEN },
                trained: Some(if two { few } else { columns }),
            },
        };
        for (path, set) in self.data.iter().zip(&sets) {
            let head = &set.header;
            ensure!(
                (&*head.game, head.features) == (game.name, game.features),
                "{}: expected states of {} by {} numbers, found states of {} by {}",
                input::name(path),
                game.name,
                game.features,
                head.game,
                head.features
            );
        }
        ensure!(
            !self.export || game.trained.is_some(),
            "--export is for the Columns Game; the network of {} is an option of `puzzles`",
            game.name
        );
        match game.name {
            "samegame" => self.learn::<{ samegame::features::PAIRS }>(&game, &sets),
            _ => self.learn::<{ networks::PAIRS }>(&game, &sets),
        }
    }

    /// Learns from data sets of one game.
    fn learn<const PAIRS: usize>(&self, game: &Game, sets: &[Dataset]) -> Result<ExitCode> {
        let trained = self.outputs(game)?;
        let [train, test] = self.parts(sets)?;
        if self.out.is_none() && trained.is_none() {
            complain(
                "tuner",
                "nothing will be written; --out FILE or --export keeps the network",
            );
        }
        let mut model = Model::new(game.features, game.units, self.seed, &train);
        let counts = format!("{} groups to learn from, {}", train.len(), test.len());
        let valued = test.iter().filter(|group| !group.value.is_empty()).count();
        let base = by_base(&test);
        output::print(&format!(
            "{counts} held out, {valued} of them with values\nbase alone: {base}\n"
        ))?;
        let training = Training {
            epochs: self.epochs as usize,
            batch: self.batch as usize,
            decay: self.decay,
            seed: self.seed,
        };
        training.fit(&mut model, &train, |epoch, loss, model| {
            let quality = by_model(model, &test);
            let temperature = model.temperature();
            tell(&format!(
                "epoch {epoch}: loss {loss:.4}; held out: {quality}; temperature {temperature:.1}"
            ));
        });
        let network = whole::network::<PAIRS>(&model);
        let whole = Quality::of(&test, model.temperature(), |group| {
            let states = group.features.chunks_exact(game.features);
            let value = |(state, base)| base + network.value(Portable, state) as f32 / 256.0;
            states.zip(group.bases()).map(value).collect()
        });
        // The files come first: a reader of what is printed may be gone.
        if let Some(path) = &self.out {
            file::write(path, (network.text() + "\n").as_bytes())?;
        }
        if let Some(path) = &trained {
            let mut origin = format!(
                "{training:?}; {counts} held out: base alone {base}, with the network {whole}. \
                 The data:"
            );
            for set in sets {
                let (made_with, groups) = (&set.header.made_with, set.groups.len());
                let _ = write!(origin, " {} {made_with} ({groups} groups);", game.name);
            }
            let source = trained::network("tuner learn --export", &network.text(), &origin);
            file::write(path, source.as_bytes())?;
        }
        output::print(&format!("in whole numbers: {whole}\n"))?;
        if self.worth {
            output::print(&worths(&model, &test))?;
        }
        if let Some(path) = &trained {
            output::print(&trained::next(path))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The groups to learn from and those that are held out.
    fn parts<'a>(&self, sets: &'a [Dataset]) -> Result<[Vec<&'a Group>; 2]> {
        let before = DESCRIPTIONS.iter().take_while(|row| row.0 != "colours");
        let colours: usize = before.map(|row| row.1).sum();
        let (mut train, mut test) = (Vec::new(), Vec::new());
        for (seed, group) in sets.iter().flat_map(|set| &set.groups) {
            let few = || group.features[colours] <= i16::from(networks::TWO);
            if !self.two_colours || few() {
                let held_out = seed % self.hold_out == 0;
                if held_out { &mut test } else { &mut train }.push(group);
            }
        }
        ensure!(
            !train.is_empty() && !test.is_empty(),
            "too few groups: {} to learn from, {} held out: one game in {} is held out, by its seed \
             (--hold-out); sample more games",
            train.len(),
            test.len(),
            self.hold_out
        );
        Ok([train, test])
    }

    /// Checks that the network can be written. Returns the source that the network goes into, if
    /// any.
    ///
    /// # Errors
    /// One line with the file that cannot be written, or that is one of the data sets.
    fn outputs(&self, game: &Game) -> Result<Option<PathBuf>> {
        let trained = match game.trained.filter(|_| self.export) {
            Some(source) => Some(super::workspace(self.workspace.as_deref())?.join(source)),
            None => None,
        };
        let written = self.out.iter().chain(&trained);
        Paths::default().read(&self.data).written(written).check()?;
        Ok(trained)
    }
}

/// How well base and model rank groups.
fn by_model(model: &Model, groups: &[&Group]) -> Quality {
    Quality::of(groups, model.temperature(), |group| model.values(group))
}

/// How well the base alone ranks groups, at the best of some temperatures.
fn by_base(groups: &[&Group]) -> Quality {
    let at = |temperature| Quality::of(groups, temperature, |group| group.bases().collect());
    let all = [5.0, 10.0, 20.0, 40.0, 80.0].map(at).into_iter();
    let best = all.min_by(|a, b| a.badness().total_cmp(&b.badness()));
    best.expect("there are temperatures")
}

/// How much worse held-out groups are ranked without each feature; the largest first.
fn worths(model: &Model, held_out: &[&Group]) -> String {
    let badness = by_model(model, held_out).badness();
    let worth = |feature: usize| {
        let mut without = model.clone();
        // At its mean everywhere.
        without.scale[feature] = 0.0;
        (by_model(&without, held_out).badness() - badness, feature)
    };
    let mut worth: Vec<(f64, usize)> = (0..model.features).map(worth).collect();
    worth.sort_by(|a, b| b.0.total_cmp(&a.0));
    let lines = worth.iter().map(|(w, f)| format!("{f:3} {w:+.4}\n"));
    lines.collect()
}
