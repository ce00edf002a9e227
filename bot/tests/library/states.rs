use columns_bot::eval::weights::Weights;
use columns_bot::learned::features::feature_labels;
use columns_bot::learned::networks::{self, Networks};
use columns_bot::observe::states::*;
use columns_bot::search::Player;
use columns_core::beam::Budget;
use columns_core::rules::case::Case;

/// A function that plays a rollout from the state with the given index in the layer. It returns the value
/// of the rollout.
type Rollout<'a> = &'a mut dyn FnMut(usize, RolloutConfig) -> i32;

/// A [`StateObserver`] that calls a function with the states of each layer.
struct CallbackObserver<F>(F);

impl<F: FnMut(usize, Vec<ObservedState>, Rollout<'_>)> StateObserver for CallbackObserver<F> {
    fn on_evaluated(&mut self, layer: usize, states: Vec<ObservedState>, rollout: Rollout<'_>) {
        self.0(layer, states, rollout);
    }
}

/// Plays a case with a beam of this width, and calls `observe` for each layer.
fn observe_game(
    case: &Case,
    networks: Option<Networks>,
    width: usize,
    observe: impl FnMut(usize, Vec<ObservedState>, Rollout<'_>),
) {
    let weights = &Weights::default();
    let player = Player { weights, networks };
    let budget = Budget::Width(width);
    play_observed(case, player, budget, &mut CallbackObserver(observe));
}

#[test]
fn the_future_of_a_state_is_the_highest_value_that_a_search_reaches() {
    let case: Case = "6 13\n3\naab\nbba\nabc\n".parse().unwrap();
    // `highest` collects the highest value of each layer, and `root` the values of rollouts from the root.
    // `own_values` collects, for each state, the value of a rollout of no columns, and the state's own value.
    let (mut highest, mut root, mut own_values) = (Vec::new(), Vec::new(), Vec::new());
    observe_game(
        &case,
        networks::built_in_networks(),
        20_000,
        |layer, states, rollout| {
            let width = 20_000;
            let mut rollout_value =
                |state, columns| rollout(state, RolloutConfig { columns, width });
            if layer == 0 {
                root = (0..=4).map(|columns| rollout_value(0, columns)).collect();
            }
            highest.push(states.iter().map(|state| state.value).max().unwrap());
            let states = states.iter().enumerate();
            own_values.extend(states.map(|(i, state)| (rollout_value(i, 0), state.value)));
        },
    );
    // The case has three columns, so a rollout of four is the same as one of three.
    assert_eq!(root[..4], highest);
    assert_eq!(root[4], root[3]);
    assert!(own_values.len() > 50);
    for (future, value) in own_values {
        assert_eq!(future, value);
    }
}

#[test]
fn two_colours_have_a_network_of_their_own() {
    // Returns, for each layer, the number of colours to come, and the values of the states.
    let values = |networks, text: &str| -> Vec<(i16, Vec<i32>)> {
        let case: Case = text.parse().unwrap();
        let mut layers = Vec::new();
        observe_game(&case, Some(networks), 4, |_, states, _| {
            let index = feature_labels().iter().position(|label| label == "colours");
            let colours = states[0].features[index.unwrap()];
            layers.push((colours, states.iter().map(|state| state.value).collect()));
        });
        layers
    };
    let networks = networks::built_in_networks().unwrap();
    let [any, two] = [networks.any_colours, networks.two_colours.unwrap()].map(Networks::new);
    let text = "6 13\n4\nabc\naab\nbab\nabb\n";
    let layers = values(networks, text);
    let colours: Vec<i16> = layers.iter().map(|layer| layer.0).collect();
    assert_eq!(colours, [3, 2, 2, 2, 0]);
    assert_eq!(layers[0], values(any, text)[0]);
    let text = "6 13\n3\naab\nbab\nabb\n";
    assert_eq!(values(networks, text), values(two, text));
    assert_ne!(values(networks, text), values(any, text));
}

#[test]
fn the_future_of_a_full_field_is_its_points() {
    // Each letter occurs three times, far apart, so that a field can fill up without a match.
    let mut letters = ('a'..='z').cycle();
    let mut column = || letters.by_ref().take(3).collect::<String>();
    let columns: Vec<String> = (0..26).map(|_| column()).collect();
    let text = format!("6 13\n26\n{}\n", columns.join("\n"));
    let case: Case = text.parse().unwrap();
    // The rollout values of states whose field is full.
    let mut futures = Vec::new();
    observe_game(&case, None, 20, |layer, states, rollout| {
        let (columns, width) = (1, 10);
        // If nothing was cleared, 24 columns fill 12 of the 13 rows. All six stacks then have fewer than
        // three free cells, as the feature `tight` shows.
        let full = |state: &ObservedState| layer == 24 && state.features[52..55] == [6, 6, 6];
        for (i, _) in states.iter().enumerate().filter(|(_, state)| full(state)) {
            futures.push(rollout(i, RolloutConfig { columns, width }));
        }
    });
    assert!(!futures.is_empty());
    assert!(futures.iter().all(|&value| value == 0), "{futures:?}");
}
