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

// Shows a game in Watch; `start`: at this moment, {turn, moment}.
export function pick(game, plan = best(game), start) {
  current = { game, plan };
  // If the number in the game's name is its seed, links can contain the seed instead of the case.
  if (game.case !== null && game.key?.number)
    game.origin ??= ask("origin", { case: game.case, seed: game.key.text || "0" }) ?? false;
  picking(game, plan, start);
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
  games.splice(0, Infinity, ...games.filter((one) => one === game || !one.passing));
  changed();
}

// Removes the plans of a game for which `isRemoved(plan)` holds.
export function removePlans(game, isRemoved) {
  if (!game.plans.some(isRemoved)) return;
  game.plans = game.plans.filter((plan) => !isRemoved(plan));
  changed(game);
  if (current.game === game && isRemoved(current.plan)) pick(game);
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
  if (base.plan === text) return base;
  const name = free(player, (name) => game.plans.some((one) => one.player === name));
  return addPlan(game, name, text);
}

// Returns an unused name: "out", "out (2)", …
export function free(name, taken) {
  let candidate = name;
  for (let i = 2; taken(candidate); i++) candidate = `${name} (${i})`;
  return candidate;
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
