// The filter of the results. A case must match all conditions:
//
//     12x13                                     the size of the case
//     growing  fixed                            the palette of a generated case
//     failed  invalid  tle  mle  crashed        a visible player's game has this status
//     early                                     a visible player's game ended early
//     short                                     a visible player's plan ended before its game
//     common                                    all visible players have played the case
//     mine                                      this player has played the case
//     columns >= 3000  seed = 7                 a number of the case
//     seconds > 0.2  ratio < 0.5                a number of a visible player's game, or a metric
//     mine < base  A > B  mine < 5000           a player's points against another's, or a number
//     0007                                      any other word: a part of the case's name
//     -growing  -failed                         the opposite
//
// Spaces around < > = are optional. A name that contains spaces needs quotes. A condition on "a visible
// player" ignores quickstart if other players are visible.

import { settings } from "./results-settings.js";
import { ownProperty } from "./dom.js";
import { games, openedGames } from "./library.js";
import { allPlayers, playerName, visiblePlayers } from "./players.js";
import {
  bestPlan, comparedPlayers, countedPlayers, numericProperty, ratioOf, seedText, sortGames, statusesOf,
} from "./standings.js";

const NUMBERS = ["width", "height", "columns", "colours", "magic", "cells", "seed"];
const STATES = ["failed", "invalid", "tle", "mle", "crashed", "early", "short"];
const COMPARISONS = new Map([
  ["<", (a, b) => a < b],
  [">", (a, b) => a > b],
  ["<=", (a, b) => a <= b],
  [">=", (a, b) => a >= b],
  ["=", (a, b) => a === b],
]);

const playerNamed = (name) => allPlayers().find((one) => playerName(one).toLowerCase() === name);

// Returns a function from a game and a plan to the number that `word` names. The function returns null if the
// number is missing. If the word names no number, `operand` returns undefined instead of a function.
function operand(word) {
  const name = word.toLowerCase();
  const [a, b] = comparedPlayers();
  const sides = new Map([["a", a], ["b", b]]);
  const player = playerNamed(name) ?? sides.get(name);
  if (player) return (game) => bestPlan(game, player)?.points ?? null;
  if (/^[\d,]*\.?\d+$/.test(word)) return () => Number(word.replaceAll(",", ""));
  if (NUMBERS.includes(name)) return (game) => numericProperty(game, name);
  if (name === "points") return (_, plan) => plan?.points ?? null;
  if (name === "ratio") return (game, plan) => plan && ratioOf(game, plan);
  const printed = metricNames().find((one) => one.toLowerCase() === name);
  return printed && ((_, plan) => ownProperty(plan?.metrics, printed) ?? null);
}

// Returns the names of the metrics: those that runs report, including `seconds`, and `accuracy` if a game has
// been reviewed.
export function metricNames() {
  const names = new Set();
  for (const { plans } of openedGames())
    for (const { metrics } of plans) for (const name in metrics) names.add(name);
  return [...names];
}

// Returns a predicate on games for a condition, given without its `-`. If the condition has an unknown word,
// adds the word to `unknown` and returns undefined.
function buildTest([left, operator, right], unknown) {
  const name = left.toLowerCase();
  if (operator) {
    const [a, b] = [left, right].map((word) => {
      const getNumber = operand(word);
      if (!getNumber) unknown.push(word);
      return getNumber;
    });
    const compares = (a, b) => a !== null && b !== null && COMPARISONS.get(operator)(a, b);
    return a && b && ((game) => plansOf(game).some((plan) => compares(a(game, plan), b(game, plan))));
  }
  const [, width, height] = /^(\d+)[x×](\d+)$/.exec(name) ?? [];
  if (width) return ({ facts }) => facts.width === +width && facts.height === +height;
  if (/^(growing|fixed)$/.test(name)) return ({ facts }) => facts.palette === name;
  if (name === "common") return (game) => visiblePlayers().every((player) => bestPlan(game, player));
  if (STATES.includes(name)) return (game) => statusesOf(game).some(({ words }) => words.includes(name));
  const player = playerNamed(name);
  if (player) return (game) => bestPlan(game, player);
  const isNamed = (game) => game.name.toLowerCase().includes(name);
  if (openedGames().some(isNamed)) return isNamed;
  unknown.push(left);
}

// Returns the best plan of each player in `countedPlayers`; [null] if there is none.
function plansOf(game) {
  const plans = countedPlayers().flatMap((playerId) => bestPlan(game, playerId) ?? []);
  return plans.length ? plans : [null];
}

// Splits the filter into conditions, each as {not, parts}: `parts` is [left, operator, right] or [word], and
// `not` is true for a negated condition.
function parseConditions(text) {
  const tokens = text.match(/"[^"]*"|[<>]=?|=|[^\s"<>=]+/g) ?? [];
  const list = [];
  for (let i = 0; i < tokens.length; i++) {
    const isPair = COMPARISONS.has(tokens[i + 1]);
    // The user is still typing this condition.
    if (isPair && tokens[i + 2] === undefined) break;
    const not = tokens[i].length > 1 && tokens[i].startsWith("-");
    const parts = isPair ? tokens.slice(i, i + 3) : [tokens[i]];
    i += parts.length - 1;
    const words = parts.map((part) => part.replaceAll('"', ""));
    list.push({ not, parts: [not ? words[0].slice(1) : words[0], ...words.slice(1)] });
  }
  return list;
}

// Returns the words that the filter knows, players first.
export function filterWords() {
  const words = ["growing", "fixed", "common", "points", "ratio", ...STATES, ...NUMBERS];
  return [...allPlayers().map(playerName), ...words, ...metricNames()];
}

// The last filter without an unknown word.
let validFilter = "";

// Returns the opened games that pass the filter. While the filter has an unknown word, perhaps an incomplete
// one, returns the games of the last valid filter and a message about the word.
export function filterGames() {
  const [unknown, { filter }] = [[], settings];
  const testsOf = (text) =>
    parseConditions(text).map(({ not, parts }) => {
      const test = buildTest(parts, unknown) ?? (() => !not);
      return (game) => Boolean(test(game)) !== not;
    });
  let tests = testsOf(filter);
  if (unknown.length) tests = testsOf(validFilter === filter ? "" : validFilter);
  else validFilter = filter;
  const message = unknown.length ? `“${unknown[0]}” is unknown.` : "";
  return { list: openedGames().filter((game) => tests.every((test) => test(game))), message };
}

// Returns the seeds of games as an option of the judge, `--seeds 4,12,7`; empty if no game has a seed.
export function seedsOption(list) {
  const seeds = list.flatMap((game) => seedText(game) ?? []);
  return seeds.length ? `--seeds ${[...new Set(seeds)].join(",")}` : "";
}

// Returns the games that can be watched and pass the filter, in the order of the results. If the filter
// excludes `game`, returns all games that can be watched, in the order in which they were opened.
export function watchableGames(game) {
  const { list } = filterGames();
  const all = list.includes(game) ? sortGames(list) : games;
  return all.filter((one) => one.case !== null);
}

// Returns the game that is `offset` places after `game` in the order of `watchableGames`. The first game
// follows the last.
export function gameAtOffset(game, offset) {
  const list = watchableGames(game);
  return list.at((list.indexOf(game) + offset) % list.length);
}
