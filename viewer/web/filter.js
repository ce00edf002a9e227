// The filter of the results: words that a case must match all of.
//
//     12x13  growing  seed=7  columns>=3000     the case has this size, palette, number
//     invalid  died  tle  crashed  common       a shown player has this status; all have played it
//     mine<base  A<B  mine<5000                 points of one player against another, or a number
//     0007                                      any other word: a part of the name

const NUMBERS = ["width", "height", "columns", "colours", "magic"];
const COMPARE = {
  "<": (a, b) => a < b,
  ">": (a, b) => a > b,
  "<=": (a, b) => a <= b,
  ">=": (a, b) => a >= b,
  "=": (a, b) => a === b,
};

// A function of a game that returns its number, or null if it has none; undefined for a word that
// names none.
function operand(word, { points, seed }) {
  const name = word.toLowerCase();
  if (/^[\d,]+(\.\d+)?$/.test(word)) return () => Number(word.replaceAll(",", ""));
  if (name === "cells") return ({ about }) => about.width * about.height;
  if (name === "seed") return (game) => (seed(game) === null ? null : Number(seed(game)));
  if (NUMBERS.includes(name)) return ({ about }) => about[name];
  return points(name);
}

function condition(word, of) {
  const [, left, sign, right] = /^"?([^"<>=]+)"?(<=|>=|<|>|=)"?([^"<>=]+)"?$/.exec(word) ?? [];
  if (!sign) return null;
  const sides = [operand(left, of), operand(right, of)];
  const at = sides.indexOf(undefined);
  if (at >= 0) return { unknown: [left, right][at] };
  return {
    holds: (game) => {
      const [a, b] = sides.map((side) => side(game));
      return a !== null && b !== null && COMPARE[sign](a, b);
    },
  };
}

// What a text asks for: {holds(game), unknown}, the latter a name in it that nothing has. `of`
// gives the seed of a game, the points of a player by name and the states of the shown players.
export function parseFilter(text, of) {
  const words = text.trim().match(/(?:"[^"]*"|[^\s"])+/g) ?? [];
  const parts = words.map((word) => {
    const name = word.toLowerCase();
    const size = /^(\d+)[x×](\d+)$/.exec(name);
    if (size)
      return { holds: ({ about }) => about.width === +size[1] && about.height === +size[2] };
    if (/^(growing|fixed)$/.test(name)) return { holds: ({ about }) => about.palette === name };
    if (name === "common") return { holds: of.common };
    if (/^(invalid|died|short|tle|mle|crashed)$/.test(name))
      return { holds: (game) => of.states(game).some((state) => state.words.includes(name)) };
    const plain = name.replaceAll('"', "");
    return condition(word, of) ?? { holds: (game) => game.name.toLowerCase().includes(plain) };
  });
  return {
    holds: (game) => parts.every(({ holds }) => !holds || holds(game)),
    unknown: parts.find(({ unknown }) => unknown)?.unknown ?? null,
  };
}
