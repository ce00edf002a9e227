//! Tests that weights can be written and read back, and that errors name the line.

use columns_bot::Weights;
use columns_bot_command::weights_file::*;

#[test]
fn weights_read_and_write_the_same() {
    let mut weights = Weights::default();
    weights.set("spot", 1.5).unwrap();
    let text = format(&weights);
    assert_eq!(parse(&text).unwrap(), weights);
    for (change, message) in [
        (
            ("\"spot\"", "\"sport\""),
            "line 5: no weight is called \"sport\"",
        ),
        (("1.5", "1e999"), "line 5: number out of range"),
        (("1.5", "11"), "line 5: spot must be from -5 to 10, not 11"),
        (("1.5", "\"x\""), "line 5: spot must be a number, not \"x\""),
        (
            ("\"spot\"", "\"spot\": 1, \"spot\""),
            "line 5: spot occurs twice",
        ),
        (("{", ""), "line 2: "),
    ] {
        let error = parse(&text.replacen(change.0, change.1, 1)).unwrap_err();
        let message = message.replace(": ", ": expected an object of weights: ");
        assert!(error.to_string().starts_with(&message), "{error}");
    }
}
