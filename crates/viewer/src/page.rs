//! The open games of a page, and the answers to its requests.
//!
//! A request is a JSON object; its field `ask` names the request. The answer is `{"ok": …}` or
//! `{"error": "…"}` with a message for the user. [`Page`] stores the games and numbers them;
//! later requests refer to a game by its number.

use crate::case_facts::CaseFacts;
use crate::comparison::{Comparison, change_text};
use crate::line::Line;
use crate::manual_game::ManualGame;
use crate::record::Record;
use crate::request::{
    CompareRequest, FindLandingsRequest, FindLineRequest, Request, SamegameHintRequest,
    SamegameRequest, TraceLineRequest, UnpackRequest,
};
use crate::samegame;
use crate::score::score;
use crate::words::column_letters;
use crate::{bands, evaluation, example, files, hint, host, link};
use columns_bot::search::Machine;
use columns_bot::{Weights, solve};
use columns_core::beam::Budget;
use columns_core::rules::case::Case;
use columns_core::rules::plan::Plan;
use columns_generator::Profile;
use columns_puzzles::samegame::{Cell, Scoring};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// An open game or SameGame board.
enum Game {
    Watched(Record),
    ByHand(ManualGame),
    Samegame(samegame::ManualGame),
}

/// The open games of a page.
#[derive(Default)]
pub struct Page {
    games: BTreeMap<u32, Game>,
    /// The number of the newest game.
    last_game: u32,
}

/// The answer to a request that opens a game: its number and its initial state.
#[derive(Serialize)]
struct OpenedGame<T: Serialize> {
    game: u32,
    #[serde(flatten)]
    content: T,
}

/// A JSON text, or an error message for the user.
type Answer = Result<String, String>;

/// Serialises an answer as JSON.
fn to_json(answer: &impl Serialize) -> Answer {
    serde_json::to_string(answer).map_err(|error| error.to_string())
}

fn parse_case(text: &str) -> Result<Case, String> {
    text.parse().map_err(|error| format!("case: {error}"))
}

fn parse_plan(text: &str, case: &Case) -> Result<Plan, String> {
    Plan::parse(text, case.width(), case.columns().len())
        .map_err(|error| format!("invalid plan: {error}"))
}

/// Looks up a game by its number. If the game is not of kind `$kind`, returns an error from the calling
/// function.
macro_rules! game {
    ($page:ident, $number:ident, $kind:ident) => {
        match $page.games.get_mut(&$number) {
            Some(Game::$kind(game)) => game,
            _ => return Err(format!("game {} does not take this request", $number)),
        }
    };
}

impl Page {
    /// Answers a JSON request in JSON. The answer to an invalid request is an error message.
    pub fn answer(&mut self, request: &[u8]) -> String {
        let request = serde_json::from_slice(request).map_err(|error| error.to_string());
        match request.and_then(|request| self.serve(request)) {
            Ok(answer) => format!("{{\"ok\":{answer}}}"),
            Err(error) => json!({ "error": error }).to_string(),
        }
    }

