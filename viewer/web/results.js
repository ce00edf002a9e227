// The Results view: a card for each player, the panels, and a row for each opened case.

import { read, write, address } from "./address.js";
import { arrange, bench, colours, everyone, labels, onArrange, pair, players, remove } from "./bench.js";
import { Chart } from "./chart.js";
import { drawDepth } from "./depth.js";
import { byId, choices, copy, counted, download, grouped, make, note, refill, setText } from "./dom.js";
import { csv, markdown } from "./export.js";
import { onChange, opened, pick, quickstart, QUICKSTART } from "./library.js";
import { entry, FACTS, filtered, ratio, sorted, standing, status, top } from "./standings.js";

// The choices for the x axis of the chart, besides the numbers that bots print.
const AXES = ["columns", "width", "height", "colours"];

let open = () => {};
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

// Changes settings and redraws immediately.
function set(part) {
  arrange(part);
  clearTimeout(scheduled);
  draw();
}

function sortBy(id) {
  const { sort } = bench;
  set({ sort: { id, down: sort.id === id ? !sort.down : /^(score|ratio|number|loss):?/.test(id) } });
}

// Splits a name into parts between which a line may break.
function wrapped(name) {
  return name.split(/(?<=[-_/. ])/).flatMap((part) => [part, make("wbr")]);
}

// Returns the name of the reference of the ratios.
function base(labelOf) {
  return labelOf.get(bench.reference) ?? "the best";
}

function head(labelOf) {
  const { sort } = bench;
  const arrow = (id) =>
    make("span", { "aria-hidden": "true" }, sort.id === id ? (sort.down ? " ▾" : " ▴") : "");
  const button = (id, text, title) =>
    make(
      "button",
      { onclick: () => sortBy(id), title },
      make("span", null, ...wrapped(text), arrow(id)),
    );
  const marked = (...ids) =>
    ids.includes(sort.id) ? { "aria-sort": sort.down ? "descending" : "ascending" } : {};
  const cells = FACTS.map(({ id, label }) =>
    make(
      "th",
      { scope: "col", className: id, ...marked(id) },
      button(id, label, `Sort by ${label.toLowerCase()}`),
    ),
  );
  for (const name of names) {
    const label = labelOf.get(name);
    const ids = ["score", "ratio", "number"].map((kind) => `${kind}:${name}`);
    const number = bench.number && [button(ids[2], bench.number, `Sort by ${bench.number}`)];
    cells.push(
      make(
        "th",
        { scope: "col", className: "player", ...marked(...ids) },
        button(ids[0], label, `Sort by the points of ${label}`),
        button(ids[1], "Ratio", `Sort by the ratio to ${base(labelOf)}`),
        ...(number || []),
      ),
    );
  }
  return make("tr", null, ...cells);
}

function points(game, plan) {
  const share = ratio(game, plan);
  const number = bench.number && plan.numbers?.[bench.number];
  const inner = [
    plan.broken ? (status(game, plan).text === "invalid" ? "Invalid" : status(game, plan).text) : grouped(plan.points),
    make(
      "small",
      { className: plan.points && plan.points === top(game) ? "best" : "" },
      share === null ? "–" : share.toFixed(3),
    ),
    ...(bench.number ? [make("small", { className: "number" }, number === undefined ? "–" : String(+number.toPrecision(6)))] : []),
  ];
  const title = plan.broken ? `${plan.name}: ${plan.broken}` : plan.name;
  return plan.plan === null && game.case === null
    ? make("span", { className: "points", title }, ...inner)
    : make("button", { className: "points", title, onclick: () => open(game, plan) }, ...inner);
}

function cellOf(game, name, labelOf) {
  const plan = entry(game, name);
  const kind = plan && status(game, plan)?.kind;
  const cell = make(
    "td",
    { className: `player ${kind ?? ""}`, "data-label": labelOf.get(name) },
    plan ? points(game, plan) : "–",
  );
  const share = plan && ratio(game, plan);
  if (share) cell.style.setProperty("--share", Math.min(1, share).toFixed(2));
  return cell;
}

