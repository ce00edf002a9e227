use crate::player;
use crate::random::Random;
use columns_bot::search::{self, Machine, Solution};
use columns_core::beam::Budget;
use columns_core::rules::case::Case;
use columns_core::simd::InstructionSet;

/// Returns a case of random columns. About one column in twenty is magic.
fn case(width: usize, height: usize, colours: usize, columns: usize, seed: u64) -> Case {
    let mut random = Random(seed);
    let mut column = |_| {
        if random.below(20) == 0 {
            return "***\n".to_string();
        }
        let [a, b, c] = [(); 3].map(|()| char::from(b'a' + random.below(colours) as u8));
        format!("{a}{b}{c}\n")
    };
    let columns_text: String = (0..columns).map(&mut column).collect();
    let text = format!("{width} {height}\n{columns}\n{columns_text}");
    text.parse().unwrap()
}

/// Returns a case for each layout of the field: narrow and wide, with 5, 10 and 20 colours.
fn cases(columns: usize) -> impl Iterator<Item = Case> {
    let sizes = [(6, 13), (11, 17)].into_iter();
    let layouts = sizes.flat_map(|size| [5, 10, 20].map(|colours| (size, colours)));
    layouts.map(move |((width, height), colours)| {
        case(width, height, colours, columns, colours as u64)
    })
}

/// Plays a case. Sets the work of the game to 0 in the result, since only a search on one thread counts it.
fn play(case: &Case, budget: Budget, machine: Machine) -> Solution {
    let mut solution = search::play(case, player(), budget, &|| 0.0, machine);
    solution.search.costs.game_work = 0;
    solution
}

/// Checks that several threads, with each instruction set, find the same solution as one thread.
fn compare(cases: impl Iterator<Item = Case>, play: impl Fn(&Case, Machine) -> Solution) {
    for case in cases {
        let single_threaded = play(&case, Machine::single_threaded());
        assert!(single_threaded.points > 0);
        for cpu in [InstructionSet::detect(), InstructionSet::Portable] {
            for threads in [2, 3, 8] {
                let solution = play(&case, Machine { cpu, threads });
                assert_eq!(solution, single_threaded, "{threads} threads, {cpu:?}");
            }
        }
    }
}

#[test]
fn a_budget_of_states_gives_the_plan_of_one_thread() {
    compare(cases(60), |case, machine| {
        play(case, Budget::Nodes(9000), machine)
    });
}

#[test]
fn a_fixed_width_gives_the_plan_of_one_thread() {
    compare(cases(20), |case, machine| {
        play(case, Budget::Width(150), machine)
    });
}

#[test]
fn short_games_have_the_plans_of_one_thread() {
    for index in 0..300 {
        let seed = index as u64;
        let (width, height) = [(6, 13), (7, 14), (9, 13), (12, 19)][index % 4];
        let case = case(width, height, 2 + index % 11, 4 + index % 13, seed);
        let budget = [Budget::Nodes(500), Budget::Width(11)][index / 4 % 2];
        let play = |machine: Machine| play(&case, budget, machine);
        let cpu = InstructionSet::detect();
        let threads = [2, 3, 8][index / 12 % 3];
        assert_eq!(
            play(Machine { cpu, threads }),
            play(Machine::new(cpu, 1)),
            "seed {seed}, {threads} threads"
        );
    }
}

#[test]
fn the_time_is_kept_with_more_threads_than_cores() {
    let start = std::time::Instant::now();
    let clock = || start.elapsed().as_secs_f64();
    let machine = Machine {
        cpu: InstructionSet::detect(),
        threads: 16,
    };
    let case = case(10, 16, 5, 300, 1);
    let solution = search::play(&case, player(), Budget::Deadline(1.0), &clock, machine);
    assert_eq!(solution.plan.placements.len(), 300);
    // The search may end 0.2 s late: the submission searches until 3.8 s, and the contest allows 4 s.
    assert!(clock() < 1.2, "{} s", clock());
}
