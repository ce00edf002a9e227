//! Simulated comparisons: error rates, the number of pairs, and the coverage of intervals.
//!
//! `RUNS=20000 cargo test --release -p columns-stats --lib tests:: -- --nocapture --include-ignored`
//! measures the tables of `docs/experiments/comparisons.md`; without `RUNS`, each test runs only enough
//! simulations to detect a gross mistake.

mod distributions;
mod measured;

use crate::gate::{self, DEFAULT_MAX_PAIRS};
use crate::{Candidate, ComparisonTable, Objective, Pair, Question, Verdict, add_case};
use distributions::{Distribution, draw_uniform, read_real_games};
pub(crate) use distributions::{finished_pair, new_pair};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

fn random(run: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(run)
}

/// Returns the number of comparisons to simulate: the environment variable `RUNS`, or `default` if it is
/// not set.
fn run_count(default: u64) -> u64 {
    std::env::var("RUNS").map_or(default, |runs| runs.parse().expect("a number of runs"))
}

/// Simulates `runs` comparisons, and returns the means of the numbers that `simulate_run` returns.
fn means<const N: usize>(
    runs: u64,
    simulate_run: impl Fn(u64) -> [f64; N] + Sync + Send,
) -> [f64; N] {
    let results: Vec<[f64; N]> = (0..runs).into_par_iter().map(simulate_run).collect();
    std::array::from_fn(|index| {
        results.iter().map(|result| result[index]).sum::<f64>() / runs as f64
    })
}

const RATE: f64 = 0.05;

/// Returns the tolerated error rate: [`RATE`] plus three standard deviations, plus two wrong runs, which
/// matter if there are few runs. A correct test exceeds this rate only once in hundreds of simulations.
fn tolerated_rate(runs: u64) -> f64 {
    RATE + 3.0 * (RATE * (1.0 - RATE) / runs as f64).sqrt() + 2.0 / runs as f64
}

fn question(percent: f64) -> Question {
    Question {
        delta: percent,
        ..Question::default()
    }
}

/// The default number of seeds of a comparison.
const ROUNDS: usize = 1000;

/// Adds pairs from `next` until the candidate is decided, and returns the candidate.
fn play_until_decided(mut candidate: Candidate, mut next: impl FnMut() -> Pair) -> Candidate {
    while candidate.plays_next_case() {
        candidate.add_pair(next());
        assert!(candidate.pairs().len() < 1_000_000, "a test ends");
    }
    candidate
}

/// True if the tests have shown that the change is above the low bound.
fn is_above(candidate: &Candidate) -> bool {
    matches!(
        candidate.verdict(),
        Some(Verdict::Better | Verdict::NoWorse)
    )
}

/// Simulates comparisons. Returns the share of comparisons that show a change above the low bound, and the
/// mean number of pairs.
fn simulate(distribution: &Distribution, question: Question, rounds: usize, runs: u64) -> [f64; 2] {
    means(runs, |run| {
        let mut random = random(run);
        let candidate = play_until_decided(Candidate::new(question, rounds, 1), || {
            distribution.draw_pair(&mut random)
        });
        [
            f64::from(is_above(&candidate)),
            candidate.pairs().len() as f64,
        ]
    })
}

#[test]
#[ignore = "simulates many comparisons; .ci/run plays it"]
fn the_error_rates_hold_with_a_check_after_every_pair() {
    let runs = run_count(100);
    let delta = Objective::Log.percent_from_change(0.05);
    for rounds in [100, ROUNDS] {
        for (equal, better) in Distribution::with_mean(0.0)
            .iter()
            .zip(Distribution::with_mean(0.05))
        {
            let [wrong, pairs] = simulate(equal, question(delta), rounds, runs);
            let [right, better_pairs] = simulate(&better, question(delta), rounds, runs);
            println!(
                "{:>11}, {rounds} rounds: equal, wrong {:4.1} %, {pairs:.0} pairs; better by δ, wrong \
                 {:4.1} %, {better_pairs:.0}",
                equal.name,
                100.0 * wrong,
                100.0 * (1.0 - right)
            );
            assert!(
                wrong <= tolerated_rate(runs) && 1.0 - right <= tolerated_rate(runs),
                "{} {wrong} {right}",
                equal.name
            );
        }
    }
}

