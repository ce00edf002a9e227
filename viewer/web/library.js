// All games: cases, and the plans of every player for each case.
//
// A game is {name, key, case, about, origin, plans, passing, opened}:
// - `key` pairs it with plans from files.
// - `case` is null if only results of the case are known.
// - `origin` has the seed and options that generate the case; false if there are none.
// - `passing` is true for the example and the games of the seed box: the next passing game replaces
//   them, unless a player has played them.
// - `opened` is true for games from files. Only these count as results.
//
// A plan is {player, name, plan, points, placed, planned, broken, judged, opened}. `plan` is null
// if only the judge's points are known. `opened` is true for plans from files.

import { bot, scorers } from "./bot.js";
import { ask } from "./engine.js";

export const QUICKSTART = "Quickstart";

export const games = [];
// All plans from files, including plans whose case is not open yet.
export const papers = [];
let current = { game: null, plan: null };
let picking = () => {};
const watchers = [];

// Returns the games of the results: the games from files, not games that the user only looks at.
export function opened() {
  return games.filter((game) => game.opened);
}

export function onPick(act) {
  picking = act;
}

// Calls `act(game)` after every change; `game` is undefined if the whole list has changed.
export function onChange(act) {
  watchers.push(act);
}

export function changed(game = null) {
  for (const act of watchers) act(game);
}

export function picked() {
  return current;
}

export function pick(game, plan = best(game)) {
  current = { game, plan };
  // If the number in the game's name is its seed, links can contain the seed instead of the case.
  if (game.case !== null && game.key?.number)
    game.origin ??= ask("origin", { case: game.case, seed: game.key.text || "0" }) ?? false;
  picking(game, plan);
  changed();
}

function best(game) {
  return (
    game.plans.find((plan) => plan.plan !== null && plan.player !== QUICKSTART) ?? quickstart(game)
  );
}

// Returns the plan of a player for a game; if the player has none, the first playable plan.
export function planBy(game, player) {
  if (player === QUICKSTART) return quickstart(game);
  return game.plans.find((plan) => plan.player === player && plan.plan !== null) ?? best(game);
}

// Scores a plan. If `plan` is null, scores quickstart's plan and returns that plan as well.
export function scoreOf(game, plan) {
  return ask("score", { case: game.case, plans: [plan] })[0];
}

// Returns quickstart's plan, computed on first use.
export function quickstart(game) {
  const plan = game.plans.find(({ player }) => player === QUICKSTART);
  if (plan.plan === null) Object.assign(plan, scoreOf(game, null));
  return plan;
}

// Returns the bot's player name for a thinking time.
export function botOf(seconds) {
  return `Bot, ${seconds} s`;
}

// Lets the bot play a case. Resolves to the answer of the engine and the added plan.
export async function letBotPlay(game, seconds) {
  const answer = await bot.think("solve", { case: game.case, seconds });
  return { answer, plan: addPlan(game, botOf(seconds), answer.plan, { points: answer.points }) };
}

export function keyOf(origin) {
  return origin?.seed ? { text: String(BigInt(origin.seed.trim())), number: true } : null;
}

// Adds a case and returns its game. If the case is known, updates its game.
export function add({ name, key = null, case: text, about, origin = null, passing, opened }) {
  about ??= ask("know", { case: text });
  let game = games.find((known) => known.about.digest === about.digest);
  if (!game) {
    game = { name, key, case: text, about, origin, passing: Boolean(passing), plans: [] };
    game.plans.push({ player: QUICKSTART, name: QUICKSTART, plan: null, points: null });
    games.push(game);
  } else if (game.case === null && text) {
    game.case = text;
  }
  game.origin ||= origin;
  // Prefer a name with a number, which pairs with plans.
  if (key && !game.key) Object.assign(game, { key, name });
  if (!passing) game.passing = false;
  // The first file with this case names the game.
  if (opened && !game.opened) Object.assign(game, { name, opened });
  changed(game);
  return game;
}

// Removes all passing games except one.
export function removePassing(game) {
  for (let i = games.length - 1; i >= 0; i--) {
    if (games[i].passing && games[i] !== game) games.splice(i, 1);
  }
  changed();
}

// Removes a game. Returns a function that restores it.
export function removeGame(game) {
  const at = games.indexOf(game);
  games.splice(at, 1);
  for (const { homes } of papers) homes.delete(game);
  if (current.game === game && games.length) pick(games[Math.min(at, games.length - 1)]);
  changed();
  return () => {
    games.splice(at, 0, game);
    pick(game);
  };
}

// Removes a plan. Returns a function that restores it.
export function removePlan(game, plan) {
  const { plans } = game;
  game.plans = plans.filter((one) => one !== plan);
  changed(game);
  if (current.plan === plan) pick(game);
  return () => {
    game.plans = plans;
    changed(game);
    pick(game, plan);
  };
}

// Adds a plan of a player, unless the plan is known. `at`: its index in the list; if negative, the
// plan goes before quickstart's. A plan's text and the judge's verdict may arrive in any order.
export function addPlan(game, player, text, known = {}, at = -1) {
  const own = game.plans.filter((one) => one.player === player);
  let plan =
    own.find((one) => one.plan === text) ?? own.find((one) => one.plan === null || text === null);
  if (plan) {
    plan.plan ??= text;
    if (known.judged) Object.assign(plan, known);
    plan.opened ||= known.opened;
  } else {
    plan = { player, name: known.name ?? player, plan: text, points: null, ...known };
    game.plans.splice(at < 0 ? game.plans.length - 1 : at, 0, plan);
    game.passing = false;
  }
  changed(game);
  return plan;
}

