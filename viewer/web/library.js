// The games at hand: cases, and the plans of every player for each.
//
// A game: {name, key, case, about, origin, plans, passing, opened}. `key` pairs it with plans from
// files; `case` is null if only results of it are known; `origin` brings it back by its seed, false
// if no seed does. The first game and those of the seed box are `passing`: the next one replaces
// them unless they have been played. Games of files are `opened`: only these count as results.
//
// A plan: {player, name, plan, points, placed, planned, broken, judged, opened}. `plan` is null if
// only its points are known, which are then the judge's. Plans of files are `opened`.

import { bot, scorers } from "./bot.js";
import { ask } from "./engine.js";

export const QUICKSTART = "Quickstart";

export const games = [];
// Every plan that came from a file: it is for cases that are yet to come as well.
export const papers = [];
let shown = { game: null, plan: null };
let picking = () => {};
const watchers = [];

export function onPick(act) {
  picking = act;
}

// Calls `act(game)` after every change; without a game, the whole list has changed.
export function onChange(act) {
  watchers.push(act);
}

export function changed(game = null) {
  for (const act of watchers) act(game);
}

export function picked() {
  return shown;
}

export function pick(game, plan = best(game)) {
  shown = { game, plan };
  // The seed in its name may bring it back: links are short then.
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

// The plan of a player for a game; without one, the best that can be played.
export function planBy(game, player) {
  if (player === QUICKSTART) return quickstart(game);
  return game.plans.find((plan) => plan.player === player && plan.plan !== null) ?? best(game);
}

// The score of a plan; without one the sample solution's, with its text.
export function scoreOf(game, plan) {
  return ask("score", { case: game.case, plans: [plan] })[0];
}

// The sample solution's plan, made when it is asked for.
export function quickstart(game) {
  const plan = game.plans.find(({ player }) => player === QUICKSTART);
  if (plan.plan === null) Object.assign(plan, scoreOf(game, null));
  return plan;
}

// The name of the bot with this number of seconds.
export function botOf(seconds) {
  return `Bot, ${seconds} s`;
}

// Lets the bot play: its answer, and its plan.
export async function letBotPlay(game, seconds) {
  const answer = await bot.think("solve", { case: game.case, seconds });
  return { answer, plan: addPlan(game, botOf(seconds), answer.plan, { points: answer.points }) };
}

export function keyOf(origin) {
  return origin?.seed ? { text: String(BigInt(origin.seed.trim())), number: true } : null;
}

// Adds a case, or finds the game that has it.
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
  // A name that pairs with plans is worth more than one that does not.
  if (key && !game.key) Object.assign(game, { key, name });
  if (!passing) game.passing = false;
  // A game of files keeps the name of its file.
  if (opened && !game.opened) Object.assign(game, { name, opened });
  changed(game);
  return game;
}

// Removes the passing games except one.
export function passOn(game) {
  for (let i = games.length - 1; i >= 0; i--) {
    if (games[i].passing && games[i] !== game) games.splice(i, 1);
  }
  changed();
}

// Removes a game, or one plan of it, and returns a function that brings it back.
export function removeGame(game) {
  const at = games.indexOf(game);
  games.splice(at, 1);
  for (const { homes } of papers) homes.delete(game);
  if (shown.game === game && games.length) pick(games[Math.min(at, games.length - 1)]);
  changed();
  return () => {
    games.splice(at, 0, game);
    pick(game);
  };
}

export function removePlan(game, plan) {
  const { plans } = game;
  game.plans = plans.filter((one) => one !== plan);
  changed(game);
  if (shown.plan === plan) pick(game);
  return () => {
    game.plans = plans;
    changed(game);
    pick(game, plan);
  };
}

// Adds a plan of a player if it is new, at a place of the list if given. The judge's verdict and
// the text come in any order.
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

// The plan with this text, of any player; else adds it as a player's.
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

// Returns a name that is not taken yet: "out", "out (2)", …
function free(name, taken) {
  let made = name;
  for (let i = 2; taken(made); i++) made = `${name} (${i})`;
  return made;
}

// Plans from files: {name, key, folder, plan} each. A folder is a player, and takes its old place
// where it is opened again. Of loose files, and of two for one case, those that differ from what a
// player has are another player, so that the older run stays to compare with.
export function addPapers(list) {
  const before = new Map();
  for (const { player, plan, ...one } of papers) before.set(`${player}/${idOf(one)}`, plan);
  for (const game of games)
    for (const { player, plan } of game.plans) before.set(`${player}/${idOf(game)}`, plan);
  // The plans of a folder; where one case has several, the second ones by themselves, and so on.
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

// The one player of the other kind, results of the judge or a folder of plans, whose path ends in
// the same name: `beam1s.json` and `out/beam1s` are one player.
export function namesake(path, judged) {
  const last = (text) => text.split("/").at(-1);
  const of = (plan) => plan.opened && plan.player !== path && Boolean(plan.judged) === judged;
  const players = games.flatMap(({ plans }) => plans.filter(of).map(({ player }) => player));
  const others = new Set(players.filter((player) => last(player) === last(path)));
  return others.size === 1 ? [...others][0] : null;
}

// The identity of a key.
function idOf({ key }) {
  return key && `${key.number}/${key.text}`;
}

// Gives every plan to the cases of its number, those opened long ago as well as the last ones.
export function pair() {
  const whole = games.filter((game) => game.key && game.case !== null);
  const byKey = Map.groupBy(whole, idOf);
  for (const paper of papers) {
    const found = byKey.get(idOf(paper)) ?? [];
    let homes = found.filter((game) => !paper.homes.has(game));
    if (!homes.length) continue;
    // Where several cases have that number, it is for those that it can be played on.
    if (found.length > 1)
      homes = homes.filter((game) => !scoreOf(game, paper.plan).broken);
    else for (const other of paper.homes) detachBroken(paper, other);
    for (const game of homes) settle(paper, game);
    if (!homes.length && !paper.homes.size) settle(paper, found.at(-1));
  }
  changed();
}

function detachBroken(paper, game) {
  const at = game.plans.findIndex(
    (plan) => plan.player === paper.player && plan.plan === paper.plan && plan.broken,
  );
  if (at >= 0) game.plans.splice(at, 1);
}

export function settle(paper, game) {
  paper.homes.add(game);
  const at = game.plans.findIndex(({ player }) => player === paper.player);
  // The new plan of a folder takes the place of its old one.
  if (paper.again)
    game.plans = game.plans.filter(
      ({ player, plan }) => player !== paper.player || plan === null || plan === paper.plan,
    );
  addPlan(game, paper.player, paper.plan, { name: paper.name, opened: true }, at);
}

// Plans whose case has not been opened so far.
export function waiting() {
  return papers.filter((paper) => !paper.homes.size);
}

let scoring = null;

// Scores every plan that has no points yet; done when all have.
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
