// The workbench: the names of the players, which of them are hidden, the reference of all ratios,
// and how the results are sorted and filtered. Kept over a reload.

import { changed, games, onChange, papers, pick, picked, QUICKSTART } from "./library.js";
import { keep, kept } from "./memory.js";

const KEY = "columns-bench";

export const bench = {
  // What the visitor calls players.
  names: {},
  hidden: [],
  // The player that ratios are to; without one they are to the best of each case.
  reference: "",
  sort: { id: "name", down: false },
  // The filter, see filter.js.
  search: "",
  // "chart" or "depth": what is shown between the cards and the rows.
  panel: "chart",
  // The number of the cases that the chart draws ratios against.
  axis: "columns",
  // The two players in depth.
  a: "",
  b: "",
  // The number of the bots that is shown with each result.
  number: "",
};

Object.assign(bench, kept(KEY));

export function arrange(part) {
  Object.assign(bench, part);
  keep(KEY, bench);
  changed();
}

// The players that count, in the order in which they came, quickstart last: those of files, and
// those that have played every opened case. Whoever only tried a case does not change the results.
export function everyone() {
  return (counting ??= findEveryone());
}

// Every row asks for the players: the list is made again only after a change.
let counting = null;
onChange(() => (counting = null));

function findEveryone() {
  const cases = games.filter(({ opened }) => opened);
  const played = new Map();
  const ofFiles = new Set();
  for (const { plans } of cases) {
    for (const { player, opened } of plans) if (opened) ofFiles.add(player);
    for (const name of new Set(plans.map(({ player }) => player)))
      played.set(name, (played.get(name) ?? 0) + 1);
  }
  played.delete(QUICKSTART);
  const counts = ([name, number]) => ofFiles.has(name) || number === cases.length;
  return [...[...played].filter(counts).map(([name]) => name), QUICKSTART];
}

// The two players in depth: those that the visitor has chosen, while they are there.
export function pair() {
  const names = everyone();
  const choose = (name, other) =>
    names.includes(name) && name !== other ? name : names.find((one) => one !== other);
  const a = choose(bench.a);
  return [a, choose(bench.b, a) ?? QUICKSTART];
}

// A colour for each player, the same in every chart.
const HUES = "#0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #8f6bd8 #b3423a #5f9ea0".split(" ");
export function colours() {
  const names = everyone();
  return new Map(
    names.map((name, i) => [name, name === QUICKSTART ? "#8b90a0" : HUES[i % HUES.length]]),
  );
}

// The players that are not hidden.
export function players() {
  return everyone().filter((name) => !bench.hidden.includes(name));
}

// The labels of all players: the visitor's name, else the path without the folders that all share.
// No label is used twice.
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
    let made = label;
    for (let i = 2; used.has(made); i++) made = `${label} (${i})`;
    used.add(made);
    return made;
  };
  return new Map(names.map((name) => [name, unique(bench.names[name] || short(name))]));
}

// Forgets a player and all of its plans; returns a function that brings them back.
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
