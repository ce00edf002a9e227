// Computes the standings, and the best plan, ratio and status of each player on each opened game.

import { onSettingsChange, settings, sortOrder } from "./results-settings.js";
import { capitalise, clamp, collator, groupDigits, ownProperty, total } from "./dom.js";
import { ask } from "./engine.js";
import { onGamesChange, openedGames, QUICKSTART } from "./library.js";
import { allPlayers, playerName, referencePlayer, visiblePlayers } from "./players.js";

// The columns of the table that describe the case.
export const CASE_FACTS = [
  { id: "name", label: "Case", text: caseText },
  { id: "size", label: "Size", text: ({ facts }) => known(facts, `${facts.width} × ${facts.height}`) },
  { id: "palette", label: "Palette", text: ({ facts }) => paletteText(facts) },
  { id: "columns", label: "Columns", text: ({ facts }) => known(facts, groupDigits(facts.columns)) },
];

// Returns the name of a case, followed by its seed unless the name ends with that seed.
function caseText(game) {
  const seed = seedText(game);
  const needsSeed = seed !== null && !new RegExp(`(^|[^0-9])0*${seed}(\\.\\w+)?$`).test(game.name);
  return needsSeed ? `${game.name} (seed ${seed})` : game.name;
}

// What the page shows for each kind of failure.
export const FAILURES = { tle: "TLE", mle: "MLE", crashed: "crashed", invalid: "invalid" };

// Formats the points of a plan, or the kind of its failure; a dash if the points are unknown.
export function pointsText({ failure, points }) {
  if (failure) return capitalise(FAILURES[failure]);
  return points === null ? "–" : groupDigits(points);
}

// Describes why a game failed; empty if it did not fail.
export const failureText = (plan) =>
  plan.failure ? [pointsText(plan), plan.reason].filter(Boolean).join(": ") : "";

export const isGrowing = ({ palette }) => palette === "growing";

const paletteText = (facts) => known(facts, `${facts.colours}${isGrowing(facts) ? " growing" : ""}`);

// Returns the text, or a dash if the properties of the case are unknown.
const known = (facts, text) => (facts.width ? text : "–");

export const seedText = (game) => game.key?.is_number ? game.key.text || "0" : null;

// Returns a property of a case by its name, as a number; null if the case has no such property.
export function numericProperty(game, name) {
  const { facts } = game;
  if (name === "seed") return seedText(game) === null ? null : Number(seedText(game));
  if (name === "size" || name === "cells") return facts.width * facts.height || null;
  if (name === "palette") return facts.width ? facts.colours + (isGrowing(facts) ? 0.5 : 0) : null;
  return ownProperty(facts, name === "magic" ? "magic_columns" : name) ?? null;
}

// Returns a player's plan with the most points on a case; null if the player has no plan with known points.
export function bestPlan(game, player) {
  let best = null;
  for (const plan of game.plans) {
    if (plan.player === player && plan.points !== null && (!best || plan.points > best.points)) best = plan;
  }
  return best;
}

// Returns the best score on a case among the players in the results.
export function bestScore(game) {
  const playerIds = allPlayers();
  const points = ({ player, points }) => (playerIds.includes(player) ? (points ?? 0) : 0);
  return Math.max(0, ...game.plans.map(points));
}

// Returns the points by which `ratioOf` divides: the points of the reference player or, without one, the best
// score on the case. Null if that best score is 0, or if the reference player failed or has not played the
// case.
function referencePoints(game) {
  if (!referencePlayer()) return bestScore(game) || null;
  const plan = bestPlan(game, referencePlayer());
  return plan && !plan.failure ? plan.points : null;
}

// Returns the points of a plan relative to the reference; null if `referencePoints` returns null, or if the
// plan failed. 0 points count as 1.
export function ratioOf(game, plan) {
  const points = referencePoints(game);
  return points === null || plan.failure ? null : Math.max(1, plan.points) / Math.max(1, points);
}

// Returns the largest absolute logarithm of these players' ratios, but at least the logarithm of 1.02.
export function logScale(list, players) {
  const logs = players.flatMap((player) => mapResults(list, player, ratioOf)).map(Math.log);
  return logs.reduce((most, log) => Math.max(most, Math.abs(log)), Math.log(1.02));
}

