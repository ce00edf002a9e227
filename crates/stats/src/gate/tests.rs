use super::*;
use crate::sequential::tests::{Distribution, log, runs, tolerated};
use crate::unit::Gain;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

#[test]
fn the_first_judgement_decides_a_clear_difference_soon() {
    let mut gate = Gate::new(1, Objective::Log);
    assert_eq!(
        gate.verdict_text("the start"),
        "The best was not shown to be better than the start: nothing played yet (95 % sure: \
         -63.2 to +171.8 %; judgement 1, 0 pairs of games)."
    );
    let differences = [0.3, -0.1, 0.2, -0.2].into_iter().cycle();
    let verdict = differences.take(2000).find_map(|x| gate.test.bet(log(x)));
    assert_eq!(verdict, Some(Verdict::Above));
    assert!(gate.passed());
    assert!(gate.test.count() < 200, "{}", gate.test.count());
    let text = gate.verdict_text("the start");
    assert!(
        text.starts_with("The best is better than the start: +"),
        "{text}"
    );
    assert!(text.contains(" % (95 % sure: +"), "{text}");
    let end = format!("; judgement 1, {} pairs of games).", gate.test.count());
    assert!(text.ends_with(&end), "{text}");
    // The objective determines the percentages of the verdict.
    let texts = [Objective::Sum, Objective::Log].map(|objective| {
        let mut gate = Gate::new(1, objective);
        let one = Gain {
            gain: 0.5517,
            base: 1.0,
        };
        for _ in 0..100 {
            gate.test.bet(one);
        }
        gate.verdict_text("the start")
    });
    assert!(texts[0].contains("the start: +55.2 %"), "{texts:?}");
    assert!(texts[1].contains("the start: +73.6 %"), "{texts:?}");
}

#[test]
fn later_judgements_are_stricter() {
    let mut counts = Vec::new();
    for (judgement, sure) in [(1, 95.0), (2, 98.33), (3, 99.16), (10, 99.9), (1000, 99.99)] {
        let mut gate = Gate::new(judgement, Objective::Log);
        assert_eq!(gate.sure(), sure);
        let mut differences = [0.3, -0.2].into_iter().cycle();
        let verdict = differences.find_map(|x| gate.test.bet(log(x)));
        assert_eq!(verdict, Some(Verdict::Above));
        counts.push(gate.test.count());
    }
    assert!(counts.is_sorted_by(|a, b| a < b), "{counts:?}");
    let spent: f64 = (1..10_000).map(|k| 1.0 / shares(k) as f64).sum();
    assert!(spent < 1.0 && spent > 0.999);
}

#[test]
fn a_loss_or_no_difference_does_not_pass() {
    for difference in [-0.05, 0.0, -3.0] {
        let mut gate = Gate::new(1, Objective::Log);
        let verdict = (0..MOST_PAIRS).find_map(|_| gate.test.bet(log(difference)));
        assert_eq!(verdict, Some(Verdict::Below));
        assert!(!gate.passed());
        assert!(
            gate.verdict_text("the start")
                .starts_with("The best was not shown to be better")
        );
        let (low, high) = gate.test.interval();
        let change = |percent| Objective::Log.change(percent);
        assert!(change(low) <= difference.max(-1.0) && change(high) < DELTA);
    }
}

/// The number of judgements of each simulated run.
const JUDGEMENTS: u32 = 10;

/// Simulates `runs` runs with differences of this distribution. Returns two pairs of numbers:
///
/// * the share of the runs that pass in the first judgement, and in any of [`JUDGEMENTS`];
/// * the mean number of pairs of the first judgement, and of all judgements up to the one that passes.
fn simulated(objective: Objective, distribution: &Distribution, runs: u64) -> [[f64; 2]; 2] {
    let (mut passed, mut pairs) = ([0, 0], [0, 0]);
    for run in 0..runs {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(run);
        for judgement in 1..=JUDGEMENTS {
            let mut gate = Gate::new(judgement, objective);
            let mut next = || distribution.add(&mut random, &mut gate.test);
            let _verdict = (0..MOST_PAIRS).find_map(|_| next());
            pairs[1] += gate.test.count() as u64;
            if judgement == 1 {
                passed[0] += u64::from(gate.passed());
                pairs[0] += gate.test.count() as u64;
            }
            if gate.passed() {
                passed[1] += 1;
                break;
            }
        }
    }
    [passed, pairs].map(|counts| counts.map(|count| count as f64 / runs as f64))
}

#[test]
fn at_most_one_worthless_result_in_twenty_passes_in_ten_judgements() {
    let logs = Distribution::all(0.0).into_iter();
    let logs = logs.map(|one| (Objective::Log, one, runs(50)));
    // With 50 runs, a cut at twice the usual score would pass this test.
    let sums = Distribution::shares(0.0).into_iter();
    let sums = sums.map(|one| (Objective::Sum, one, runs(200)));
    for (objective, one, runs) in logs.chain(sums) {
        let [[first, all], _] = simulated(objective, &one, runs);
        let (name, [first, percent]) = (one.name, [first, all].map(|share| 100.0 * share));
        println!(
            "{name:>11}, worthless by {objective}: {first:4.1} % pass in the first judgement, \
             {percent:4.1} % in {JUDGEMENTS}"
        );
        assert!(all <= tolerated(runs), "{name}: {all}");
    }
}

/// A gate that lets nothing pass would satisfy the test above. An earlier gate with two fixed aims, 2 %
/// and 5 %, needed 1,872 pairs on average.
#[test]
fn most_results_that_are_two_percent_better_pass() {
    let list = Distribution::even(Objective::Log.change(2.0));
    let mut sum = 0.0;
    for one in &list {
        let [[first, all], [first_pairs, all_pairs]] = simulated(Objective::Log, one, runs(50));
        let (name, [f, a]) = (one.name, [first, all].map(|share| 100.0 * share));
        println!(
            "{name:>11}, worth 2 %: {f:4.1} % pass in the first judgement ({first_pairs:.0} \
             pairs), {a:5.1} % in {JUDGEMENTS} ({all_pairs:.0} pairs)"
        );
        assert!(first > 0.7 && all > 0.9, "{name}");
        sum += first_pairs;
    }
    let pairs = sum / list.len() as f64;
    assert!(pairs < 1872.0, "{pairs}");
}
