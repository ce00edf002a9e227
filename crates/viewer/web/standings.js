// The standings: the opened games, with the best plan, ratio and status of each player on them.

import { bench, sorting } from "./bench.js";
import { collator, grouped, own, sentence, total } from "./dom.js";
import { ask } from "./engine.js";
import { QUICKSTART } from "./library.js";
import { comparedPlayers, everyone, label, players, reference } from "./players.js";

// The columns of the table that describe the case.
export const FACTS = [
  { id: "name", label: "Case", text: ({ name }) => name },
  { id: "seed", label: "Seed", text: (game) => seed(game) ?? "–" },
  { id: "size", label: "Size", text: ({ about }) => `${about.width} × ${about.height}` },
  { id: "palette", label: "Palette", text: ({ about }) => paletteText(about) },
  { id: "columns", label: "Columns", text: ({ about }) => grouped(about.columns) },
  { id: "status", label: "Status", text: (game) => statusText(game) },
];

// The kinds of failed games, with their texts.
export const FAILED = { tle: "TLE", mle: "MLE", crashed: "crashed", invalid: "invalid" };

// Returns the points of a plan, or the kind of its failure.
export function pointsText({ failed, points }) {
  if (failed) return sentence(FAILED[failed]);
  return points === null ? "–" : grouped(points);
}

export const growing = ({ palette }) => palette === "growing";

const paletteText = (about) => `${about.colours}${growing(about) ? " growing" : ""}`;

export const seed = (game) => game.key?.number ? game.key.text || "0" : null;

// Returns a property of a case by its name, as a number; null if the case has no such property.
export function number(game, name) {
  const { about } = game;
  if (name === "seed") return seed(game) === null ? null : Number(seed(game));
  if (name === "size" || name === "cells") return about.width * about.height;
  if (name === "palette") return about.colours + (growing(about) ? 0.5 : 0);
  return own(about, name) ?? null;
}

// Returns the plan of a player with the most points on a case. A failed game has 0 points.
export function entry(game, player) {
  let best = null;
  for (const plan of game.plans) {
    if (plan.player === player && plan.points !== null && (!best || plan.points > best.points)) best = plan;
  }
  return best;
}

// Returns the best score on a case among the players of the results.
export function top(game) {
  const names = everyone();
  const points = ({ player, points }) => (names.includes(player) ? (points ?? 0) : 0);
  return Math.max(0, ...game.plans.map(points));
}

// Returns the points that ratios on a case refer to; null if the reference has none or failed.
function base(game) {
  if (!reference()) return top(game) || null;
  const plan = entry(game, reference());
  return plan && !plan.failed ? plan.points : null;
}

// Returns the points of a plan relative to the reference; null if one of the games failed. 0 points count as
// 1.
export function ratio(game, plan) {
  const points = base(game);
  return points === null || plan.failed ? null : Math.max(1, plan.points) / Math.max(1, points);
}

// Returns the status of a plan, {text, words, kind, weight}; null if all columns have landed and the plan
// placed each of them.
export function status({ about }, { failed, placed, planned }) {
  if (failed) return { text: FAILED[failed], words: ["failed", failed], kind: "failed", weight: 3 };
  const short = planned < placed;
  const early = placed < about.columns;
  if (!short && !early) return null;
  const words = [short && "short", early && "early"].filter(Boolean);
  const texts = [
    short && `plan ends at ${grouped(planned)}`,
    early && `ended early at ${grouped(placed + 1)}`,
  ].filter(Boolean);
  return { text: texts.join(", "), words, kind: words.at(-1), weight: early ? 2 : 1 };
}

// Returns the values `value(game, plan)` of a player's results. Leaves out missing values.
export function resultsOf(list, player, value) {
  return list.flatMap((game) => {
    const plan = entry(game, player);
    return (plan && value(game, plan)) ?? [];
  });
}

// Returns the visible players. Quickstart is included only if no other player is visible.
export const rivals = () => players().filter((name, _, all) => name !== QUICKSTART || all.length === 1);

