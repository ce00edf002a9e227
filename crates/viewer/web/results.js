// The Results view: the standings, a chart, and a row for each opened case.

import { buildAddress, readAddress, writeAddressLater } from "./address.js";
import {
  BEST_AS_REFERENCE, changeSettings, DEFAULTS, onSettingsChange, settings, sortOrder,
} from "./results-settings.js";
import {
  byId, copyText, countText, fillMenu, groupDigits, make, ownProperty, setText, showNote,
} from "./dom.js";
import { downloadCsv } from "./export.js";
import { filterGames, filterWords, metricNames, seedsOption } from "./filter.js";
import { Grid } from "./grid.js";
import {
  hasPointsMismatch, isPlayable, isUnscored, onGamesChange, openedGames, pickGame, quickstartPlan,
  playersById,
} from "./library.js";
import { bindChartPanel, drawChartPanel, repaintChartPanel } from "./chart-panel.js";
import { stopWatching } from "./open.js";
import { allPlayers, playerName, referencePlayer, visiblePlayers } from "./players.js";
import { drawRanking } from "./ranking.js";
import { closeAllFiles } from "./removal.js";
import {
  bestPlan, bestScore, CASE_FACTS, comparedPlayers, logScale, pointsText, ratioOf, shadeOf, sortGames,
  statusOf,
} from "./standings.js";
import { switchTo } from "./views.js";

let grid = null;
let playerIds = []; // the visible players at the last redraw
// The minimum interval between redraws while the page scores plans, in milliseconds.
const REDRAW_INTERVAL_MS = 300;
let drawTimer = 0;
let settleTimer = 0;
let drawTime = -REDRAW_INTERVAL_MS;
const rows = new WeakMap(); // the row of each game
const stale = new Set(); // the games whose row is out of date
let scale = 1; // the logarithm of the ratio with the darkest shade
let rowInputs = ""; // the inputs of the last drawn rows, as JSON
let standingInputs = ""; // the same for the standings
let changes = 0;
let scrollPosition = 0; // the vertical scroll position when the user left the view
let lastOpened = null; // the game that the user opened last
let lastTop = null; // the y coordinate of the row of `lastOpened` when the user left; null if out of sight

// Opens the game of a plan in Watch. Without a plan, opens the first playable plan, or quickstart's.
function open(game, plan) {
  if (game.case === null)
    return showNote(`Only the points of ${game.name} are known: open its case file as well.`);
  lastOpened = game;
  switchTo("watch");
  pickGame(game, plan?.plan === null ? quickstartPlan(game) : plan);
  if (plan && !isPlayable(plan))
    showNote(
      `Only the points of ${playerName(plan.player)} are known: open the folder with its ` +
        "plans to watch its game. Showing quickstart's game instead.",
    );
}

// Compares two plans of a game, beginning where the lead becomes permanent.
function openBoth(game, plans) {
  lastOpened = game;
  const compare = switchTo("compare");
  compare.showAt(game, ...plans);
  compare.goToLead();
}

function sortBy(id) {
  const { id: current, down } = sortOrder();
  const toDown = id === current ? !down : /^(score|ratio|number|loss):?/.test(id);
  changeSettings({ sort: toDown ? `-${id}` : id });
}

// Splits a name into parts between which a line may break.
const wrapName = (name) => name.split(/(?<=[-_/. ])/).flatMap((part) => [part, make("wbr")]);

// Returns the CSS class of a player's cells: "side" for A and B, "" for all others. Phones show only the
// results of A and B.
const sideClass = (playerId) => comparedPlayers().includes(playerId) ? "side" : "";

function head() {
  const { id: current, down } = sortOrder();
  const cell = (className, id, text, what) => {
    const isSorted = id === current.replace(/^(ratio|number):/, "score:");
    const arrow = isSorted && (down ? " ▾" : " ▴");
    const cell = make(
      "th",
      { role: "columnheader", scope: "col", className, tabIndex: -1, title: `Sort by ${what}` },
      make("span", wrapName(text), make("span", { "aria-hidden": "true" }, arrow)),
    );
    cell.dataset.sort = id;
    if (isSorted) cell.ariaSort = down ? "descending" : "ascending";
    return cell;
  };
  const facts = CASE_FACTS.map(({ id, label }) => cell(id, id, label, label.toLowerCase()));
  const cells = playerIds.map((playerId) => {
    const name = playerName(playerId);
    return cell(`player ${sideClass(playerId)}`, `score:${playerId}`, name, `the points of ${name}`);
  });
  return make("tr", { role: "row" }, facts, cells);
}

// Returns the content of a result cell: the points or the kind of failure, the ratio, the chosen metric.
function result(game, plan) {
  const number = ownProperty(plan.metrics, settings.number);
  const isBest = plan.points && plan.points === bestScore(game);
  const marks = [isUnscored(game, plan) && "…", hasPointsMismatch(plan) && "≠"].filter(Boolean).join("");
  const status = !plan.failure && statusOf(game, plan);
  return make(
    "span.points",
    make("span", pointsText(plan), marks && make("b.differs", ` ${marks}`)),
    make(
      isBest ? "small.best" : "small",
      ratioOf(game, plan)?.toFixed(3) ?? "–",
      status && make("span.badge", status.words.join(" ")),
    ),
    settings.number && make("small.number", number === undefined ? "–" : +number.toPrecision(6)),
  );
}

