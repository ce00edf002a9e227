// The filter of the results. A case must match all words:
//
//     12x13  growing  seed=7  columns>=3000     size, palette, or a number of the case
//     invalid  died  short  tle  mle  crashed   a visible player has this status
//     common                                    all visible players have played the case
//     mine<base  A<B  mine<5000                 points of a player against another, or a number
//     0007                                      any other word: a part of the case's name

import { bench } from "./bench.js";
import { games, opened } from "./library.js";
import { labels, pair, players } from "./players.js";
import { entry, number, sorted, states } from "./standings.js";

const NUMBERS = ["width", "height", "columns", "colours", "magic", "cells", "seed"];
const COMPARE = {
  "<": (a, b) => a < b,
  ">": (a, b) => a > b,
  "<=": (a, b) => a <= b,
  ">=": (a, b) => a >= b,
  "=": (a, b) => a === b,
};

// Returns a function from a game to the number that `word` names, or to null if the game has none.
// Returns undefined if the word names no number.
function operand(word) {
  const name = word.toLowerCase();
  if (/^[\d,]+(\.\d+)?$/.test(word)) return () => Number(word.replaceAll(",", ""));
  if (NUMBERS.includes(name)) return (game) => number(game, name);
  const [a, b] = pair();
  const [labelled] = [...labels()].find(([, label]) => label.toLowerCase() === name) ?? [];
  const player = labelled ?? { a, b }[name];
  return player && ((game) => entry(game, player)?.points ?? null);
}

// Parses a word of the filter into {holds(game), unknown}; `unknown` is a name in the word that
// does not exist.
function condition(word) {
  const name = word.toLowerCase();
  const [, width, height] = /^(\d+)[x×](\d+)$/.exec(name) ?? [];
  if (width) return { holds: ({ about }) => about.width === +width && about.height === +height };
  if (/^(growing|fixed)$/.test(name)) return { holds: ({ about }) => about.palette === name };
  if (name === "common")
    return { holds: (game) => players().every((player) => entry(game, player)) };
  if (/^(invalid|died|short|tle|mle|crashed)$/.test(name))
    return { holds: (game) => states(game).some(({ words }) => words.includes(name)) };
  const [, left, sign, right] = /^"?([^"<>=]+)"?(<=|>=|<|>|=)"?([^"<>=]+)"?$/.exec(word) ?? [];
  const part = name.replaceAll('"', "");
  if (!sign) return { holds: (game) => game.name.toLowerCase().includes(part) };
  const [a, b] = [operand(left), operand(right)];
  if (!a || !b) return { holds: () => true, unknown: a ? right : left };
  const compares = (a, b) => a !== null && b !== null && COMPARE[sign](a, b);
  return { holds: (game) => compares(a(game), b(game)) };
}

// Returns the opened games that pass the filter, and an unknown name in the filter, if any.
export function filtered() {
  const words = bench.filter.trim().match(/(?:"[^"]*"|[^\s"])+/g) ?? [];
  const conditions = words.map(condition);
  return {
    list: opened().filter((game) => conditions.every(({ holds }) => holds(game))),
    unknown: conditions.find(({ unknown }) => unknown)?.unknown,
  };
}

// Returns the games that can be watched and pass the filter, in the order of the results. If the
// filter excludes `game`, returns all games that can be watched, in the order of arrival.
export function order(game) {
  const { list } = filtered();
  const all = list.includes(game) ? sorted(list) : games;
  return all.filter((one) => one.case !== null);
}
