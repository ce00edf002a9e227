//! The games of a page, and the answers to what it asks.
//!
//! A request is a JSON object whose `ask` names it; the answer is `{"ok": …}` or
//! `{"error": "…"}` with a line for people. Games are kept here and known to the page by
//! number.

use crate::about::About;
use crate::hand::Hand;
use crate::reading::Reading;
use crate::record::Record;
use crate::request::Request;
use crate::samegame::{self, Table};
use crate::score::score;
use crate::wish::Wish;
use crate::{about, depth, example, files, hint, host, inc, link, maya, review, sight};
use columns_bot::{solve, Weights};
use columns_core::beam::Budget;
use columns_core::puzzles::maya::Move;
use columns_core::puzzles::samegame::{Cell, Scoring};
use columns_core::rules::case::Case;
use columns_core::rules::plan::Plan;
use columns_core::simd::Cpu;
use columns_generator::{guess, Profile};
use serde::Serialize;
use serde_json::{json, Value};
use std::collections::BTreeMap;

/// A game or puzzle that the page knows by number.
enum Kept {
    Watched(Record),
    ByHand(Hand),
    Same(Table),
    Maya(maya::Table),
}

/// The games of a page.
#[derive(Default)]
pub struct Page {
    games: BTreeMap<u32, Kept>,
    last: u32,
}

/// A new game and all about it.
#[derive(Serialize)]
struct New<T: Serialize> {
    game: u32,
    #[serde(flatten)]
    about: T,
}

/// JSON, or why there is none.
type Answer = Result<String, String>;

fn value(answer: &impl Serialize) -> Answer {
    serde_json::to_string(answer).map_err(|error| error.to_string())
}

fn read_case(text: &str) -> Result<Case, String> {
    text.parse().map_err(|error| format!("case: {error}"))
}

fn read_plan(text: &str, case: &Case) -> Result<Plan, String> {
    Plan::parse(text, case.width(), case.columns().len())
        .map_err(|error| format!("invalid plan: {error}"))
}

/// The game of a number, which must be of a kind.
macro_rules! kept {
    ($page:ident, $game:ident, $kind:ident) => {
        match $page.games.get_mut(&$game) {
            Some(Kept::$kind(kept)) => kept,
            _ => return Err(format!("game {} is not of this kind", $game)),
        }
    };
}

impl Page {
    /// The answer to a request, both in JSON.
    pub fn answer(&mut self, request: &[u8]) -> String {
        let request = serde_json::from_slice(request).map_err(|error| error.to_string());
        match request.and_then(|request| self.serve(request)) {
            Ok(answer) => format!("{{\"ok\":{answer}}}"),
            Err(error) => json!({ "error": error }).to_string(),
        }
    }

