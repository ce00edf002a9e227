use crate::random::Random;
use columns_bot::search::admission::AdmissionThreshold;
use columns_core::beam::{Scores, Selector};

#[test]
fn extreme_scores_do_not_overflow() {
    let scores = |value| Scores {
        value,
        quotas: [value],
    };
    let states = [i32::MIN, i32::MAX].map(scores);
    let mut threshold = AdmissionThreshold::new(2, [0.0], states.iter());
    assert_eq!(threshold.scores().value, i32::MIN);
    for number in [i32::MAX, 0, i32::MAX, i32::MIN] {
        threshold.add(&scores(number));
    }
    // The layer has room for two states. The two children with the highest score fill it, so the
    // threshold is at the lower end of the score range that contains both.
    let value = threshold.scores().value;
    assert!((0..i32::MAX).contains(&value), "{value}");
}

#[test]
fn the_threshold_rejects_no_candidate_that_would_be_chosen() {
    let mut random = Random(1);
    let mut number = || random.below(1000) as i32;
    let scores: Vec<Scores<2>> = (0..2000)
        .map(|_| Scores {
            value: number(),
            quotas: [number(), number()],
        })
        .collect();
    for shares in [[0.0, 0.0], [0.1, 0.0], [0.1, 0.05]] {
        let mut threshold = AdmissionThreshold::new(100, shares, scores[..50].iter());
        let mut listed = Vec::new();
        for (i, scores) in scores.iter().enumerate() {
            if scores.beats(&threshold.scores()) {
                threshold.add(scores);
                listed.push(i);
            }
        }
        assert!(listed.len() < 1200, "{}", listed.len());
        let left: Vec<Scores<2>> = listed.iter().map(|&i| scores[i]).collect();
        let mut selector = Selector::default();
        let chosen = selector.best_of(&left, 100, shares, &mut |_| true).iter();
        let chosen: Vec<usize> = chosen.map(|&i| listed[i]).collect();
        assert_eq!(
            chosen,
            selector.best_of(&scores, 100, shares, &mut |_| true),
            "{shares:?}"
        );
    }
}
