// The Results view: a card for each player, the panels, and a row for each opened case.

import { address, read, write } from "./address.js";
import { arrange, bench, DEFAULTS, onArrange, sorting } from "./bench.js";
import { Chart } from "./chart.js";
import { drawDepth } from "./depth.js";
import { byId, choices, counted, grouped, make, note, refill, sentence, setText } from "./dom.js";
import { copyMarkdown, downloadCsv } from "./export.js";
import { filtered } from "./filter.js";
import { onChange, opened, pick, quickstart, QUICKSTART } from "./library.js";
import { colours, everyone, label, pair, players, reference } from "./players.js";
import { removePlayer } from "./removal.js";
import { entry, FACTS, ratio, sorted, standing, status, top } from "./standings.js";
import { turnTo } from "./views.js";

// The choices for the x axis of the chart, besides the numbers that bots print.
const AXES = ["columns", "width", "height", "colours"];

let chart = null;
let names = [];
// Minimum interval between redraws while plans are being scored, in milliseconds.
const PAUSE = 300;
let scheduled = 0;
let settling = 0;
let drawTime = -PAUSE;
// The row of each game, the games whose row is out of date, and the inputs from which the page last
// drew the rows and the cards.
const rows = new Map();
const stale = new Set();
let rowInputs = "";
let cardInputs = "";
let changes = 0;
// The scroll position at which the user left the view, and the game that was opened last.
let scrollPosition = 0;
let last = null;

// Opens the game of a plan in Watch; without a plan, the best game.
function open(game, plan) {
  if (game.case === null)
    return note(`Only the points of ${game.name} are known: open its case file as well.`);
  last = game;
  turnTo("watch");
  pick(game, plan?.plan === null ? quickstart(game) : plan);
  if (plan?.plan === null && plan.player !== QUICKSTART)
    note(
      `Only the points of ${plan.player} are known: open the folder with its ` +
        "plans to watch its game. Showing quickstart's game instead.",
    );
}

// Compares two plans of a game, starting at their first difference or at the biggest swing.
function openBoth(game, plans, where) {
  last = game;
  const compare = turnTo("compare");
  compare.at(game, ...plans);
  compare.goTo(where);
}

function sortBy(id) {
  const { id: current, down } = sorting();
  const toDown = id === current ? !down : /^(score|ratio|number|loss):?/.test(id);
  arrange({ sort: toDown ? `-${id}` : id });
}

// Splits a name into parts between which a line may break.
function wrapped(name) {
  return name.split(/(?<=[-_/. ])/).flatMap((part) => [part, make("wbr")]);
}

// Returns the name of the reference of the ratios.
function base() {
  return reference() ? label(reference()) : "the best";
}

function head() {
  const { id: current, down } = sorting();
  const button = ([id, text, what]) => {
    const arrow = id === current && (down ? " ▾" : " ▴");
    const inner = make("span", wrapped(text), make("span", { "aria-hidden": "true" }, arrow));
    return make("button", { onclick: () => sortBy(id), title: `Sort by ${what}` }, inner);
  };
  // `sorts`: what a click sorts by, [id, text, description] each.
  const cell = (className, ...sorts) => {
    const cell = make("th", { scope: "col", className }, sorts.map(button));
    if (sorts.some(([id]) => id === current)) cell.ariaSort = down ? "descending" : "ascending";
    return cell;
  };
  const facts = FACTS.map(({ id, label }) => cell(id, [id, label, label.toLowerCase()]));
  const cells = names.map((name) =>
    cell(
      "player",
      [`score:${name}`, label(name), `the points of ${label(name)}`],
      [`ratio:${name}`, "Ratio", `the ratio to ${base()}`],
      ...(bench.number ? [[`number:${name}`, bench.number, bench.number]] : []),
    ),
  );
  return make("tr", facts, cells);
}

