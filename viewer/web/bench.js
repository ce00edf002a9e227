// The settings of the results view: names of players, hidden players, the reference of the ratios,
// sorting and filter. The settings survive a reload.

import { changed, free, games, onChange, opened, papers, pick, picked, QUICKSTART } from "./library.js";
import { store, load } from "./memory.js";

const KEY = "columns-bench";

export const bench = {
  // The user's names for players.
  names: {},
  hidden: [],
  // The player that ratios refer to; if empty, ratios refer to the best score of each case.
  reference: "",
  sort: { id: "name", down: false },
  // The text of the filter, see filter.js.
  search: "",
  // The panel between the cards and the rows: "chart" or "depth".
  panel: "chart",
  // The property of cases on the x axis of the chart.
  axis: "columns",
  // The players A and B of the panel "depth".
  a: "",
  b: "",
  // The name of a number that the bots print, shown with each result; if empty, none is shown.
  number: "",
};

Object.assign(bench, load(KEY));

let arranged = () => {};

// Calls `act()` after every change of the settings.
export function onArrange(act) {
  arranged = act;
}

export function arrange(part) {
  Object.assign(bench, part);
  store(KEY, bench);
  arranged();
}

// Returns the players of the results in order of arrival, quickstart last: the players from files,
// and players that have played every opened case. A bot that played only some cases on the page
// does not appear.
export function everyone() {
  return (cached ??= findEveryone());
}

// The cached list of players: every row needs it.
let cached = null;
onChange(() => (cached = null));

function findEveryone() {
  const cases = opened();
  const played = new Map();
  const fromFiles = new Set();
  for (const { plans } of cases) {
    for (const { player, opened } of plans) if (opened) fromFiles.add(player);
    for (const name of new Set(plans.map(({ player }) => player)))
      played.set(name, (played.get(name) ?? 0) + 1);
  }
  played.delete(QUICKSTART);
  const counts = ([name, number]) => fromFiles.has(name) || number === cases.length;
  return [...[...played].filter(counts).map(([name]) => name), QUICKSTART];
}

// Returns the two players to compare in depth: the user's choice, if these players exist.
export function pair() {
  const names = everyone();
  const choose = (name, other) =>
    names.includes(name) && name !== other ? name : names.find((one) => one !== other);
  const a = choose(bench.a);
  return [a, choose(bench.b, a) ?? QUICKSTART];
}

const HUES = "#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #8f6bd8 #b3423a #5f9ea0".split(" ");
// Assigns a colour to each player, the same in every chart.
export function colours() {
  const names = everyone();
  return new Map(
    names.map((name, i) => [name, name === QUICKSTART ? "#8b90a0" : HUES[i % HUES.length]]),
  );
}

// Returns the players that are not hidden.
export function players() {
  return everyone().filter((name) => !bench.hidden.includes(name));
}

// Returns a unique label for each player: the user's name, else the path without the folders that
// all players share.
export function labels() {
  const all = new Set(games.flatMap(({ plans }) => plans.map(({ player }) => player)));
  const names = [...all.add(QUICKSTART)];
  const folders = names.filter((name) => name.includes("/")).map((name) => name.split("/"));
  let shared = 0;
  while (
    folders.length &&
    folders.every((parts) => parts.length > shared + 1 && parts[shared] === folders[0][shared])
  )
    shared += 1;
  const short = (name) => (name.includes("/") ? name.split("/").slice(shared).join("/") : name);
  const used = new Set();
  const unique = (label) => {
    const name = free(label, (name) => used.has(name));
    used.add(name);
    return name;
  };
  return new Map(names.map((name) => [name, unique(bench.names[name] || short(name))]));
}

// Removes a player and all of its plans. Returns a function that restores them.
export function remove(player) {
  const { reference } = bench;
  const before = { papers: [...papers], plans: games.map((game) => [game, game.plans]) };
  for (let i = papers.length - 1; i >= 0; i--) if (papers[i].player === player) papers.splice(i, 1);
  for (const game of games) {
    if (!game.plans.some((plan) => plan.player === player)) continue;
    game.plans = game.plans.filter((plan) => plan.player !== player);
    changed(game);
  }
  arrange({ reference: bench.reference === player ? "" : bench.reference });
  if (picked().plan?.player === player) pick(picked().game);
  return () => {
    papers.splice(0, papers.length, ...before.papers);
    for (const [game, plans] of before.plans) {
      if (game.plans.length === plans.length) continue;
      game.plans = plans;
      changed(game);
    }
    arrange({ reference });
  };
}
