//! `tuner learn`: a small network that ranks the states of a layer.

use anyhow::{bail, ensure, Error, Result};
use clap::Args;
use columns_bot::learned::{features, networks};
use columns_cli::mistake::{complain, tell};
use columns_cli::paths::Paths;
use columns_cli::{file, input, output};
use columns_core::network::HIDDEN;
use columns_core::puzzles::samegame;
use columns_core::simd::Portable;
use columns_tuner::learn::dataset::{Dataset, Group, Header};
use columns_tuner::learn::model::Model;
use columns_tuner::learn::train::{agreement, quality, values, Quality, Training};
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
    /// The highest learning rate
    #[arg(long, value_name = "X", default_value_t = 0.003, value_parser = share)]
    rate: f32,
    /// Weight decay
    #[arg(long, value_name = "X", default_value_t = 0.2, value_parser = share)]
    decay: f32,
    /// The share of the probability that is spread evenly
    #[arg(long, value_name = "X", default_value_t = 0.05, value_parser = share)]
    even: f32,
    /// Seeds the first weights and the order of the groups
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Hold out one of this many games to measure by
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(2..))]
    hold_out: u64,
    /// Also show what each feature is worth: how much the held-out loss rises when it is shuffled
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
    /// The most colours that come after the states that it is for; `None` for any number.
    colours: Option<u8>,
    /// The source that holds its network, if there is one.
    trained: Option<&'static str>,
}

const COLUMNS: Game = Game {
    name: "columns",
    features: 2 * networks::PAIRS,
    units: HIDDEN,
    colours: None,
    trained: Some(trained::COLUMNS),
};

/// The Columns Game where only two colours come. Its network has as many units as there is room
/// for in a submission.
const TWO_COLOURS: Game = Game {
    units: 8,
    colours: Some(networks::TWO),
    trained: Some(trained::TWO_COLOURS),
    ..COLUMNS
};

const SAMEGAME: Game = Game {
    name: "samegame",
    features: 2 * samegame::features::PAIRS,
    units: HIDDEN,
    colours: None,
    trained: None,
};

/// Reads a number from 0 to 1.
fn share(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|x| (0.0..=1.0).contains(x));
    number.ok_or_else(|| "expected a number from 0 to 1".to_string())
}

/// Held-out groups: those without values, whose first state is to be found, and those with values.
struct HeldOut<'a> {
    first: Vec<&'a Group>,
    valued: Vec<&'a Group>,
    even: f32,
}

/// How well held-out groups are ranked, for each kind of group that there is.
struct Ranked {
    first: Option<Quality>,
    valued: Option<f64>,
}

impl HeldOut<'_> {
    /// The ranking by some values of the states, at the best of some temperatures.
    fn ranked(&self, temperatures: &[f32], value_of: impl Fn(&Group) -> Vec<f32> + Sync) -> Ranked {
        let at = |&temperature: &f32| quality(&self.first, self.even, temperature, &value_of);
        let first = temperatures.iter().map(at);
        let first = || first.min_by(|a, b| a.loss.total_cmp(&b.loss));
        Ranked {
            first: (!self.first.is_empty()).then(first).flatten(),
            valued: (!self.valued.is_empty()).then(|| agreement(&self.valued, &value_of)),
        }
    }

    /// The ranking by base and model.
    fn by(&self, model: &Model) -> Ranked {
        self.ranked(&[model.temperature()], |group| {
            values(model, group, &mut Vec::new())
        })
    }

    /// The ranking by the base alone.
    fn by_base(&self) -> Ranked {
        let temperatures = [5.0, 10.0, 20.0, 40.0, 80.0];
        self.ranked(&temperatures, |group| group.bases().collect())
    }
}

impl Ranked {
    /// A number that is lower for a better ranking: the loss, and the part of the values that is
    /// not predicted.
    fn loss(&self) -> f64 {
        self.first.map_or(0.0, |quality| quality.loss)
            + self.valued.map_or(0.0, |agreement| 1.0 - agreement)
    }
}

impl std::fmt::Display for Ranked {
    fn fmt(&self, to: &mut std::fmt::Formatter) -> std::fmt::Result {
        let first = self.first.map(|quality| {
            format!(
                "loss {:.4}, first {:.3}, correlation {:.3}",
                quality.loss, quality.first, quality.correlation
            )
        });
        let valued = self.valued.map(|x| format!("with values {x:.3}"));
        let both: Vec<String> = first.into_iter().chain(valued).collect();
        write!(to, "{}", both.join("; "))
    }
}