    fn serve(&mut self, request: Request) -> Answer {
        match request {
            Request::About => value(&limits()),
            Request::Generate(wish) => value(&wish.grant()?),
            Request::Example => value(&example::example()),
            Request::Know { case } => {
                let case = read_case(&case)?;
                value(&About::of(&case, guess::palette(&case)))
            }
            Request::Score { case, plans } => scores(&case, &plans),
            Request::Files { files } => value(&files::sort(files)),
            Request::Origin { case, seed } => {
                let case = read_case(&case)?;
                let seed = seed.parse().ok();
                value(&seed.and_then(|seed| Wish::of_case(seed, &case)))
            }
            Request::Watch { case, plan } => self.watch(&case, &plan),
            Request::Frame { game, turn, moment } => value(&self.record(game)?.frame(turn, moment)),
            Request::Whole { game, turn } => value(&self.record(game)?.whole(turn)),
            Request::Close { game } => value(&self.games.remove(&game).is_some()),
            Request::Plan { game, turns } => value(&self.plan(game, turns)?.to_string()),
            Request::Pack { game, turns } => self.pack(game, turns),
            Request::Unpack {
                packed,
                case,
                plans,
            } => unpack(packed, case, &plans),
            Request::Checksum { text } => value(&link::checksum(&text)),
            Request::Save { address } => value(&link::save(&address)),
            Request::Hand { case, plan } => self.hand(&case, &plan),
            Request::Press { game, press } => value(&kept!(self, game, ByHand).press(press)),
            Request::Aim { game, stack, shift } => {
                value(&kept!(self, game, ByHand).aim(stack, shift))
            }
            Request::Sight { game, turn } => {
                let record = self.record(game)?;
                let start = record.placements(turn);
                let field = record.field_before(turn).clone();
                value(&sight::sight(record.case(), &start, &field))
            }
            Request::Hint {
                case,
                plan,
                ahead,
                nodes,
            } => {
                let case = read_case(&case)?;
                let start = read_plan(&plan, &case)?.placements;
                value(&hint::hint(&case, &start, ahead, nodes.max(1), &host::now))
            }
            Request::Review {
                case,
                plan,
                turn,
                until,
                nodes,
            } => {
                let case = read_case(&case)?;
                let start = read_plan(&plan, &case)?.placements;
                let start = &start[..turn.min(start.len())];
                value(&review::line(&case, start, until, nodes, &host::now))
            }
            Request::Depth { cases } => value(&depth::depth(&cases)),
            Request::Solve {
                case,
                seconds,
                nodes,
            } => bot_plays(&case, seconds, nodes),
            Request::Samegame {
                text,
                drawn,
                scoring,
            } => {
                let board = text.map_or_else(|| Ok(drawn.board()), |text| samegame::read(&text))?;
                let table = Table::new(board, scoring.parse::<Scoring>()?);
                let view = table.view();
                self.keep(Kept::Same(table), view)
            }
            Request::Remove { game, column, row } => {
                value(&kept!(self, game, Same).remove(Cell::new(column, row)))
            }
            Request::Past { game, press } => match self.games.get_mut(&game) {
                Some(Kept::Maya(table)) => value(&table.press(press)),
                _ => value(&kept!(self, game, Same).press(press)),
            },
            Request::SamegameHint {
                board,
                scoring,
                nodes,
            } => {
                let scoring = scoring.parse()?;
                value(&samegame::hint(&board, scoring, nodes, &host::now)?)
            }
            Request::Maya { text } => value(&maya::solve(&text)?),
            Request::MayaHand { text } => {
                let table = maya::Table::new(&text)?;
                let view = table.view(&[]);
                self.keep(Kept::Maya(table), view)
            }
            Request::Drag {
                game,
                stack,
                row,
                right,
            } => value(&kept!(self, game, Maya).drag(Move { stack, row, right })),
            Request::Inc { text } => value(&inc::play(&text)?),
        }
    }

    fn watch(&mut self, case: &str, plan: &str) -> Answer {
        let case = read_case(case)?;
        let reading = Reading::of(plan, &case);
        let record = Record::read(case, reading);
        let about = record.summary();
        self.keep(Kept::Watched(record), about)
    }

    fn hand(&mut self, case: &str, plan: &str) -> Answer {
        let case = read_case(case)?;
        let plan = read_plan(plan, &case)?;
        let mut hand = Hand::new(case, &plan);
        let about = json!({ "summary": hand.record().summary(), "view": hand.view(false) });
        self.keep(Kept::ByHand(hand), about)
    }

    fn pack(&mut self, game: u32, turns: Option<usize>) -> Answer {
        let plan = link::pack_plan(&self.plan(game, turns)?);
        let case = link::pack_case(self.record(game)?.case());
        value(&json!({ "case": case, "plan": plan }))
    }

    fn keep(&mut self, game: Kept, about: impl Serialize) -> Answer {
        self.last += 1;
        self.games.insert(self.last, game);
        value(&New {
            game: self.last,
            about,
        })
    }

    fn record(&mut self, game: u32) -> Result<&mut Record, String> {
        match self.games.get_mut(&game) {
            Some(Kept::Watched(record)) => Ok(record),
            Some(Kept::ByHand(hand)) => Ok(hand.record()),
            _ => Err(format!("there is no game {game}")),
        }
    }

    /// The plan of a game; if a number of turns is given, the placements of these, planned or not.
    fn plan(&mut self, game: u32, turns: Option<usize>) -> Result<Plan, String> {
        let record = self.record(game)?;
        Ok(match turns {
            None => record.plan(),
            Some(turns) => Plan {
                placements: record.placements(turns),
            },
        })
    }
}

fn scores(case: &str, plans: &[Option<String>]) -> Answer {
    let case = read_case(case)?;
    let scores = plans.iter().map(|plan| score(&case, plan.as_deref()));
    value(&scores.collect::<Vec<_>>())
}

fn unpack(packed: Option<String>, case: Option<String>, plans: &[String]) -> Answer {
    let case = match (packed, case) {
        (Some(packed), _) => link::unpack_case(&packed)?,
        (None, Some(case)) => read_case(&case)?,
        (None, None) => return Err("the address holds no case".into()),
    };
    let plans: Result<Vec<String>, String> = plans
        .iter()
        .map(|plan| Ok(link::unpack_plan(plan, &case)?.to_string()))
        .collect();
    value(&json!({ "case": case.to_string(), "plans": plans? }))
}

