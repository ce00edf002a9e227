// All cases with the points of every player: to sort, to filter, to open.

import { write } from "./address.js";
import { arrange, bench, everyone, labels, players, remove } from "./bench.js";
import { byId, choices, counted, grouped, make, refill, report, say, sentence } from "./dom.js";
import { ask } from "./engine.js";
import { games, onChange, pick, quickstart, QUICKSTART } from "./library.js";
import { Scatter } from "./scatter.js";

const FACTS = [
  { id: "name", label: "Case", text: (game) => game.name, value: (game) => game.name },
  {
    id: "seed",
    label: "Seed",
    text: (game) => seed(game) ?? "–",
    value: (game) => Number(seed(game) ?? Infinity),
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
];

const collator = new Intl.Collator("en", { numeric: true });

// What ratios can be drawn against, besides the numbers that bots told.
const AXES = ["width", "height", "columns", "colours"];

let open = () => {};
let scatter = null;
let names = [];
// While plans are being scored the table is drawn so often, in milliseconds, and no more.
const PAUSE = 300;
let scheduled = 0;
let settling = 0;
let drawn = -PAUSE;
// The row of each game, the rows that no longer tell what their game is, and what all of them say.
const rows = new Map();
const stale = new Set();
let made = "";

export function growing({ palette }) {
  return palette === "growing";
}

function seed(game) {
  return game.key?.number ? game.key.text || "0" : null;
}

// The best plan of a player for a case; one without points counts as none.
function entry(game, player) {
  let best = null;
  for (const plan of game.plans) {
    if (plan.player === player && plan.points !== null && (!best || plan.points > best.points))
      best = plan;
  }
  return best;
}

function top(game) {
  return Math.max(0, ...game.plans.map((plan) => plan.points ?? 0));
}

// To the player that the others are held against, or to the best; 0 points count as 1.
function ratio(game, plan) {
  const base = bench.reference ? entry(game, bench.reference)?.points : top(game);
  return (base ?? null) === null ? null : Math.max(1, plan.points) / Math.max(1, base);
}

function shown() {
  const { kind, search } = bench;
  return games.filter(
    (game) =>
      (kind === "" || game.about.classes.includes(Number(kind))) &&
      game.name.toLowerCase().includes(search.trim().toLowerCase()),
  );
}

// What the table is sorted by: a fact, or the points or ratios of a player.
function value(game, id) {
  const fact = FACTS.find((one) => one.id === id);
  if (fact) return fact.value(game);
  const plan = entry(game, id.slice(6));
  if (!plan) return -1;
  return id.startsWith("score") ? plan.points : (ratio(game, plan) ?? -1);
}

function sorted(list) {
  const { id, down } = bench.sort;
  const keys = new Map(list.map((game) => [game, value(game, id)]));
  const sign = down ? -1 : 1;
  const order = (a, b) => (typeof a === "string" ? collator.compare(a, b) : a - b || 0);
  return [...list].sort((a, b) => sign * order(keys.get(a), keys.get(b)));
}

// The games that can be watched, as the table has them; all of them where `game` is not among them.
export function order(game) {
  const list = shown();
  return sorted(list.includes(game) ? list : games).filter((one) => one.case !== null);
}

// What the visitor has just changed is to be seen at once.
function set(part) {
  arrange(part);
  clearTimeout(scheduled);
  draw();
}

function sortBy(id) {
  const { sort } = bench;
  set({ sort: { id, down: sort.id === id ? !sort.down : /^(score|ratio):/.test(id) } });
}

// A name that may be broken after what joins its words.
function wrapped(name) {
  return name.split(/(?<=[-_/. ])/).flatMap((part) => [part, make("wbr")]);
}

function head() {
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
  const called = labels();
  const cells = FACTS.map(({ id, label }) =>
    make(
      "th",
      { scope: "col", className: id, ...marked(id) },
      button(id, label, `Sort by ${label.toLowerCase()}`),
    ),
  );
  for (const name of names)
    cells.push(
      make(
        "th",
        { scope: "col", className: "player", ...marked(`score:${name}`, `ratio:${name}`) },
        button(`score:${name}`, called.get(name), `Sort by the points of ${called.get(name)}`),
        button(`ratio:${name}`, "Ratio", `Sort by the ratio to ${base(called)}`),
      ),
    );
  return make("tr", null, ...cells);
}

function points(game, plan) {
  const share = ratio(game, plan);
  const text = plan.broken ? "Invalid" : grouped(plan.points);
  const inner = [
    text,
    make(
      "small",
      { className: plan.points === top(game) ? "best" : "" },
      share === null ? "–" : share.toFixed(3),
    ),
  ];
  const title = plan.broken ?? plan.name;
  return plan.plan === null && game.case === null
    ? make("span", { className: "points", title }, ...inner)
    : make("button", { className: "points", title, onclick: () => open(game, plan) }, ...inner);
}

function cell(name, called, inner) {
  return make("td", { className: "player", "data-label": called.get(name) }, inner);
}

function cellsOf(game, called) {
  const cells = FACTS.map(({ id, label, text }) =>
    make(
      "td",
      { className: id, "data-label": label },
      id === "name" ? make("button", { onclick: () => open(game, null) }, text(game)) : text(game),
    ),
  );
  for (const name of names) {
    const plan = entry(game, name);
    cells.push(cell(name, called, plan ? points(game, plan) : "–"));
  }
  return cells;
}

// The row of a game, filled anew where that is needed.
function rowOf(game, called) {
  if (!rows.has(game)) stale.add(game);
  const row = rows.get(game) ?? make("tr");
  rows.set(game, row);
  if (stale.delete(game)) refill(row, ...cellsOf(game, called));
  return row;
}

function sum(list) {
  return list.reduce((a, b) => a + b, 0);
}

// What ratios are to.
function base(called) {
  return called.get(bench.reference) ?? "the best";
}

function foot(list, called) {
  const pairs = names.map((name) =>
    list.map((game) => [game, entry(game, name)]).filter(([, plan]) => plan),
  );
  const of = pairs.map((own) => own.map(([, plan]) => plan.points));
  const ratios = pairs.map((own) =>
    own.map(([game, plan]) => ratio(game, plan)).filter((share) => share !== null),
  );
  const line = (label, tell, lists = of) =>
    make(
      "tr",
      null,
      make("th", { scope: "row", colSpan: FACTS.length }, label),
      ...lists.map((all, i) => cell(names[i], called, all.length ? tell(all) : "–")),
    );
  const mean = (all) => sum(all) / all.length;
  const log = (points) => Math.log(Math.max(1, points));
  const wins = (all) =>
    `${all.filter((share) => share > 1).length} – ${all.filter((share) => share < 1).length}`;
  const some = of.some((all) => all.length && all.length < list.length);
  return [
    line("Sum", (all) => grouped(sum(all))),
    line("Geometric mean, 0 counted as 1", (all) => grouped(Math.exp(mean(all.map(log))))),
    line(`Mean ratio to ${base(called)}`, (all) => mean(all).toFixed(4), ratios),
    ...(bench.reference ? [line("Wins – losses", wins, ratios)] : []),
    ...(some ? [line("Cases", (all) => grouped(all.length))] : []),
  ];
}

// Puts the rows in their order; those that come out of sight are laid out when the others are seen.
function place(wanted) {
  const body = byId("table-body");
  const now = [...body.children];
  const isSorted = wanted.length === now.length;
  // Rows that stand where they should are not laid out again.
  if (isSorted && wanted.every((row, i) => row === now[i])) return;
  const boxes = isSorted ? now.map((row) => row.getBoundingClientRect()) : [];
  const hide = ({ style }, far) => (style.contentVisibility = far ? "hidden" : "");
  wanted.forEach((row, i) => hide(row, boxes[i]?.bottom < 0 || boxes[i]?.top > innerHeight));
  refill(body, ...wanted);
  clearTimeout(settling);
  settling = setTimeout(() => wanted.forEach((row) => hide(row, false)), PAUSE / 3);
}

function draw() {
  if (byId("view-table").hidden) return;
  const called = labels();
  names = players();
  const now = JSON.stringify([names, [...called], bench.reference]);
  if (now !== made) {
    made = now;
    rows.clear();
    document.querySelector(".cases").style.setProperty("--players", names.length);
    drawPlayers(called);
  }
  const list = sorted(shown());
  place(list.map((game) => rowOf(game, called)));
  refill(byId("table-head"), head());
  byId("table-foot").replaceChildren(...foot(list, called));
  const open = games
    .filter((game) => game.case !== null)
    .flatMap(({ plans }) => plans.filter(({ points }) => points === null)).length;
  const unscored = open ? ` ${counted(open, "plan is", "plans are")} being scored.` : "";
  const part = list.length === games.length ? "" : `${grouped(list.length)} of `;
  say(
    byId("table-text"),
    `${part}${counted(games.length, "case", "cases")}, ` +
      `${counted(names.length, "player", "players")}.${unscored}`,
  );
  drawSort(called);
  drawChart(list, called);
  drawn = performance.now();
}

// The ratios of one player against a number of the cases.
function drawChart(list, called) {
  if (!byId("chart").open) return;
  const told = games.flatMap(({ plans }) => plans.flatMap((plan) => Object.keys(plan.numbers ?? {})));
  const axes = [...new Set([...AXES, ...told])];
  const axis = axes.includes(bench.axis) ? bench.axis : "columns";
  const others = names.filter((name) => name !== bench.reference);
  const player = others.includes(bench.drawn) ? bench.drawn : (others[0] ?? names[0]);
  choices(byId("chart-player"), names.map((name) => [name, called.get(name)]), player);
  choices(byId("chart-axis"), axes.map((name) => [name, name]), axis);
  const points = list.flatMap((game) => {
    const plan = entry(game, player);
    const y = plan && ratio(game, plan);
    const x = game.about[axis] ?? plan?.numbers?.[axis];
    return y && x !== undefined ? [{ game, plan, x, y, name: game.name }] : [];
  });
  const title =
    `Ratio of ${called.get(player)} to ${base(called)} against ${axis}, ` +
    `${counted(points.length, "case", "cases")}. A click on a point opens its game.`;
  scatter.load(points, axis, title);
}

// The players to be named, hidden and removed, and the choice of the one to hold others against.
function drawPlayers(called) {
  const hide = (name, on) =>
    arrange({ hidden: [...bench.hidden.filter((one) => one !== name), ...(on ? [] : [name])] });
  refill(
    byId("players").querySelector("ul"),
    ...everyone().map((name) => {
      const own = called.get(name);
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
          "Shown",
        ),
        make(
          "button",
          {
            disabled: name === QUICKSTART,
            "aria-label": `Remove ${own}`,
            onclick: () => remove(name),
          },
          "Remove",
        ),
      );
    }),
  );
  const others = everyone().map((name) => [name, called.get(name)]);
  choices(byId("table-reference"), [["", "the best"], ...others], bench.reference);
}

