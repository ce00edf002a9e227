//! Checks a table of rules in field notation on the naive simulator, and on the fast one with every
//! instruction set and every layout that is wide enough.

use crate::fields;
use crate::isas::{on_all_isas, warn_of_missing_bmi2};
use crate::placement::CheckedPlaceKernel;
use columns_core::field::Field;
use columns_core::rules::case::{Column, MATCH_POINTS};
use columns_core::rules::naive::NaiveField;
use columns_core::rules::plan::Placement;

/// An example of a rule: a column, the field before it lands, and the field after the chain.
struct Rule {
    name: &'static str,
    width: usize,
    height: usize,
    before: &'static str,
    /// The column, its position (from 1) and its shift, for example `abc 3 1`.
    move_text: &'static str,
    /// The points of each step; `None` if the column does not fit.
    points: Option<&'static [u64]>,
    after: &'static str,
}

impl Rule {
    fn placement(&self) -> (Column, Placement) {
        let words: Vec<&str> = self.move_text.split(' ').collect();
        let placement = Placement {
            stack: words[1].parse::<usize>().unwrap() - 1,
            shift: words[2].parse().unwrap(),
        };
        (words[0].parse().unwrap(), placement)
    }
}

const fn small(
    name: &'static str,
    before: &'static str,
    move_text: &'static str,
    points: &'static [u64],
    after: &'static str,
) -> Rule {
    sized(name, 6, 13, before, move_text, Some(points), after)
}

const fn sized(
    name: &'static str,
    width: usize,
    height: usize,
    before: &'static str,
    move_text: &'static str,
    points: Option<&'static [u64]>,
    after: &'static str,
) -> Rule {
    Rule {
        name,
        width,
        height,
        before,
        move_text,
        points,
        after,
    }
}

#[rustfmt::skip]
const RULES: &[Rule] = &[
    small("a column lands on the floor",      "......",  "abc 1 0", &[], "c...../b...../a....."),
    small("one shift: bottom to top",         "......",  "abc 6 1", &[], ".....a/.....c/.....b"),
    small("two shifts",                       "......",  "abc 3 2", &[], "..b.../..a.../..c..."),
    small("a column lands on a stack",        "...d..",  "abc 4 0", &[], "...c../...b../...a../...d.."),

    small("vertical",                         "......",  "aaa 3 0", &[47], "......"),
    small("vertical, half of it there",       "a.....",  "aab 1 0", &[47], "b....."),
    small("horizontal at the left wall",      "aa....",  "abc 3 0", &[47], "..c.../..b..."),
    small("horizontal at the right wall",     "...aa.",  "abc 3 0", &[47], "..c.../..b..."),
    small("horizontal, the middle last",      "a.a...",  "abc 2 0", &[47], ".c..../.b...."),
    small("rising", ".ac.../abd...", "abc 3 0", &[47], "..c.../..b.../..c.../.bd..."),
    small("falling", "...ca./...dba", "abc 4 0", &[47], "...c../...b../...c../...db."),
    small("two are no match",                 "a.....",  "abc 2 0", &[], ".c..../.b..../aa...."),
    small("a gap is no match",                "aa....",  "abc 4 0", &[], "...c../...b../aa.a.."),
    small("the walls are not joined",         "aa....",  "abc 6 0", &[], ".....c/.....b/aa...a"),
    small("an empty cell is no colour",       "a.a...",  "bcd 6 0", &[], ".....d/.....c/a.a..b"),

    small("four vertical are two matches",     "a.....",  "aaa 1 0", &[94], "......"),
    small("five vertical are three matches",   "a...../a.....", "aaa 1 0", &[141], "......"),
    small("four horizontal are two matches",       "aa.a..",  "abc 3 0", &[94], "..c.../..b..."),
    small("five horizontal are three matches",     "aa.aa.",  "abc 3 0", &[141], "..c.../..b..."),
    small("six horizontal are four matches",       "aa.aaa",  "abc 3 0", &[188], "..c.../..b..."),
    small("an L is two matches",              "aa....",  "aaa 3 0", &[94], "......"),
    small("a T is two matches", ".a.a../.b.c../.c.b..", "aaa 3 0", &[94], ".b.c../.c.b.."),
    small("a plus is two matches", ".a.a../.c.b..", "aaa 3 0", &[94], ".c.b.."),
    small("an X is two matches", "a.a.../b.b.../aca...", "abc 2 0", &[94], ".c..../.b..../bcb..."),
    small("two colours at once", "bb..../aa....", "abc 3 0", &[94], "..c..."),
    small("two matches in one step", "...cc./aa.bb.", "abc 3 0", &[47, 188], "......"),

    small("the combo grows to 2", "aa.bb.", "abc 3 0", &[47, 94], "..c..."),
    small("the combo grows to 3", "cc..../aa.bb.", "abc 3 0", &[47, 94, 141], "......"),

    small("magic on the floor vanishes", "a.....", "*** 2 0", &[], "a....."),
    small("magic clears the colour under it", "ba..../ab..ba", "*** 1 0", &[141], "aa...a"),
    small("magic clears a single jewel", "c...../ab..ba", "*** 1 2", &[47], "ab..ba"),
    small("magic clears more than the top", "b...../c...../b.....", "*** 1 0", &[94], "c....."),
    small("magic counts as no combo", ".a..../aba..b", "*** 6 0", &[94, 47], "......"),
    small("magic before a chain of two", "d...../a...../baa.../dfe.../def..b", "*** 6 0", &[94, 47, 94],
          ".fe.../.ef..."),

    sized("the topmost row is inside", 6, 13,
          "b...../a...../b...../a...../b...../a...../b...../a...../b...../a.....", "abc 1 0", Some(&[]),
          "c...../b...../a...../b...../a...../b...../a...../b...../a...../b...../a...../b...../a....."),
    sized("a match in the topmost row", 6, 13,
          "b...../a...../b...../a...../b...../a...../b...../a...../b...../a.....", "ccc 1 0", Some(&[47]),
          "b...../a...../b...../a...../b...../a...../b...../a...../b...../a....."),
    sized("outside by one: over", 6, 13,
          "a...../b...../a...../b...../a...../b...../a...../b...../a...../b...../a.....", "aaa 1 0", None,
          "a...../b...../a...../b...../a...../b...../a...../b...../a...../b...../a....."),
    sized("outside by one: over, magic too", 6, 13,
          "a...../b...../a...../b...../a...../b...../a...../b...../a...../b...../a.....", "*** 1 0", None,
          "a...../b...../a...../b...../a...../b...../a...../b...../a...../b...../a....."),
    sized("the same stack fits where the field is higher", 6, 14,
          "a...../b...../a...../b...../a...../b...../a...../b...../a...../b...../a.....", "aac 1 0",
          Some(&[47]), "c...../b...../a...../b...../a...../b...../a...../b...../a...../b...../a....."),
    sized("over the seams of the words", 12, 19,
          "aa.aa.bb.bb.", "abc 3 0", Some(&[141]), "..c........./..b...bb.bb."),
    sized("twelve wide, the right wall", 12, 19,
          ".........bb.", "baa 12 0", Some(&[47]), "...........a/...........a"),
    sized("nine wide, over the middle", 9, 16,
          "...aa....", "abc 6 0", Some(&[47]), ".....c.../.....b..."),
];

