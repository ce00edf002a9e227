// Standings: the opened games, and each player's best plan, ratio and status on them.

import { bench, sorting } from "./bench.js";
import { collator, grouped } from "./dom.js";
import { QUICKSTART } from "./library.js";
import { everyone, pair, players, reference } from "./players.js";

// The columns of the table about the case.
export const FACTS = [
  { id: "name", label: "Case", text: ({ name }) => name },
  { id: "seed", label: "Seed", text: (game) => seed(game) ?? "–" },
  { id: "size", label: "Size", text: ({ about }) => `${about.width} × ${about.height}` },
  { id: "palette", label: "Palette", text: ({ about }) => paletteText(about) },
  { id: "columns", label: "Columns", text: ({ about }) => grouped(about.columns) },
  { id: "status", label: "Status", text: (game) => statusText(game) },
];

const MARKS = { tle: "TLE", mle: "MLE", crashed: "crashed" };

export function growing({ palette }) {
  return palette === "growing";
}

function paletteText(about) {
  return `${about.colours}${growing(about) ? " growing" : ""}`;
}

export function seed(game) {
  return game.key?.number ? game.key.text || "0" : null;
}

// Returns a number of a case by its name; null if the case has none.
export function number(game, name) {
  const { about } = game;
  if (name === "seed") return seed(game) === null ? null : Number(seed(game));
  if (name === "size" || name === "cells") return about.width * about.height;
  if (name === "palette") return about.colours + (growing(about) ? 0.5 : 0);
  return about[name] ?? null;
}

// Returns a player's plan with the most points on a case; a lost game has 0 points.
export function entry(game, player) {
  let best = null;
  for (const plan of game.plans) {
    if (plan.player === player && plan.points !== null && (!best || plan.points > best.points))
      best = plan;
  }
  return best;
}

// Returns the best score on a case among the players of the results.
export function top(game) {
  const names = everyone();
  const points = ({ player, points }) => (names.includes(player) ? (points ?? 0) : 0);
  return Math.max(0, ...game.plans.map(points));
}

// Returns the points of a plan relative to the reference or the best score. 0 points count as 1.
export function ratio(game, plan) {
  const base = reference() ? entry(game, reference())?.points : top(game);
  return base === undefined ? null : Math.max(1, plan.points) / Math.max(1, base);
}

// Returns the status of a plan, {text, words, kind, weight}; null if all columns landed as planned.
export function status({ about }, { broken, mark, placed, planned }) {
  if (broken) {
    const text = MARKS[mark] ?? "invalid";
    return { text, words: ["invalid", text.toLowerCase()], kind: "lost", weight: 3 };
  }
  const short = planned < placed;
  const died = placed < about.columns;
  if (!short && !died) return null;
  const words = [short && "short", died && "died"].filter(Boolean);
  const texts = [
    short && `plan ends at ${grouped(planned)}`,
    died && `died at ${grouped(placed + 1)}`,
  ].filter(Boolean);
  return { text: texts.join(", "), words, kind: words.at(-1), weight: died ? 2 : 1 };
}

// Returns the statuses of the visible players on a case, without quickstart unless it is the only
// visible player.
export function states(game) {
  const visible = players();
  const names = visible.length > 1 ? visible.filter((name) => name !== QUICKSTART) : visible;
  return names.flatMap((name) => {
    const plan = entry(game, name);
    return (plan && status(game, plan)) ?? [];
  });
}

function statusText(game) {
  const all = states(game);
  const texts = new Set(all.map(({ text, words }) => (all.length > 1 ? words.at(-1) : text)));
  const count = (text) => all.filter(({ words }) => words.at(-1) === text).length;
  const named = [...texts].map((text) => (count(text) > 1 ? `${count(text)} ${text}` : text));
  return named.join(", ") || "ok";
}

// Returns the value to sort a game by: a fact, the loss, or a player's points, ratio or printed
// number. Returns null if the value is missing.
function value(game, id) {
  if (id === "name") return game.name;
  if (id === "status") return Math.max(0, ...states(game).map(({ weight }) => weight));
  if (id === "loss") return loss(game);
  const [kind, ...name] = id.split(":");
  if (!name.length) return number(game, id);
  const plan = entry(game, name.join(":"));
  if (!plan) return null;
  if (kind === "number") return plan.numbers?.[bench.number] ?? null;
  return kind === "score" ? plan.points : ratio(game, plan);
}

// Returns the loss of player B against player A: the logarithm of A's points divided by B's points.
export function loss(game) {
  const [a, b] = pair().map((name) => entry(game, name));
  return a && b ? Math.log(Math.max(1, a.points) / Math.max(1, b.points)) : null;
}

// Sorts games. Games without a value come last in either direction.
export function sorted(list) {
  const { id, down } = sorting();
  const keys = new Map(list.map((game) => [game, value(game, id)]));
  const sign = down ? -1 : 1;
  return list.toSorted((one, other) => {
    const [a, b] = [keys.get(one), keys.get(other)];
    if (a === null || b === null) return (a === null) - (b === null);
    return sign * (typeof a === "string" ? collator.compare(a, b) : a - b || 0);
  });
}

function sum(list) {
  return list.reduce((a, b) => a + b, 0);
}

// Computes the standing of a player: {cases, sum, ratio, won, lost, invalid, died, short, seconds}.
// Sum and ratio are null unless the player has played all cases: values over different cases would
// not be comparable.
export function standing(list, player) {
  const pairs = list.map((game) => [game, entry(game, player)]).filter(([, plan]) => plan);
  const all = pairs.length === list.length && pairs.length > 0;
  const ratios = pairs.flatMap(([game, plan]) => ratio(game, plan) ?? []);
  const words = pairs.map(([game, plan]) => status(game, plan)?.words ?? []);
  const count = (word) => words.filter((some) => some.includes(word)).length;
  const times = pairs.flatMap(([, plan]) => plan.numbers?.seconds ?? []);
  return {
    cases: pairs.length,
    sum: all ? sum(pairs.map(([, plan]) => plan.points)) : null,
    ratio: all && ratios.length ? sum(ratios) / ratios.length : null,
    won: ratios.filter((share) => (reference() ? share > 1 : share >= 1)).length,
    lost: ratios.filter((share) => share < 1).length,
    invalid: count("invalid"),
    died: count("died"),
    short: count("short"),
    seconds: times.length ? { mean: sum(times) / times.length, most: Math.max(...times) } : null,
  };
}