impl Options {
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let mut sets = Vec::new();
        for path in &self.data {
            let set = Dataset::read(path)?;
            let first: &Dataset = sets.first().unwrap_or(&set);
            ensure!(
                first.header.game == set.header.game
                    && first.header.features == set.header.features,
                "{}: describes states by other numbers than the first data set",
                input::name(path)
            );
            sets.push(set);
        }
        let header = &sets[0].header;
        let name = input::name(&self.data[0]);
        let games = [COLUMNS, SAMEGAME];
        let Some(game) = games.iter().find(|game| game.name == header.game) else {
            bail!(
                "{name}: expected states of columns or samegame, found those of {}",
                header.game
            );
        };
        ensure!(
            header.features == game.features,
            "{name}: describes states of {} by {} numbers, this program by {}; sample anew",
            game.name,
            header.features,
            game.features
        );
        ensure!(
            !self.two_colours || game.name == COLUMNS.name,
            "--two-colours is for the Columns Game; {name} holds states of {}",
            game.name
        );
        ensure!(
            !self.export || game.trained.is_some(),
            "--export is for the Columns Game; {name} holds states of {}, whose network is an option of \
             `puzzles`",
            game.name
        );
        match game.name {
            "samegame" => self.learn::<{ samegame::features::PAIRS }>(game, &sets),
            _ if self.two_colours => self.learn::<{ networks::PAIRS }>(&TWO_COLOURS, &sets),
            _ => self.learn::<{ networks::PAIRS }>(game, &sets),
        }
    }

    /// Learns from data sets of one game.
    fn learn<const PAIRS: usize>(&self, game: &Game, sets: &[Dataset]) -> Result<ExitCode> {
        let trained = self.outputs(game)?;
        let [train, test] = self.parts(game, sets)?;
        if self.out.is_none() && trained.is_none() {
            complain(
                "tuner",
                "nothing will be written; --out FILE or --export keeps the network",
            );
        }
        let numbers = game.features;
        let mut model = Model::new(numbers, game.units, self.seed, train.iter().copied());
        let counts = format!("{} groups to learn from, {}", train.len(), test.len());
        let (first, valued) = test.into_iter().partition(|group| group.value.is_empty());
        let held_out = HeldOut {
            first,
            valued,
            even: self.even,
        };
        let (base, valued) = (held_out.by_base(), held_out.valued.len());
        output::print(&format!(
            "{counts} held out, {valued} of them with values\nbase alone: {base}\n"
        ))?;
        self.training()
            .fit(&mut model, &train, |epoch, loss, model| {
                tell(&format!(
                    "epoch {epoch}: loss {loss:.4}; held out: {}; temperature {:.1}",
                    held_out.by(model),
                    model.temperature()
                ));
            });
        let network = whole::network::<PAIRS>(&model);
        let whole = held_out.ranked(&[model.temperature()], |group| {
            let states = group.features.chunks_exact(numbers);
            let states = states.map(|state| network.value(Portable, state));
            let values = states
                .zip(group.bases())
                .map(|(v, base)| base + v as f32 / 256.0);
            values.collect()
        });
        // The files come first: a reader of what is printed may be gone.
        if let Some(path) = &self.out {
            file::write(path, (network.text() + "\n").as_bytes())?;
        }
        if let Some(path) = &trained {
            let how = format!("{counts} held out: base alone {base}, with the network {whole}");
            let origin = self.origin(&how, sets);
            let source = trained::network("tuner learn --export", &network.text(), &origin);
            file::write(path, source.as_bytes())?;
        }
        output::print(&format!("in whole numbers: {whole}\n"))?;
        if self.worth {
            output::print(&worths(&model, &held_out))?;
        }
        if let Some(path) = &trained {
            output::print(&trained::next(path))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The groups to learn from and those that are held out.
    fn parts<'a>(&self, game: &Game, sets: &'a [Dataset]) -> Result<[Vec<&'a Group>; 2]> {
        let wanted = |group: &Group| {
            let most = game.colours.map(i16::from);
            most.is_none_or(|most| group.features[features::COLOURS] <= most)
        };
        let [train, test] = [false, true].map(|held_out| -> Vec<&Group> {
            let all = sets.iter().flat_map(|set| &set.groups);
            all.filter(|(game, _)| (game % self.hold_out == 0) == held_out)
                .map(|(_, group)| group)
                .filter(|group| wanted(group))
                .collect()
        });
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

    fn training(&self) -> Training {
        Training {
            epochs: self.epochs as usize,
            batch: self.batch as usize,
            rate: self.rate,
            decay: self.decay,
            even: self.even,
            seed: self.seed,
        }
    }

    /// Where the network comes from: how it was learned, how it ranks and the data.
    fn origin(&self, how: &str, sets: &[Dataset]) -> String {
        let mut origin = format!("{:?}; {how}. The data:", self.training());
        for set in sets {
            let Header {
                game, made_with, ..
            } = &set.header;
            let groups = set.groups.len();
            let _ = write!(origin, " --game {game} {made_with} ({groups} groups);");
        }
        origin
    }

    /// Checks that the network can be written. Returns the source that the network goes into, if
    /// any.
    ///
    /// # Errors
    /// One line with the file that cannot be written, or that is one of the data sets.
    fn outputs(&self, game: &Game) -> Result<Option<PathBuf>> {
        let workspace = || super::workspace(self.workspace.as_deref());
        let trained = game.trained.filter(|_| self.export);
        let trained = trained.map(|source| Ok::<_, Error>(workspace()?.join(source)));
        let trained = trained.transpose()?;
        let written = self.out.iter().chain(&trained);
        Paths::default().read(&self.data).written(written).check()?;
        Ok(trained)
    }
}

/// How much the held-out loss rises without each feature; the largest first.
fn worths(model: &Model, held_out: &HeldOut) -> String {
    let loss = held_out.by(model).loss();
    let worth = |feature: usize| {
        let mut without = model.clone();
        // At its mean everywhere.
        without.scale[feature] = 0.0;
        (held_out.by(&without).loss() - loss, feature)
    };
    let mut worth: Vec<(f64, usize)> = (0..model.features).map(worth).collect();
    worth.sort_by(|a, b| b.0.total_cmp(&a.0));
    let lines = worth.iter().map(|(w, f)| format!("{f:3} {w:+.4}\n"));
    lines.collect()
}
