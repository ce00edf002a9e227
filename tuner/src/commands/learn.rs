//! `tuner learn`: a small network that ranks the states of a layer.

use anyhow::{ensure, Result};
use clap::Args;
use columns_bot::{learned::features::labels, learned::networks};
use columns_cli::mistake::{complain, tell};
use columns_cli::{
    file, input, output,
    paths::{Format, Paths},
};
use columns_core::{network::HIDDEN, puzzles::samegame, simd::Portable};
use columns_tuner::learn::dataset::{Dataset, Group};
use columns_tuner::learn::train::{Quality, Training};
use columns_tuner::{learn::model::Model, learn::whole};
use std::{path::PathBuf, process::ExitCode};

/// Fit a small network to groups of states, and show how well it ranks
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  tuner learn a.groups b.groups --out network.txt")]
pub(crate) struct Options {
    /// Data sets of `tuner sample`
    #[arg(required = true, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Where to write the network: in whole numbers on the first line, then where it comes from
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Learn from states before which two colours come or one, the smaller network for those
    #[arg(long)]
    two_colours: bool,
    #[command(flatten)]
    training: Training,
    /// Hold out one of this many games to measure by
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(2..))]
    hold_out: u64,
    /// Also show what each feature is worth: how much the held-out loss rises without it
    #[arg(long)]
    worth: bool,
}

/// The units of the network for two colours: as many as there is room for in a submission.
const FEW_UNITS: usize = 8;

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
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

    /// Learns from data sets of one game, for a network of so many units.
    fn learn<const PAIRS: usize>(
        &self,
        game: &str,
        units: usize,
        sets: &[Dataset],
    ) -> Result<ExitCode> {
        let features = 2 * PAIRS;
        self.check(game, features, sets)?;
        Paths::default()
            .read(&self.data)
            .written(Format::Network, &self.out)
            .check()?;
        let [train, test] = self.parts(sets)?;
        if self.out.is_none() {
            complain("tuner", "nothing will be written; see --out");
        }
        let mut model = Model::new(features, units, self.training.seed, &train);
        let counts = format!("{} groups to learn from, {}", train.len(), test.len());
        let valued = test.iter().filter(|group| !group.value.is_empty()).count();
        let base = by_base(&test);
        output::print(&format!(
            "{counts} held out, {valued} of them with values\nbase alone: {base}\n"
        ))?;
        let training = &self.training;
        training.fit(&mut model, &train, |epoch, loss, model| {
            let quality = by_model(model, &test);
            let temperature = model.temperature();
            tell(&format!(
                "epoch {epoch}: loss {loss:.4}; held out: {quality}; temperature {temperature:.1}"
            ));
        });
        let network = whole::network::<PAIRS>(&model);
        let whole = Quality::of(&test, model.temperature(), |group| {
            let states = group.features.chunks_exact(features);
            let value = |(state, base)| base + network.value(Portable, state) as f32 / 256.0;
            states.zip(group.bases()).map(value).collect()
        });
        // The file comes first: a reader of what is printed may be gone.
        if let Some(path) = &self.out {
            let (text, origin) = (network.text(), origin(sets));
            let result = format!("{counts} held out: base alone {base}, with the network {whole}");
            let text = format!("{text}\n{training:?}; {result}. The data:{origin}\n");
            file::write(path, text.as_bytes())?;
        }
        output::print(&format!("in whole numbers: {whole}\n"))?;
        if self.worth {
            output::print(&worths(game, &model, &test))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Checks that all data sets are of this game.
    fn check(&self, game: &str, features: usize, sets: &[Dataset]) -> Result<()> {
        for (path, set) in self.data.iter().zip(sets) {
            let (found, count) = (&set.header.game, set.header.features);
            ensure!(
                found == game && count == features,
                "{}: expected states of {game} by {features} numbers, found states of {found} by {count}",
                input::name(path)
            );
        }
        Ok(())
    }

    /// The groups to learn from and those that are held out.
    fn parts<'a>(&self, sets: &'a [Dataset]) -> Result<[Vec<&'a Group>; 2]> {
        let names = labels();
        let colours = names.iter().position(|name| name == "colours");
        let colours = colours.expect("a feature");
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
}

/// Where data sets come from.
fn origin(sets: &[Dataset]) -> String {
    let told = sets.iter().map(|Dataset { header, groups }| {
        format!(
            " {} {} ({} groups);",
            header.game,
            header.made_with,
            groups.len()
        )
    });
    told.collect()
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

/// How much worse held-out groups are ranked without each feature, by its name or its number; the
/// largest first.
fn worths(game: &str, model: &Model, held_out: &[&Group]) -> String {
    let badness = by_model(model, held_out).badness();
    let worth = |feature: usize| {
        let mut without = model.clone();
        // At its mean everywhere.
        without.scale[feature] = 0.0;
        (by_model(&without, held_out).badness() - badness, feature)
    };
    let mut worth: Vec<(f64, usize)> = (0..model.features).map(worth).collect();
    worth.sort_by(|a, b| b.0.total_cmp(&a.0));
    let names = labels();
    let name = |f: usize| match game {
        "columns" => names[f].clone(),
        _ => f.to_string(),
    };
    let lines = worth.iter().map(|&(w, f)| (w, name(f)));
    lines.map(|(w, name)| format!("{w:+.4} {name}\n")).collect()
}
