// All games, with their cases and plans, and all players.
//
// A game is {name, key, paths, case, facts, origin, plans, temporary, opened}:
// - `key` pairs it with plans from files; `paths` are the files and runs that it comes from.
// - `case` is null if only results of the case are known.
// - `origin` has the seed and options that generate the case; undefined if they are unknown.
// - `temporary` is true for the example, the games of the seed box, and the game that stays when the user
//   closes all files. The next temporary game or opened file replaces a temporary game, unless a plan has
//   been added to it.
// - `opened` is true for games from files. Only these count as results.
//
// A plan is {player, name, key, plan, own, reported, metrics, opened} and its result, {points, placed,
// planned, failure, reason}:
// - `plan` is null if only a report of the game is known. Quickstart's `plan` is null until it is computed.
//   `own` is the page's score of the plan, and `reported` is the score that a run reports. Each is null until
//   it is known.
// - `review` is {moves, accuracy} (see known-lines.js); absent until the plan is reviewed.
// - `failure` is "invalid", "tle", "mle" or "crashed"; a failed game has 0 points.

import { ask } from "./engine.js";
import { botWorker, scoreWorkers } from "./engine-worker.js";

export const QUICKSTART = "Quickstart";

export const games = [];
// The players by id: {id, label, path, head, folder, paths, renamed}. Only runs have `head`, `folder`, which
// has their plans, and `paths`, all places from which they were opened. Only the user, or a link, renames a
// player.
export const playersById = new Map();
let current = { game: null, plan: null };
let pickListener = () => {};
const listeners = [];

// Returns the games of the results: games from files, but not games that the user only watches.
export const openedGames = () => games.filter((game) => game.opened);

export function onPick(listener) {
  pickListener = listener;
}

// Calls `listener(game)` after every change. `game` is null if the whole list has changed.
export function onGamesChange(listener) {
  listeners.push(listener);
}

export function notifyGamesChange(game = null) {
  for (const listener of listeners) listener(game);
}

export const currentPick = () => current;

// Shows a game in Watch, beginning at the moment `start`, {turn, moment}.
export function pickGame(game, plan = firstPlayable(game), start) {
  current = { game, plan };
  pickListener(game, plan, start);
  notifyGamesChange();
}

function firstPlayable(game) {
  return game.plans.find((plan) => plan.plan !== null && plan.player !== QUICKSTART) ?? quickstartPlan(game);
}

// Returns the plan of a player for a game, or else the first playable plan, or else quickstart's.
export function preferredPlan(game, player) {
  if (player === QUICKSTART) return quickstartPlan(game);
  return game.plans.find((plan) => plan.player === player && plan.plan !== null) ?? firstPlayable(game);
}

// True if the placements of a plan are known, or can be computed.
export const isPlayable = ({ plan, player }) => plan !== null || player === QUICKSTART;

// Scores a plan. If `plan` is null, scores quickstart's plan and returns that plan as well.
export const scorePlan = (game, plan) => ask("score", { case: game.case, plans: [plan] })[0];

// Sets the result of a plan. The page's own score takes precedence, but only the run can report an exceeded
// limit or a crash.
export function updateResult(plan) {
  const { own, reported } = plan;
  const score = own && { ...own, failure: own.error ? "invalid" : null, reason: own.error };
  const isLimit = reported?.failure && reported.failure !== "invalid";
  const exceeded = isLimit && { points: 0, failure: reported.failure, reason: reported.reason };
  Object.assign(plan, score ?? reported ?? { points: null }, exceeded);
  if (plan.review) plan.metrics = { ...plan.metrics, accuracy: plan.review.accuracy };
  return plan;
}

// True if the points that a run reports differ from those that the plan scores.
export function hasPointsMismatch({ own, reported, points }) {
  return Boolean(own && reported) && reported.points !== points;
}

// Returns quickstart's plan, computed on first use.
export function quickstartPlan(game) {
  const plan = game.plans.find(({ player }) => player === QUICKSTART);
  return plan.plan === null ? setScore(plan, scorePlan(game, null)) : plan;
}

function setScore(plan, { plan: text = plan.plan, ...own }) {
  return updateResult(Object.assign(plan, { plan: text, own }));
}

export const botName = (seconds) => `Bot, ${seconds} s`;

// Lets the bot play a case. Resolves to the engine's answer and the added plan.
export async function letBotPlay(game, seconds) {
  const answer = await botWorker.ask("solve", { case: game.case, seconds });
  const plan = addPlan(game, botName(seconds), answer.plan, { replaces: true });
  return { answer, plan: setScore(plan, scorePlan(game, answer.plan)) };
}

// Returns the player with this id, and registers it on first use. Its label is the name of its run,
// `known.head.name`. If that is missing or taken, its label is the shortest unused end of `path`, followed by
// that name, if any.
export function addPlayer(id, path = id, known = {}) {
  if (playersById.has(id)) return Object.assign(playersById.get(id), known);
  const parts = path.split("/");
  if (known.head?.name) parts[parts.length - 1] += ` ${known.head.name}`;
  const ends = [known.head?.name, ...parts.map((_, i) => parts.slice(-1 - i).join("/"))].filter(Boolean);
  const label = ends.find((end) => !isLabelTaken(end)) ?? unusedName(ends[0], isLabelTaken);
  playersById.set(id, { id, label, path, ...known });
  return playersById.get(id);
}

