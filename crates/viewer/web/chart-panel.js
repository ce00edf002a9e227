// The charts of the results: A against B, with a list of B's largest losses; the distribution of ratios; and
// ratios by a property of the case or by a metric.

import { changeSettings, settings } from "./results-settings.js";
import { Chart } from "./chart.js";
import {
  button, byId, capitalise, countText, fillMenu, groupDigits, make, ownProperty, ratioText, refill,
} from "./dom.js";
import { ask } from "./engine.js";
import { metricNames } from "./filter.js";
import { isPlayable } from "./library.js";
import { allPlayers, playerMark, playerName, referencePlayer, visiblePlayers } from "./players.js";
import { changeContent } from "./ranking.js";
import {
  bestPlan, comparedPlayers, comparePlayers, FAILURES, lossOfB, mapResults, numericProperty, ratioOf,
  referenceName, withoutQuickstart,
} from "./standings.js";

const CHARTS = ["pair", "spread", "axis"];
// The properties of cases that the x axis can show, in addition to the metrics.
const AXES = ["columns", "width", "height", "cells", "colours"];
const MAX_LOSSES_SHOWN = 8;
const RATIO = { isLog: true, format: (ratio) => String(Number(ratio.toPrecision(3))) };

let chart = null;
let showComparison = null;

// Returns the visible players other than the reference. Includes quickstart only if it is the only one.
const otherPlayers = () =>
  withoutQuickstart(visiblePlayers().filter((playerId) => playerId !== referencePlayer()));

// Returns the title of a chart, such as "Points: Alice, Bob".
const chartTitle = (text) => `${text}: ${otherPlayers().map(playerName).join(", ")}`;

// A against B: a point for each case. A failed game is at the edge.
function pairChart(list) {
  const [a, b] = comparedPlayers();
  const points = list.flatMap((game) => {
    const [one, other] = [bestPlan(game, a), bestPlan(game, b)];
    if (!one || !other) return [];
    const value = (plan) => (plan.failure ? null : Math.max(1, plan.points));
    const text = (plan) => (plan.failure ? FAILURES[plan.failure] : groupDigits(plan.points));
    const words = `${game.name} · A ${text(one)}, B ${text(other)}`;
    const isLower = (value(other) ?? 0) < (value(one) ?? 0);
    const colour = isLower ? "down" : "up";
    const shape = one.failure || other.failure ? "✖" : isLower ? "▼" : "▲";
    const at = { x: value(one), y: value(other) };
    return [{ ...at, game, plan: other, plans: [one, other], colour, shape, label: words }];
  });
  const axis = (text) => ({ label: text, isLog: true, format: groupDigits });
  return {
    points,
    diagonal: true,
    x: axis(`A · ${playerName(a)}`),
    y: axis(`B · ${playerName(b)}`),
    corner: "B better",
    title: `Points of A against points of B, ${countText(points.length, "case")}`,
  };
}

// The cumulative distribution: for each ratio, the share of cases with at most this ratio.
function distributionChart(list) {
  const lines = otherPlayers().map((player) => {
    const shares = mapResults(list, player, ratioOf).sort((a, b) => a - b);
    const step = (share, i) => [[share, (100 * i) / shares.length], [share, (100 * (i + 1)) / shares.length]];
    const name = playerName(player);
    return { player, name, colour: playerMark(player).colour, points: shares.flatMap(step) };
  });
  // A mark at every tenth of the cases distinguishes the lines for readers who cannot tell the colours apart.
  const points = lines.flatMap(({ player, points }) =>
    points
      .filter((_, i) => i % Math.max(2, 2 * Math.round(points.length / 20)) === 1)
      .map(([x, y]) => {
        const text = `${playerName(player)}: ${y.toFixed(0)} % at most ${ratioText(x)}`;
        return { x, y, ...playerMark(player), label: text };
      }),
  );
  return {
    lines,
    points,
    x: { ...RATIO, label: `ratio to ${referenceName()}` },
    y: { label: "cases, %", isLog: false, format: String },
    title: chartTitle("Share of cases with at most a ratio"),
  };
}

// Returns the first property of `AXES` in which the cases differ, or "columns" if they differ in none.
const varyingAxis = (list) =>
  AXES.find((name) => new Set(list.map((game) => numericProperty(game, name))).size > 1) ?? AXES[0];

