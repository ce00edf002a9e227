use super::super::sequential::tests::Distribution;
use super::*;
use crate::normal;
use crate::units::{LogRatio, Percent, Share};
use columns_judge::stats::Estimate;

#[test]
fn the_first_look_tells_a_clear_difference_soon_and_says_so() {
    let mut gate = Gate::<LogRatio>::new(1);
    assert_eq!(
        gate.told(),
        "The result was not shown to be better than the start: nothing played yet (95 % sure: \
         -63.2 to +171.8 %; judgement 1, 0 pairs of games)."
    );
    let differences = [0.3, -0.1, 0.2, -0.2].into_iter().cycle();
    let verdict = differences.take(2000).find_map(|x| gate.add(LogRatio(x)));
    assert_eq!(verdict, Some(Verdict::Better));
    assert!(gate.passed());
    assert!(gate.count() < 200, "{}", gate.count());
    let told = gate.told();
    assert!(
        told.starts_with("The result is better than the start: +"),
        "{told}"
    );
    assert!(told.contains(" % (95 % sure: +"), "{told}");
    let end = format!("; judgement 1, {} pairs of games).", gate.count());
    assert!(told.ends_with(&end), "{told}");
}

/// The unit of the differences decides how the verdict shows them.
#[test]
fn shares_of_the_score_are_told_as_they_are() {
    let told = |told: String| told.split(" %").next().unwrap_or_default().to_string();
    let (mut shares, mut logs) = (Gate::new(1), Gate::new(1));
    for _ in 0..100 {
        shares.add(Share(0.5517));
        logs.add(LogRatio(0.5517));
    }
    let better = "The result is better than the start: ";
    assert_eq!(told(shares.told()), format!("{better}+55.2"));
    assert_eq!(told(logs.told()), format!("{better}+73.6"));
}

#[test]
fn later_looks_are_stricter() {
    let mut counts = Vec::new();
    for (look, sure) in [(1, 95.0), (2, 98.33), (3, 99.16), (10, 99.9), (1000, 99.99)] {
        let mut gate = Gate::new(look);
        assert_eq!(gate.sure(), sure);
        let mut differences = [0.3, -0.2].into_iter().cycle();
        let verdict = differences.find_map(|x| gate.add(LogRatio(x)));
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
        let verdict = (0..MOST_PAIRS).find_map(|_| gate.add(LogRatio(difference)));
        assert_eq!(verdict, Some(Verdict::NotBetter));
        assert!(!gate.passed());
        assert!(gate
            .told()
            .starts_with("The result was not shown to be better"));
        let (low, high) = gate.interval();
        assert!(low.0 <= difference.max(-LogRatio::CUT) && high.0 < DELTA);
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
        assert!(a.first() > BILLION && a.first().is_multiple_of(APART));
        assert_eq!(a.first() / BILLION % 2, 1);
    }
    assert_eq!(to_play(Digest::EMPTY), 632_601_968 * BILLION);
    // The same on every machine, and whatever is asked for, to the largest number.
    assert_eq!(
        held_out(Digest::EMPTY, 1, 2).to_string(),
        "632601969000000000..=632601969000000001"
    );
    let last = held_out(Digest::EMPTY, u32::MAX, APART);
    assert_eq!(last.count(), u128::from(APART));
}

/// How many fits are simulated: `RUNS` of the environment, for `tuner/README.md` 1,000 and more.
fn runs() -> u64 {
    std::env::var("RUNS").map_or(50, |runs| runs.parse().expect("a number of fits"))
}

/// How often each is extended and looked at.
const LOOKS: u32 = 10;

/// How many fits of such differences pass.
struct Passed {
    /// The share that passes in the first look, and in any of [`LOOKS`].
    first: f64,
    all: f64,
    /// The mean number of pairs of the first look, and of all looks until one is passed.
    first_pairs: f64,
    all_pairs: f64,
}

fn simulated<U: Unit>(distribution: &Distribution) -> Passed {
    let (mut passed, mut pairs) = ([0, 0], [0, 0]);
    for run in 0..runs() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(run);
        for look in 1..=LOOKS {
            let mut gate = Gate::<U>::new(look);
            let mut next = || U::new(distribution.next(&mut random));
            let _verdict = (0..MOST_PAIRS).find_map(|_| gate.add(next()));
            pairs[1] += gate.count();
            if look == 1 {
                passed[0] += u64::from(gate.passed());
                pairs[0] += gate.count();
            }
            if gate.passed() {
                passed[1] += 1;
                break;
            }
        }
    }
    let [first, all] = passed.map(|count| count as f64 / runs() as f64);
    let [first_pairs, all_pairs] = pairs.map(|count| count as f64 / runs() as f64);
    Passed {
        first,
        all,
        first_pairs,
        all_pairs,
    }
}

/// Three standard deviations more than the rate.
fn tolerated() -> f64 {
    ERROR_RATE + 3.0 * (ERROR_RATE * (1.0 - ERROR_RATE) / runs() as f64).sqrt()
}

#[test]
fn of_worthless_fits_looked_at_ten_times_one_in_twenty_passes_at_the_most() {
    let told = |of: &str, name: &str, passed: Passed| {
        println!(
            "{name:>11}, worthless by {of}: {:4.1} % pass in the first look, {:4.1} % in {LOOKS} \
             looks",
            100.0 * passed.first,
            100.0 * passed.all
        );
        assert!(passed.all <= tolerated(), "{name}: {}", passed.all);
    };
    for distribution in Distribution::all(0.0) {
        told(
            "log",
            distribution.name,
            simulated::<LogRatio>(&distribution),
        );
    }
    for distribution in Distribution::shares(0.0) {
        told("sum", distribution.name, simulated::<Share>(&distribution));
    }
}

/// A gate that lets nothing through would pass the test above.
#[test]
fn most_fits_that_are_worth_two_percent_pass_in_the_end() {
    for distribution in Distribution::all(Percent(2.0).log_ratio().0) {
        let passed = simulated::<LogRatio>(&distribution);
        println!(
            "{:>11}, worth 2 %: {:4.1} % pass in the first look ({:.0} pairs), {:5.1} % in {LOOKS} \
             looks ({:.0} pairs)",
            distribution.name,
            100.0 * passed.first,
            passed.first_pairs,
            100.0 * passed.all,
            passed.all_pairs
        );
        assert!(
            passed.first > 0.25 && passed.all > 0.6,
            "{}",
            distribution.name
        );
    }
}

/// The simulation finds the mistake in the way that was used before: an interval by Student's t on
/// 500 held-out seeds that all looks share. The games of the start are then the same in each look.
#[test]
fn the_simulation_would_notice_a_gate_that_must_not_be_looked_at_again() {
    let mut passed = 0;
    for run in 0..runs() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(run);
        let start: Vec<f64> = (0..500).map(|_| normal::draw(&mut random)).collect();
        passed += u64::from((0..LOOKS).any(|_| {
            let result = start.iter().map(|start| normal::draw(&mut random) - start);
            let interval = Estimate::of(&result.collect::<Vec<f64>>()).interval;
            interval.is_some_and(|(low, _)| low > 0.0)
        }));
    }
    let rate = passed as f64 / runs() as f64;
    println!(
        "Student's t on shared seeds, {LOOKS} looks: {:.1} % pass",
        100.0 * rate
    );
    assert!(rate > 1.2 * ERROR_RATE, "{rate}");
}
