//! `tuner learn`: fits a small network that ranks the states of a layer.

use anyhow::{Result, ensure};
use clap::Args;
use columns_bot::{learned::features::labels, learned::networks};
use columns_cli::stderr::{log, warn};
use columns_cli::{file, input, output, paths::Format, paths::Paths};
use columns_core::{network::HIDDEN, puzzles::samegame, simd::Portable};
use columns_learn::dataset::{Dataset, Group};
use columns_learn::train::{Quality, Training};
use columns_learn::{model::Model, whole};
use std::path::PathBuf;

/// Fit a small network to groups of states, and show how well it ranks
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner learn a.groups b.groups --out network.txt")]
pub(crate) struct Options {
    /// Data sets of `tuner sample`
    #[arg(required = true, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// File for the network: its whole numbers on the first line, then its origin
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Learn from states with at most two colours to come, for the smaller network of those states
    #[arg(long)]
    two_colours: bool,
    #[command(flatten)]
    training: Training,
    /// Hold out one game in N, to measure the ranking on
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(2..))]
    hold_out: u64,
    /// Also show the worth of each feature: how much the held-out loss rises without it
    #[arg(long)]
    worth: bool,
}

/// The number of units of the network for two colours; a submission has no room for more.
const FEW_UNITS: usize = 8;

impl Options {
    pub(crate) fn run(&self) -> Result<()> {
        let sets = self.data.iter().map(|path| Dataset::read(path));
        let sets = sets.collect::<Result<Vec<_>>>()?;
        match (&*sets[0].header.game, self.two_colours) {
            ("samegame", false) => {
                self.learn::<{ samegame::features::PAIRS }>("samegame", HIDDEN, &sets)
            }
            (_, false) => self.learn::<{ networks::PAIRS }>("columns", HIDDEN, &sets),
            (_, true) => self.learn::<{ networks::PAIRS }>("columns", FEW_UNITS, &sets),
        }
    }

    /// Fits a network of `units` units to data sets of one game, prints how well it ranks, and
    /// writes it to `--out`.
    fn learn<const PAIRS: usize>(&self, game: &str, units: usize, sets: &[Dataset]) -> Result<()> {
        let features = 2 * PAIRS;
        self.check(game, features, sets)?;
        let paths = Paths::default().read(&self.data);
        paths.written(Format::Network, &self.out).check()?;
        let [train, test] = self.parts(sets)?;
        if self.out.is_none() {
            warn("tuner", "nothing will be written; see --out");
        }
        let mut model = Model::new(features, units, self.training.seed, &train);
        let counts = format!("{} groups to learn from, {}", train.len(), test.len());
        let valued = test.iter().filter(|group| !group.value.is_empty()).count();
        let base = by_base(&test);
        output::print(&format!(
            "{counts} held out, {valued} of them with values\nbase alone: {base}\n"
        ))?;
        self.training.fit(&mut model, &train, |epoch, loss, model| {
            let quality = by_model(model, &test);
            let temperature = model.temperature();
            log(&format!(
                "epoch {epoch}: loss {loss:.4}; held out: {quality}; temperature {temperature:.1}"
            ));
        });
        let network = whole::network::<PAIRS>(&model);
        let whole = Quality::of(&test, model.temperature(), |group| {
            let states = group.features.chunks_exact(features);
            let value = |(state, base)| base + network.value(Portable, state) as f32 / 256.0;
            states.zip(group.bases()).map(value).collect()
        });
        // Write the file first, so that it exists even if printing fails.
        if let Some(path) = &self.out {
            let text = format!(
                "{}\n{:?}; {counts} held out: base alone {base}, with the network {whole}. The data:{}\n",
                network.text(),
                self.training,
                origin(sets)
            );
            file::write(path, text.as_bytes())?;
        }
        output::print(&format!("in whole numbers: {whole}\n"))?;
        if self.worth {
            output::print(&worths(game, &model, &test))?;
        }
        Ok(())
    }

    /// Checks that all data sets hold states of this game with this number of features.
    fn check(&self, game: &str, features: usize, sets: &[Dataset]) -> Result<()> {
        for (path, Dataset { header, .. }) in self.data.iter().zip(sets) {
            ensure!(
                header.game == game && header.features == features,
                "{}: expected states of {game} by {features} numbers, found states of {} by {}",
                input::name(path),
                header.game,
                header.features
            );
        }
        Ok(())
    }

    /// Splits the groups into groups to learn from and groups to hold out. With `--two-colours`,
    /// leaves out groups with more than two colours to come.
    fn parts<'a>(&self, sets: &'a [Dataset]) -> Result<[Vec<&'a Group>; 2]> {
        let names = labels();
        let colours = names.iter().position(|name| name == "colours");
        let colours = colours.expect("a feature");
        let groups = sets.iter().flat_map(|set| &set.groups);
        let few = |group: &Group| group.features[colours] <= i16::from(networks::TWO);
        let groups = groups.filter(|(_, group)| !self.two_colours || few(group));
        let is_held_out = |(seed, _): &&(u64, Group)| seed % self.hold_out == 0;
        let (test, train): (Vec<_>, Vec<_>) = groups.partition(is_held_out);
        ensure!(
            !train.is_empty() && !test.is_empty(),
            "too few groups: {} to learn from, {} held out: one game in {} is held out, by its seed \
             (--hold-out); sample more games",
            train.len(),
            test.len(),
            self.hold_out
        );
        Ok([train, test].map(|part| part.into_iter().map(|(_, group)| group).collect()))
    }
}

/// Describes the origin of data sets: the game, the options and the number of groups of each.
fn origin(sets: &[Dataset]) -> String {
    let texts = sets.iter().map(|Dataset { header, groups }| {
        let (game, made_with, count) = (&header.game, &header.made_with, groups.len());
        format!(" {game} {made_with} ({count} groups);")
    });
    texts.collect()
}

/// Measures how well base and model together rank the states of groups.
fn by_model(model: &Model, groups: &[&Group]) -> Quality {
    Quality::of(groups, model.temperature(), |group| model.values(group))
}

/// Measures how well the base alone ranks the states of groups. Tries several temperatures, and
/// returns the best quality.
fn by_base(groups: &[&Group]) -> Quality {
    let at = |temperature| Quality::of(groups, temperature, |group| group.bases().collect());
    let all = [5.0, 10.0, 20.0, 40.0, 80.0].map(at).into_iter();
    let best = all.min_by(|a, b| a.badness().total_cmp(&b.badness()));
    best.expect("there are temperatures")
}

/// Lists the features by worth, the largest first. The worth of a feature is the rise of
/// [`Quality::badness`] on held-out groups without the feature.
fn worths(game: &str, model: &Model, held_out: &[&Group]) -> String {
    let badness = by_model(model, held_out).badness();
    let worth = |feature: usize| {
        let mut without = model.clone();
        // A scale of 0 fixes the feature at its mean.
        without.scale[feature] = 0.0;
        (by_model(&without, held_out).badness() - badness, feature)
    };
    let mut worth: Vec<(f64, usize)> = (0..model.features).map(worth).collect();
    worth.sort_by(|a, b| b.0.total_cmp(&a.0));
    let names = labels();
    let name = |feature: usize| match game {
        "columns" => names[feature].clone(),
        _ => feature.to_string(),
    };
    let lines = worth
        .iter()
        .map(|&(worth, feature)| format!("{worth:+.4} {}\n", name(feature)));
    lines.collect()
}