fn bot_plays(case: &str, seconds: Option<f64>, nodes: Option<u64>) -> Answer {
    let case = read_case(case)?;
    let start = host::now();
    let budget = match nodes {
        Some(nodes) => Budget::Nodes(nodes.max(1)),
        None => Budget::Until(start + seconds.unwrap_or(1.0)),
    };
    let weights = Weights::default();
    let solution = solve(&case, &weights, budget, &host::now, Cpu::detect());
    value(&json!({
        "plan": solution.plan.to_string(),
        "points": solution.points,
        "nodes": solution.found.nodes,
        "seconds": host::now() - start,
    }))
}

fn limits() -> Value {
    let profiles: Vec<Value> = Profile::ALL
        .into_iter()
        .map(|p| json!({ "name": p.name(), "description": p.description() }))
        .collect();
    json!({
        "profiles": profiles,
        "classes": about::classes(),
        "largest_file": files::LARGEST,
        "most_files": files::MOST,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_generator::SAMPLE;

    #[allow(clippy::needless_pass_by_value)] // called with what `json!` makes
    fn ask(page: &mut Page, request: Value) -> Value {
        let answer = page.answer(request.to_string().as_bytes());
        serde_json::from_str(&answer).unwrap()
    }

    #[test]
    fn the_sample_by_quickstart_ends_at_141() {
        let mut page = Page::default();
        let case = &ask(&mut page, json!({ "ask": "generate", "seed": "1" }))["ok"]["case"];
        let plan = &ask(
            &mut page,
            json!({ "ask": "score", "case": case, "plans": [null] }),
        )["ok"][0]["plan"];
        let request = json!({ "ask": "watch", "case": case, "plan": plan });
        let game = &ask(&mut page, request)["ok"];
        assert_eq!([&game["points"], &game["placed"]], [141, 11]);
        assert_eq!(game["magic"], json!([6]));
        let request = json!({ "ask": "frame", "game": game["game"], "turn": 99, "moment": 0 });
        let text = "Game over: all 11 columns have landed. 141 points.";
        assert_eq!(ask(&mut page, request)["ok"]["text"], text);
    }

    /// Requests, and what is told of them.
    const MISTAKES: &str = r#"
{"ask": "generate", "seed": "x"} | The seed must be a number
{"ask": "generate", "seed": "1", "profile": "<b>"} | profile
{"ask": "generate", "seed": "1", "width": "99"} | the width must be a whole number from 6 to 12
{"ask": "watch", "case": "6 13\n", "plan": ""} | case: line 1: expected the number of columns
{"ask": "hand", "case": "6 13\n1\nabc\n", "plan": "1\n"} | invalid plan: line 1
{"ask": "frame", "game": 7, "turn": 0, "moment": 0} | there is no game 7
{"ask": "past", "game": 7, "press": "undo"} | game 7 is not of this kind
{"ask": "nothing"} | unknown variant
"#;

    #[test]
    fn mistakes_are_told_and_the_page_goes_on() {
        let mut page = Page::default();
        for (request, told) in MISTAKES.lines().filter_map(|row| row.split_once(" | ")) {
            let answer = ask(&mut page, request.parse().unwrap());
            assert!(answer["error"].as_str().unwrap().contains(told), "{answer}");
        }
        assert!(page.answer(b"\xff").contains("error"));
        assert!(ask(&mut page, json!({ "ask": "about" }))["ok"]["profiles"].is_array());
    }

    #[test]
    fn the_bot_answers_with_a_plan_worth_what_it_says_and_an_address_brings_it_back() {
        let mut page = Page::default();
        let request = json!({ "ask": "solve", "case": SAMPLE, "nodes": 2000 });
        let found = &ask(&mut page, request)["ok"];
        let request = json!({ "ask": "watch", "case": SAMPLE, "plan": found["plan"] });
        let game = &ask(&mut page, request)["ok"];
        assert_eq!(game["points"], found["points"]);
        assert!(found["points"].as_u64() > Some(141));
        let packed = &ask(&mut page, json!({ "ask": "pack", "game": game["game"] }))["ok"];
        let (case, plans) = (&packed["case"], [&packed["plan"]]);
        let request = json!({ "ask": "unpack", "packed": case, "plans": plans });
        let expected = json!({ "case": SAMPLE, "plans": [found["plan"]] });
        assert_eq!(ask(&mut page, request)["ok"], expected);
    }
}