function points(game, plan) {
  const share = ratio(game, plan);
  const number = plan.numbers?.[bench.number];
  const isBest = plan.points && plan.points === top(game);
  const inner = [
    plan.broken ? sentence(status(game, plan).text) : grouped(plan.points),
    make(isBest ? "small.best" : "small", share?.toFixed(3) ?? "–"),
    bench.number && make("small.number", number === undefined ? "–" : +number.toPrecision(6)),
  ];
  const title = plan.broken ? `${plan.name}: ${plan.broken}` : plan.name;
  return plan.plan === null && game.case === null
    ? make("span.points", { title }, inner)
    : make("button.points", { title, onclick: () => open(game, plan) }, inner);
}

function factCell(game, { id, label, text }) {
  const content = text(game);
  const button = () => make("button", { onclick: () => open(game) }, content);
  return make("td", { className: id, "data-label": label }, id === "name" ? button() : content);
}

function playerCell(game, name) {
  const plan = entry(game, name);
  const className = `player ${(plan && status(game, plan)?.kind) ?? ""}`;
  const content = plan ? points(game, plan) : "–";
  const cell = make("td", { className, "data-label": label(name) }, content);
  const share = plan && ratio(game, plan);
  if (share) cell.style.setProperty("--share", Math.min(1, share).toFixed(2));
  return cell;
}

// Returns the row of a game, refilled if the game has changed.
function rowOf(game) {
  if (!rows.has(game)) stale.add(game);
  const row = rows.get(game) ?? make("tr");
  rows.set(game, row);
  if (stale.delete(game)) {
    const facts = FACTS.map((fact) => factCell(game, fact));
    refill(row, facts, names.map((name) => playerCell(game, name)));
  }
  return row;
}

// Puts the rows in order. Rows that move out of sight are laid out later.
function place(wanted) {
  const body = byId("table-body");
  const now = [...body.children];
  const isSorted = wanted.length === now.length;
  // If no row moves, there is nothing to do.
  if (isSorted && wanted.every((row, i) => row === now[i])) return;
  const boxes = isSorted ? now.map((row) => row.getBoundingClientRect()) : [];
  const hide = ({ style }, far) => (style.contentVisibility = far ? "hidden" : "");
  wanted.forEach((row, i) => hide(row, boxes[i]?.bottom < 0 || boxes[i]?.top > innerHeight));
  refill(body, ...wanted);
  clearTimeout(settling);
  settling = setTimeout(() => wanted.forEach((row) => hide(row, false)), PAUSE / 3);
}

function draw() {
  if (byId("view-results").hidden) return;
  names = players();
  const now = JSON.stringify([names, names.map(label), reference(), bench.number]);
  if (now !== rowInputs) {
    rowInputs = now;
    rows.clear();
    document.querySelector(".cases").style.setProperty("--players", Math.max(1, names.length));
    drawPlayers();
  }
  const all = opened();
  byId("results-empty").hidden = all.length > 0;
  byId("results-full").hidden = !all.length;
  const { list, unknown } = filtered();
  place(sorted(list).map(rowOf));
  refill(byId("table-head"), head());
  const unscored = all
    .filter((game) => game.case !== null)
    .flatMap(({ plans }) => plans.filter(({ points }) => points === null)).length;
  const part = list.length === all.length ? "" : `${grouped(list.length)} of `;
  const texts = [
    `${part}${counted(all.length, "case", "cases")}, ${counted(names.length, "player", "players")}.`,
    unscored && `${counted(unscored, "plan is", "plans are")} being scored.`,
    unknown && `“${unknown}” is neither a player nor a number.`,
  ];
  setText(byId("table-text"), texts.filter(Boolean).join(" "));
  drawSort();
  // Sorting does not affect the cards and the panels.
  const { sort, ...others } = bench;
  const wanted = JSON.stringify([now, others, changes]);
  if (wanted !== cardInputs) {
    cardInputs = wanted;
    drawCards(list);
    drawPanel(list);
  }
  drawTime = performance.now();
  write(link);
}

