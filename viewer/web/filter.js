// The filter of the results. A case must match all words:
//
//     12x13  growing  seed=7  columns>=3000     size, palette, or a number of the case
//     invalid  died  short  tle  mle  crashed   a visible player has this status
//     common                                    all visible players have played the case
//     mine<base  A<B  mine<5000                 points of a player against another, or a number
//     0007                                      any other word: a part of the case's name

const NUMBERS = ["width", "height", "columns", "colours", "magic"];
const COMPARE = {
  "<": (a, b) => a < b,
  ">": (a, b) => a > b,
  "<=": (a, b) => a <= b,
  ">=": (a, b) => a >= b,
  "=": (a, b) => a === b,
};

// Returns a function from a game to the number that `word` names, or to null if the game has none.
// Returns undefined if the word names no number.
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

// Parses a filter into {holds(game), unknown}; `unknown` is a name in the filter that does not
// exist. `of` has functions for the seed of a game, a player's points and the states of visible
// players.
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