/// The total points of all steps, and the number of steps that have matches; `None` if the column does not
/// fit.
type Outcome = Option<(u64, u32)>;

/// Plays a rule on one layout of the fast simulator.
fn check_fast_simulator<const W: usize, const P: usize>(rule: &Rule, outcome: Outcome) {
    let (column, placement) = rule.placement();
    // Every layout has codes for the colours of the table, a to f.
    let field: Field<W, P> = fields::parse_field(rule.before, rule.width);
    let kernel = CheckedPlaceKernel::new(field, rule.height, column, placement);
    for (isa, placed) in on_all_isas(kernel) {
        let result = placed.map(|(chain, _)| (u64::from(chain.points) * MATCH_POINTS, chain.steps));
        let after = placed.map_or(field, |(_, after)| after);
        let expected = fields::parse_field(rule.after, rule.width);
        let name = rule.name;
        assert_eq!(result, outcome, "{isa}, W {W}, P {P}: {name}");
        assert_eq!(after, expected, "{isa}, W {W}, P {P}: {name}");
    }
}

#[test]
fn every_simulator_follows_the_table() {
    warn_of_missing_bmi2();
    for rule in RULES {
        let name = rule.name;
        let (column, placement) = rule.placement();
        let mut field = NaiveField::parse(rule.before, rule.width, rule.height).unwrap();
        let steps = field.place(column, placement).ok();
        let points = steps.as_ref().map(|s| s.iter().map(|s| s.points).collect());
        assert_eq!(points, rule.points.map(<[u64]>::to_vec), "naive: {name}");
        assert_eq!(field.to_notation(), rule.after, "naive: {name}");

        let outcome = steps.map(|steps| {
            let matching = steps.iter().filter(|s| !s.matches.is_empty()).count();
            (steps.iter().map(|s| s.points).sum(), matching as u32)
        });
        if rule.width <= 6 {
            check_fast_simulator::<2, 3>(rule, outcome);
            check_fast_simulator::<2, 4>(rule, outcome);
            check_fast_simulator::<2, 5>(rule, outcome);
        }
        check_fast_simulator::<4, 3>(rule, outcome);
        check_fast_simulator::<4, 4>(rule, outcome);
        check_fast_simulator::<4, 5>(rule, outcome);
    }
}