function cellsOf(game, labelOf) {
  const cells = FACTS.map(({ id, label, text }) =>
    make(
      "td",
      { className: id, "data-label": label },
      id === "name" ? make("button", { onclick: () => open(game, null) }, text(game)) : text(game),
    ),
  );
  return [...cells, ...names.map((name) => cellOf(game, name, labelOf))];
}

// Returns the row of a game, refilled if the game has changed.
function rowOf(game, labelOf) {
  if (!rows.has(game)) stale.add(game);
  const row = rows.get(game) ?? make("tr");
  rows.set(game, row);
  if (stale.delete(game)) refill(row, ...cellsOf(game, labelOf));
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
  const labelOf = labels();
  names = players();
  const now = JSON.stringify([names, [...labelOf], bench.reference, bench.number]);
  if (now !== rowInputs) {
    rowInputs = now;
    rows.clear();
    document.querySelector(".cases").style.setProperty("--players", Math.max(1, names.length));
    drawPlayers(labelOf);
  }
  const all = opened();
  byId("results-empty").hidden = all.length > 0;
  byId("results-full").hidden = !all.length;
  const { list, unknown } = filtered();
  const inOrder = sorted(list);
  place(inOrder.map((game) => rowOf(game, labelOf)));
  refill(byId("table-head"), head(labelOf));
  const unscored = all
    .filter((game) => game.case !== null)
    .flatMap(({ plans }) => plans.filter(({ points }) => points === null)).length;
  const part = list.length === all.length ? "" : `${grouped(list.length)} of `;
  setText(
    byId("table-text"),
    `${part}${counted(all.length, "case", "cases")}, ` +
      `${counted(names.length, "player", "players")}.` +
      (unscored ? ` ${counted(unscored, "plan is", "plans are")} being scored.` : "") +
      (unknown ? ` “${unknown}” is neither a player nor a number.` : ""),
  );
  drawSort(labelOf);
  // Sorting does not affect the cards and the panels.
  const { search, axis, panel, a, b } = bench;
  const wanted = JSON.stringify([now, search, axis, panel, a, b, list.length, changes]);
  if (wanted !== cardInputs) {
    cardInputs = wanted;
    drawCards(list, labelOf);
    drawPanel(list, labelOf);
  }
  drawTime = performance.now();
  write(link);
}

// Returns the address of the results, with sorting, filter and panel.
function link() {
  const { sort, search, reference, axis, panel, number } = bench;
  const plain = sort.id === "name" && !sort.down;
  return address("results", {
    sort: plain ? "" : `${sort.down ? "-" : ""}${sort.id}`,
    filter: search,
    to: reference,
    axis: axis === "columns" ? "" : axis,
    panel: panel === "chart" ? "" : panel,
    number,
  });
}

// Applies the settings in the address. An address without settings changes nothing.
function follow() {
  const { view, values } = read();
  if (view !== "results" || !values.size) return;
  const get = (name, other = "") => values.get(name) ?? other;
  const sort = get("sort", "name");
  arrange({
    sort: { id: sort.replace(/^-/, ""), down: sort.startsWith("-") },
    search: get("filter"),
    reference: get("to"),
    axis: get("axis", "columns"),
    panel: get("panel") === "depth" ? "depth" : "chart",
    number: get("number"),
  });
  byId("table-search").value = bench.search;
}

const FIGURES = [
  ["Sum", ({ sum }) => (sum === null ? null : grouped(sum))],
  [() => (bench.reference ? "Won – lost" : "Best – behind"), ({ won, lost }) => `${won} – ${lost}`],
  ["Invalid", ({ invalid }) => invalid || null, "lost"],
  ["Died", ({ died }) => died || null, "died"],
  ["Plan ends early", ({ short }) => short || null],
  ["Time", ({ seconds }) => seconds && `${seconds.mean.toFixed(1)} s, max ${seconds.most.toFixed(1)} s`],
];