// Explains a result: the file, the reason for a failure, and the run's score if the plan's score differs.
function explainResult(game, plan) {
  const points = (result) => groupDigits(result.points);
  const texts = [
    plan.reason ? `${plan.name}: ${plan.reason}` : plan.name,
    !plan.failure && statusOf(game, plan)?.text,
    isUnscored(game, plan) && "The plan is not scored yet.",
    hasPointsMismatch(plan) &&
      `The run reports ${points(plan.reported)} points, this plan scores ${points(plan)}.`,
  ];
  return texts.filter(Boolean).join("\n");
}

function playerCell(game, playerId) {
  const plan = bestPlan(game, playerId);
  const className = `player ${sideClass(playerId)} ${(plan && statusOf(game, plan)?.kind) ?? ""}`;
  const title = plan ? explainResult(game, plan) : "";
  const properties = { role: "gridcell", tabIndex: -1, className, title };
  const cell = make("td", properties, plan ? result(game, plan) : "–");
  cell.dataset.label = playerName(playerId);
  const shade = shadeOf((plan && ratioOf(game, plan)) ?? 1, scale);
  cell.style.setProperty("--share", Math.abs(shade).toFixed(2));
  cell.style.setProperty("--shade", `var(--${shade < 0 ? "down" : "up"})`);
  return cell;
}

// Returns the row of a game. Fills the row again if the game or `rowInputs` has changed, but keeps its
// element, so that the browser remembers the height of a row that is out of sight.
function rowOf(game) {
  const row = rows.get(game) ?? make("tr", { role: "row" });
  rows.set(game, row);
  row.toggleAttribute("data-last", game === lastOpened);
  if (stale.delete(game) || row.inputs !== rowInputs) {
    Object.assign(row, { game, inputs: rowInputs });
    const fact = ({ id, text }) => {
      const content = id === "name" ? wrapName(text(game)) : text(game);
      return make("td", { role: "gridcell", tabIndex: -1, className: id }, content);
    };
    grid.replace(row, [...CASE_FACTS.map(fact), ...playerIds.map((playerId) => playerCell(game, playerId))]);
  }
  return row;
}

// Puts the rows in order. Rows that move out of sight are laid out later.
function placeRows(wanted) {
  const body = byId("table-body");
  const now = [...body.children];
  const isSorted = wanted.length === now.length;
  if (isSorted && wanted.every((row, i) => row === now[i])) return;
  const boxes = isSorted ? now.map((row) => row.getBoundingClientRect()) : [];
  const hide = ({ style }, far) => (style.contentVisibility = far ? "hidden" : "");
  wanted.forEach((row, i) => hide(row, boxes[i]?.bottom < 0 || boxes[i]?.top > innerHeight));
  grid.replace(body, wanted);
  clearTimeout(settleTimer);
  settleTimer = setTimeout(() => wanted.forEach((row) => hide(row, false)), REDRAW_INTERVAL_MS / 3);
}

function draw() {
  if (byId("view-results").hidden) return;
  playerIds = visiblePlayers();
  const { list, message } = filterGames();
  scale = logScale(list, playerIds);
  const players = [playerIds, playerIds.map(playerName), referencePlayer(), comparedPlayers()];
  const now = JSON.stringify([...players, settings.number, scale]);
  if (now !== rowInputs) {
    rowInputs = now;
    document.querySelector(".cases").style.setProperty("--players", Math.max(1, playerIds.length));
  }
  const all = openedGames();
  const hadFocus = byId("results-full").contains(document.activeElement);
  byId("results-empty").hidden = all.length > 0;
  byId("results-full").hidden = !all.length;
  if (hadFocus && !all.length) byId("view-results").focus();
  placeRows(sortGames(list).map(rowOf));
  grid.replace(byId("table-head"), [head()]);
  const unscored = all.flatMap((game) => game.plans.filter((plan) => isUnscored(game, plan))).length;
  const part = list.length === all.length ? "" : `${groupDigits(list.length)} of `;
  const texts = [
    `${part}${countText(all.length, "case")}, ${countText(playerIds.length, "player")}.`,
    unscored && `${countText(unscored, "plan is", "plans are")} being scored.`,
    message,
  ];
  setText(byId("table-text"), texts.filter(Boolean).join(" "));
  drawChoices();
  // Sorting affects neither the standings nor the chart.
  const { sort, ...others } = settings;
  const wanted = JSON.stringify([now, others, changes]);
  if (wanted !== standingInputs) {
    standingInputs = wanted;
    drawRanking(list);
    drawChartPanel(list);
    byId("copy-seeds").hidden = !seedsOption(list);
  }
  drawTime = performance.now();
  writeAddressLater("results", buildLink);
}

