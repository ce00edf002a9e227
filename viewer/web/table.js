// All cases with the points of every player: to sort, to filter, to open.

import { write } from "./address.js";
import { byId, counted, grouped, make, say } from "./dom.js";
import { ask } from "./engine.js";
import { games, labels, onChange, pick, players, quickstart, QUICKSTART } from "./library.js";

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
    text: ({ about }) => `${about.colours}${about.growing ? " growing" : ""}`,
    value: ({ about }) => about.colours + (about.growing ? 0.5 : 0),
  },
  {
    id: "columns",
    label: "Columns",
    text: ({ about }) => grouped(about.columns),
    value: ({ about }) => about.columns,
  },
];

const collator = new Intl.Collator("en", { numeric: true });

let open = () => {};
let names = [];
let sort = { id: "name", down: false };
let scheduled = 0;
// The row of each game, made anew only when the game has changed.
let rows = new Map();

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

function ratio(game, plan) {
  const best = top(game);
  return best ? plan.points / best : 1;
}

function shown() {
  const kind = byId("table-kind").value;
  return games.filter((game) => kind === "" || game.about.classes.includes(Number(kind)));
}

function value(game, id) {
  const fact = FACTS.find((one) => one.id === id);
  if (fact) return fact.value(game);
  const [what, player] = [id.slice(0, 5), names[Number(id.slice(5))]];
  const plan = entry(game, player);
  if (!plan) return -1;
  return what === "score" ? plan.points : ratio(game, plan);
}

function sorted(list) {
  const keys = new Map(list.map((game) => [game, value(game, sort.id)]));
  const sign = sort.down ? -1 : 1;
  const order = (a, b) =>
    typeof a === "string" ? collator.compare(a, b) : a < b ? -1 : a > b ? 1 : 0;
  return [...list].sort((a, b) => sign * order(keys.get(a), keys.get(b)));
}

function sortBy(id) {
  sort = { id, down: sort.id === id ? !sort.down : /^(score|ratio)/.test(id) };
  draw();
}

function head() {
  const button = (id, text, title) =>
    make(
      "button",
      { onclick: () => sortBy(id), title },
      text,
      make(
        "span",
        { "aria-hidden": "true", className: "arrow" },
        sort.id === id ? (sort.down ? " ▾" : " ▴") : "",
      ),
    );
  const order = (...ids) =>
    ids.includes(sort.id) ? { "aria-sort": sort.down ? "descending" : "ascending" } : {};
  const called = labels(names);
  const cells = FACTS.map(({ id, label }) =>
    make(
      "th",
      { scope: "col", className: id, ...order(id) },
      button(id, label, `Sort by ${label.toLowerCase()}`),
    ),
  );
  names.forEach((name, i) =>
    cells.push(
      make(
        "th",
        { scope: "col", className: "player", ...order(`score${i}`, `ratio${i}`) },
        button(`score${i}`, called.get(name), `Sort by the points of ${called.get(name)}`),
        button(`ratio${i}`, "Ratio", "Sort by the ratio to the best"),
      ),
    ),
  );
  return make("tr", null, ...cells);
}

function points(game, plan) {
  const share = ratio(game, plan);
  const text = plan.broken ? "Invalid" : grouped(plan.points);
  const inner = [
    make("span", null, text),
    make("small", { className: share === 1 ? "top" : "" }, share.toFixed(3)),
  ];
  const title = plan.broken ?? plan.name;
  return plan.plan === null && game.case === null
    ? make("span", { className: "points", title }, ...inner)
    : make("button", { className: "points", title, onclick: () => open(game, plan) }, ...inner);
}

function row(game, called) {
  const cells = FACTS.map(({ id, label, text }) =>
    make(
      "td",
      { className: id, "data-label": label },
      id === "name" ? make("button", { onclick: () => open(game, null) }, text(game)) : text(game),
    ),
  );
  for (const name of names) {
    const plan = entry(game, name);
    cells.push(
      make(
        "td",
        { className: "player", "data-label": called.get(name) },
        plan ? points(game, plan) : "–",
      ),
    );
  }
  return make("tr", null, ...cells);
}