// Returns the statuses of these players on a case.
export const states = (game) => rivals().flatMap((name) => resultsOf([game], name, status));

function statusText(game) {
  const all = states(game);
  if (all.length < 2) return all[0]?.text ?? "ok";
  const short = ({ text, kind }) => (kind === "failed" ? text : kind);
  const counts = Map.groupBy(all, short);
  return [...counts].map(([text, list]) => (list.length > 1 ? `${list.length} ${text}` : text)).join(", ");
}

// Returns the value by which a game is sorted: a fact, the loss, or a player's points, ratio or metric.
// Returns null if the value is missing.
function value(game, id) {
  if (id === "name") return game.name;
  if (id === "status") return Math.max(0, ...states(game).map(({ weight }) => weight));
  if (id === "loss") return loss(game);
  const [kind, ...name] = id.split(":");
  if (!name.length) return number(game, id);
  const plan = entry(game, name.join(":"));
  if (!plan) return null;
  if (kind === "number") return own(plan.numbers, bench.number) ?? null;
  return kind === "score" ? plan.points : ratio(game, plan);
}

// Returns the loss of player B against player A: the logarithm of A's points divided by B's points; it is
// infinite if only B failed.
export function loss(game) {
  const [a, b] = comparedPlayers().map((name) => entry(game, name));
  if (!a || !b || (a.failed && b.failed)) return null;
  if (a.failed || b.failed) return b.failed ? Infinity : -Infinity;
  return Math.log(Math.max(1, a.points) / Math.max(1, b.points));
}

// Sorts games. Games without a value come last, whether the order is ascending or descending.
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

// Returns the games that both players have played, as pairs of points; null for a failed game. If `a` is "",
// A's points are the best score of each case.
function pairs(list, a, b) {
  return list.flatMap((game) => {
    const [one, other] = [a, b].map((name) => (name ? entry(game, name) : { points: top(game) }));
    if (!one || !other) return [];
    return { ...game.about, a: one.failed ? null : one.points, b: other.failed ? null : other.points };
  });
}

// Compares player B with player A. Returns the rows of `judge compare`, {all, classes}; null if the players
// have no game in common.
export function compare(list, a, b, candidates = 1) {
  return ask("compare", { cases: pairs(list, a, b), candidates });
}

// Returns the number of players that are compared with the reference. The standings correct intervals and
// p-values for this number, as `judge compare` does.
const candidateCount = () => players().filter((name) => name !== reference() && name !== QUICKSTART).length;

// Computes the standing of a player: {player, cases, all, sum, failed, early, short, seconds}. `all` is the
// comparison with the reference. `sum` is null unless the player has played all cases.
export function standing(list, player) {
  const plans = resultsOf(list, player, (_, plan) => plan);
  const states = resultsOf(list, player, status);
  const count = (word) => states.filter(({ words }) => words.includes(word)).length;
  const kinds = Object.keys(FAILED).filter(count);
  const times = plans.flatMap((plan) => own(plan.numbers, "seconds") ?? []);
  return {
    player,
    cases: plans.length,
    all: compare(list, reference(), player, candidateCount())?.all ?? null,
    sum: plans.length === list.length ? total(plans.map(({ points }) => points)) : null,
    failed: kinds.map((kind) => `${count(kind)} ${FAILED[kind]}`).join(", "),
    early: count("early"),
    short: count("short"),
    seconds: times.length ? { mean: total(times) / times.length, max: Math.max(...times) } : null,
  };
}

// Returns the standings of players, the best first. A player without a common game comes last.
export function ranked(list, names) {
  const rank = ({ all }) => all?.log_percent?.mean ?? -Infinity;
  return names.map((name) => standing(list, name)).sort((a, b) => rank(b) - rank(a) || 0);
}

// Returns the name of the reference of the ratios.
export const baseLabel = () => reference() ? label(reference()) : "the best";
