// Standings: the games that count, each player's plan for them, its ratio and its status.

import { bench, everyone, labels, pair, players } from "./bench.js";
import { grouped } from "./dom.js";
import { parseFilter } from "./filter.js";
import { games, QUICKSTART } from "./library.js";

export const FACTS = [
  { id: "name", label: "Case", text: (game) => game.name, value: (game) => game.name },
  {
    id: "seed",
    label: "Seed",
    text: (game) => seed(game) ?? "–",
    value: (game) => (seed(game) === null ? null : Number(seed(game))),
  },
  {
    id: "size",
    label: "Size",
    text: ({ about }) => `${about.width} × ${about.height}`,
    value: ({ about }) => about.width * about.height,
  },
  {
    id: "palette",
    label: "Palette",
    text: ({ about }) => `${about.colours}${growing(about) ? " growing" : ""}`,
    value: ({ about }) => about.colours + (growing(about) ? 0.5 : 0),
  },
  {
    id: "columns",
    label: "Columns",
    text: ({ about }) => grouped(about.columns),
    value: ({ about }) => about.columns,
  },
  {
    id: "status",
    label: "Status",
    text: (game) => statusText(game),
    value: (game) => Math.max(0, ...states(game).map(({ weight }) => weight)),
  },
];

const MARKS = { tle: "TLE", mle: "MLE", crashed: "crashed" };
const collator = new Intl.Collator("en", { numeric: true });

export function growing({ palette }) {
  return palette === "growing";
}

export function seed(game) {
  return game.key?.number ? game.key.text || "0" : null;
}

// The opened games: games that were only looked at do not count.
export function opened() {
  return games.filter((game) => game.opened);
}

// The best plan of a player for a case that has points; a lost game has 0.
export function entry(game, player) {
  let best = null;
  for (const plan of game.plans) {
    if (plan.player === player && plan.points !== null && (!best || plan.points > best.points))
      best = plan;
  }
  return best;
}

// The best score of the players that count.
export function top(game, counting = new Set(everyone())) {
  const points = ({ player, points }) => (counting.has(player) ? (points ?? 0) : 0);
  return Math.max(0, ...game.plans.map(points));
}

// The points of a plan relative to the reference, or to the best score; 0 points count as 1.
export function ratio(game, plan, counting) {
  const base = bench.reference ? entry(game, bench.reference)?.points : top(game, counting);
  return (base ?? null) === null ? null : Math.max(1, plan.points) / Math.max(1, base);
}

// The status of a plan, {text, words, kind, weight}; null if its game went to the end as planned.
export function status({ about }, { broken, mark, placed, planned }) {
  if (broken) {
    const text = MARKS[mark] ?? "invalid";
    return { text, words: ["invalid", text.toLowerCase()], kind: "lost", weight: 3 };
  }
  const short = planned < placed;
  const died = placed < about.columns;
  if (!short && !died) return null;
  const words = [...(short ? ["short"] : []), ...(died ? ["died"] : [])];
  const texts = [
    ...(short ? [`plan ends at ${grouped(planned)}`] : []),
    ...(died ? [`died at ${grouped(placed + 1)}`] : []),
  ];
  return { text: texts.join(", "), words, kind: words.at(-1), weight: died ? 2 : 1 };
}

// The states of the shown players on a case. Quickstart's tell nothing while others play.
function states(game) {
  const shown = players();
  const names = shown.length > 1 ? shown.filter((name) => name !== QUICKSTART) : shown;
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

// The opened games that pass the filter, and the name in the filter that nothing has.
export function filtered() {
  const shown = players();
  const called = labels();
  const lower = [...called].map(([name, label]) => [label.toLowerCase(), name]);
  const [a, b] = pair();
  const { holds, unknown } = parseFilter(bench.search, {
    seed,
    states,
    common: (game) => shown.every((name) => entry(game, name)),
    points: (word) => {
      const name = new Map(lower).get(word) ?? { a, b }[word];
      return name && ((game) => entry(game, name)?.points ?? null);
    },
  });
  return { list: opened().filter(holds), unknown };
}

// The value that the table is sorted by: a fact, or a number of a player; null if it is missing.
function value(game, id, counting) {
  const fact = FACTS.find((one) => one.id === id);
  if (fact) return fact.value(game);
  const [kind, ...name] = id.split(":");
  if (kind === "loss") return loss(game);
  const plan = entry(game, name.join(":"));
  if (!plan) return null;
  if (kind === "number") return plan.numbers?.[bench.number] ?? null;
  return kind === "score" ? plan.points : ratio(game, plan, counting);
}

// By which factor the second of the two players is behind the first; negative where it is ahead.
function loss(game) {
  const [a, b] = pair().map((name) => entry(game, name));
  return a && b ? Math.log(Math.max(1, a.points) / Math.max(1, b.points)) : null;
}

// Sorted; games without the value come last, whichever way.
export function sorted(list) {
  const { id, down } = bench.sort;
  const counting = new Set(everyone());
  const keys = new Map(list.map((game) => [game, value(game, id, counting)]));
  const sign = down ? -1 : 1;
  return [...list].sort((one, other) => {
    const [a, b] = [keys.get(one), keys.get(other)];
    if (a === null || b === null) return (a === null) - (b === null);
    return sign * (typeof a === "string" ? collator.compare(a, b) : a - b || 0);
  });
}

// The games that can be watched, in the order of the results; all of them if `game` is not shown.
export function order(game) {
  const { list } = filtered();
  const all = list.includes(game) ? sorted(list) : games;
  return all.filter((one) => one.case !== null);
}

function sum(list) {
  return list.reduce((a, b) => a + b, 0);
}

// A player on some games: {cases, sum, ratio, won, lost, invalid, died, seconds}. Sums and means
// over other cases than those of the others would mislead: they are null unless it played all.
export function standing(list, player, counting = new Set(everyone())) {
  const pairs = list.map((game) => [game, entry(game, player)]).filter(([, plan]) => plan);
  const all = pairs.length === list.length && pairs.length > 0;
  const ratios = pairs
    .map(([game, plan]) => ratio(game, plan, counting))
    .filter((share) => share !== null);
  const words = pairs.map(([game, plan]) => status(game, plan)?.words ?? []);
  const count = (word) => words.filter((some) => some.includes(word)).length;
  const times = pairs.flatMap(([, plan]) => plan.numbers?.seconds ?? []);
  return {
    cases: pairs.length,
    sum: all ? sum(pairs.map(([, plan]) => plan.points)) : null,
    ratio: all && ratios.length ? sum(ratios) / ratios.length : null,
    won: ratios.filter((share) => (bench.reference ? share > 1 : share >= 1)).length,
    lost: ratios.filter((share) => share < 1).length,
    invalid: count("invalid"),
    died: count("died"),
    short: count("short"),
    seconds: times.length ? { mean: sum(times) / times.length, most: Math.max(...times) } : null,
  };
}