    fn serve(&mut self, request: Request) -> Answer {
        match request {
            Request::Constants => to_json(&constants()),
            Request::GenerateCase(origin) => to_json(&origin.generate_named_case()?),
            Request::DescribeCase { case } => describe_case(&case),
            Request::Score { case, plans } => score_plans(&case, &plans),
            Request::ClassifyFiles { files } => to_json(&files::classify_files(files)),
            Request::Watch { case, plan } => self.watch(&case, &plan),
            Request::Frame { game, turn, moment } => {
                to_json(&self.record(game)?.frame(turn, moment))
            }
            Request::Chain { game, turn } => to_json(&self.record(game)?.chain(turn)),
            Request::Close { game } => to_json(&self.games.remove(&game).is_some()),
            Request::Plan { game, turns } => self.plan(game, turns),
            Request::Pack { game } => self.pack(game),
            Request::Unpack(request) => unpack(&request),
            Request::Checksum { text } => to_json(&link::checksum(&text)),
            Request::PlayByHand { case, plan } => self.play_by_hand(&case, &plan),
            Request::Perform { game, action } => match self.games.get_mut(&game) {
                Some(Game::Samegame(game)) => to_json(&game.perform(action)),
                _ => to_json(&game!(self, game, ByHand).perform(action)),
            },
            Request::Aim { game, stack, shift } => {
                to_json(&game!(self, game, ByHand).aim(stack, shift))
            }
            Request::Evaluate { game, turn } => self.evaluate(game, turn),
            Request::FindLine(request) => find_line(&request),
            Request::TraceLine(request) => trace_line(&request),
            Request::DescribeLine { case, plan, turn } => describe_line(&case, &plan, turn),
            Request::FindLandings(request) => self.find_landings(&request),
            Request::Compare(request) => compare(&request),
            Request::ChangeTexts { percents } => {
                to_json(&percents.into_iter().map(change_text).collect::<Vec<_>>())
            }
            Request::QuartileBands { points } => to_json(&bands::quartile_bands(points)),
            Request::Solve { case, seconds } => solve_case(&case, seconds),
            Request::OpenSamegame(request) => self.open_samegame(&request),
            Request::RemoveGroup { game, column, row } => {
                to_json(&game!(self, game, Samegame).remove(Cell::new(column, row)))
            }
            Request::SamegameHint(request) => samegame_hint(&request),
        }
    }

    fn watch(&mut self, case: &str, plan: &str) -> Answer {
        let case = parse_case(case)?;
        let record = Record::from_plan(case, plan);
        let content = record.summary();
        self.store(Game::Watched(record), content)
    }

    fn play_by_hand(&mut self, case: &str, plan: &str) -> Answer {
        let case = parse_case(case)?;
        let plan = parse_plan(plan, &case)?;
        let game = ManualGame::new(case, &plan);
        let content = json!({ "summary": game.record().summary(), "view": game.view(false) });
        self.store(Game::ByHand(game), content)
    }

    fn open_samegame(&mut self, request: &SamegameRequest) -> Answer {
        let board = match &request.text {
            Some(text) => samegame::parse_board(text)?,
            None => request.random_board.generate(),
        };
        let game = samegame::ManualGame::new(board, request.scoring.parse::<Scoring>()?);
        let view = game.view();
        self.store(Game::Samegame(game), view)
    }

    fn evaluate(&self, game: u32, turn: usize) -> Answer {
        let record = self.record(game)?;
        let start = record.placements(turn);
        let field = record.field_before(turn);
        to_json(&evaluation::evaluate(&record.case, &start, field))
    }

    fn find_landings(&self, request: &FindLandingsRequest) -> Answer {
        let record = self.record(request.game)?;
        let column = *record
            .case
            .columns()
            .get(request.turn)
            .ok_or("there is no such column")?;
        let field = record.field_before(request.turn);
        let is_valid = |&(stack, shift): &(usize, usize)| stack < field.width() && shift < 3;
        if !request.placements.iter().all(is_valid) {
            return Err("a placement is outside the field".into());
        }
        let land = |&(stack, shift): &(usize, usize)| {
            let row = field.stack_height(stack);
            json!({ "stack": stack, "column": column_letters(column, shift), "row": row })
        };
        to_json(&request.placements.iter().map(land).collect::<Vec<_>>())
    }

    fn pack(&self, game: u32) -> Answer {
        let record = self.record(game)?;
        let plan = link::pack_plan(&record.plan);
        let case = link::pack_case(&record.case);
        to_json(&json!({ "case": case, "plan": plan }))
    }

    /// Stores a new game and answers with its number and `content`.
    fn store(&mut self, game: Game, content: impl Serialize) -> Answer {
        self.last_game += 1;
        self.games.insert(self.last_game, game);
        to_json(&OpenedGame {
            game: self.last_game,
            content,
        })
    }

