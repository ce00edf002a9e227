//! Checks that the threshold rejects no candidate that the selection could have chosen.

use crate::random::Random;
use columns_core::beam::{AdmissionThreshold, Scores, Selector};

/// Draws scores around `centre`, in a range of size `spread`.
fn scores(random: &mut Random, centre: i32, spread: usize) -> Scores<2> {
    let mut number = || centre.saturating_add(random.below(spread) as i32 - spread as i32 / 2);
    let value = number();
    Scores {
        value,
        quota_scores: [number(), number().saturating_sub(value)],
    }
}

#[test]
fn the_threshold_rejects_no_candidate_that_could_be_selected() {
    let mut random = Random(3);
    let mut left_out = 0;
    for round in 0..400 {
        let centre = [0, 1_000_000, -500, i32::MAX - 50, i32::MIN + 50][round % 5];
        let spread = [1, 3, 50, 1000, 1_000_000][random.below(5)];
        let count = 1 + random.below(120);
        let shares = [(0.0, 0.0), (0.1, 0.0), (0.0, 0.3), (0.2, 0.1), (0.9, 0.4)][random.below(5)];
        let shares = [shares.0, shares.1];
        let parents: Vec<_> = (0..=random.below(50))
            .map(|_| scores(&mut random, centre, spread))
            .collect();
        // If children score higher than their parents, the last bin of a histogram gets many of them.
        let rise = [0, spread as i32, 4 * spread as i32][random.below(3)];
        let all: Vec<_> = (0..random.below(2000))
            .map(|_| scores(&mut random, centre.saturating_add(rise), spread))
            .collect();
        let mut admission = AdmissionThreshold::new(count, shares, &parents);
        let mut listed = Vec::new();
        for (i, scores) in all.iter().enumerate() {
            let threshold = admission.threshold();
            if scores.exceeds_any(&threshold) {
                admission.add(scores);
                listed.push(i);
            }
        }
        left_out += all.len() - listed.len();
        let left: Vec<_> = listed.iter().map(|&i| all[i]).collect();
        let mut selector = Selector::default();
        let chosen = selector
            .select_best(&left, count, shares, &mut |_| true)
            .iter();
        let chosen: Vec<usize> = chosen.map(|&i| listed[i]).collect();
        let expected = selector.select_best(&all, count, shares, &mut |_| true);
        let numbers = |chosen: &[usize]| chosen.iter().map(|&i| all[i]).collect::<Vec<_>>();
        assert_eq!(numbers(&chosen), numbers(expected), "round {round}");
    }
    assert!(left_out > 50_000, "{left_out}");
}

#[test]
fn the_threshold_is_at_most_a_bin_below_the_last_place() {
    // Parents and children have the values 0 to 1279, and a tenth of the children is selected. Each of
    // the 128 bins has 15 values. Together they span 3/2 of the parents' range of values.
    let of = |value| Scores::<1> {
        value,
        quota_scores: [-value],
    };
    let parents: Vec<_> = (0..1280).map(of).collect();
    let mut threshold = AdmissionThreshold::new(128, [0.0], &parents);
    assert_eq!(threshold.threshold().value, i32::MIN);
    assert_eq!(
        threshold.threshold().quota_scores,
        [i32::MAX],
        "a quota without places wants none"
    );
    for scores in &parents {
        threshold.add(scores);
    }
    let value = threshold.threshold().value;
    // The last place has the value 1152. The lowest value of its bin, 1140, beats the threshold.
    assert_eq!(value, 1139);
    // A quota counts only candidates that do not get a place by their value, four for each place.
    let mut threshold = AdmissionThreshold::new(128, [0.125], &parents);
    parents
        .iter()
        .rev()
        .for_each(|scores| threshold.add(scores));
    let quota = threshold.threshold().quota_scores[0];
    assert!((-63 - 16..-63).contains(&quota), "{quota}");
}

#[test]
fn extreme_scores_do_not_overflow() {
    let scores = |value| Scores {
        value,
        quota_scores: [value],
    };
    let states = [i32::MIN, i32::MAX].map(scores);
    let mut threshold = AdmissionThreshold::new(2, [0.0], &states);
    assert_eq!(threshold.threshold().value, i32::MIN);
    for number in [i32::MAX, 0, i32::MAX, i32::MIN] {
        threshold.add(&scores(number));
    }
    // The layer has places for two states. The two children with the highest score fill them, so the
    // threshold is at the lower end of the histogram's bin that contains both.
    let value = threshold.threshold().value;
    assert!((0..i32::MAX).contains(&value), "{value}");
}
