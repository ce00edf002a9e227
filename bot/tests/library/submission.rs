use columns_bot::search::Machine;
use columns_bot::submission::*;
use columns_core::beam::Budget;
use columns_core::rules::case::Case;
use columns_core::rules::plan::Plan;
use columns_core::rules::quickstart::play_quickstart;
use columns_core::rules::replay;
use std::cell::Cell;

#[test]
fn a_variable_replaces_the_time_limit_of_the_contest() {
    assert_eq!(parse_budget(None), Ok(Budget::Deadline(TIME_LIMIT_S)));
    assert_eq!(parse_budget(Some("700")), Ok(Budget::Nodes(700)));
}

#[test]
fn the_beginning_of_endless_input_is_no_case() {
    let input = read_input(std::io::repeat(b'1')).unwrap();
    assert_eq!(input.len(), 16 << 20);
    input.parse::<Case>().unwrap_err();
    assert_eq!(read_input(&b"6 13"[..]).unwrap(), "6 13");
    read_input(&b"6 13\xff"[..]).unwrap_err();
}

#[test]
fn an_error_names_the_variable_and_its_value() {
    for nodes in ["", "0", "-1", "x", "99999999999999999999"] {
        let error = parse_budget(Some(nodes)).unwrap_err();
        let message = format!("COLUMNS_NODES: expected a number from 1 on, found {nodes:?}");
        assert_eq!(error, message);
    }
}

#[test]
fn a_panic_of_the_search_leaves_a_plan() {
    let text = format!("12 19\n30\n{}", "abc\ndea\nbcd\n".repeat(10));
    let case: Case = text.parse().unwrap();
    for last_check in [2, 3, 20, 60] {
        let checks = Cell::new(0);
        let clock = || {
            checks.set(checks.get() + 1);
            assert!(checks.get() <= last_check, "a fault of the test");
            0.0
        };
        let machine = Machine::single_threaded();
        let plan = solve_text(&text, Budget::Deadline(1.0), &clock, machine).unwrap();
        let score = replay::score(&case, &Plan::parse(&plan, 12, 30).unwrap());
        // The clock is checked twice before the first layer, so the search finds no move here.
        if last_check == 2 {
            assert_eq!(plan, play_quickstart(&case).to_string());
        }
        assert_eq!(score.placed_columns, 30, "{last_check} {plan}");
        assert_eq!(checks.get(), last_check + 1);
    }
}
