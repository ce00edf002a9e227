//! Tests that weights can be written and read back, and that errors name the line.

use columns_bot::Weights;
use columns_bot::eval::weights::PARAMETERS;
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

#[test]
fn every_weight_is_written_and_read_exactly() {
    for (row, parameter) in PARAMETERS.iter().enumerate() {
        let name = parameter.name;
        for value in [parameter.min, parameter.max] {
            let mut changed = Weights::default();
            let mut expected = changed.values();
            changed.set(name, value).unwrap();
            expected[row] = value;
            let file = format(&changed);
            assert!(
                file.contains(&std::format!("\"{name}\": {value}")),
                "{file}"
            );
            assert_eq!(parse(&file).unwrap().values(), expected, "{name}");
        }
    }
}