// Returns the shade of a ratio: its logarithm relative to `scale`, from −1 to 1.
export const shadeOf = (ratio, scale) => clamp(Math.log(ratio) / scale, -1, 1);

// Returns the status of a plan, {text, words, kind, weight}; null unless the game failed, ended early, or
// continued after the end of the plan.
export function statusOf({ facts }, { failure, placed, planned }) {
  if (failure) return { text: FAILURES[failure], words: ["failed", failure], kind: "failed", weight: 3 };
  const short = planned < placed;
  const early = (placed ?? facts.columns) < facts.columns;
  if (!short && !early) return null;
  const words = [short && "short", early && "early"].filter(Boolean);
  const texts = [
    short && `plan ends at ${groupDigits(planned)}`,
    early && `ended early at ${groupDigits(placed + 1)}`,
  ].filter(Boolean);
  return { text: texts.join(", "), words, kind: words.at(-1), weight: early ? 2 : 1 };
}

// Returns `value(game, plan)` for each result of a player. Leaves out missing values.
export function mapResults(list, player, value) {
  return list.flatMap((game) => {
    const plan = bestPlan(game, player);
    return (plan && value(game, plan)) ?? [];
  });
}

// Returns the players without quickstart, unless it is the only one.
export const withoutQuickstart = (players) =>
  players.filter((playerId) => playerId !== QUICKSTART || players.length === 1);

// Returns the visible players. Quickstart is included only if no other player is visible.
export const countedPlayers = () => withoutQuickstart(visiblePlayers());

// Returns the statuses of the players in `countedPlayers` on a case.
export const statusesOf = (game) =>
  countedPlayers().flatMap((playerId) => mapResults([game], playerId, statusOf));

// Returns the value by which a game is sorted: one of `CASE_FACTS`, the seed, the status, the loss of B, or a
// player's points, ratio or metric. Returns null if the value is missing.
function sortKey(game, id) {
  if (id === "name") return game.name;
  if (id === "status") return Math.max(0, ...statusesOf(game).map(({ weight }) => weight));
  if (id === "loss") return lossOfB(game);
  const [kind, ...idParts] = id.split(":");
  if (!idParts.length) return numericProperty(game, id);
  const plan = bestPlan(game, idParts.join(":"));
  if (!plan) return null;
  if (kind === "number") return ownProperty(plan.metrics, settings.number) ?? null;
  return kind === "score" ? plan.points : ratioOf(game, plan);
}

// The compared players, computed on first use after a change, since every row needs them.
let compared = null;
onGamesChange(() => (compared = null));
onSettingsChange(() => (compared = null));

// Returns the players A and B: the user's choice, or else the reference and its best challenger.
export const comparedPlayers = () => (compared ??= findComparedPlayers());

function findComparedPlayers() {
  const playerIds = allPlayers();
  const first = playerIds.includes(settings.a) ? settings.a : (referencePlayer() || playerIds[0]);
  const free = playerIds.filter((playerId) => playerId !== first && playerId !== QUICKSTART);
  const b = playerIds.includes(settings.b) ? settings.b : (bestChallenger(first, free) ?? QUICKSTART);
  const a = [settings.a, referencePlayer(), ...playerIds].find(
    (playerId) => playerIds.includes(playerId) && playerId !== b,
  );
  return [a ?? QUICKSTART, b];
}

// Returns the player in `playerIds` whose points relative to those of `base` have the highest geometric mean;
// undefined if `playerIds` is empty.
function bestChallenger(base, playerIds) {
  const change = (playerId) => {
    const logs = openedGames().flatMap((game) => {
      const [one, other] = [base, playerId].map((player) => bestPlan(game, player));
      if (!one || !other || one.failure || other.failure) return [];
      return Math.log(Math.max(1, other.points) / Math.max(1, one.points));
    });
    return logs.length ? total(logs) / logs.length : -Infinity;
  };
  const changes = new Map(playerIds.map((playerId) => [playerId, change(playerId)]));
  return playerIds.toSorted((one, other) => changes.get(other) - changes.get(one) || 0)[0];
}

// Returns the loss of player B against player A: the logarithm of A's points divided by B's points. It is ∞
// if only B failed, and −∞ if only A failed. Returns null if both failed, or if one of the games is missing.
export function lossOfB(game) {
  const [a, b] = comparedPlayers().map((playerId) => bestPlan(game, playerId));
  if (!a || !b || (a.failure && b.failure)) return null;
  if (a.failure || b.failure) return b.failure ? Infinity : -Infinity;
  return Math.log(Math.max(1, a.points) / Math.max(1, b.points));
}