// The settings in the address. Default settings are left out.
const SETTINGS = ["sort", "filter", "reference", "axis", "panel", "number"];

function link() {
  const names = SETTINGS.filter((name) => bench[name] !== DEFAULTS[name]);
  return address("results", Object.fromEntries(names.map((name) => [name, bench[name]])));
}

// Applies the settings in the address. An address without settings changes nothing.
function follow() {
  const { view, values } = read();
  if (view !== "results" || !values.size) return;
  const list = SETTINGS.map((name) => [name, values.get(name) ?? DEFAULTS[name]]);
  arrange(Object.fromEntries(list));
  byId("table-search").value = bench.filter;
}

// Returns the figures of a card: label, value and class. Figures without a value are left out.
function figures({ sum, won, lost, invalid, died, short, seconds }) {
  const list = [
    ["Sum", sum !== null && grouped(sum)],
    [reference() ? "Won – lost" : "Best – behind", `${won} – ${lost}`],
    ["Invalid", invalid, "lost"],
    ["Died", died, "died"],
    ["Plan ends early", short],
    ["Time", seconds && `${seconds.mean.toFixed(1)} s, max ${seconds.most.toFixed(1)} s`],
  ];
  return list
    .filter(([, value]) => value)
    .map(([label, value, className = ""]) =>
      make("div", { className: `row ${className}` }, make("dt", label), make("dd", value)),
    );
}

function drawCards(list) {
  const hues = colours();
  const cards = names.map((name) => {
    const of = standing(list, name);
    const few = of.cases < list.length;
    const part = `${grouped(of.cases)} of ${counted(list.length, "case", "cases")} `;
    const onclick = () => arrange({ filter: `${bench.filter} common`.trim() });
    const title = "Show only the cases that all players have played";
    const dot = make("i", { "aria-hidden": "true" });
    dot.style.background = hues.get(name);
    return make(
      "li.card",
      { "data-player": label(name) },
      make("h2", dot, wrapped(label(name))),
      make(
        "p.row",
        make("b", of.ratio?.toFixed(4) ?? "–"),
        make("span.hint", few ? part : `to ${base()}`),
      ),
      few && of.cases > 0 && make("button", { onclick, title }, "Common cases"),
      make("dl.row", figures(of)),
    );
  });
  refill(byId("cards"), cards);
}

function drawPanel(list) {
  const panel = bench.panel === "depth" ? "depth" : "chart";
  for (const name of ["chart", "depth"]) {
    byId(name).hidden = byId(`${name}-tools`).hidden = name !== panel;
    byId(`panel-${name}`).setAttribute("aria-pressed", String(name === panel));
  }
  if (panel === "depth") return drawDepth(list, openBoth);
  const axes = [...new Set([...AXES, ...numbers()])];
  const axis = axes.includes(bench.axis) ? bench.axis : "columns";
  choices(byId("chart-axis"), axes.map((name) => [name, name]), axis);
  const hues = colours();
  const visible = names.length > 1 ? names.filter((name) => name !== reference()) : names;
  const dots = visible.flatMap((player) =>
    list.flatMap((game) => {
      const plan = entry(game, player);
      const y = plan && ratio(game, plan);
      const x = game.about[axis] ?? plan?.numbers?.[axis];
      if (!y || x === undefined) return [];
      const text = `${game.name} · ${label(player)}: ${y.toFixed(3)}, ${axis} ${grouped(x)}`;
      const lost = Boolean(plan.broken);
      return [{ game, plan, x, y, lost, colour: hues.get(player), label: text }];
    }),
  );
  const title =
    `Ratio to ${base()} against ${axis}: ${counted(dots.length, "point", "points")}, ` +
    visible.map(label).join(", ");
  chart.load(dots, axis, title);
}