// On a phone there is no head to click on.
function drawSort(called) {
  const ids = names.flatMap((name) => [
    [`score:${name}`, `${called.get(name)}: points`],
    [`ratio:${name}`, `${called.get(name)}: ratio`],
  ]);
  const facts = FACTS.map(({ id, label }) => [id, label]);
  choices(byId("table-sort"), [...facts, ...ids], bench.sort.id);
}

export const tableView = {
  enter() {
    draw();
    write(() => "table");
  },
  repaint: () => scatter.draw(),
};

export function bindTable(watch) {
  open = (game, plan) => {
    const note = (text) => report([], [text]);
    if (game.case === null)
      return note(`Only the points of ${game.name} are here: open its case file as well.`);
    const known = !plan || plan.plan !== null || plan.player === QUICKSTART;
    watch();
    pick(game, plan ? (plan.plan === null ? quickstart(game) : plan) : undefined);
    if (!known)
      note(
        `Only the points of ${plan.player} are known: open the folder with its ` +
          "plans to see how. This is another player's game.",
      );
  };
  scatter = new Scatter(byId("chart-box"), ({ game, plan }) => open(game, plan));
  byId("chart").ontoggle = draw;
  byId("chart-player").onchange = ({ target }) => arrange({ drawn: target.value });
  byId("chart-axis").onchange = ({ target }) => arrange({ axis: target.value });
  const kinds = ask("about").classes.map((name, i) => [i, sentence(name)]);
  choices(byId("table-kind"), [["", "All cases"], ...kinds], bench.kind);
  byId("table-search").value = bench.search;
  byId("table-kind").onchange = () => set({ kind: byId("table-kind").value });
  byId("table-search").oninput = () => set({ search: byId("table-search").value });
  byId("table-reference").onchange = () => set({ reference: byId("table-reference").value });
  byId("table-sort").onchange = ({ target }) => sortBy(target.value);
  onChange((game) => {
    if (game) stale.add(game);
    clearTimeout(scheduled);
    // What the visitor changes is seen at once, scores that come in by hundreds a little later.
    scheduled = setTimeout(draw, game ? drawn + PAUSE - performance.now() : 0);
  });
}
