use columns_bot::weights_file::*;
use columns_bot::Weights;

#[test]
fn weights_read_and_write_the_same() {
    let mut weights = Weights::default();
    weights.set("spot", 1.5).unwrap();
    let text = format(&weights);
    assert_eq!(parse(&text).unwrap(), weights);
    for (change, shown) in [
        (("\"spot\"", "\"sport\""), "no weight is called \"sport\""),
        (
            ("1.5", "1e999"),
            "line 5: expected an object of weights: number out of range",
        ),
        (("1.5", "11"), "spot must be from -5 to 10, not 11"),
        (
            ("1.5", "\"x\""),
            "weight \"spot\" must be a number, not \"x\"",
        ),
        (
            ("\"spot\"", "\"spot\": 1, \"spot\""),
            "weight \"spot\" must be there once, not twice",
        ),
        (("{", ""), "line 2: expected an object of weights"),
    ] {
        let error = parse(&text.replacen(change.0, change.1, 1)).unwrap_err();
        assert!(error.to_string().starts_with(shown), "{error}");
    }
}
