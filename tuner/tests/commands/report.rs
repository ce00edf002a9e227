//! The page of a run.

use crate::{TempFolder, assert_contains, fitted_run, success, tuner, write};
use columns_tuner::experiment::folder;
use columns_tuner::report::{Report, render_html};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Renders the page of a run from its ledger.
fn page(folder: &str) -> String {
    let folder = Path::new(folder);
    let state = folder::read(folder).unwrap();
    render_html(&[Report::new(folder, &state)], false)
}

/// Truncates the record in the middle of a line after this number of games, as if a process were still
/// writing the line.
fn cut(folder: &str, games: usize) {
    let path = Path::new(folder).join("ledger.jsonl");
    let ledger = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = ledger.split_inclusive('\n').collect();
    let place = lines[..=games].concat().len() + 20;
    fs::write(&path, &ledger[..place]).unwrap();
}

#[test]
fn a_page_has_plots_and_the_numbers_behind_them() {
    let temp = TempFolder::new();
    let folder = fitted_run(&temp, "a<b");
    let page = page(&folder);
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("/a&lt;b”</h1>"));
    for without in ["http:", "https:", "src=", "NaN", "inf", "url("] {
        assert!(!page.contains(without), "{without}");
    }
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());

    // The page shows the verdict and the course of the search.
    let result: Value = serde_json::from_slice(&temp.read("a<b/result.json")).unwrap();
    let verdict = result["verdict"].as_str().unwrap();
    assert!(page.contains(&format!("<strong>{verdict}</strong>")));
    let state = folder::read(Path::new(&folder)).unwrap();
    let (generations, challenges) = (&state.generations, &state.challenges);
    let count = generations.len();
    let expected = format!("The search stopped after {count} generations and ");
    assert_contains(&page, &expected);
    let won = challenges.iter().filter(|(one, _)| one.is_won).count();
    let expected = format!("it won {won} of {} challenge", challenges.len());
    assert!(won > 0 && page.contains(&expected), "{expected}");

    // The page shows the options, and warns of narrow beams.
    for part in [
        "<p><code>--work 2 --profile default --columns 60 --objective log --pairs 10 ",
        " --games 500 --parameters potential,steps</code> (tuner ",
        " wide on average, in the contest 30 and more; what is better here may be worse there: compare with \
         <code>--work 100</code> before you submit.",
    ] {
        assert_contains(&page, part);
    }

    // Each parameter has a plot with the first and the last value of the average.
    let last = &generations[count - 1].average;
    for (axis, last) in state.space.axes().iter().zip(last) {
        let (name, start, step) = (&axis.name, axis.start, axis.step);
        let begin = format!("<b>{name}</b> <span class=\"key run0\">{start} → ");
        let (_, value) = page.split_once(&begin).expect(name);
        let value: f64 = value.split('<').next().unwrap().parse().unwrap();
        let error = value - last;
        assert!(error.abs() <= step / 20.0, "{name} {value}");
    }

    // The page shows each challenge and each judgement with its numbers.
    for (challenge, _) in challenges {
        let won = ["lost", "won"][usize::from(challenge.is_won)];
        let gain = challenge.percent_change.unwrap();
        let gain = format!("{gain:+.2}").replace('-', "−");
        let pairs = challenge.pair_count;
        let text = format!(": {won}, {gain} % against the best so far in {pairs} pairs");
        assert_contains(&page, &text);
    }
    let judgements = result["judgements"].as_array().unwrap();
    let count = page.matches("class=\"interval run0\"").count();
    assert!(count == judgements.len() && count > 0);
    for judgement in judgements {
        let text = format!(
            "Generation {}. {}",
            judgement["generation"], judgement["verdict_text"]
        );
        assert_contains(&page, text.replace('"', ""));
    }
}

