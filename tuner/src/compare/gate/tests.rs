use super::*;

#[test]
fn the_first_look_tells_a_clear_difference_soon_and_says_so() {
    let mut gate = Gate::new(1);
    assert_eq!(
        gate.told(),
        "The result was not shown to be better than the start: nothing played yet (95 % sure: \
         -90.0 to +900.0 %; look 1, 0 pairs of games)."
    );
    let differences = [0.3, -0.1, 0.2, -0.2].into_iter().cycle();
    let verdict = differences.take(2000).find_map(|x| gate.add(x));
    assert_eq!(verdict, Some(Verdict::Better));
    assert!(gate.passed());
    assert!(gate.count() < 200, "{}", gate.count());
    let told = gate.told();
    assert!(
        told.starts_with("The result is better than the start: +"),
        "{told}"
    );
    assert!(told.contains(" % (95 % sure: +"), "{told}");
    let end = format!("; look 1, {} pairs of games).", gate.count());
    assert!(told.ends_with(&end), "{told}");
}

#[test]
fn later_looks_are_stricter() {
    let mut counts = Vec::new();
    for (look, sure) in [(1, 95.0), (2, 98.33), (3, 99.16), (10, 99.9), (1000, 99.99)] {
        let mut gate = Gate::new(look);
        assert_eq!(gate.sure(), sure);
        let verdict = [0.3, -0.2].into_iter().cycle().find_map(|x| gate.add(x));
        assert_eq!(verdict, Some(Verdict::Better));
        counts.push(gate.count());
    }
    assert!(counts.is_sorted_by(|a, b| a < b), "{counts:?}");
    let spent: f64 = (1..10_000).map(|k| 1.0 / shares(k) as f64).sum();
    assert!(spent < 1.0 && spent > 0.999);
}

#[test]
fn a_loss_and_no_difference_do_not_pass() {
    for difference in [-0.05, 0.0, -3.0] {
        let mut gate = Gate::new(1);
        let verdict = (0..MOST_PAIRS).find_map(|_| gate.add(difference));
        assert_eq!(verdict, Some(Verdict::NotBetter));
        assert!(!gate.passed());
        assert!(gate
            .told()
            .starts_with("The result was not shown to be better"));
        let (low, high) = gate.interval();
        assert!(low <= difference.max(-2.31) && high < DELTA);
    }
}

#[test]
fn every_look_of_every_run_has_seeds_of_its_own() {
    let ranges: Vec<SeedRange> = (0..50_u8)
        .flat_map(|run| (1..=20).map(move |look| held_out(Digest::of(&[run]), look, MOST_PAIRS)))
        .collect();
    for (i, a) in ranges.iter().enumerate() {
        assert_eq!(a.count(), u128::from(MOST_PAIRS));
        for b in &ranges[..i] {
            assert!(a.last() < b.first() || b.last() < a.first(), "{a} and {b}");
        }
        assert!(a.first() > BILLION && a.first() % APART == 0);
    }
    // The same on every machine, and whatever is asked for, to the largest number.
    assert_eq!(
        held_out(Digest::EMPTY, 1, 2).to_string(),
        "632601967000000000..=632601967000000001"
    );
    let last = held_out(Digest::EMPTY, u32::MAX, APART);
    assert_eq!(last.count(), u128::from(APART));
}
