use super::measured::DIFFERENCES;
use super::*;
use crate::normal;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// Draws from 0 to 1, ends excluded.
fn uniform(random: &mut Xoshiro256PlusPlus) -> f64 {
    ((random.next_u64() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
}

/// Student's t with 4 degrees of freedom, whose quantile function has a closed form (W. T. Shaw,
/// Journal of Computational Finance 9 (2006)). Its variance is 2.
fn student(random: &mut Xoshiro256PlusPlus) -> f64 {
    let p = uniform(random);
    let root = (4.0 * p * (1.0 - p)).sqrt();
    let q = (root.acos() / 3.0).cos() / root;
    (p - 0.5).signum() * 2.0 * (q - 1.0).max(0.0).sqrt()
}

type Draw = Box<dyn Fn(&mut Xoshiro256PlusPlus) -> f64>;

/// A distribution of differences, moved so that their mean, cut as the test cuts them, is `mean`.
pub(in crate::stats) struct Distribution {
    pub(in crate::stats) name: &'static str,
    draw: Draw,
    shift: f64,
}

impl Distribution {
    /// All of them, with standard deviations of 0.3 to 0.5.
    pub(in crate::stats) fn all(mean: f64) -> Vec<Self> {
        let list: [(&'static str, Draw); 6] = [
            ("normal", Box::new(|r| SIGMA * normal::draw(r))),
            ("t, 4 df", Box::new(|r| 0.25 * student(r))),
            ("skewed up", Box::new(|r| -0.3 * uniform(r).ln())),
            ("skewed down", Box::new(|r| 0.3 * uniform(r).ln())),
            (
                "a rare loss",
                Box::new(|r| if uniform(r) < 0.04 { -1.5 } else { 0.0 }),
            ),
            (
                "measured",
                Box::new(|r| DIFFERENCES[(r.next_u64() % DIFFERENCES.len() as u64) as usize]),
            ),
        ];
        list.into_iter()
            .map(|(name, draw)| {
                let shift = Self::shift(name, &draw, mean);
                Self { name, draw, shift }
            })
            .collect()
    }

    /// By bisection, from the measured differences themselves or many that were drawn.
    fn shift(name: &str, draw: &Draw, mean: f64) -> f64 {
        let values: Vec<f64> = if name == "measured" {
            DIFFERENCES.to_vec()
        } else if name == "a rare loss" {
            (0..25).map(|i| if i == 0 { -1.5 } else { 0.0 }).collect()
        } else {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
            (0..1_000_000).map(|_| draw(&mut random)).collect()
        };
        let (mut low, mut high) = (-1.0, 1.0);
        for _ in 0..40 {
            let middle = f64::midpoint(low, high);
            let sum: f64 = values.iter().map(|x| (x + middle).clamp(-CUT, CUT)).sum();
            if sum / (values.len() as f64) < mean {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    pub(in crate::stats) fn next(&self, random: &mut Xoshiro256PlusPlus) -> f64 {
        (self.draw)(random) + self.shift
    }
}

/// Of the normal distribution.
const SIGMA: f64 = 0.4;
const RATE: f64 = 0.05;
const DELTA: f64 = 0.05;
const RUNS: u64 = 2000;

/// How many of [`RUNS`] tests end in `Better`, and how many pairs they take on average.
fn play(distribution: &Distribution) -> (f64, f64) {
    let (mut better, mut pairs) = (0, 0);
    for run in 0..RUNS {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(run);
        let mut test = Sequential::new(DELTA, RATE, RATE);
        let verdict = loop {
            if let Some(verdict) = test.add(distribution.next(&mut random)) {
                break verdict;
            }
            assert!(test.count() < 1_000_000, "a test ends");
        };
        better += u64::from(verdict == Verdict::Better);
        pairs += test.count();
    }
    (better as f64 / RUNS as f64, pairs as f64 / RUNS as f64)
}

/// Three standard deviations more than the rate, which one of hundreds of such counts exceeds.
fn tolerated() -> f64 {
    RATE + 3.0 * (RATE * (1.0 - RATE) / RUNS as f64).sqrt()
}

#[test]
fn the_error_rates_hold_under_a_look_after_every_pair() {
    for (mean, wrong) in [(0.0, Verdict::Better), (DELTA, Verdict::NotBetter)] {
        for distribution in Distribution::all(mean) {
            let (better, pairs) = play(&distribution);
            let errors = match wrong {
                Verdict::Better => better,
                Verdict::NotBetter => 1.0 - better,
            };
            println!(
                "{:>11}, mean {mean}: wrong {:4.1} %, {pairs:.0} pairs",
                distribution.name,
                100.0 * errors
            );
            assert!(errors <= tolerated(), "{}: {errors}", distribution.name);
        }
    }
}

/// A test that guarded against everything by never deciding would pass the test above.
#[test]
fn it_is_about_as_fast_as_a_test_that_knows_the_variance() {
    for (mean, right) in [(0.0, 0.0), (DELTA, 1.0)] {
        let (better, pairs) = play(&Distribution::all(mean).swap_remove(0));
        // 6 σ²/δ², and a quarter more for what it has to learn.
        let expected = 6.0 * (SIGMA / DELTA).powi(2);
        assert!(pairs < 1.25 * expected, "{pairs} instead of {expected}");
        assert!((better - right).abs() < tolerated());
    }
}

/// The same simulation finds the mistake in the usual way of looking again and again: an interval
/// by Student's t after every pair.
#[test]
fn the_simulation_would_notice_a_test_that_must_not_be_looked_at() {
    let distribution = Distribution::all(0.0).swap_remove(0);
    let quantiles: Vec<f64> = (1..500)
        .map(|n| {
            StudentsT::new(0.0, 1.0, f64::from(n))
                .unwrap()
                .inverse_cdf(1.0 - RATE)
        })
        .collect();
    let mut wrong = 0;
    for run in 0..RUNS {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(run);
        let (mut sum, mut squares) = (0.0, 0.0);
        wrong += u64::from((1..500).any(|n| {
            let x = distribution.next(&mut random);
            sum += x;
            squares += x * x;
            let n = f64::from(n);
            let variance = (squares - sum * sum / n) / (n - 1.0);
            n > 1.0 && sum / n > quantiles[n as usize - 2] * (variance / n).sqrt()
        }));
    }
    let rate = wrong as f64 / RUNS as f64;
    println!("Student's t after every pair: wrong {:.1} %", 100.0 * rate);
    assert!(rate > 4.0 * RATE, "{rate}");
}

#[test]
fn the_interval_holds_the_mean_at_all_times_and_goes_with_the_verdict() {
    for distribution in Distribution::all(0.03) {
        let mut missed = 0;
        let runs = 100;
        for run in 0..runs {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(run);
            let mut test = Sequential::new(DELTA, RATE, RATE);
            let mut holds = true;
            for look in 1..=6 {
                for _ in 0..50 * look {
                    let before = test.verdict();
                    let verdict = test.add(distribution.next(&mut random));
                    if before.is_none() && verdict.is_some() {
                        let (low, high) = test.interval();
                        assert_eq!(low > 0.0, verdict == Some(Verdict::Better));
                        assert_eq!(high < DELTA, verdict == Some(Verdict::NotBetter));
                    }
                }
                let (low, high) = test.interval();
                assert!(low <= high);
                holds &= low <= 0.03 && 0.03 <= high;
            }
            missed += u64::from(!holds);
        }
        println!("{:>11}: missed by {missed} of {runs}", distribution.name);
        // Twice the rate, 10, and three standard deviations.
        assert!(missed <= 19, "{}: {missed}", distribution.name);
    }
}

#[test]
fn identical_games_are_not_better() {
    let mut test = Sequential::new(0.02, 0.05, 0.05);
    assert_eq!(test.estimate(), None);
    assert_eq!(test.interval(), (-CUT, CUT));
    let verdict = (0..10_000).find_map(|_| test.add(0.0));
    assert_eq!(verdict, Some(Verdict::NotBetter));
    assert_eq!(test.estimate(), Some(0.0));
    assert!(test.count() < 500, "{}", test.count());
    // It stands, whatever comes.
    for _ in 0..1000 {
        test.add(f64::INFINITY);
    }
    assert_eq!(test.verdict(), Some(Verdict::NotBetter));
}

#[test]
fn the_stakes_by_hand() {
    let mut test = Sequential::with_cut(0.1, 0.05, 0.05, 1.0);
    assert_eq!(test.add(0.5), None);
    assert_eq!(test.add(-7.0), None);
    // First guess 1/16, stake 0.1 / (1/16) = 1.6, but at most 0.9. Then (1/16 + 1/4) / 2 = 5/32
    // and 0.64; −7 is cut to −1.
    let capital = (1.0_f64 + 0.9 * 0.5).ln() + (1.0_f64 - 0.64).ln();
    assert!((test.against[0].parts[0].capital - capital).abs() < 1e-15);
    // Against δ the values are −0.4 and 1.1: 0.9, then 0.1 / ((1/16 + 0.16) / 2) = 0.899.
    let capital = (1.0_f64 - 0.9 * 0.4).ln() + (1.0_f64 + 0.1 / 0.111_25 * 1.1).ln();
    assert!((test.against[1].parts[0].capital - capital).abs() < 1e-15);
    assert_eq!(test.estimate(), Some(-0.25));
}