// True if a player other than `except` has this label.
export function isLabelTaken(name, except) {
  const others = [...playersById.values()].filter(({ id }) => id !== except);
  return name === QUICKSTART || others.some(({ label }) => label === name);
}

// Adds a case and returns its game. If the case is known, updates its game.
export function addCase({ name, key = null, case: text = null, facts, origin, temporary, opened, path }) {
  facts ??= ask("describe-case", { case: text });
  let game = gameByDigest(facts.digest);
  if (!game) {
    game = { name, key, paths: [], case: text, facts, origin, temporary: Boolean(temporary), plans: [] };
    game.plans.push({ player: QUICKSTART, name: QUICKSTART, plan: null, points: null });
    games.push(game);
  }
  game.case ??= text;
  game.origin ??= origin;
  // Only a generated case has a known kind of palette.
  game.facts.palette ??= facts.palette;
  if (path && !game.paths.includes(path)) game.paths.push(path);
  // A name with a key, which pairs the game with plans, replaces a name without a key.
  if (key && !game.key) Object.assign(game, { key, name });
  if (!temporary) game.temporary = false;
  // The first file with this case names the game.
  if (opened && !game.opened) Object.assign(game, { name, opened });
  notifyGamesChange(game);
  return game;
}

export const gameByDigest = (digest) => games.find(({ facts }) => facts.digest === digest);

export function removeOtherTemporaryGames(game) {
  games.splice(0, Infinity, ...games.filter((one) => one === game || !one.temporary));
  notifyGamesChange();
}

// Removes the plans of a game for which `isRemoved(plan)` is true.
export function removePlans(game, isRemoved) {
  if (!game.plans.some(isRemoved)) return;
  game.plans = game.plans.filter((plan) => !isRemoved(plan));
  notifyGamesChange(game);
  if (current.game === game && isRemoved(current.plan)) pickGame(game);
}

// Adds a plan of a player, unless it exists. The text of a plan and the report of its game may arrive in any
// order. With `replaces`, the text replaces the player's previous plan.
export function addPlan(game, player, text, { replaces, ...known } = {}) {
  addPlayer(player);
  const own = game.plans.filter((one) => one.player === player);
  let plan =
    own.find((one) => one.plan === text) ?? own.find((one) => one.plan === null || text === null || replaces);
  if (plan) {
    if (text !== null && plan.plan !== text) {
      if (plan.review) delete plan.metrics.accuracy;
      Object.assign(plan, { plan: text, own: null, review: null });
    }
    Object.assign(plan, known);
  } else {
    plan = { player, name: player, plan: text, own: null, reported: null, ...known };
    game.plans.splice(game.plans.length - 1, 0, plan);
    game.temporary = false;
  }
  notifyGamesChange(game);
  return updateResult(plan);
}

// Returns the plan of a link. A link has only the placements that were played, so it also fits a longer plan
// with the same game: one with more placements after the end of the game, or after a mistake.
export function findLinkedPlan(game, text) {
  const words = (plan) => plan.trim().split(/\s+/).slice(1);
  const wanted = words(text);
  const isSame = ({ plan }) => {
    if (plan === null || words(plan).slice(0, wanted.length).join() !== wanted.join()) return false;
    const { planned, placed } = scorePlan(game, plan);
    return wanted.length >= 2 * Math.min(planned, placed);
  };
  quickstartPlan(game);
  const isKnown = game.plans.some(({ plan }) => plan === text);
  return (!isKnown && game.plans.find(isSame)) || findOrAddPlan(game, text, "Link");
}

// Returns the plan with this text, regardless of its player; it may be the plan of quickstart. If there is
// none, adds it as a plan of `player`, with a number after the name if that name is taken.
export function findOrAddPlan(game, text, player) {
  const known = game.plans.find((plan) => plan.plan === text);
  if (known) return known;
  const base = quickstartPlan(game);
  if (base.plan === text) return base;
  const name = unusedName(player, (name) => game.plans.some((one) => one.player === name));
  return addPlan(game, name, text);
}

// Returns an unused name: "out", "out (2)", … Quickstart's name is never unused.
export function unusedName(name, isTaken) {
  let candidate = name;
  for (let i = 2; candidate === QUICKSTART || isTaken(candidate); i++) candidate = `${name} (${i})`;
  return candidate;
}

export const isUnscored = (game, plan) => game.case !== null && !plan.own && isPlayable(plan);

let scoring = null;

// Scores every plan that has no score yet. Resolves when all plans have one.
export function scoreAllPlans() {
  scoring ??= score().finally(() => {
    scoring = null;
    notifyGamesChange();
  });
  return scoring;
}

async function score() {
  const unscoredPlans = (game) => game.plans.filter((plan) => isUnscored(game, plan));
  const jobs = () => games.filter((game) => unscoredPlans(game).length);
  for (let list = jobs(); list.length; list = jobs()) {
    await Promise.all(
      list.map(async (game, i) => {
        const plans = unscoredPlans(game);
        const texts = plans.map(({ plan }) => plan);
        const scores = await scoreWorkers[i % 2].ask("score", { case: game.case, plans: texts });
        // The plan may have been replaced in the meantime.
        plans.forEach((plan, i) => plan.plan === texts[i] && setScore(plan, scores[i]));
        notifyGamesChange(game);
      }),
    );
  }
}