function drawCards(list, labelOf) {
  const hues = colours();
  refill(
    byId("cards"),
    ...names.map((name) => {
      const of = standing(list, name);
      const figures = FIGURES.flatMap(([label, text, kind = ""]) => {
        const value = text(of);
        const title = typeof label === "string" ? label : label();
        if (value === null) return [];
        return [make("div", { className: kind }, make("dt", null, title), make("dd", null, String(value)))];
      });
      const few = of.cases < list.length;
      const common = () => set({ search: `${bench.search} common`.trim() });
      const dot = make("i", { "aria-hidden": "true" });
      dot.style.background = hues.get(name);
      return make(
        "li",
        { className: "card", "data-player": labelOf.get(name) },
        make("h2", null, dot, ...wrapped(labelOf.get(name))),
        make(
          "p",
          null,
          make("b", null, of.ratio === null ? "–" : of.ratio.toFixed(4)),
          make(
            "span",
            { className: "hint" },
            few ? `${grouped(of.cases)} of ${counted(list.length, "case", "cases")} ` : `to ${base(labelOf)}`,
          ),
        ),
        ...(few && of.cases
          ? [make("button", { onclick: common, title: "Show only the cases that all players have played" }, "Common cases")]
          : []),
        make("dl", null, ...figures),
      );
    }),
  );
}

function drawPanel(list, labelOf) {
  const isChart = bench.panel !== "depth";
  for (const [name, on] of [
    ["chart", isChart],
    ["depth", !isChart],
  ]) {
    byId(name).hidden = byId(`${name}-tools`).hidden = !on;
    byId(`panel-${name}`).setAttribute("aria-pressed", String(on));
  }
  if (!isChart) return drawDepth(list, everyone(), labelOf, open.both);
  const axes = [...new Set([...AXES, ...numbers()])];
  const axis = axes.includes(bench.axis) ? bench.axis : "columns";
  choices(byId("chart-axis"), axes.map((name) => [name, name]), axis);
  const hues = colours();
  const visible = names.length > 1 ? names.filter((name) => name !== bench.reference) : names;
  const dots = visible.flatMap((player) =>
    list.flatMap((game) => {
      const plan = entry(game, player);
      const y = plan && ratio(game, plan);
      const x = game.about[axis] ?? plan?.numbers?.[axis];
      if (!y || x === undefined) return [];
      const label = `${game.name} · ${labelOf.get(player)}: ${y.toFixed(3)}, ${axis} ${grouped(x)}`;
      return [{ game, plan, x, y, lost: Boolean(plan.broken), colour: hues.get(player), label }];
    }),
  );
  const title =
    `Ratio to ${base(labelOf)} against ${axis}: ${counted(dots.length, "point", "points")}, ` +
    `${visible.map((name) => labelOf.get(name)).join(", ")}`;
  chart.load(dots, axis, title);
}

// Returns the names of the numbers that bots printed.
function numbers() {
  const plans = opened().flatMap(({ plans }) => plans);
  return [...new Set(plans.flatMap((plan) => Object.keys(plan.numbers ?? {})))];
}

// Draws the list in which the user renames, hides and removes players. Also fills the menus for the
// reference and for the printed number that the table shows.
function drawPlayers(labelOf) {
  const hide = (name, on) =>
    arrange({ hidden: [...bench.hidden.filter((one) => one !== name), ...(on ? [] : [name])] });
  refill(
    byId("players").querySelector("ul"),
    ...everyone().map((name) => {
      const own = labelOf.get(name);
      return make(
        "li",
        null,
        make("input", {
          value: own,
          title: name,
          "aria-label": `Name of ${own}`,
          onchange: ({ target }) =>
            arrange({ names: { ...bench.names, [name]: target.value.trim() } }),
        }),
        make(
          "label",
          null,
          make("input", {
            type: "checkbox",
            checked: !bench.hidden.includes(name),
            "aria-label": `Show ${own}`,
            onchange: ({ target }) => hide(name, target.checked),
          }),
          "Show",
        ),
        make(
          "button",
          {
            disabled: name === QUICKSTART,
            "aria-label": `Remove ${own}`,
            onclick: () => note(`${own} was removed.`, remove(name)),
          },
          "Remove",
        ),
      );
    }),
  );
  const others = everyone().map((name) => [name, labelOf.get(name)]);
  choices(byId("table-reference"), [["", "the best"], ...others], bench.reference);
  const known = numbers();
  byId("table-number").parentElement.hidden = !known.length;
  choices(byId("table-number"), [["", "none"], ...known.map((one) => [one, one])], bench.number);
}