// Builds the address of this view: the settings that differ from their defaults, with lists as JSON, and the
// names of renamed players.
function buildLink() {
  const isChanged = (name) => String(settings[name]) !== String(DEFAULTS[name]);
  const text = (value) => (Array.isArray(value) ? JSON.stringify(value) : value);
  const values = Object.keys(DEFAULTS)
    .filter(isChanged).map((name) => [name, text(settings[name])]);
  const renamed = [...playersById.values()]
    .filter((player) => player.renamed).map(({ id, label }) => [id, label]);
  if (renamed.length) values.push(["names", JSON.stringify(renamed)]);
  return buildAddress("results", Object.fromEntries(values));
}

// Applies the settings in the address, if it has any.
function applyAddress() {
  const { view, values } = readAddress();
  if (view !== "results" || !values.size) return;
  const value = (name) => {
    const text = values.get(name) ?? DEFAULTS[name];
    return Array.isArray(DEFAULTS[name]) && values.has(name) ? parseList(text) : text;
  };
  for (const [id, label] of parseList(values.get("names") ?? "[]"))
    if (playersById.has(id)) Object.assign(playersById.get(id), { label: String(label), renamed: true });
  changeSettings(Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, value(name)])));
  byId("table-search").value = settings.filter;
}

// Parses a list in an address. Returns an empty list if the text is not a list.
function parseList(text) {
  try {
    const list = JSON.parse(text);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

// Fills the menus for the reference, the metric and the sort order, and the suggestions for the filter.
function drawChoices() {
  const all = allPlayers().map((playerId) => [playerId, playerName(playerId)]);
  const references = [[BEST_AS_REFERENCE, "the best"], ...all];
  fillMenu(byId("table-reference"), references, referencePlayer() || BEST_AS_REFERENCE);
  const known = metricNames();
  byId("table-number").parentElement.hidden = !known.length;
  fillMenu(byId("table-number"), [["", "none"], ...known.map((one) => [one, one])], settings.number);
  const facts = CASE_FACTS.map(({ id, label }) => [id, label]);
  const ids = playerIds.flatMap((playerId) => [
    [`score:${playerId}`, `${playerName(playerId)}: points`],
    [`ratio:${playerId}`, `${playerName(playerId)}: ratio`],
    ...(settings.number ? [[`number:${playerId}`, `${playerName(playerId)}: ${settings.number}`]] : []),
  ]);
  const hidden = [["seed", "Seed"], ["status", "Status"], ["loss", "Loss of B"]];
  fillMenu(byId("table-sort"), [...facts, ...hidden, ...ids], sortOrder().id);
  const words = filterWords().map((word) => (/\s/.test(word) ? `"${word}"` : word));
  byId("filter-words").replaceChildren(...words.map((value) => make("option", { value })));
}

// Activates a cell: sorts by a column, or opens a game.
function activateCell(cell) {
  if (cell.dataset.sort) return sortBy(cell.dataset.sort);
  const { game } = cell.parentElement;
  const playerId = playerIds[cell.cellIndex - CASE_FACTS.length];
  const plan = playerId && bestPlan(game, playerId);
  if (!playerId || plan) open(game, plan ?? undefined);
}

function bind() {
  grid = new Grid(document.querySelector(".cases"), activateCell);
  bindChartPanel(open, openBoth);
  byId("table-search").value = settings.filter;
  for (const field of document.querySelectorAll("[data-setting]")) {
    const event = field.type === "search" ? "oninput" : "onchange";
    field[event] = () => changeSettings({ [field.dataset.setting]: field.value });
  }
  byId("table-sort").onchange = ({ target }) => sortBy(target.value);
  byId("close-all").onclick = () => {
    const undo = [closeAllFiles(), stopWatching()];
    showNote("All files were closed.", () => undo.forEach((restore) => restore()));
  };
  const inOrder = () => sortGames(filterGames().list);
  byId("copy-seeds").onclick = async () => {
    const text = seedsOption(inOrder());
    showNote((await copyText(text)) ? `Copied: ${text}` : text);
  };
  byId("export-csv").onclick = () => downloadCsv(inOrder(), playerIds);
  onSettingsChange(draw);
  onGamesChange((game) => {
    changes += 1;
    if (game) stale.add(game);
    // Hundreds of scores may arrive in a second: redraw less often for scores than for actions of the user.
    clearTimeout(drawTimer);
    drawTimer = setTimeout(draw, game ? drawTime + REDRAW_INTERVAL_MS - performance.now() : 0);
  });
}

export const resultsView = {
  bind,
  enter() {
    applyAddress();
    draw();
    scrollTo(0, scrollPosition);
    const row = rows.get(lastOpened);
    if (!row?.isConnected) return;
    // Put the row where the user left it, even if the height of the page above it has changed.
    if (lastTop !== null) scrollBy(0, row.getBoundingClientRect().top - lastTop);
    // The keyboard focus returns to the row that it left.
    grid.focus(row);
  },
  leave() {
    scrollPosition = scrollY;
    const { top, bottom } = rows.get(lastOpened)?.getBoundingClientRect() ?? {};
    lastTop = bottom > 0 && top < innerHeight ? top : null;
  },
  repaint: repaintChartPanel,
};