// The ratios by a property of the case or by a metric, with the median and the interquartile range.
function propertyChart(list) {
  const axes = [...new Set([...AXES, ...metricNames()])];
  const axis = axes.includes(settings.axis) ? settings.axis : varyingAxis(list);
  fillMenu(byId("chart-axis"), axes.map((name) => [name, name]), axis);
  const points = otherPlayers().flatMap((player) =>
    mapResults(list, player, (game, plan) => {
      const y = ratioOf(game, plan);
      const x = AXES.includes(axis) ? numericProperty(game, axis) : (ownProperty(plan.metrics, axis) ?? null);
      if (y === null || x === null) return null;
      const text = `${game.name} · ${playerName(player)}: ${y.toFixed(3)}, ${axis} ${+x.toPrecision(6)}`;
      return { game, plan, player, x, y, ...playerMark(player), label: text };
    }),
  );
  const bands = otherPlayers().map((player) => {
    const list = points.filter((point) => point.player === player).map(({ x, y }) => [x, y]);
    const parts = ask("quartile-bands", { points: list });
    return { name: playerName(player), colour: playerMark(player).colour, parts };
  });
  const xs = points.map(({ x }) => x);
  const isLog = Math.min(...xs) > 0 && Math.max(...xs) / Math.min(...xs) > 15;
  return {
    points,
    bands,
    x: { label: axis, isLog, format: (x) => x.toLocaleString("en") },
    y: { ...RATIO, label: `ratio to ${referenceName()}: points, median and middle half` },
    title: chartTitle(`Ratio to ${referenceName()} against ${axis}, ${countText(points.length, "point")}`),
  };
}

function classRow({ name, wins, ties, losses, ...summary }) {
  const cells = [
    summary.cases,
    `${wins} · ${ties} · ${losses}`,
    changeContent(summary.log_percent),
    changeContent(summary.sum_percent),
    summary.log_percent?.p ?? "–",
  ];
  return make("tr", make("th", { scope: "row" }, capitalise(name)), cells.map((cell) => make("td", cell)));
}

// Draws the comparison of A and B by class of case, and the largest losses of B.
function drawPair(list) {
  const [a, b] = comparedPlayers();
  const options = allPlayers().map((playerId) => [playerId, playerName(playerId)]);
  fillMenu(byId("pair-a"), options, a);
  fillMenu(byId("pair-b"), options, b);
  const result = a === b ? null : comparePlayers(list, a, b);
  byId("pair-classes").hidden = !result;
  const losses = result ? list.filter((game) => lossOfB(game) > 0) : [];
  byId("pair-losses").hidden = !losses.length;
  if (!result) return;
  refill(byId("pair-rows"), [result.all, ...result.classes].map(classRow));
  const worst = losses.sort((one, two) => lossOfB(two) - lossOfB(one) || 0).slice(0, MAX_LOSSES_SHOWN);
  const percents = worst.map((game) => 100 * Math.expm1(-lossOfB(game)));
  const texts = ask("change-texts", { percents });
  const items = worst.map((game, i) => {
    const plans = [a, b].map((playerId) => bestPlan(game, playerId));
    const text = plans[1].failure ? FAILURES[plans[1].failure] : texts[i];
    const title = "Compare where A takes the lead for good";
    const disabled = game.case === null || !plans.every(isPlayable);
    const open = () => showComparison(game, plans);
    return make("li", button([make("span", game.name), make("b", text)], open, { title, disabled }));
  });
  refill(byId("pair-worst"), items);
}

// Draws the chosen chart for the games in `list`.
export function drawChartPanel(list) {
  const name = CHARTS.includes(settings.panel) ? settings.panel : "pair";
  for (const one of CHARTS) byId(`panel-${one}`).setAttribute("aria-pressed", String(one === name));
  byId("pair").hidden = name !== "pair";
  if (name !== "pair") byId("pair-classes").hidden = true;
  byId("chart").classList.toggle("square", name === "pair");
  byId("axis-tools").hidden = name !== "axis";
  const draw = { pair: pairChart, spread: distributionChart, axis: propertyChart }[name];
  chart.load(draw(list));
  if (name === "pair") drawPair(list);
}

export function repaintChartPanel() {
  chart.repaint();
}

// `open(game, plan)`: opens the game of a point. `compare(game, plans)`: compares both plans of a game.
export function bindChartPanel(open, compare) {
  showComparison = compare;
  chart = new Chart(byId("chart"), ({ game, plan, plans }) =>
    plans?.every(isPlayable) && game.case !== null ? showComparison(game, plans) : open(game, plan),
  );
  for (const panel of CHARTS) byId(`panel-${panel}`).onclick = () => changeSettings({ panel });
  byId("pair-swap").onclick = () => {
    const [a, b] = comparedPlayers();
    changeSettings({ a: b, b: a });
  };
}
