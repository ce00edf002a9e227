use columns_bot::eval::weights::Weights;
use columns_bot::learned::features::labels;
use columns_bot::learned::networks::{self, Networks};
use columns_bot::observe::watch::*;
use columns_bot::search::Player;
use columns_core::beam::Budget;
use columns_core::rules::case::Case;

/// Plays a case in sight of somebody.
fn watched(case: &Case, network: Option<Networks>, width: usize, watch: &mut impl Watch) {
    let weights = &Weights::default();
    let player = Player { weights, network };
    play_watched(case, player, Budget::Width(width), watch);
}

/// The highest values of the layers, and what the future of the states was said to be.
#[derive(Default)]
struct Futures {
    highest: Vec<i32>,
    root: Vec<i32>,
    now: Vec<(i32, i32)>,
}

impl Watch for Futures {
    fn evaluated(
        &mut self,
        layer: usize,
        states: Vec<Seen>,
        rollout: &mut dyn FnMut(usize, RolloutConfig) -> i32,
    ) {
        let ahead = |columns| RolloutConfig {
            columns,
            width: 20_000,
        };
        if layer == 0 {
            self.root = (0..=4).map(|columns| rollout(0, ahead(columns))).collect();
        }
        let highest = states.iter().map(|seen| seen.value).max();
        self.highest.push(highest.unwrap());
        let now = states.iter().enumerate();
        self.now
            .extend(now.map(|(i, seen)| (rollout(i, ahead(0)), seen.value)));
    }
}

#[test]
fn the_future_is_what_the_search_gets_to() {
    let case: Case = "6 13\n3\naab\nbba\nabc\n".parse().unwrap();
    let mut futures = Futures::default();
    watched(&case, networks::in_use(), 20_000, &mut futures);
    // There are three columns.
    assert_eq!(futures.root[..4], futures.highest);
    assert_eq!(futures.root[4], futures.root[3]);
    assert!(futures.now.len() > 50);
    for (future, value) in futures.now {
        assert_eq!(future, value);
    }
}

#[test]
fn two_colours_have_a_network_of_their_own() {
    /// What is said of the states of each layer: the colours that come, and the values.
    #[derive(Default)]
    struct Said(Vec<(i16, Vec<i32>)>);
    impl Watch for Said {
        fn evaluated(
            &mut self,
            _: usize,
            states: Vec<Seen>,
            _: &mut dyn FnMut(usize, RolloutConfig) -> i32,
        ) {
            let index = labels().iter().position(|label| label == "colours");
            let colours = states[0].features[index.unwrap()];
            let values = states.iter().map(|seen| seen.value);
            self.0.push((colours, values.collect()));
        }
    }
    let said = |networks, text: &str| {
        let case: Case = text.parse().unwrap();
        let mut said = Said::default();
        watched(&case, Some(networks), 4, &mut said);
        said.0
    };
    let networks = networks::in_use().unwrap();
    let [any, two] = [networks.any, networks.two.unwrap()].map(Networks::one);
    let text = "6 13\n4\nabc\naab\nbab\nabb\n";
    let found = said(networks, text);
    let colours: Vec<i16> = found.iter().map(|layer| layer.0).collect();
    assert_eq!(colours, [3, 2, 2, 2, 0]);
    assert_eq!(found[0], said(any, text)[0]);
    let text = "6 13\n3\naab\nbab\nabb\n";
    assert_eq!(said(networks, text), said(two, text));
    assert_ne!(said(networks, text), said(any, text));
}

#[test]
fn a_game_that_is_lost_is_worth_its_points() {
    /// The futures of states whose field is full.
    #[derive(Default)]
    struct Full(Vec<i32>);
    impl Watch for Full {
        fn evaluated(
            &mut self,
            layer: usize,
            states: Vec<Seen>,
            rollout: &mut dyn FnMut(usize, RolloutConfig) -> i32,
        ) {
            let ahead = RolloutConfig {
                columns: 1,
                width: 10,
            };
            // 24 columns of three fill 6 stacks up to the last row, if nothing was cleared.
            let full = |seen: &Seen| layer == 24 && seen.features[52..55] == [6, 6, 6];
            for (i, _) in states.iter().enumerate().filter(|(_, seen)| full(seen)) {
                self.0.push(rollout(i, ahead));
            }
        }
    }
    // Each letter comes three times, far apart.
    let mut letters = ('a'..='z').cycle();
    let mut column = || letters.by_ref().take(3).collect::<String>();
    let columns: Vec<String> = (0..26).map(|_| column()).collect();
    let text = format!("6 13\n26\n{}\n", columns.join("\n"));
    let case: Case = text.parse().unwrap();
    let mut full = Full::default();
    watched(&case, None, 20, &mut full);
    assert!(!full.0.is_empty());
    assert!(full.0.iter().all(|&value| value == 0), "{:?}", full.0);
}