    /// Looks up the record of a game that the user watches or plays by hand.
    fn record(&self, game: u32) -> Result<&Record, String> {
        match self.games.get(&game) {
            Some(Game::Watched(record)) => Ok(record),
            Some(Game::ByHand(game)) => Ok(game.record()),
            _ => Err(format!("there is no game {game}")),
        }
    }

    /// Returns the plan of a game. With `turns`, returns the placements of the first `turns` turns instead,
    /// including default placements.
    fn plan(&self, game: u32, turns: Option<usize>) -> Answer {
        let record = self.record(game)?;
        let plan = turns.map(|turns| Plan {
            placements: record.placements(turns),
        });
        to_json(&plan.as_ref().unwrap_or(&record.plan).to_string())
    }
}

fn describe_case(case: &str) -> Answer {
    let case = parse_case(case)?;
    to_json(&CaseFacts::new(&case, None))
}

fn find_line(request: &FindLineRequest) -> Answer {
    let case = parse_case(&request.case)?;
    let start = parse_plan(&request.plan, &case)?.placements;
    let clock = &host::now_s;
    let line = hint::find_line(&case, &start, request.columns_ahead, request.nodes, clock);
    to_json(&line)
}

fn trace_line(request: &TraceLineRequest) -> Answer {
    let case = parse_case(&request.case)?;
    let (plan, _) = Plan::parse_prefix(&request.plan, case.width(), case.columns().len());
    let columns = request.columns.min(case.columns().len());
    let turn = request.turn.min(columns);
    to_json(&Line::trace(&case, &plan, turn, columns))
}

fn describe_line(case: &str, plan: &str, turn: usize) -> Answer {
    let case = parse_case(case)?;
    let plan = parse_plan(plan, &case)?;
    to_json(&hint::describe_line(&case, &plan, turn))
}

fn samegame_hint(request: &SamegameHintRequest) -> Answer {
    let scoring = request.scoring.parse()?;
    let hint = samegame::recommend(&request.board, scoring, request.nodes, &host::now_s)?;
    to_json(&hint)
}

fn score_plans(case: &str, plans: &[Option<String>]) -> Answer {
    let case = parse_case(case)?;
    let scores = plans.iter().map(|plan| score(&case, plan.as_deref()));
    to_json(&scores.collect::<Vec<_>>())
}

fn compare(request: &CompareRequest) -> Answer {
    let comparison = Comparison::new(request.candidates, &request.names, &request.cases);
    to_json(&comparison)
}

fn unpack(request: &UnpackRequest) -> Answer {
    let case = match (&request.packed, &request.case) {
        (Some(packed), _) => link::unpack_case(packed)?,
        (None, Some(case)) => parse_case(case)?,
        (None, None) => return Err("the address contains no case".into()),
    };
    let unpack = |plan: &String| Ok(link::unpack_plan(plan, &case)?.to_string());
    let plans: Result<Vec<String>, String> = request.plans.iter().map(unpack).collect();
    to_json(&json!({ "case": case.to_string(), "plans": plans? }))
}

fn solve_case(case: &str, seconds: f64) -> Answer {
    let case = parse_case(case)?;
    let start = host::now_s();
    let budget = Budget::Deadline(start + seconds);
    let weights = Weights::default();
    let solution = solve(
        &case,
        &weights,
        budget,
        &host::now_s,
        Machine::single_threaded(),
    );
    to_json(&json!({
        "plan": solution.plan.to_string(),
        "points": solution.points,
        "nodes": solution.search.costs.nodes,
        "seconds": host::now_s() - start,
    }))
}

