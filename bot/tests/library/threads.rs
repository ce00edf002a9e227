use columns_bot::learned::networks;
use columns_bot::observe::meter::play_metered;
use columns_bot::search::{play, Cores, Player, Solution};
use columns_bot::Weights;
use columns_core::beam::Budget;
use columns_core::rules::case::Case;
use columns_core::simd::Cpu;

/// A case of every simulator: narrow and wide, of 5, 10 and 20 colours.
fn cases(columns: usize) -> impl Iterator<Item = Case> {
    let shapes = [(6, 13), (11, 17)].into_iter();
    let shapes = shapes.flat_map(|shape| [5, 10, 20].map(|colours| (shape, colours)));
    shapes.map(move |((width, height), colours)| {
        let mut random: u64 = colours;
        let mut jewel = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005) + 1;
            char::from(b'a' + ((random >> 40) % colours) as u8)
        };
        let column = |_| format!("{}{}{}\n", jewel(), jewel(), jewel());
        let columns_text: String = (0..columns).map(column).collect();
        format!("{width} {height}\n{columns}\n{columns_text}")
            .parse()
            .unwrap()
    })
}

/// Plays with one thread and with several, on both kinds of instructions, and compares all that the search found.
fn compare(cases: impl Iterator<Item = Case>, play: impl Fn(&Case, Player, Cores) -> Solution) {
    let weights = Weights::default();
    let player = Player {
        weights: &weights,
        network: networks::in_use(),
    };
    for case in cases {
        let alone = play(&case, player, Cpu::detect().into());
        assert!(alone.points > 0);
        for cpu in [Cpu::detect(), Cpu::Portable] {
            for threads in [2, 3, 8] {
                let solution = play(&case, player, Cores { cpu, threads });
                assert_eq!(solution, alone, "{threads} threads, {cpu:?}");
            }
        }
    }
}

#[test]
fn the_plan_of_a_number_of_states_is_that_of_one_thread() {
    compare(cases(60), |case, player, cores| {
        play(case, player, Budget::Nodes(9000), &|| 0.0, cores)
    });
}

#[test]
fn the_plan_of_a_width_is_that_of_one_thread() {
    compare(cases(20), |case, player, cores| {
        play(case, player, Budget::Width(150), &|| 0.0, cores)
    });
}

#[test]
fn the_plan_of_an_amount_of_work_is_that_of_one_thread() {
    compare(cases(60), |case, player, cores| {
        play_metered(case, player, 0.02, cores)
    });
}

#[test]
fn a_single_state_is_built_for_a_layer_where_the_budget_is_spent() {
    for case in cases(30) {
        let weights = Weights::default();
        let solution =
            columns_bot::solve(&case, &weights, Budget::Nodes(1), &|| 0.0, Cpu::detect());
        assert!(solution.found.nodes <= 31, "{}", solution.found.nodes);
    }
}

#[test]
fn the_widest_of_all_beams_does_not_overflow() {
    let case: Case = "6 13\n2\nabc\nacb\n".parse().unwrap();
    let width = Budget::Width(usize::MAX);
    let solution = columns_bot::solve(&case, &Weights::default(), width, &|| 0.0, Cpu::detect());
    assert!(solution.found.nodes > 100);
}
