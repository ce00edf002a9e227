use columns_bot::Weights;
use columns_bot::eval::weights::*;

#[test]
fn the_table_is_consistent() {
    let values = Weights::default().values();
    // A field without a row would be missing from weights files and from fits.
    let fields = format!("{:?}", Weights::default()).matches(": ").count();
    assert_eq!(fields, PARAMETERS.len());
    for (parameter, value) in PARAMETERS.iter().zip(values) {
        assert!((parameter.lowest..=parameter.highest).contains(&value));
        assert!(parameter.step > 0.0);
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