/// A source of pairs in which A and B fail independently, each at its own rate. The mean change over all
/// pairs is the `mean` passed to `new`.
struct FailingPairSource {
    finished_pairs: Vec<Distribution>,
    failure_rates: [f64; 2],
}

impl FailingPairSource {
    fn new(mean: f64, failure_rates: [f64; 2]) -> Self {
        let [a, b] = failure_rates;
        let [only_a, only_b, none] = [a * (1.0 - b), b * (1.0 - a), (1.0 - a) * (1.0 - b)];
        let finished_pairs = Distribution::with_mean((mean - only_a + only_b) / none);
        Self {
            finished_pairs,
            failure_rates,
        }
    }

    fn draw_pair(&self, index: usize, random: &mut Xoshiro256PlusPlus) -> Pair {
        let mut pair = self.finished_pairs[index].draw_pair(random);
        let [a, b] = self.failure_rates.map(|rate| draw_uniform(random) < rate);
        pair.a = pair.a.filter(|_| !a);
        pair.b = pair.b.filter(|_| !b);
        pair
    }
}

/// The mean over all pairs decides which answers are wrong: "better" if that mean is 0, "not better" or
/// "worse" if it is δ.
#[test]
#[ignore = "simulates many comparisons; .ci/run plays it"]
fn the_error_rates_hold_with_failed_games() {
    let runs = run_count(20);
    let delta = Objective::Log.percent_from_change(0.05);
    let shares = [0.0, 0.005, 0.05, 0.2];
    let both = shares.iter().flat_map(|&a| shares.map(|b| [a, b]));
    for shares in both {
        let [equal, better] = [0.0, 0.05].map(|mean| FailingPairSource::new(mean, shares));
        for index in 0..equal.finished_pairs.len() {
            let wrong = |source: &FailingPairSource, is_better: bool| {
                let [above] = means(runs, |run| {
                    let mut random = random(run);
                    let candidate =
                        play_until_decided(Candidate::new(question(delta), ROUNDS, 1), || {
                            source.draw_pair(index, &mut random)
                        });
                    [f64::from(u8::from(is_above(&candidate) != is_better))]
                });
                above
            };
            let (name, wrong) = (
                equal.finished_pairs[index].name,
                [wrong(&equal, false), wrong(&better, true)],
            );
            let [a, b, above, below] =
                [shares[0], shares[1], wrong[0], wrong[1]].map(|share| 100.0 * share);
            println!(
                "{name:>11}, A fails in {a:4.1} %, B in {b:4.1} %: wrong better {above:4.1} %, wrong not \
                 better {below:4.1} %"
            );
            assert!(
                wrong.iter().all(|&share| share <= tolerated_rate(runs)),
                "{name} {wrong:?}"
            );
        }
    }
}

/// One player scores 2 % less than the other, which crashes in 6 % of its games. The mean change is −4 %, or
/// +4 % if the crashing player is the base.
#[test]
fn failures_of_the_base_and_of_the_candidate_weigh_the_same() {
    let pairs = [true, false].map(|base_crashes| {
        let runs = (0..10).map(|run| {
            let mut random = random(run);
            let next = || {
                let crashing = Some(100_000).filter(|_| draw_uniform(&mut random) >= 0.06);
                let steady = Some(98_000);
                let [a, b] = if base_crashes {
                    [crashing, steady]
                } else {
                    [steady, crashing]
                };
                new_pair(a, b)
            };
            let candidate = play_until_decided(Candidate::new(question(1.0), ROUNDS, 1), next);
            let verdict = candidate.verdict();
            let expected: &[_] = if base_crashes {
                &[Verdict::Better]
            } else {
                &[Verdict::Worse, Verdict::NotBetter]
            };
            assert!(verdict.is_some_and(|verdict| expected.contains(&verdict)));
            candidate.pairs().len() as f64 / 10.0
        });
        runs.sum::<f64>()
    });
    println!(
        "the base crashes: {} pairs, the candidate: {}",
        pairs[0], pairs[1]
    );
    assert!(pairs[0] < 1.5 * pairs[1] && pairs[0] < 400.0, "{pairs:?}");
}

