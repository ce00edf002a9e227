// The games at hand: cases, and the plans of every player for each.
//
// A game: {name, key, case, about, origin, plans, passing}. `key` pairs it with plans from files;
// `case` is null where only results of it are known; a `passing` game, the first one or one of the
// seed box, makes room for the next as long as nobody has played it. A plan: {player, name, plan,
// points, placed, broken, judged}; `plan` is null where only its points are known, which are then
// the judge's.

import { scorer } from "./bot.js";
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

// `act(game)` is told of every change; without a game it is the whole list.
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
  picking(game, plan);
  changed();
}

function best(game) {
  return (
    game.plans.find((plan) => plan.plan !== null && plan.player !== QUICKSTART) ?? quickstart(game)
  );
}

// The sample solution's plan, made when it is asked for.
export function quickstart(game) {
  const plan = game.plans.find(({ player }) => player === QUICKSTART);
  plan.plan ??= ask("quickstart", { case: game.case });
  return plan;
}

export function keyOf(origin) {
  return origin?.seed ? { text: String(BigInt(origin.seed.trim())), number: true } : null;
}

// Adds a case, or finds the game that has it.
export function add({ name, key = null, case: text, about, origin = null, passing = false }) {
  about ??= ask("know", { case: text });
  let game = games.find((known) => known.about.digest === about.digest);
  if (!game) {
    game = { name, key, case: text, about, origin, passing, plans: [] };
    game.plans.push({ player: QUICKSTART, name: QUICKSTART, plan: null, points: null });
    games.push(game);
  } else if (game.case === null && text) {
    Object.assign(game, { case: text, origin });
  }
  // A name that pairs with plans is worth more than one that does not.
  if (key && !game.key) Object.assign(game, { key, name });
  if (!passing) game.passing = false;
  changed(game);
  return game;
}

// A passing game makes room for another.
export function passOn(game) {
  for (let i = games.length - 1; i >= 0; i--) {
    if (games[i].passing && games[i] !== game) games.splice(i, 1);
  }
  changed();
}

// A player's plan, added if it is new. What the judge said of it and its text come in any order.
export function addPlan(game, player, text, known = {}) {
  const own = game.plans.filter((one) => one.player === player);
  let plan =
    own.find((one) => one.plan === text) ?? own.find((one) => one.plan === null || text === null);
  if (plan) {
    plan.plan ??= text;
    if (known.judged) Object.assign(plan, known);
  } else {
    plan = { player, name: known.name ?? player, plan: text, points: null, ...known };
    game.plans.splice(game.plans.length - 1, 0, plan);
    game.passing = false;
  }
  changed(game);
  return plan;
}

// The plan of that text, whoever made it; else it is a player's.
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

// A name that is not taken yet: "out", "out (2)", …
export function free(name, taken) {
  let made = name;
  for (let i = 2; taken(made); i++) made = `${name} (${i})`;
  return made;
}

// Plans from files: {name, key, folder, plan} each. The folder is the player; where one of its
// plans is there already and has changed since, the new ones are another player, so that the older
// run stays to compare with.
export function addPapers(list) {
  const before = new Map();
  for (const { player, name, plan } of [...papers, ...games.flatMap((game) => game.plans)]) {
    before.set(`${player}/${name}`, plan);
  }
  const differs = ({ name, plan }, player) => (before.get(`${player}/${name}`) ?? plan) !== plan;
  const players = new Map();
  for (const { folder } of list) {
    if (players.has(folder)) continue;
    const mine = list.filter((paper) => paper.folder === folder);
    players.set(
      folder,
      free(folder || "Plans", (player) => mine.some((paper) => differs(paper, player))),
    );
  }
  const fresh = list.map(({ name, key, folder, plan }) => ({
    name,
    key,
    plan,
    player: players.get(folder),
    homes: new Set(),
  }));
  papers.push(...fresh);
  return fresh;
}

// Gives every plan to the cases of its number, those opened long ago as well as the last ones.
export function pair() {
  const byKey = new Map();
  for (const game of games) {
    if (!game.key || game.case === null) continue;
    const key = `${game.key.number}/${game.key.text}`;
    byKey.set(key, [...(byKey.get(key) ?? []), game]);
  }
  for (const paper of papers) {
    const found = byKey.get(`${paper.key.number}/${paper.key.text}`) ?? [];
    let homes = found.filter((game) => !paper.homes.has(game));
    if (!homes.length) continue;
    // Where several cases have that number, it is for those that it can be played on.
    if (found.length > 1)
      homes = homes.filter((game) => !ask("score", { case: game.case, plan: paper.plan }).broken);
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
  addPlan(game, paper.player, paper.plan, { name: paper.name });
}

// Plans whose case has not been opened so far.
export function waiting() {
  return papers.filter((paper) => !paper.homes.size);
}

// What players are called: folders without what all of them begin with.
export function labels(names) {
  const folders = names.filter((name) => name.includes("/")).map((name) => name.split("/"));
  let shared = 0;
  while (
    folders.length &&
    folders.every((parts) => parts.length > shared + 1 && parts[shared] === folders[0][shared])
  )
    shared += 1;
  return new Map(
    names.map((name) => [
      name,
      name.includes("/") ? name.split("/").slice(shared).join("/") : name,
    ]),
  );
}

// All players, in the order in which they came, quickstart last.
export function players() {
  const names = new Set();
  for (const game of games) for (const plan of game.plans) names.add(plan.player);
  names.delete(QUICKSTART);
  return [...names, QUICKSTART];
}

let scoring = null;

// Scores every plan that has no points yet; done when all have.
export function scoreAll() {
  scoring ??= (async () => {
    const jobs = () => {
      const open = [];
      for (const game of games) {
        for (const plan of game.case === null ? [] : game.plans)
          if (plan.points === null) open.push([game, plan]);
      }
      // The players first: what quickstart makes of the cases can wait.
      return open.sort(([, a], [, b]) => (a.player === QUICKSTART) - (b.player === QUICKSTART));
    };
    try {
      for (let open = jobs(); open.length; open = jobs()) {
        await Promise.all(
          open.map(async ([game, plan]) => {
            const found =
              plan.plan === null
                ? await scorer.think("baseline", { case: game.case })
                : await scorer.think("score", { case: game.case, plan: plan.plan });
            Object.assign(plan, found);
            changed(game);
          }),
        );
      }
    } finally {
      scoring = null;
    }
  })();
  return scoring;
}
