use columns_bot::Weights;
use columns_bot::eval::scaled::ScaledWeights;
use columns_bot::eval::weights::*;
use columns_core::network::VALUE_SCALE;

/// Sets one weight at a time. Checks that only its row changes, and that the scaled weights match. On a large
/// field, the scaled `steps` also includes `steps_large`.
#[test]
fn every_row_of_the_table_is_one_weight_everywhere() {
    let cases = ["6 13\n1\nabc\n", "12 19\n1\nabc\n"].map(|case| case.parse().unwrap());
    let weights = Weights::default();
    let start = weights.values();
    assert_eq!(start.len(), PARAMETERS.len());
    for (row, parameter) in PARAMETERS.iter().enumerate() {
        let Parameter {
            name,
            meaning,
            step,
            ..
        } = *parameter;
        let range = parameter.min..=parameter.max;
        assert!(range.contains(&start[row]) && step > 0.0, "{name}");
        assert!(!meaning.is_empty(), "{name}");
        for value in [parameter.min, parameter.max] {
            let mut changed = weights.clone();
            changed.set(name, value).unwrap();
            let mut expected = start.clone();
            expected[row] = value;
            assert_eq!(changed.values(), expected, "{name}");
            for case in &cases {
                let scaled = |value: f64| (value * f64::from(VALUE_SCALE)).round() as i32;
                let mut case_weights = changed.clone();
                if case == &cases[1] {
                    case_weights.steps += case_weights.steps_large;
                }
                let expected: Vec<i32> = case_weights.values().into_iter().map(scaled).collect();
                assert_eq!(
                    ScaledWeights::new(case, &changed).values(),
                    expected,
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn weights_are_set_by_name_within_their_range() {
    let mut weights = Weights::default();
    weights.set("spot", 1.25).unwrap();
    assert_eq!(weights.spot, 1.25);
    assert_eq!(weights.get_mut("spot"), Some(&mut 1.25));
    assert_eq!(weights.get_mut("sport"), None);
    assert!(weights.set("sport", 1.0).unwrap_err().contains("no weight"));
    assert!(weights.set("spot", f64::NAN).unwrap_err().contains("-5"));
    assert!(weights.set("spot", 11.0).is_err());
}