// Returns the plan with this text, of any player. If there is none, adds it as a plan of `player`.
export function planOf(game, text, player) {
  const known = game.plans.find((plan) => plan.plan === text);
  if (known) return known;
  const base = quickstart(game);
  return base.plan === text
    ? base
    : addPlan(
        game,
        free(player, (name) => game.plans.some((one) => one.player === name)),
        text,
      );
}

// Returns an unused name: "out", "out (2)", …
export function free(name, taken) {
  let candidate = name;
  for (let i = 2; taken(candidate); i++) candidate = `${name} (${i})`;
  return candidate;
}

// Adds plans from files, {name, key, folder, plan} each. A folder is a player; opening it again
// replaces its plans. Files without a folder, and second plans for the same case, become a new
// player if they differ from known plans, so that the older run can still be compared.
export function addPapers(list) {
  const before = new Map();
  for (const { player, plan, ...one } of papers) before.set(`${player}/${idOf(one)}`, plan);
  for (const game of games)
    for (const { player, plan } of game.plans) before.set(`${player}/${idOf(game)}`, plan);
  // Group the plans by folder. If a case has several plans, the second ones form their own group,
  // and so on.
  const seen = new Map();
  const runs = Map.groupBy(list, (paper) => {
    const id = `${paper.folder}/${idOf(paper)}`;
    seen.set(id, (seen.get(id) ?? 0) + 1);
    return `${seen.get(id)} ${paper.folder}`;
  });
  const taken = new Set();
  const fresh = [...runs.values()].flatMap((run) => {
    const { folder } = run[0];
    const differs = (player) =>
      run.some((paper) => (before.get(`${player}/${idOf(paper)}`) ?? paper.plan) !== paper.plan);
    const again = folder && !taken.has(folder);
    const player = again
      ? (namesake(folder, true) ?? folder)
      : free(folder || "Plans", (name) => taken.has(name) || differs(name));
    taken.add(player);
    return run.map(({ name, key, plan }) => ({ name, key, plan, player, again, homes: new Set() }));
  });
  const id = (one) => `${one.player}/${idOf(one)}`;
  const replaced = new Set(fresh.filter(({ again }) => again).map(id));
  const all = papers.filter((one) => !replaced.has(id(one))).concat(fresh);
  papers.length = 0;
  for (const paper of all) papers.push(paper);
  return fresh;
}

// Returns the player of the other kind whose path ends in the same name, so that the report
// `beam1s.json` and the folder `out/beam1s` become one player. Returns null unless there is exactly
// one. `judged`: true to search among reports, false among folders of plans.
export function namesake(path, judged) {
  const last = (text) => text.split("/").at(-1);
  const of = (plan) => plan.opened && plan.player !== path && Boolean(plan.judged) === judged;
  const players = games.flatMap(({ plans }) => plans.filter(of).map(({ player }) => player));
  const others = new Set(players.filter((player) => last(player) === last(path)));
  return others.size === 1 ? [...others][0] : null;
}

// Returns the key of a game or plan as a string.
function idOf({ key }) {
  return key && `${key.number}/${key.text}`;
}

// Pairs every plan with the cases that have the same key.
export function pair() {
  const whole = games.filter((game) => game.key && game.case !== null);
  const byKey = Map.groupBy(whole, idOf);
  for (const paper of papers) {
    const matching = byKey.get(idOf(paper)) ?? [];
    let homes = matching.filter((game) => !paper.homes.has(game));
    if (!homes.length) continue;
    // If several cases have this key, pair the plan with the cases that it is valid for.
    if (matching.length > 1)
      homes = homes.filter((game) => !scoreOf(game, paper.plan).broken);
    else for (const other of paper.homes) detachBroken(paper, other);
    for (const game of homes) settle(paper, game);
    if (!homes.length && !paper.homes.size) settle(paper, matching.at(-1));
  }
  changed();
}

// Removes an invalid plan from a game: another case with the plan's key has been opened.
function detachBroken(paper, game) {
  const at = game.plans.findIndex(
    (plan) => plan.player === paper.player && plan.plan === paper.plan && plan.broken,
  );
  if (at >= 0) game.plans.splice(at, 1);
}

// Adds a plan from a file to a game.
export function settle(paper, game) {
  paper.homes.add(game);
  const at = game.plans.findIndex(({ player }) => player === paper.player);
  // A plan from a folder replaces the player's previous plan.
  if (paper.again)
    game.plans = game.plans.filter(
      ({ player, plan }) => player !== paper.player || plan === null || plan === paper.plan,
    );
  addPlan(game, paper.player, paper.plan, { name: paper.name, opened: true }, at);
}

// Returns the plans whose case is not open yet.
export function waiting() {
  return papers.filter((paper) => !paper.homes.size);
}

let scoring = null;

// Scores every plan that has no points yet. Resolves when all plans have points.
export function scoreAll() {
  scoring ??= score().finally(() => {
    scoring = null;
    changed();
  });
  return scoring;
}

async function score() {
  const open = ({ plans }) => plans.filter(({ points }) => points === null);
  const jobs = () => games.filter((game) => game.case !== null && open(game).length);
  for (let list = jobs(); list.length; list = jobs()) {
    await Promise.all(
      list.map(async (game, i) => {
        const plans = open(game);
        const texts = plans.map(({ plan }) => plan);
        const scores = await scorers[i % 2].think("score", { case: game.case, plans: texts });
        plans.forEach((plan, i) => Object.assign(plan, scores[i]));
        changed(game);
      }),
    );
  }
}
