use crate::play_placements;
use crate::random::Random;
use columns_bot::Weights;
use columns_bot::search::*;
use columns_core::beam::Budget;
use columns_core::rules::case::{Case, Colour, Column};
use columns_core::rules::plan::Placement;
use std::cell::Cell;

fn solve_case(case: &Case, budget: Budget) -> Solution {
    solve(
        case,
        &Weights::default(),
        budget,
        &|| 0.0,
        Machine::single_threaded(),
    )
}

#[test]
fn the_last_column_is_placed_where_it_scores_most() {
    let mut case_count = 0;
    for seed in 0..100_u64 {
        let letter = |i: u64| {
            let mixed = (seed * 90 + i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (b'a' + (mixed >> 40) as u8 % 5) as char
        };
        let column = |i: u64| [3 * i, 3 * i + 1, 3 * i + 2].map(letter).iter().collect();
        let columns: Vec<String> = (0..30).map(column).collect();
        let case: Case = format!("6 13\n30\n{}\n", columns.join("\n"))
            .parse()
            .unwrap();
        let solution = solve_case(&case, Budget::Width(1));
        let (last, start) = match solution.plan.placements.split_last() {
            Some((&last, start)) if start.len() == 29 => (last, start),
            // The game ended before the last column.
            _ => continue,
        };
        let points = |placement| {
            let mut game = play_placements(&case, start);
            game.play(placement).map_or(0, |_| game.outcome().points)
        };
        let placements =
            (0..6).flat_map(|stack| (0..3).map(move |shift| Placement { stack, shift }));
        let max_points = placements.map(points).max().unwrap();
        assert_eq!(points(last), max_points, "seed {seed}");
        assert_eq!(max_points, solution.points);
        case_count += 1;
    }
    assert!(case_count > 20, "{case_count}");
}

#[test]
fn a_game_without_further_points_is_played_to_its_end() {
    for (text, points) in [
        ("6 13\n3\nabc\ndef\nghi\n", 0),
        ("6 13\n4\naaa\nbcd\nefg\nhij\n", 47),
    ] {
        let case: Case = text.parse().unwrap();
        for budget in [Budget::Width(1), Budget::Nodes(500)] {
            let solution = solve_case(&case, budget);
            assert_eq!(solution.points, points, "{text}");
            assert_eq!(
                solution.plan.placements.len(),
                case.columns().len(),
                "{text}"
            );
        }
    }
}

#[test]
fn a_game_is_played_to_its_end_when_the_time_is_up() {
    let columns = ["abc", "bcd", "cde", "dea", "eab"].repeat(40).join("\n");
    let case: Case = format!("6 13\n200\n{columns}\n").parse().unwrap();
    for last_check in [1, 30, 400] {
        let checks = Cell::new(0);
        let clock = || {
            checks.set(checks.get() + 1);
            f64::from(u8::from(checks.get() > last_check)) * 10.0
        };
        let weights = Weights::default();
        let budget = Budget::Deadline(3.8);
        let solution = solve(&case, &weights, budget, &clock, Machine::single_threaded());
        let game = play_placements(&case, &solution.plan.placements);
        let room = (0..6).any(|stack| game.field().stack_height(stack) <= 10);
        let placed_columns = solution.plan.placements.len();
        assert!(
            placed_columns == 200 || !room,
            "{last_check}: {placed_columns}"
        );
        assert_eq!(game.outcome().points, solution.points);
        assert!(solution.search.depth < 200);
    }
}

/// Returns a case with 22 well-mixed colours. The bot's games of this case end before column 300.
fn case_that_ends_early(columns: usize) -> Case {
    let letter = |i: usize| (b'a' + (i * i * 7 % 53 % 26) as u8) as char;
    let column = |i: usize| [3 * i, 3 * i + 1, 3 * i + 2].map(letter).iter().collect();
    let texts: Vec<String> = (0..columns).map(column).collect();
    let text = format!("6 13\n{columns}\n{}\n", texts.join("\n"));
    text.parse().unwrap()
}

#[test]
fn a_game_that_ends_early_is_played_again_by_a_wider_beam() {
    let case = case_that_ends_early(3000);
    let limit = 150_000;
    let narrow = solve_case(&case, Budget::Width((limit / 3000 / 3) as usize));
    let repeated = solve_case(&case, Budget::Nodes(limit));
    let depths = format!("{} {}", narrow.search.depth, repeated.search.depth);
    assert!(narrow.search.depth < 300, "{depths}");
    assert!((limit * 93 / 100..=limit).contains(&repeated.search.costs.nodes));
    assert!(repeated.search.costs.nodes > 5 * narrow.search.costs.nodes);
    assert!(repeated.points > narrow.points, "{depths}");
    assert!(repeated.search.layers_searched > repeated.search.depth);
    assert_eq!(repeated.plan.placements.len(), repeated.search.path.len());
}

#[test]
fn a_game_that_ends_early_is_played_again_until_the_time_is_spent() {
    // The clock shows 1000 s at first and advances at each check. The search has 10 ms.
    let solve_repeatedly = |columns, tick: f64| {
        let checks = Cell::new(0.0);
        let clock = || 1000.0 + tick * checks.replace(checks.get() + 1.0);
        let (weights, budget) = (Weights::default(), Budget::Deadline(1000.01));
        let case = case_that_ends_early(columns);
        let search = solve(&case, &weights, budget, &clock, Machine::single_threaded()).search;
        (search, tick * checks.get() / 0.01)
    };
    // The search plans for 10,000 columns. The game ends early, when most of the time is left.
    let (search, used) = solve_repeatedly(10_000, 1e-5);
    assert!(search.layers_searched > 2 * search.depth, "{search:?}");
    assert!((0.93..1.02).contains(&used), "{used}");
    // Even if the case has only 20 columns more than the search above placed, there is time for a second
    // search.
    let (search, used) = solve_repeatedly(search.depth + 20, 1e-5);
    assert!(search.layers_searched > search.depth, "{search:?}");
    assert!((0.93..1.02).contains(&used), "{used}");
}

#[test]
fn a_beam_that_cannot_be_wider_is_not_searched_again_and_again() {
    let case: Case = "6 13\n3\nabc\ndef\nghi\n".parse().unwrap();
    for budget in [Budget::Nodes(100_000), Budget::Deadline(3.8)] {
        let search = solve_case(&case, budget).search;
        // The second search finds that the beam cannot be wider, so there is no third one.
        assert!(
            search.depth == 3 && search.layers_searched <= 6,
            "{search:?}"
        );
    }
}

#[test]
fn a_single_state_is_built_for_a_layer_where_the_budget_is_spent() {
    let case: Case = format!("6 13\n30\n{}", "abc\ndea\nbcd\n".repeat(10))
        .parse()
        .unwrap();
    let nodes = |limit| {
        let budget = Budget::Nodes(limit);
        let solution = solve_case(&case, budget);
        assert_eq!(solution.search.depth, 30, "{limit}");
        solution.search.costs.nodes
    };
    // The root, and one state in each of 30 layers.
    assert_eq!(nodes(1), 31);
    for limit in [31, 50, 100, 500] {
        let node_count = nodes(limit);
        assert!(
            (limit * 3 / 4..=limit).contains(&node_count),
            "{node_count} of {limit}"
        );
    }
}

#[test]
fn the_widest_of_all_beams_does_not_overflow() {
    let case: Case = "6 13\n2\nabc\nacb\n".parse().unwrap();
    for width in [usize::MAX, 1 << 32] {
        let budget = Budget::Width(width);
        let solution = solve_case(&case, budget);
        assert!(solution.search.costs.nodes > 100);
    }
}

/// Returns the case with each colour `i` replaced by colour `letters[i]`.
fn rename_colours(case: &Case, letters: &[usize]) -> Case {
    let columns = case.columns().iter().map(|column| match column {
        Column::Jewels(jewels) => {
            Column::Jewels(jewels.map(|colour| Colour::from_index(letters[colour.index()])))
        }
        Column::Magic => Column::Magic,
    });
    Case::new(case.width(), case.height(), columns.collect()).unwrap()
}

#[test]
fn any_permutation_of_the_letters_gives_the_same_placements() {
    let mut random = Random(5);
    for (width, colours) in [(6, 3), (7, 5), (8, 7), (6, 12), (10, 15), (9, 20)] {
        let columns = (0..60).map(|i| match i % 20 {
            19 => Column::Magic,
            _ => Column::Jewels([(); 3].map(|()| Colour::from_index(random.below(colours)))),
        });
        let case = Case::new(width, 13, columns.collect()).unwrap();
        let plan = |case: &Case| solve_case(case, Budget::Nodes(3000)).plan;
        let expected = plan(&case);
        for _ in 0..3 {
            let mut letters: Vec<usize> = (0..26).collect();
            for i in 0..26 {
                letters.swap(i, random.below(i + 1));
            }
            assert_eq!(
                plan(&rename_colours(&case, &letters)),
                expected,
                "{width} {colours} {letters:?}"
            );
        }
    }
}