// Returns the names of the numbers that bots printed.
function numbers() {
  const plans = opened().flatMap(({ plans }) => plans);
  return [...new Set(plans.flatMap((plan) => Object.keys(plan.numbers ?? {})))];
}

// Draws the list in which the user renames, hides and removes players. Also fills the menus for the
// reference and for the printed number that the table shows.
function drawPlayers() {
  const items = everyone().map((name) => {
    const own = label(name);
    const others = bench.hidden.filter((one) => one !== name);
    const field = make("input", {
      value: own,
      title: name,
      "aria-label": `Name of ${own}`,
      onchange: ({ target }) => arrange({ names: { ...bench.names, [name]: target.value.trim() } }),
    });
    const box = make("input", {
      type: "checkbox",
      checked: !bench.hidden.includes(name),
      "aria-label": `Show ${own}`,
      onchange: ({ target }) => arrange({ hidden: target.checked ? others : [...others, name] }),
    });
    const button = {
      disabled: name === QUICKSTART,
      "aria-label": `Remove ${own}`,
      onclick: () => note(`${own} was removed.`, removePlayer(name)),
    };
    return make("li.row", field, make("label", box, "Show"), make("button", button, "Remove"));
  });
  refill(byId("players").querySelector("ul"), items);
  const others = everyone().map((name) => [name, label(name)]);
  choices(byId("table-reference"), [["", "the best"], ...others], reference());
  const known = numbers();
  byId("table-number").parentElement.hidden = !known.length;
  choices(byId("table-number"), [["", "none"], ...known.map((one) => [one, one])], bench.number);
}

// Fills the sort menu. On phones it replaces the header of the table.
function drawSort() {
  const facts = FACTS.map(({ id, label }) => [id, label]);
  const ids = names.flatMap((name) => [
    [`score:${name}`, `${label(name)}: points`],
    [`ratio:${name}`, `${label(name)}: ratio`],
  ]);
  choices(byId("table-sort"), [...facts, ...ids, ["loss", "biggest loss"]], sorting().id);
  byId("table-losses").setAttribute("aria-pressed", String(bench.sort === "-loss"));
}

// Sorts by the losses of player B against the reference; against player A if there is no reference.
function showLosses() {
  const [a, b] = pair();
  const other = reference() && reference() !== b ? reference() : a;
  arrange({ a: other, b, sort: "-loss" });
}

function bind() {
  chart = new Chart(byId("chart"), ({ game, plan }) => open(game, plan));
  for (const panel of ["chart", "depth"])
    byId(`panel-${panel}`).onclick = () => arrange({ panel });
  for (const [id, key] of [
    ["depth-a", "a"],
    ["depth-b", "b"],
    ["chart-axis", "axis"],
    ["table-reference", "reference"],
    ["table-number", "number"],
  ])
    byId(id).onchange = ({ target }) => arrange({ [key]: target.value });
  byId("table-search").value = bench.filter;
  byId("table-search").oninput = ({ target }) => arrange({ filter: target.value });
  byId("table-sort").onchange = ({ target }) => sortBy(target.value);
  byId("table-losses").onclick = showLosses;
  const inOrder = () => sorted(filtered().list);
  byId("export-csv").onclick = () => downloadCsv(inOrder(), names);
  byId("export-markdown").onclick = () => copyMarkdown(inOrder(), names, base());
  onArrange(draw);
  onChange((game) => {
    changes += 1;
    if (game) stale.add(game);
    // Hundreds of scores may arrive in a second: redraw less often for them than for user actions.
    clearTimeout(scheduled);
    scheduled = setTimeout(draw, game ? drawTime + PAUSE - performance.now() : 0);
  });
}

export const resultsView = {
  bind,
  enter() {
    follow();
    draw();
    scrollTo(0, scrollPosition);
    for (const [game, row] of rows) row.toggleAttribute("data-last", game === last);
  },
  leave: () => (scrollPosition = scrollY),
  repaint: () => chart.repaint(),
};