#[test]
fn a_player_that_scores_more_and_fails_more_is_judged_by_both() {
    // B scores 1 % more and fails once in 200 games, so the mean change is about 1 % − 0.5 %.
    let mut candidate = Candidate::new(question(0.1), 100_000, 1);
    let mut round = 0;
    let mut next = || {
        round += 1;
        new_pair(Some(100_000), Some(101_000).filter(|_| round % 200 != 100))
    };
    for _ in 0..200 {
        candidate.add_pair(next());
    }
    let whole = 100.0 * ((0.995 * 1.01_f64.ln() - 0.005).exp() - 1.0);
    let text = candidate.estimate_text();
    let expected = format!("+1.00 % of finished games, {whole:+.2} % of all (with each game's");
    assert!(text.starts_with(&expected), "{text}");
    let candidate = play_until_decided(candidate, next);
    assert_eq!(candidate.verdict(), Some(Verdict::Better));
    let text = candidate.conclusion_text("B", "all seeds");
    let expected =
        "\nB is better than A: +1.00 % of finished games; A fails in 0.0 % of all, B in 0.";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_base_that_always_fails_is_beaten_by_any_objective() {
    for objective in [Objective::Log, Objective::Sum] {
        let question = Question {
            objective,
            ..question(1.0)
        };
        let all = play_until_decided(Candidate::new(question, 60, 1), || {
            new_pair(None, Some(141))
        });
        assert_eq!(all.verdict(), Some(Verdict::Better), "{objective}");
        assert!(all.pairs().len() < 25, "{objective} {}", all.pairs().len());
        let text = all.conclusion_text("B", "all seeds");
        let expected =
            "B is better than A: A fails in 100.0 % of all, B in 0.0 %. (If it were not, at";
        assert!(text.contains(expected), "{text}");
        let swapped = play_until_decided(Candidate::new(question, 60, 1), || {
            new_pair(Some(141), None)
        });
        // The test ends as soon as it excludes either δ or 0.
        let verdict = swapped.verdict().unwrap();
        assert!(matches!(verdict, Verdict::Worse | Verdict::NotBetter));
    }
}

/// The verdict and the interval must agree.
#[test]
fn an_interval_below_zero_is_worse() {
    for mean in [-0.02, -0.05, -0.2] {
        for (run, distribution) in Distribution::with_mean(mean).iter().enumerate() {
            let mut random = random(run as u64);
            let next = || distribution.draw_pair(&mut random);
            let candidate = play_until_decided(Candidate::new(question(5.0), ROUNDS, 1), next);
            let (_, high) = candidate.interval();
            let is_worse = candidate.verdict() == Some(Verdict::Worse);
            assert!(is_worse == (high < 0.0), "{}: {high}", distribution.name);
        }
    }
}

/// In a closed test, a candidate may be judged better with a capital below n/α, so the error rate of several
/// candidates needs a test of its own.
#[test]
#[ignore = "simulates many comparisons; .ci/run plays it"]
fn with_five_worthless_candidates_at_most_one_comparison_in_twenty_is_wrong() {
    let runs = run_count(20);
    let delta = Objective::Log.percent_from_change(0.05);
    for (equal, better) in Distribution::with_mean(0.0)
        .iter()
        .zip(Distribution::with_mean(0.05))
    {
        let wrong = |distribution: &Distribution, answers: [Verdict; 2]| {
            means(runs, |run| {
                let candidates =
                    play_comparison(question(delta), ROUNDS, 4 * ROUNDS, run, &[distribution; 5]).0;
                let is_wrong = |candidate: &Candidate| {
                    candidate
                        .verdict()
                        .is_some_and(|answer| answers.contains(&answer))
                };
                [f64::from(u8::from(candidates.iter().any(is_wrong)))]
            })[0]
        };
        let above = wrong(equal, [Verdict::Better, Verdict::NoWorse]);
        let below = wrong(&better, [Verdict::NotBetter, Verdict::Worse]);
        println!(
            "{:>11}: any of five wrong {:4.1} %, better by δ {:4.1} %",
            equal.name,
            100.0 * above,
            100.0 * below
        );
        assert!(
            above <= tolerated_rate(runs) && below <= tolerated_rate(runs),
            "{} {above} {below}",
            equal.name
        );
    }
}

/// Plays up to `limit` seeds with candidates of these distributions. Returns the candidates, and the number
/// of games, including those of the base.
fn play_comparison(
    question: Question,
    rounds: usize,
    limit: usize,
    run: u64,
    distributions: &[&Distribution],
) -> (Vec<Candidate>, usize) {
    let mut random = random(run);
    let mut candidates =
        vec![Candidate::new(question, rounds, distributions.len()); distributions.len()];
    let mut games = 0;
    for _ in 0..limit {
        let open: Vec<bool> = candidates.iter().map(Candidate::plays_next_case).collect();
        let count = open.iter().filter(|&&is_open| is_open).count();
        if count == 0 {
            break;
        }
        games += 1 + count;
        let pairs = distributions.iter().zip(open);
        add_case(
            &mut candidates,
            pairs.map(|(distribution, is_open)| {
                is_open.then(|| distribution.draw_pair(&mut random))
            }),
        );
    }
    (candidates, games)
}

/// The message must not advise extending the comparison: a paused candidate would not resume. Only a new
/// comparison with more seeds can decide.
#[test]
fn a_candidate_pauses_if_the_rounds_left_will_hardly_decide() {
    let mut candidates = vec![Candidate::new(question(1.0), 150, 2); 2];
    let mut rounds = 0;
    while candidates[0].plays_next_case() && rounds < 150 {
        let pair = finished_pair(if rounds % 2 == 0 { 0.4 } else { -0.4 });
        add_case(&mut candidates, [Some(pair); 2]);
        rounds += 1;
    }
    assert_eq!((rounds, candidates[0].verdict()), (100, None));
    let text = candidates[0].conclusion_text("B1", "100 of 150 seeds");
    let expected =
        "It is open whether B1 is better than A: it pauses, since the seeds that are left";
    assert!(text.contains(expected), "{text}");
    // The other candidate continues after the last round, and the paused one does not resume.
    for round in 100..300 {
        let pair = finished_pair(if round % 2 == 0 { 0.4 } else { -0.4 });
        add_case(&mut candidates, [None, Some(pair)]);
        assert!(!candidates[0].plays_next_case(), "round {round}");
    }
    let open = Candidate::new(question(1.0), 150, 2).conclusion_text("B1", "0 of 150 seeds");
    assert!(
        open.ends_with("better than A: that takes more seeds.\n"),
        "{open}"
    );
}

/// Three candidates are 2 % better than the base; two are equal to it. Version 0.2 tested each candidate at
/// level α/5. It played `games_before` games, and found 87.0 to 92.9 % of the better candidates.
#[test]
#[ignore = "simulates many comparisons; .ci/run plays it"]
fn five_candidates_of_which_three_are_good_take_fewer_games() {
    let runs = run_count(4);
    let games_before = [17715.0, 17114.0, 16706.0, 17402.0, 15041.0, 14939.0];
    let good = Distribution::with_equal_spread(Objective::Log.change_from_percent(2.0));
    for ((good, equal), games_before) in good
        .iter()
        .zip(Distribution::with_equal_spread(0.0))
        .zip(games_before)
    {
        let distributions = [good, good, good, &equal, &equal];
        let [games, found_share] = means(runs, |run| {
            let (candidates, games) =
                play_comparison(question(1.0), 4000, 4000, run, &distributions);
            let found_share = candidates[..3]
                .iter()
                .filter(|candidate| is_above(candidate))
                .count();
            [games as f64, found_share as f64 / 3.0]
        });
        let percent_saved = 100.0 * (1.0 - games / games_before);
        println!(
            "{:>11}: {games:.0} games, {percent_saved:.1} % fewer; {:.1} % found",
            good.name,
            100.0 * found_share
        );
        assert!(
            percent_saved > 5.0 && found_share > 0.6,
            "{} {games} {found_share}",
            good.name
        );
    }
}

/// Asks whether a candidate loses less than 1 %. An equal candidate passes; a candidate that loses exactly
/// 1 % fails.
#[test]
#[ignore = "simulates many comparisons; .ci/run plays it"]
fn an_equal_candidate_is_no_worse_than_one_percent() {
    let runs = run_count(4);
    let question = Question {
        no_worse: true,
        ..question(1.0)
    };
    let worse = Distribution::with_equal_spread(Objective::Log.change_from_percent(-1.0));
    for (equal, worse) in Distribution::with_equal_spread(0.0).iter().zip(worse) {
        let [passed, pairs] = simulate(equal, question, 8000, runs);
        let [wrong, worse_pairs] = simulate(&worse, question, 8000, runs);
        println!(
            "{:>11}: equal, passed {:5.1} % in {pairs:.0} pairs; worse, wrong {:4.1} % in {worse_pairs:.0}",
            equal.name,
            100.0 * passed,
            100.0 * wrong
        );
        assert!(1.0 - passed <= tolerated_rate(runs) && wrong <= tolerated_rate(runs));
        assert!(pairs < 25_000.0, "{pairs}");
    }
}

/// The simulations of error rates would not notice a test that decides far too late.
#[test]
#[ignore = "simulates many comparisons; .ci/run plays it"]
fn a_clear_change_takes_few_pairs() {
    for (mean, right, max_pairs) in [(0.16, 1.0, 40.0), (-0.16, 0.0, 36.0), (0.05, 1.0, 260.0)] {
        let distributions = Distribution::with_equal_spread(mean);
        let mut sum = 0.0;
        for distribution in &distributions {
            let [better, pairs] = simulate(distribution, question(1.0), ROUNDS, run_count(40));
            println!("{:>11}, mean {mean}: {pairs:.1} pairs", distribution.name);
            assert!((better - right).abs() < 0.03, "{better}");
            sum += pairs;
        }
        let pairs = sum / distributions.len() as f64;
        println!("       mean, mean {mean}: {pairs:.1} pairs");
        assert!(pairs < max_pairs, "{pairs}");
    }
}

/// The number of judgements of each simulated run.
const JUDGEMENTS: u32 = 3;

/// Simulates runs with pairs of this distribution. Returns four numbers:
///
/// 1. the share of runs that pass in the first judgement;
/// 2. the share of runs that pass in any of [`JUDGEMENTS`];
/// 3. the mean number of pairs in the first judgement;
/// 4. the mean number of pairs in all judgements up to the one that passes.
fn simulate_judgements(distribution: &Distribution, runs: u64) -> [f64; 4] {
    means(runs, |run| {
        let mut random = random(run);
        let (mut first, mut pairs) = ([0.0; 2], 0.0);
        for judgement in 1..=JUDGEMENTS {
            let mut candidate = gate::new_candidate(judgement, distribution.objective);
            while candidate.plays_next_case()
                && candidate.pairs().len() < DEFAULT_MAX_PAIRS as usize
            {
                candidate.add_pair(distribution.draw_pair(&mut random));
            }
            let passed = f64::from(u8::from(candidate.verdict() == Some(Verdict::Better)));
            let count = candidate.pairs().len() as f64;
            pairs += count;
            if judgement == 1 {
                first = [passed, count];
            }
            if passed > 0.0 {
                return [first[0], 1.0, first[1], pairs];
            }
        }
        [first[0], 0.0, first[1], pairs]
    })
}

#[test]
#[ignore = "simulates many comparisons; .ci/run plays it"]
fn at_most_one_worthless_result_in_twenty_passes_in_three_judgements() {
    let logs = Distribution::with_mean(0.0)
        .into_iter()
        .map(|distribution| (distribution, run_count(4)));
    // More than 20 runs would hardly help: even 50 do not reveal a wrong clipping limit, such as twice the
    // usual score.
    let sums = Distribution::with_equal_sums()
        .into_iter()
        .map(|distribution| (distribution, run_count(20)));
    for (distribution, runs) in logs.chain(sums) {
        let [first, all, ..] = simulate_judgements(&distribution, runs);
        let (name, objective, [f, a]) = (
            distribution.name,
            distribution.objective,
            [first, all].map(|share| 100.0 * share),
        );
        println!(
            "{name:>11}, worthless by {objective}: {f:4.1} % pass in the first judgement, {a:4.1} % in \
             {JUDGEMENTS}"
        );
        assert!(all <= tolerated_rate(runs), "{name}: {all}");
    }
}

/// The simulations of worthless results would accept a gate that no result passes.
#[test]
#[ignore = "simulates many comparisons; .ci/run plays it"]
fn most_results_that_are_two_percent_better_pass_in_the_first_judgement() {
    let runs = run_count(10);
    for distribution in Distribution::with_equal_spread(Objective::Log.change_from_percent(2.0)) {
        let [first, all, first_pairs, all_pairs] = simulate_judgements(&distribution, runs);
        let (name, [f, a]) = (distribution.name, [first, all].map(|share| 100.0 * share));
        println!(
            "{name:>11}, better by 2 %: {f:4.1} % pass in the first judgement ({first_pairs:.0} pairs), \
             {a:5.1} % in {JUDGEMENTS} ({all_pairs:.0} pairs)"
        );
        let deviation = (0.97 * 0.03 / runs as f64).sqrt();
        assert!(
            first > 0.97 - 3.0 * deviation && all > 0.99,
            "{name} {first}"
        );
        assert!(first_pairs < 2100.0, "{name} {first_pairs}");
    }
}

/// Checks after 50, 150, 300, 500, 750 and 1050 pairs. The last check comes after the planned rounds, since a
/// comparison may continue.
#[test]
#[ignore = "simulates many comparisons; .ci/run plays it"]
fn the_interval_contains_the_mean_at_every_check_and_agrees_with_the_verdict() {
    let question = Question {
        all_cases: true,
        ..question(Objective::Log.percent_from_change(0.05))
    };
    let truth = Objective::Log.percent_from_change(0.03);
    let runs = run_count(20);
    for distribution in Distribution::with_mean(0.03) {
        let [missed] = means(runs, |run| {
            let mut random = random(run);
            let mut candidate = Candidate::new(question, ROUNDS, 1);
            let mut is_missed = false;
            for check in 1..=6 {
                for _ in 0..50 * check {
                    let was_open = !candidate.is_decided();
                    candidate.add_pair(distribution.draw_pair(&mut random));
                    if was_open && candidate.is_decided() {
                        let (low, high) = candidate.interval();
                        let is_above = candidate.verdict() == Some(Verdict::Better);
                        assert!(if is_above {
                            low >= 0.0
                        } else {
                            high <= question.delta * (1.0 + 1e-9)
                        });
                    }
                }
                let (low, high) = candidate.interval();
                assert!(low <= high);
                is_missed |= truth < low || high < truth;
            }
            [f64::from(u8::from(is_missed))]
        });
        println!("{:>11}: missed {:.1} %", distribution.name, 100.0 * missed);
        // Each end of the interval may miss the mean in 5 of 100 runs.
        let deviation = (0.1 * 0.9 / runs as f64).sqrt();
        assert!(
            missed <= 0.1 + 3.0 * deviation,
            "{}: {missed}",
            distribution.name
        );
    }
}

/// Resamples 120 pairs of real games, in which a few long cases dominate the sum of scores.
#[test]
fn the_sum_of_real_scores_is_estimated_without_bias() {
    let games = read_real_games();
    let sums = games
        .iter()
        .fold([0, 0], |sum, [a, b]| [sum[0] + a, sum[1] + b]);
    let truth = 100.0 * (sums[1] as f64 / sums[0] as f64 - 1.0);
    let runs = run_count(200);
    let question = Question {
        objective: Objective::Sum,
        all_cases: true,
        ..question(1.0)
    };
    let [fixed, sequential] = means(runs, |run| {
        let mut random = random(run);
        let mut candidate = Candidate::new(question, 120, 1);
        let mut is_covered = true;
        for count in 1..=120 {
            let [a, b] = games[(random.next_u64() % games.len() as u64) as usize];
            candidate.add_pair(new_pair(Some(a), Some(b)));
            if count % 30 == 0 {
                let (low, high) = candidate.interval();
                is_covered &= low <= truth && truth <= high;
            }
        }
        let all = ComparisonTable::new(1, candidate.pairs()).all;
        let printed = all.sum_percent.unwrap();
        assert!((printed.mean - 100.0 * (all.mean_b / all.mean_a - 1.0)).abs() < 1e-9);
        assert!((candidate.percent_change().unwrap() - printed.mean).abs() < 1e-9);
        let (low, high) = printed.interval.unwrap();
        [low <= truth && truth <= high, is_covered].map(|is_so| f64::from(u8::from(is_so)))
    });
    println!(
        "of {runs} intervals, {fixed:.4} cover {truth:+.2} % after 120 pairs, {sequential:.4} at four checks"
    );
    let deviation = (0.06 / runs as f64).sqrt();
    assert!(
        fixed >= 0.95 - 3.0 * deviation && sequential >= 0.95,
        "{fixed} {sequential}"
    );
}

/// Both players are equal: a random bit decides which of the two games is A's.
#[test]
fn an_equal_player_is_rarely_judged_different_by_the_sum_of_real_scores() {
    let (games, runs) = (read_real_games(), run_count(100));
    let question = Question {
        objective: Objective::Sum,
        ..question(1.0)
    };
    let [above, below] = means(runs, |run| {
        let mut random = random(run);
        let mut candidate = Candidate::new(question, ROUNDS, 1);
        while candidate.plays_next_case() && candidate.pairs().len() < ROUNDS {
            let number = random.next_u64();
            let [a, b] = games[(number / 2 % games.len() as u64) as usize];
            let [a, b] = if number.is_multiple_of(2) {
                [a, b]
            } else {
                [b, a]
            };
            candidate.add_pair(new_pair(Some(a), Some(b)));
        }
        [Verdict::Better, Verdict::Worse]
            .map(|wrong| f64::from(u8::from(candidate.verdict() == Some(wrong))))
    });
    println!("equal by the sum of real scores: wrong better {above}, wrong worse {below}");
    assert!(
        above <= tolerated_rate(runs) && below <= tolerated_rate(runs),
        "{above} {below}"
    );
}

#[test]
fn identical_games_are_not_better() {
    let mut candidate = Candidate::new(question(2.0), ROUNDS, 1);
    assert_eq!(candidate.percent_change(), None);
    let (low, high) = candidate.interval();
    assert!(
        (low - Objective::Log.percent_from_change(-1.0)).abs() < 1e-9
            && (high - Objective::Log.percent_from_change(1.0)).abs() < 1e-9
    );
    candidate = play_until_decided(candidate, || finished_pair(0.0));
    assert_eq!(
        (candidate.verdict(), candidate.percent_change()),
        (Some(Verdict::NotBetter), Some(0.0))
    );
    assert!(candidate.pairs().len() < 300, "{}", candidate.pairs().len());
    // Later pairs do not change the verdict.
    for _ in 0..1000 {
        candidate.add_pair(finished_pair(5.0));
    }
    assert_eq!(candidate.verdict(), Some(Verdict::NotBetter));
}

/// A user compared two players on 60 seeds: −16 %, 8 won and 52 lost. An earlier version of the test called
/// that result "open, −51 to +42 %".
#[test]
fn a_clear_loss_is_decided_with_an_interval_below_zero() {
    let loser = Distribution::with_equal_spread(-0.174).swap_remove(0);
    let mut random = random(5);
    let mut candidate = Candidate::new(
        Question {
            all_cases: true,
            ..question(1.0)
        },
        ROUNDS,
        1,
    );
    for _ in 0..60 {
        candidate.add_pair(loser.draw_pair(&mut random));
    }
    assert_eq!(candidate.verdict(), Some(Verdict::Worse));
    let (low, high) = candidate.interval();
    assert!(
        -33.0 < low && low < -16.0 && -16.0 < high && high < 0.0,
        "{low} {high}"
    );
}

/// The estimated range contains the number of further pairs in most comparisons.
#[test]
#[ignore = "simulates many comparisons; .ci/run plays it"]
fn the_number_of_pairs_left_is_estimated() {
    for (mean, percent, after) in [(0.16, 1.0, 15), (0.05, 1.0, 100), (0.0, 10.0, 40)] {
        let distribution = Distribution::with_equal_spread(mean).swap_remove(0);
        let [hits, count] = means(100, |run| {
            let mut random = random(run);
            let mut candidate = Candidate::new(question(percent), ROUNDS, 1);
            while candidate.pairs().len() < after && candidate.plays_next_case() {
                let is_known = candidate.estimate_pairs_left().is_some();
                assert_eq!(is_known, candidate.pairs().len() >= 10);
                candidate.add_pair(distribution.draw_pair(&mut random));
            }
            if !candidate.plays_next_case() {
                return [0.0; 2];
            }
            let [least, most] = candidate.estimate_pairs_left().unwrap();
            assert!(1 <= least && least <= most);
            let more = play_until_decided(candidate, || distribution.draw_pair(&mut random))
                .pairs()
                .len()
                - after;
            [f64::from(u8::from((least..=most).contains(&more))), 1.0]
        });
        println!(
            "mean {mean}: {:.0} % within the estimate",
            100.0 * hits / count
        );
        assert!(hits / count > 0.5, "{mean}: {hits} of {count}");
    }
}