function mean(list) {
  return list.length
    ? Math.exp(list.reduce((sum, points) => sum + Math.log(Math.max(1, points)), 0) / list.length)
    : null;
}

function foot(list, called) {
  const of = names.map((name) =>
    list.map((game) => entry(game, name)?.points ?? null).filter((points) => points !== null),
  );
  const line = (label, tell) =>
    make(
      "tr",
      null,
      make("th", { scope: "row", colSpan: FACTS.length }, label),
      ...of.map((all, i) =>
        make(
          "td",
          { className: "player", "data-label": called.get(names[i]) },
          all.length ? tell(all) : "–",
        ),
      ),
    );
  const some = of.some((all) => all.length && all.length < list.length);
  return [
    line("Sum", (all) => grouped(all.reduce((a, b) => a + b, 0))),
    line("Geometric mean, 0 counted as 1", (all) => grouped(mean(all))),
    ...(some ? [line("Cases", (all) => grouped(all.length))] : []),
  ];
}

export function draw() {
  scheduled = 0;
  if (byId("view-table").hidden) return;
  const all = players();
  if (all.join("\n") !== names.join("\n")) {
    names = all;
    rows = new Map();
  }
  const called = labels(names);
  const list = sorted(shown());
  for (const game of list) if (!rows.has(game)) rows.set(game, row(game, called));
  byId("table-head").replaceChildren(head());
  byId("table-body").replaceChildren(...list.map((game) => rows.get(game)));
  byId("table-foot").replaceChildren(...foot(list, called));
  const open = games.reduce(
    (sum, game) =>
      sum + game.plans.filter((plan) => plan.points === null && game.case !== null).length,
    0,
  );
  const unscored = open ? ` ${counted(open, "plan is", "plans are")} being scored.` : "";
  const part = list.length === games.length ? "" : `${grouped(list.length)} of `;
  say(
    byId("table-text"),
    `${part}${counted(games.length, "case", "cases")}, ` +
      `${counted(names.length, "player", "players")}.${unscored}`,
  );
  drawSort(called);
}

// On a phone there is no head to click on.
function drawSort(called) {
  const select = byId("table-sort");
  const ids = [
    ...FACTS.map(({ id, label }) => [id, label]),
    ...names.flatMap((name, i) => [
      [`score${i}`, `${called.get(name)}: points`],
      [`ratio${i}`, `${called.get(name)}: ratio`],
    ]),
  ];
  const wanted = ids.map(([id, text]) => `${id}${text}`).join();
  if (select.dataset.of !== wanted) {
    select.replaceChildren(...ids.map(([id, text]) => make("option", { value: id }, text)));
    select.dataset.of = wanted;
  }
  select.value = sort.id;
}

export function enterTable() {
  draw();
  write(() => "table");
}

export function bindTable(handlers) {
  open = (game, plan) => {
    if (game.case === null) return handlers.missing(game);
    const played =
      plan?.plan != null
        ? plan
        : plan?.player === QUICKSTART || plan
          ? quickstart(game)
          : undefined;
    handlers.watch();
    pick(game, played);
    if (plan?.plan === null && plan.player !== QUICKSTART) handlers.pointsOnly(game, plan);
  };
  const classes = ask("about").classes;
  byId("table-kind").append(
    ...classes.map((name, i) =>
      make("option", { value: i }, name.charAt(0).toUpperCase() + name.slice(1)),
    ),
  );
  byId("table-kind").onchange = draw;
  byId("table-sort").onchange = ({ target }) => sortBy(target.value);
  onChange((game) => {
    if (game) rows.delete(game);
    scheduled ||= requestAnimationFrame(draw);
  });
}
