// The workbench: what players are called, which are hidden, which one the others are held against,
// and how the table is sorted and filtered. Kept over a reload.

import { changed, games, papers, pick, picked, QUICKSTART } from "./library.js";
import { keep, kept } from "./memory.js";

const KEY = "columns-bench";

export const bench = {
  // What the visitor calls players.
  names: {},
  hidden: [],
  // The player that ratios are to; without one they are to the best of each case.
  reference: "",
  sort: { id: "name", down: false },
  kind: "",
  // What the chart shows: a player's ratios against a number of the cases.
  drawn: "",
  axis: "columns",
  search: "",
};

Object.assign(bench, kept(KEY));

export function arrange(part) {
  Object.assign(bench, part);
  keep(KEY, bench);
  changed();
}

// All players in the order in which they came, quickstart last.
export function everyone() {
  const names = new Set();
  for (const game of games) for (const plan of game.plans) names.add(plan.player);
  names.delete(QUICKSTART);
  return [...names, QUICKSTART];
}

// Those that are not hidden.
export function players() {
  return everyone().filter((name) => !bench.hidden.includes(name));
}

// What players are called: by the visitor, else folders without what all of them begin with.
export function labels() {
  const names = everyone();
  const folders = names.filter((name) => name.includes("/")).map((name) => name.split("/"));
  let shared = 0;
  while (
    folders.length &&
    folders.every((parts) => parts.length > shared + 1 && parts[shared] === folders[0][shared])
  )
    shared += 1;
  const short = (name) => (name.includes("/") ? name.split("/").slice(shared).join("/") : name);
  return new Map(names.map((name) => [name, bench.names[name] || short(name)]));
}

// Forgets a player and all of its plans.
export function remove(player) {
  for (let i = papers.length - 1; i >= 0; i--) if (papers[i].player === player) papers.splice(i, 1);
  for (const game of games) {
    if (!game.plans.some((plan) => plan.player === player)) continue;
    game.plans = game.plans.filter((plan) => plan.player !== player);
    changed(game);
  }
  arrange({ reference: bench.reference === player ? "" : bench.reference });
  if (picked().plan?.player === player) pick(picked().game);
}