// Fills the sort menu. On phones it replaces the header of the table.
function drawSort(labelOf) {
  const ids = names.flatMap((name) => [
    [`score:${name}`, `${labelOf.get(name)}: points`],
    [`ratio:${name}`, `${labelOf.get(name)}: ratio`],
  ]);
  const facts = FACTS.map(({ id, label }) => [id, label]);
  choices(byId("table-sort"), [...facts, ...ids, ["loss", "biggest loss"]], bench.sort.id);
  const { id, down } = bench.sort;
  byId("table-losses").setAttribute("aria-pressed", String(id === "loss" && down));
}

// Sorts by the losses of player B against the reference; against player A if there is no reference.
function showLosses() {
  const [a, b] = pair();
  const other = bench.reference && bench.reference !== b ? bench.reference : a;
  set({ a: other, b, sort: { id: "loss", down: true } });
}

export const resultsView = {
  enter() {
    follow();
    draw();
    scrollTo(0, scrollPosition);
    for (const [game, row] of rows) row.toggleAttribute("data-last", game === last);
  },
  leave: () => (scrollPosition = scrollY),
  repaint: () => chart.repaint(),
};

// `watch()` opens the Watch view; `compare(game, plans, where)` compares two plans of a game.
export function bindResults(watch, compare) {
  open = (game, plan) => {
    if (game.case === null)
      return note(`Only the points of ${game.name} are known: open its case file as well.`);
    const known = !plan || plan.plan !== null || plan.player === QUICKSTART;
    last = game;
    watch();
    pick(game, plan ? (plan.plan === null ? quickstart(game) : plan) : undefined);
    if (!known)
      note(
        `Only the points of ${plan.player} are known: open the folder with its ` +
          "plans to watch its game. Showing quickstart's game instead.",
      );
  };
  open.both = (game, plans, where) => {
    last = game;
    compare(game, plans, where);
  };
  chart = new Chart(byId("chart-box"), ({ game, plan }) => open(game, plan));
  byId("panel-chart").onclick = () => set({ panel: "chart" });
  byId("panel-depth").onclick = () => set({ panel: "depth" });
  byId("depth-a").onchange = ({ target }) => set({ a: target.value });
  byId("depth-b").onchange = ({ target }) => set({ b: target.value });
  byId("chart-axis").onchange = ({ target }) => set({ axis: target.value });
  byId("table-search").value = bench.search;
  byId("table-search").oninput = ({ target }) => set({ search: target.value });
  byId("table-reference").onchange = ({ target }) => set({ reference: target.value });
  byId("table-number").onchange = ({ target }) => set({ number: target.value });
  byId("table-sort").onchange = ({ target }) => sortBy(target.value);
  byId("table-losses").onclick = showLosses;
  byId("export-csv").onclick = () =>
    download("results.csv", csv(sorted(filtered().list), names, labels()), "text/csv");
  byId("export-markdown").onclick = async () => {
    const labelOf = labels();
    const text = markdown(sorted(filtered().list), names, labelOf, base(labelOf));
    if (await copy(text)) note("Table copied as Markdown.");
    else download("results.md", text);
  };
  const schedule = (delay) => {
    clearTimeout(scheduled);
    scheduled = setTimeout(draw, delay);
  };
  onArrange(() => schedule(0));
  onChange((game) => {
    changes += 1;
    if (game) stale.add(game);
    // Hundreds of scores may arrive in a second: redraw less often for them than for user actions.
    schedule(game ? drawTime + PAUSE - performance.now() : 0);
  });
}
