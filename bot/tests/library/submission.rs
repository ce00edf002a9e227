use columns_bot::submission::*;
use columns_core::beam::Budget;
use columns_core::simd::Cpu;

#[test]
fn without_variables_the_settings_are_those_of_the_contest() {
    let contest = (Budget::Until(SECONDS), Cpu::detect());
    assert_eq!(settings(None, None), Ok(contest));
    assert_eq!(settings(None, Some("detect")), Ok(contest));
}

#[test]
fn the_variables_set_the_budget_and_the_instruction_set() {
    let expected = (Budget::Nodes(700), Cpu::Portable);
    assert_eq!(settings(Some("700"), Some("portable")), Ok(expected));
}

#[test]
fn endless_input_is_refused() {
    let expected = Err("standard input: expected at most 16 MiB".to_string());
    assert_eq!(read(std::io::repeat(b'1')), expected);
    assert_eq!(read(&b"6 13"[..]), Ok(b"6 13".to_vec()));
}

#[test]
fn errors_name_the_variable_and_its_value() {
    for nodes in ["", "0", "-1", "x", "99999999999999999999"] {
        let error = settings(Some(nodes), None).unwrap_err();
        let message = format!("COLUMNS_NODES: expected a number from 1 on, found {nodes:?}");
        assert_eq!(error, message);
    }
    let error = settings(None, Some("avx9")).unwrap_err();
    assert_eq!(
        error,
        "COLUMNS_CPU: expected detect or portable, found \"avx9\""
    );
}
