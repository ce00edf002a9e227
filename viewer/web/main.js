// The entry point of the page: switches views, handles tabs and keys, and opens addresses.

import { begin, restoreAddress, forget, isOwn, leave, read } from "./address.js";
import { finishStart, readReason, reloadAfter } from "./recovery.js";
import { setWasm } from "./bot.js";
import { bindCompare, compareAt, compareLine, compareView, goTo, soFar } from "./compare.js";
import { byId, attempt, complain, counted, hideMessage, note } from "./dom.js";
import { ask, onFailure, start } from "./engine.js";
import { bindPlay, playFrom, playView } from "./hand.js";
import { add, addPlan, games, pick, picked, planOf } from "./library.js";
import { bindOpen, generated, openInside } from "./open.js";
import { embedded } from "./packed.js";
import { bindPuzzles, openPuzzles, puzzlesView, showPuzzle } from "./puzzles.js";
import { bindResults, resultsView } from "./results.js";
import { bindSession, restore } from "./session.js";
import { bindSettings } from "./settings.js";
import { bindWatch, watchAt, watchView } from "./watch.js";

const VIEWS = {
  results: resultsView,
  watch: watchView,
  compare: compareView,
  play: playView,
  puzzles: puzzlesView,
};

let current = null;

// Shows a view and hides the others.
function uncover(view) {
  const isOther = current !== view;
  const hadFocus = current && byId(`view-${current}`).contains(document.activeElement);
  if (current && isOther) VIEWS[current].leave?.();
  current = view;
  for (const name of Object.keys(VIEWS)) {
    byId(`view-${name}`).hidden = name !== view;
    byId(`tab-${name}`).setAttribute("aria-selected", String(name === view));
    byId(`tab-${name}`).tabIndex = name === view ? 0 : -1;
  }
  if (isOther) scrollTo(0, 0);
  // Keyboard focus moves to the new view.
  if (isOther && hadFocus) byId(`view-${view}`).focus({ preventScroll: true });
}

// Goes to another view and adds a history entry, so that the browser's back button leads back.
function turnTo(view) {
  if (current !== view) begin(view);
  uncover(view);
}

function open(view) {
  // A message with the button Undo stays visible in every view.
  if (byId("message").querySelector(".undo").hidden) hideMessage();
  turnTo(view);
  attempt(() => VIEWS[view].enter());
}

// Shows the view, game and moment of the address; missing parts take their defaults.
function follow() {
  const { view, values, isWhole } = read();
  if (!isWhole) throw new Error("it is incomplete or was changed");
  const name = Object.hasOwn(VIEWS, view) ? view : "watch";
  if (!values.has("seed") && !values.has("case")) {
    if (!picked().game) showFirst();
    uncover(name);
    if (name === "puzzles" && values.has("puzzle")) showPuzzle(values.get("puzzle"));
    else VIEWS[name].enter();
    return;
  }
  // All other values are options of the generator.
  const { plan, plan2, at: moments = "0.0", until, case: packed, ...options } =
    Object.fromEntries(values);
  const origin = values.has("seed") ? generated(options) : null;
  const plans = [plan, plan2].filter((one) => one !== undefined);
  const content = ask("unpack", {
    packed: origin ? null : packed,
    case: origin?.case,
    plans: plans.map((one) => (one === "none" ? "" : one)),
  });
  const entry = add(origin ?? { name: "From a link", case: content.case });
  const [turn, moment] = moments
    .split(".")
    .map((text) => Math.min(1e6, Number(text) || 0));
  const at = [Math.max(0, Math.floor(turn)), Math.max(0, Math.floor(moment ?? 0))];
  uncover(name);
  if (name === "play") {
    playFrom(entry, content.plans[0] ?? "0\n");
    return;
  }
  const end = Number(until);
  if (name === "compare" && end && content.plans.length === 2) {
    const [line, played] = content.plans;
    const unfinished = soFar(played);
    const beside = unfinished.until < end ? unfinished : planOf(entry, played, "Link");
    pick(entry, beside === unfinished ? undefined : beside);
    compareLine(entry, beside, { plan: line, until: end }, ...at);
    return;
  }
  const [a, b] = content.plans.map((plan) => planOf(entry, plan, "Link"));
  watchAt(entry, a, ...(name === "watch" ? at : [0, 0]));
  if (name === "compare") compareAt(entry, a, b, ...at);
  else if (name !== "watch") VIEWS[name].enter();
}