// Sorts games. Games without a value come last, whether the order is ascending or descending.
export function sortGames(list) {
  const { id, down } = sortOrder();
  const keys = new Map(list.map((game) => [game, sortKey(game, id)]));
  const sign = down ? -1 : 1;
  return list.toSorted((one, other) => {
    const [a, b] = [keys.get(one), keys.get(other)];
    if (a === null || b === null) return (a === null) - (b === null);
    return sign * (typeof a === "string" ? collator.compare(a, b) : a - b || 0);
  });
}

// Placeholder properties of a case whose properties are unknown.
const NO_FACTS = { width: 0, height: 0, columns: 0, colours: 0, magic_columns: 0, palette: null };

// Returns the cases that both players have played, with the points of both (null for a failed game). If `a`
// is "", A's points are the best score of each case.
function pairs(list, a, b) {
  return list.flatMap((game) => {
    const [one, other] = [a, b].map((playerId) =>
      playerId ? bestPlan(game, playerId) : { points: bestScore(game) },
    );
    if (!one || !other) return [];
    const [own, others] = [one, other].map((plan) => (plan.failure ? null : plan.points));
    return { ...NO_FACTS, ...game.facts, a: own, b: others };
  });
}

// Compares player B with player A. Returns the rows of `judge compare`, {verdict, all, classes}; null if the
// players have no game in common.
export function comparePlayers(list, a, b) {
  const names = [a, b].map((playerId) => (playerId ? playerName(playerId) : "the best"));
  const result = ask("compare", { cases: pairs(list, a, b), candidates: candidateCount(), names });
  if (list.some(({ facts }) => !facts.width)) result?.classes.splice(0);
  return result;
}

// Returns the pairs of players with a verdict: the reference with each challenger, and players A and B.
export function judgedPairs(ranked) {
  const base = referencePlayer();
  const challengers = ranked.filter(
    (playerId) => playerId !== base && (playerId !== QUICKSTART || ranked.length < 3),
  );
  const list = base ? challengers.map((playerId) => [base, playerId]) : [];
  const [a, b] = comparedPlayers();
  const isListed = list.some((pair) => pair.includes(a) && pair.includes(b));
  return isListed || a === b ? list : [...list, [a, b]];
}

const isCandidate = (id) => id !== referencePlayer() && id !== QUICKSTART;

// Returns the number of players that are compared with the reference. The standings correct intervals and
// p-values for this number, as `judge compare` does.
const candidateCount = () => visiblePlayers().filter(isCandidate).length;

// Computes the standing of a player: {player, cases, all, sum, failed, early, short, accuracies, seconds}.
// `all` is the comparison with the reference. `sum` is null unless the player has played all cases.
function computeStanding(list, player) {
  const plans = mapResults(list, player, (_, plan) => plan);
  const states = mapResults(list, player, statusOf);
  const count = (word) => states.filter(({ words }) => words.includes(word)).length;
  const kinds = Object.keys(FAILURES).filter(count);
  const times = plans.flatMap((plan) => ownProperty(plan.metrics, "seconds") ?? []);
  return {
    player,
    cases: plans.length,
    all: comparePlayers(list, referencePlayer(), player)?.all ?? null,
    sum: plans.length === list.length ? total(plans.map(({ points }) => points)) : null,
    failed: kinds.map((kind) => `${count(kind)} ${FAILURES[kind]}`).join(" · "),
    early: count("early"),
    short: count("short"),
    accuracies: plans.flatMap(({ review }) => review?.accuracy ?? []),
    seconds: times.length ? { mean: total(times) / times.length, max: Math.max(...times) } : null,
  };
}

// Returns the standings of players, the best first. A player that has no game in common with the reference
// comes last.
export function rankPlayers(list, playerIds) {
  const rank = ({ all }) => all?.log_percent?.mean ?? -Infinity;
  return playerIds.map((playerId) => computeStanding(list, playerId)).sort((a, b) => rank(b) - rank(a) || 0);
}

// Returns the name of the reference player, or "the best" if ratios are relative to the best score.
export const referenceName = () => referencePlayer() ? playerName(referencePlayer()) : "the best";
