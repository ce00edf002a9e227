// The players of the results, their labels and colours.

import { bench, onArrange } from "./bench.js";
import { free, games, onChange, opened, QUICKSTART } from "./library.js";

// The players and labels, computed on first use after a change: every row needs them.
let cache = {};
onChange(() => (cache = {}));
onArrange(() => (cache = {}));

// Returns the players of the results in order of arrival, quickstart last: the players from files,
// and players that have played every opened case. A bot that played only some cases on the page
// does not appear.
export function everyone() {
  return (cache.everyone ??= findEveryone());
}

function findEveryone() {
  const cases = opened();
  const plans = cases.flatMap(({ plans }) => plans);
  const names = new Set(plans.map(({ player }) => player));
  names.delete(QUICKSTART);
  const fromFiles = new Set(plans.flatMap(({ player, opened }) => (opened ? player : [])));
  const plays = (name) => ({ plans }) => plans.some(({ player }) => player === name);
  return [...names]
    .filter((name) => fromFiles.has(name) || cases.every(plays(name)))
    .concat(QUICKSTART);
}

// Returns the player that ratios refer to, if it exists; "" for the best score.
export function reference() {
  return everyone().includes(bench.reference) ? bench.reference : "";
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
  return (cache.labels ??= findLabels());
}

export function label(player) {
  return labels().get(player) ?? player;
}

function findLabels() {
  const names = new Set(games.flatMap(({ plans }) => plans.map(({ player }) => player)));
  names.add(QUICKSTART);
  const folders = [...names].filter((name) => name.includes("/")).map((name) => name.split("/"));
  const isShared = (part, i) => folders.every((parts) => parts[i] === part && parts.length > i + 1);
  const shared = folders[0]?.findIndex((part, i) => !isShared(part, i));
  const short = (name) => (name.includes("/") ? name.split("/").slice(shared).join("/") : name);
  const used = new Set();
  const unique = (text) => free(text, (other) => used.has(other));
  const labels = new Map();
  for (const name of names) {
    labels.set(name, unique(bench.names[name] || short(name)));
    used.add(labels.get(name));
  }
  return labels;
}