/// Returns the constants that the page shows, and the limits that it enforces.
fn constants() -> Value {
    let profiles: Vec<Value> = Profile::ALL
        .into_iter()
        .map(|p| json!({ "name": p.name(), "description": p.description() }))
        .collect();
    json!({
        "profiles": profiles,
        "example": example::EXAMPLE_ADDRESS,
        "max_file_bytes": files::MAX_FILE_BYTES,
        "max_files": files::MAX_FILES,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use columns_generator::SAMPLE;

    #[allow(clippy::needless_pass_by_value)] // callers pass the result of `json!`
    fn ask(page: &mut Page, request: Value) -> Value {
        let answer = page.answer(request.to_string().as_bytes());
        serde_json::from_str(&answer).unwrap()
    }

    #[test]
    fn quickstart_scores_141_points_on_the_sample() {
        let mut page = Page::default();
        let case = &ask(&mut page, json!({ "ask": "generate-case", "seed": "1" }))["ok"]["case"];
        let plan = &ask(
            &mut page,
            json!({ "ask": "score", "case": case, "plans": [null] }),
        )["ok"][0]["plan"];
        let request = json!({ "ask": "watch", "case": case, "plan": plan });
        let game = &ask(&mut page, request)["ok"];
        assert_eq!([&game["points"], &game["placed"]], [141, 11]);
        assert_eq!(game["magic_columns"], json!([6]));
        let request = json!({ "ask": "frame", "game": game["game"], "turn": 99, "moment": 0 });
        let text = "Game over: all 11 columns have landed. 141 points.";
        assert_eq!(ask(&mut page, request)["ok"]["text"], text);
    }

    /// Invalid requests, each with a part of the error message.
    const MISTAKES: &str = r#"
{"ask": "generate-case", "seed": "x"} | The seed must be a number
{"ask": "generate-case", "seed": "1", "profile": "<b>"} | profile
{"ask": "generate-case", "seed": "1", "width": "99"} | the width must be a whole number from 6 to 12
{"ask": "watch", "case": "6 13\n", "plan": ""} | case: line 1: expected the number of columns
{"ask": "play-by-hand", "case": "6 13\n1\nabc\n", "plan": "1\n"} | invalid plan: line 1
{"ask": "frame", "game": 7, "turn": 0, "moment": 0} | there is no game 7
{"ask": "perform", "game": 7, "action": "undo"} | game 7 does not take this request
{"ask": "find-line", "case": "", "plan": "", "columns_ahead": 1, "nodes": 1, "x": 1} | unknown field `x`
{"ask": "nothing"} | unknown variant
"#;

    #[test]
    fn invalid_requests_are_answered_with_a_message() {
        let mut page = Page::default();
        for (request, message) in MISTAKES.lines().filter_map(|row| row.split_once(" | ")) {
            let answer = ask(&mut page, request.parse().unwrap());
            let error = answer["error"].as_str().unwrap();
            assert!(error.contains(message), "{answer}");
        }
        assert!(page.answer(b"\xff").contains("error"));
        assert!(ask(&mut page, json!({ "ask": "constants" }))["ok"]["profiles"].is_array());
    }

    #[test]
    fn the_bots_plan_scores_the_reported_points_and_survives_packing() {
        let mut page = Page::default();
        let request = json!({ "ask": "solve", "case": SAMPLE, "seconds": 0.1 });
        let solution = &ask(&mut page, request)["ok"];
        let request = json!({ "ask": "watch", "case": SAMPLE, "plan": solution["plan"] });
        let game = &ask(&mut page, request)["ok"];
        assert_eq!(game["points"], solution["points"]);
        assert!(solution["points"].as_u64() >= Some(141));
        let packed = &ask(&mut page, json!({ "ask": "pack", "game": game["game"] }))["ok"];
        let (case, plans) = (&packed["case"], [&packed["plan"]]);
        let request = json!({ "ask": "unpack", "packed": case, "plans": plans });
        let expected = json!({ "case": SAMPLE, "plans": [solution["plan"]] });
        assert_eq!(ask(&mut page, request)["ok"], expected);
    }
}
