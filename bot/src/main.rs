use columns_bot::{solve, Weights};
use columns_core::beam::Budget;
use columns_core::isa::Path;
fn main() {
    let start = std::time::Instant::now();
    let t: f64 = std::env::args().nth(1).map_or(3.8, |s| s.parse().unwrap());
    let mut w = Weights::default();
    for kv in std::env::args().skip(2) {
        let (k, v) = kv.split_once('=').unwrap();
        w.set(k, v.parse().unwrap()).unwrap();
    }
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let case: columns_core::case::Case = text.parse().unwrap();
    let clock = || start.elapsed().as_secs_f64();
    let budget = if t > 50.0 {
        Budget::Nodes(t as u64)
    } else {
        Budget::Time {
            clock: &clock,
            end: t,
        }
    };
    let s = solve(&case, &w, &budget, Path::detect());
    print!("{}", s.plan);
    let k = case.columns().len();
    eprintln!(
        "{} per column {:.1} depth {} of {k} width {:.0} nodes {} cand {} time {:.2}",
        s.points,
        s.points as f64 / k as f64,
        s.found.depth,
        s.found.survivors as f64 / s.found.depth as f64,
        s.found.nodes,
        s.found.candidates,
        start.elapsed().as_secs_f64()
    );
}
