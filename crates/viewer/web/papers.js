// Plans from files, and their pairing with cases.
//
// A paper is {name, key, plan, player, again, homes}: `again` is true if it replaces the player's
// previous plan, and `homes` are the games that it is paired with.

import { addPlan, changed, free, games, removePlans, scoreOf } from "./library.js";

// All plans from files, including plans whose case is not open yet.
export const papers = [];

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
  papers.splice(0, Infinity, ...papers.filter((one) => !replaced.has(id(one))), ...fresh);
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
    // An invalid plan belongs to the new case with this key, not to the cases before it.
    const isWrong = ({ player, plan, broken }) =>
      player === paper.player && plan === paper.plan && broken;
    if (matching.length === 1) for (const other of paper.homes) removePlans(other, isWrong);
    for (const game of homes) settle(paper, game);
    if (!homes.length && !paper.homes.size) settle(paper, matching.at(-1));
  }
  changed();
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
