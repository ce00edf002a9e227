// Two players in depth: the numbers of `judge compare`, and the largest regressions to look at.

import { pair } from "./bench.js";
import { byId, choices, grouped, make, refill, say, sentence } from "./dom.js";
import { ask } from "./engine.js";
import { QUICKSTART } from "./library.js";
import { entry } from "./standings.js";

const LISTED = 6;
// Fewer cases have no interval: it would say that everything is possible.
const LEAST = 5;

function signed(value) {
  const size = Math.abs(value);
  return `${value < 0 ? "−" : "+"}${size < 1000 ? size.toFixed(1) : grouped(size)}`;
}

function change(estimate, cases) {
  if (!estimate) return ["–"];
  const { mean, interval } = estimate;
  const range = cases >= LEAST && interval ? interval.map(signed).join(" to ") : "";
  return [`${signed(mean)} % `, make("small", null, range)];
}

// Draws them for the listed games; `show(game, plans, where)` opens both plans of a game.
export function drawDepth(list, names, called, show) {
  const [a, b] = pair();
  const options = names.map((name) => [name, called.get(name)]);
  choices(byId("depth-a"), options, a);
  choices(byId("depth-b"), options, b);
  const both = list
    .map((game) => ({ game, plans: [a, b].map((name) => entry(game, name)) }))
    .filter(({ plans: [one, other] }) => one && other);
  const cases = both.map(({ game, plans: [one, other] }) => {
    const { width, height, columns, magic, colours, palette } = game.about;
    return { width, height, columns, magic, colours, palette, a: one.points, b: other.points };
  });
  const found = a === b ? null : ask("depth", { cases });
  byId("depth").querySelector(".found").hidden = !found;
  if (!found) return say(byId("depth-text"), "No case has a result of two players.");
  const { wins, ties, losses } = found.all;
  const text = `B is better on ${grouped(wins)}, equal on ${grouped(ties)}, worse on ${grouped(losses)}.`;
  say(byId("depth-text"), text);
  const cells = (of) => [
    [of.cases],
    [`${of.wins} · ${of.ties} · ${of.losses}`],
    change(of.sum_percent, of.cases),
    change(of.log_percent, of.cases),
    [of.wilcoxon_p < 0.0001 ? "<0.0001" : of.wilcoxon_p.toFixed(4)],
  ];
  refill(
    byId("depth-rows"),
    ...[found.all, ...found.classes].map((of) =>
      make(
        "tr",
        null,
        make("th", { scope: "row" }, sentence(of.name)),
        ...cells(of).map((cell) => make("td", null, ...cell)),
      ),
    ),
  );
  const lost = ({ plans: [one, other] }) =>
    Math.log(Math.max(1, one.points)) - Math.log(Math.max(1, other.points));
  const worst = both.filter((one) => lost(one) > 0).sort((one, other) => lost(other) - lost(one));
  refill(
    byId("depth-worst"),
    ...worst.slice(0, LISTED).map(({ game, plans }) => {
      const off = game.case === null || plans.some(({ plan, player }) => plan === null && player !== QUICKSTART);
      const button = (label, where, title) =>
        make("button", { disabled: off, title, onclick: () => show(game, plans, where) }, label);
      return make(
        "li",
        null,
        make("span", null, `${game.name} `, make("b", null, `${signed(100 * Math.expm1(-lost({ plans })))} %`)),
        button("Parted", "first", "The first column that the two place differently"),
        button("Swing", "most", "The column whose points differ most"),
      );
    }),
  );
  say(byId("depth-none"), worst.length ? "" : "None.");
}