// Shows a game of this session, else the example.
function showFirst() {
  const { origin, plan, turn, moment } = ask("example");
  const example = { ...generated(origin), key: null };
  const other = games.find((game) => game.case !== null && game.case !== example.case);
  if (other) return pick(other);
  const entry = add(example);
  const played = addPlan(entry, "Bot", plan);
  entry.passing = true;
  watchAt(entry, played, turn, moment);
}

// True while the message is about a link that could not be opened.
let lost = false;

function tryFollow() {
  if (lost) hideMessage();
  lost = false;
  try {
    follow();
  } catch (error) {
    lost = true;
    if (!picked().game) showFirst();
    uncover("watch");
    watchView.enter();
    complain(`Cannot open the link: ${error.message}`);
  }
}

function bindKeys() {
  let byPointer = false;
  for (const kind of ["pointerdown", "keydown"])
    addEventListener(kind, () => (byPointer = kind === "pointerdown"), true);
  // A clicked button loses focus, so that keys go to the view and the space bar does not press it
  // again.
  addEventListener("click", (event) => {
    if (event.detail) event.target.closest?.("button, summary")?.blur();
  });
  addEventListener("change", ({ target }) => {
    if (byPointer && (target.tagName === "SELECT" || target.type === "range")) target.blur();
  });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const { tagName, type } = event.target;
    const typing = /^(TEXTAREA|SELECT)$/.test(tagName) || (tagName === "INPUT" && type !== "range");
    if (typing) return;
    if (event.key === "?") return byId("help").click();
    if (event.key === "l") return byId("letters").click();
    if (event.key === "m") return byId("marks").click();
    if (event.key === "Escape") return hideMessage();
    // A focused button handles the space bar itself, and tabs handle their arrow keys.
    if (/^(BUTTON|SUMMARY|A)$/.test(tagName) && event.key === " ") return;
    if (event.target.role === "tab" && /^Arrow(Left|Right)$/.test(event.key)) return;
    if (VIEWS[current].key?.(event)) event.preventDefault();
  });
}

function bindTabs() {
  const names = Object.keys(VIEWS);
  names.forEach((name, i) => {
    const tab = byId(`tab-${name}`);
    tab.onclick = () => open(name);
    tab.onkeydown = ({ key }) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
      if (!by) return;
      const next = names[(i + by + names.length) % names.length];
      open(next);
      byId(`tab-${next}`).focus();
    };
  });
}

function bindViews() {
  const watch = () => turnTo("watch");
  const line = (entry, plan, advice, turn) => {
    turnTo("compare");
    compareLine(entry, plan, advice, turn);
  };
  bindWatch({
    line,
    takeOver: (entry, plan) => {
      turnTo("play");
      playFrom(entry, plan);
    },
  });
  bindPlay({
    line,
    watch: (entry, plan) => {
      watch();
      watchAt(entry, plan, 0, 0);
    },
  });
  bindCompare();
  bindPuzzles();
  bindResults(watch, (game, plans, where) => {
    turnTo("compare");
    compareAt(game, ...plans, 0, 0);
    goTo(where);
  });
  bindOpen({
    watch,
    results: () => open("results"),
    puzzles: (list) => {
      turnTo("puzzles");
      openPuzzles(list);
    },
  });
}

async function run() {
  readReason();
  onFailure(reloadAfter);
  const bytes = await (await embedded("wasm")).arrayBuffer();
  await start(bytes);
  setWasm(bytes);
  // The layout below the header depends on its height, which a message changes.
  const head = document.querySelector(".top");
  new ResizeObserver(() =>
    document.documentElement.style.setProperty("--top", `${head.offsetHeight}px`),
  ).observe(head);
  bindViews();
  bindSettings(() => {
    for (const { repaint } of Object.values(VIEWS)) repaint();
  });
  bindKeys();
  bindTabs();
  byId("help").onclick = () => byId("help-box").showModal();
  byId("message").querySelector(".close").onclick = hideMessage;
  addEventListener("hashchange", () => {
    if (isOwn(location.hash)) return;
    forget();
    tryFollow();
  });
  // A reload returns to the moment that the page showed.
  restoreAddress();
  addEventListener("pagehide", leave);
  const missing = await restore();
  bindSession();
  if (innerWidth < 1090) byId("play-new").open = false;
  if ((location.hash.length > 1 && games.length) || !(await openInside())) tryFollow();
  const count = `${counted(missing, "game", "games")} of this session`;
  if (missing) note(`${count} could not be restored after the reload: open the files again.`);
  const reason = finishStart();
  if (reason) complain(reason);
  performance.mark("first picture");
  document.documentElement.dataset.ready = "yes";
}

run().catch((error) => complain(`The page could not start: ${error.message}`));
