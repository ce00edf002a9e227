//! The page of a run: the numbers that it embeds as JSON. `page.html` draws them.

use crate::{TempFolder, assert_contains, fitted_run, success, tuner, write};
use columns_tuner::experiment::folder;
use columns_tuner::report::page_data;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Returns the data of a run's page, from its ledger.
fn data(folder: &str) -> Value {
    let folder = Path::new(folder);
    page_data(folder, &folder::read(folder).unwrap())
}

/// Returns the data that a page embeds.
fn embedded(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// Truncates the ledger after this share of its bytes, as if a process were still writing a line.
fn truncate_ledger(folder: &str, share: f64) {
    let path = Path::new(folder).join("ledger.jsonl");
    let ledger = fs::read(&path).unwrap();
    fs::write(&path, &ledger[..(ledger.len() as f64 * share) as usize]).unwrap();
}

#[test]
fn a_page_holds_the_numbers_of_its_run() {
    let temp = TempFolder::new();
    let folder = fitted_run(&temp, "a run");
    let page = fs::read_to_string(temp.path("a run/report.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    for without in ["http:", "https:", "src=", "url(", "NaN", "{DATA}"] {
        assert!(
            !page
                .replace("http://www.w3.org/2000/svg", "")
                .contains(without),
            "{without}"
        );
    }
    // The last page of a run does not refresh itself. It has the same data as a page made from the ledger,
    // except for the folder's name, the speed and the time.
    let last = embedded(&page);
    assert_eq!(last["is_live"], false);
    let text = last["course"].as_str().unwrap();
    assert!(text.ends_with(" games a second."), "{text}");
    let data = data(&folder);
    for key in [
        "verdict",
        "options",
        "games",
        "score",
        "challenges",
        "judgements",
        "parameters",
    ] {
        assert_eq!(last[key], data[key], "{key}");
    }

    let state = folder::read(Path::new(&folder)).unwrap();
    let result: Value = serde_json::from_slice(&temp.read("a run/result.json")).unwrap();
    assert_eq!(data["verdict"], result["verdict"]);
    let course = data["course"].as_str().unwrap();
    let count = state.generations.len();
    assert_contains(
        course,
        format!("The search stopped after {count} generations and "),
    );
    let won = state
        .challenges
        .iter()
        .filter(|(one, _)| one.is_won)
        .count();
    let expected = format!("; it won {won} of {} challenge", state.challenges.len());
    assert!(won > 0 && course.contains(&expected), "{course}");
    let options = &data["options"];
    assert_eq!(options["game"], "2 ms of work");
    assert_eq!(options["cases"], "--profile default --columns 60");
    assert_eq!(options["parameters"], "potential steps");
    assert_eq!(options["settings"]["pairs_per_generation"], 10);
    assert_eq!(options["limits"]["max_games"], 500);
    let warning = " wide on average, in the contest 30 and more; what is better here may be worse there: \
        compare with --work 100 before you submit";
    assert_contains(data["warning"].as_str().unwrap(), warning);

    // An interval needs five values. A generation has four, and a score pools the latest generations, so only
    // the first score has no interval. Each challenge is drawn at the score of its generation.
    let score = data["score_changes"].as_array().unwrap();
    assert_eq!(score.len(), count);
    for point in &score[1..] {
        let [low, high] = [0, 1].map(|end| point["interval"][end].as_f64().unwrap());
        let mean = point["mean"].as_f64().unwrap();
        assert!(low < mean && mean < high, "{point}");
    }
    for (challenge, (one, _)) in data["challenges"]
        .as_array()
        .unwrap()
        .iter()
        .zip(&state.challenges)
    {
        assert_eq!(
            challenge["mean"],
            score[one.generation as usize - 1]["mean"]
        );
        assert_eq!(challenge["is_won"], one.is_won);
    }
    let judgements = data["judgements"].as_array().unwrap();
    assert!(judgements.len() == state.judgements.len() && !judgements.is_empty());
    for (judgement, one) in judgements.iter().zip(&state.judgements) {
        assert_eq!(judgement["interval"], json!(one.interval));
        assert_contains(judgement["text"].as_str().unwrap(), &one.verdict_text);
    }

    // Each parameter has its values from the start to the last average.
    for parameter in data["parameters"].as_array().unwrap() {
        let axes = &state.config.axes;
        let index = axes
            .iter()
            .position(|axis| axis.name == parameter["name"])
            .unwrap();
        let values = parameter["values"].as_array().unwrap();
        assert_eq!(values.len(), count + 1);
        assert_eq!(values[0], json!([0, axes[index].start]));
        assert_eq!(
            values[count][1],
            state.generations[count - 1].average[index]
        );
        assert_eq!(parameter["from"], axes[index].start.to_string());
    }
    let distance = |index: usize| {
        let parameter = &data["parameters"][index];
        let values = parameter["values"].as_array().unwrap();
        let [first, last] = [&values[0], &values[count]].map(|point| point[1].as_f64().unwrap());
        (last - first).abs() / parameter["step"].as_f64().unwrap()
    };
    assert!(distance(0) >= distance(1), "the furthest first");
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
    let temp = TempFolder::new();
    let folder = fitted_run(&temp, "run");
    truncate_ledger(&folder, 0.3);
    let before = temp.read("run/ledger.jsonl");
    let data = data(&folder);
    let verdict = "The run has not ended, and nothing is judged yet.";
    assert_eq!(data["verdict"], verdict);
    assert_contains(data["course"].as_str().unwrap(), "So far there were ");
    assert_eq!(data["judgements"], json!([]));
    // Reading must not repair the ledger.
    assert_eq!(temp.read("run/ledger.jsonl"), before);
}

/// The user chooses the names of a program's parameters, so they may contain HTML. The page also shows how
/// the program's games failed.
#[cfg(unix)]
#[test]
fn names_cannot_end_the_script_and_failures_are_shown() {
    let temp = TempFolder::new();
    let name = "</script><b>w";
    let space = format!("\"{name}\" = {{ start = 3, min = 0, max = 20, step = 1 }}\n");
    write(temp.path("space").as_ref(), &space);
    let script = "read w h; read k; cat > /dev/null; [ $((k % 3)) = 0 ] && exit 3; echo 0";
    write(temp.path("bot").as_ref(), script);
    let bot = format!("sh {} '{{{name}}}'", temp.path("bot"));
    let options = "--games 120 --pairs 2 --profile short --jobs 2";
    let mut fit = tuner([
        "fit",
        "--bot",
        &bot,
        "--space",
        &temp.path("space"),
        "--out",
        &temp.path("run"),
    ]);
    success(&fit.args(options.split(' ')).output().unwrap());
    let page = fs::read_to_string(temp.path("run/report.html")).unwrap();
    assert_eq!(page.matches("</script>").count(), 2);
    let data = embedded(&page);
    assert_eq!(data["parameters"][0]["name"], name);
    assert_contains(data["failures"].as_str().unwrap(), " crashed (seed ");
}