#[test]
fn a_challenge_is_drawn_at_the_score_of_its_generation_even_if_the_first_games_failed() {
    let temp = TempFolder::new();
    let folder = fitted_run(&temp, "run");
    let mut state = folder::read(Path::new(&folder)).unwrap();
    let first = state.generations[..2].iter_mut();
    first.for_each(|generation| generation.monitored_points.clear());
    let page = render_html(&[Report::new(Path::new(&folder), &state)], false);
    let numbers = |text: &str| -> Vec<f64> {
        let numbers = text
            .split([' ', 'M', 'L', 'h'])
            .filter(|text| !text.is_empty());
        numbers.map(|number| number.parse().unwrap()).collect()
    };
    let path = |class: &str| {
        let (_, path) = page
            .split_once(&format!("class=\"{class} run0\" d=\""))
            .expect(class);
        numbers(path.split(['"', 'l']).next().unwrap())
    };
    let line = path("line");
    let is_won = state.challenges[0].0.is_won;
    let (class, below) = if is_won {
        ("mark won", 4.0)
    } else {
        ("mark lost", -4.0)
    };
    let triangle = path(class);
    let (x, y) = (triangle[0] + 5.0, triangle[1] - below);
    let point = line
        .chunks(2)
        .rfind(|point| point[0] < x)
        .expect("a point before the challenge");
    assert!((point[1] - y).abs() < 0.2, "{triangle:?} {line:?}");
}

#[test]
fn a_challenge_has_at_most_as_many_seeds_as_lie_between_two_challenges() {
    let temp = TempFolder::new();
    let mut state = folder::read(Path::new(&fitted_run(&temp, "run"))).unwrap();
    state.search_game_count = 800_000_000;
    assert_eq!(state.challenge_pair_count(), 1_000_000);
}

#[test]
fn a_run_that_has_not_ended_has_a_page() {
    for (count, generations) in [(1, "1 generation"), (3, "3 generations")] {
        let temp = TempFolder::new();
        let folder = fitted_run(&temp, "run");
        // A generation has ten pairs, and four of the start and the average.
        cut(&folder, 28 * count + 5);
        let before = temp.read("run/ledger.jsonl");
        let page = page(&folder);
        assert!(page.contains("<strong>The run has not ended"));
        assert!(page.contains(&format!("So far there were {generations} and ")));
        assert!(page.contains("None.") && !page.contains("NaN"));
        // From the second generation on, the plot has an interval, drawn as a band with two edges.
        let band = page.split_once("<path class=\"band run0\" d=\"M");
        let band = band.map_or("", |(_, band)| band.split('Z').next().unwrap());
        let points = band.split('L').filter_map(|point| point.split_once(' '));
        let points: Vec<(f64, f64)> = points
            .map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
            .collect();
        assert_eq!(points.len(), 2 * (count - 1), "{band}");
        let (lower, upper) = points.split_at(count - 1);
        for (low, high) in lower.iter().zip(upper.iter().rev()) {
            assert!(low.0 == high.0 && low.1 > high.1 + 5.0, "no width: {band}");
        }
        // Reading must not repair the ledger.
        assert_eq!(temp.read("run/ledger.jsonl"), before);
    }
}

/// The user chooses the names of a program's parameters, so the page must escape them.
#[cfg(unix)]
#[test]
fn names_are_escaped() {
    let temp = TempFolder::new();
    let space = "\"w<h\" = { start = 3, min = 0, max = 20, step = 1 }\n\
                 \"R&amp;B\" = { start = 3, min = 0, max = 20, step = 1 }\n";
    write(temp.at("space").as_ref(), space);
    write(temp.at("bot").as_ref(), "cat > /dev/null; echo 0");
    let folder = temp.at("run");
    let bot = format!("sh {} {{w<h}} {{R&amp;B}}", temp.at("bot"));
    let options = "--games 120 --pairs 2 --columns 20 --jobs 2";
    let mut fit = tuner([
        "fit",
        "--bot",
        &bot,
        "--space",
        &temp.at("space"),
        "--out",
        &folder,
    ]);
    success(&fit.args(options.split(' ')).output().unwrap());
    let page = fs::read_to_string(temp.at("run/report.html")).unwrap();
    assert_contains(&page, "<b>w&lt;h</b>");
    assert_contains(&page, "<b>R&amp;amp;B</b>");
    assert!(!page.contains("w<h"));
}
