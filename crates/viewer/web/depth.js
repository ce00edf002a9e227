// The panel "Two players": the statistics of `judge compare`, and the largest regressions.

import { byId, choices, grouped, make, refill, setText, sentence } from "./dom.js";
import { ask } from "./engine.js";
import { QUICKSTART } from "./library.js";
import { everyone, label, pair } from "./players.js";
import { entry, loss } from "./standings.js";

// The number of regressions listed.
const LISTED = 6;

function signed(value) {
  const size = Math.abs(value);
  return `${value < 0 ? "−" : "+"}${size < 1000 ? size.toFixed(1) : grouped(size)}`;
}

function change(estimate) {
  if (!estimate) return "–";
  const range = estimate.interval?.map(signed).join(" to ") ?? "";
  return [`${signed(estimate.mean)} % `, make("small", range)];
}

function row(of) {
  const cells = [
    of.cases,
    `${of.wins} · ${of.ties} · ${of.losses}`,
    change(of.sum_percent),
    change(of.log_percent),
    of.wilcoxon_p < 0.0001 ? "<0.0001" : of.wilcoxon_p.toFixed(4),
  ];
  const name = make("th", { scope: "row" }, sentence(of.name));
  return make("tr", name, cells.map((cell) => make("td", cell)));
}

// Draws the panel for the games of `list`. `show(game, plans, where)`: opens both plans of a game.
export function drawDepth(list, show) {
  const [a, b] = pair();
  const options = everyone().map((name) => [name, label(name)]);
  choices(byId("depth-a"), options, a);
  choices(byId("depth-b"), options, b);
  const both = list
    .map((game) => ({ game, plans: [a, b].map((name) => entry(game, name)) }))
    .filter(({ plans: [one, other] }) => one && other);
  const points = ({ game, plans: [a, b] }) => ({ ...game.about, a: a.points, b: b.points });
  const result = a === b ? null : ask("depth", { cases: both.map(points) });
  byId("depth").querySelector(".split").hidden = !result;
  if (!result) return setText(byId("depth-text"), "No case has results of both players.");
  const { wins, ties, losses } = result.all;
  const text = `B is better on ${grouped(wins)}, equal on ${grouped(ties)}, worse on ${grouped(losses)}.`;
  setText(byId("depth-text"), text);
  refill(byId("depth-rows"), [result.all, ...result.classes].map(row));
  const worst = both
    .filter(({ game }) => loss(game) > 0)
    .sort((one, other) => loss(other.game) - loss(one.game));
  const items = worst.slice(0, LISTED).map(({ game, plans }) => {
    const unknown = ({ plan, player }) => plan === null && player !== QUICKSTART;
    const disabled = game.case === null || plans.some(unknown);
    const button = (text, where, title) =>
      make("button", { disabled, title, onclick: () => show(game, plans, where) }, text);
    return make(
      "li.row",
      make("span", `${game.name} `, make("b", `${signed(100 * Math.expm1(-loss(game)))} %`)),
      button("Split", "first", "Compare from the first column that the two place differently"),
      button("Swing", "most", "Compare at the column whose points differ most"),
    );
  });
  refill(byId("depth-worst"), items);
  setText(byId("depth-none"), worst.length ? "" : "None.");
}
