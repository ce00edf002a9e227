// The page: its views, its keys, and where an address leads.

import { begin, comeBack, forget, isOwn, leave, read } from "./address.js";
import { arrived, recall, startAnew } from "./anew.js";
import { lend } from "./bot.js";
import {
  bindCompare,
  compareAt,
  compareKey,
  compareLine,
  enterCompare,
  leaveCompare,
  repaintCompare,
  soFar,
} from "./compare.js";
import { byId, attempt, complain, counted, hush, report } from "./dom.js";
import { ask, onFailure, start } from "./engine.js";
import { bindPlay, enterPlay, playFrom, playKey, repaintPlay } from "./hand.js";
import { add, addPlan, games, pick, picked, planOf } from "./library.js";
import { bindOpen, generated, openInside } from "./open.js";
import {
  bindPuzzles,
  enterPuzzles,
  openPuzzles,
  puzzleKey,
  repaintPuzzles,
  showPuzzle,
} from "./puzzles.js";
import { bindSession, restore } from "./session.js";
import { bindSettings } from "./settings.js";
import { bindTable, enterTable, repaintTable } from "./table.js";
import { bindWatch, enterWatch, leaveWatch, repaintWatch, watchAt, watchKey } from "./watch.js";
import { embedded } from "./wasm.js";

const VIEWS = {
  watch: { enter: enterWatch, leave: leaveWatch, key: watchKey },
  table: { enter: enterTable },
  compare: { enter: enterCompare, leave: leaveCompare, key: compareKey },
  play: { enter: enterPlay, key: playKey },
  puzzles: { enter: enterPuzzles, key: puzzleKey },
};

let current = null;

function uncover(view) {
  if (current && current !== view) VIEWS[current].leave?.();
  if (current !== view) scrollTo(0, 0);
  current = view;
  for (const name of Object.keys(VIEWS)) {
    byId(`view-${name}`).hidden = name !== view;
    byId(`tab-${name}`).setAttribute("aria-selected", String(name === view));
    byId(`tab-${name}`).tabIndex = name === view ? 0 : -1;
  }
}

// Goes to another view, as the visitor wishes: the browser's back button leads back.
function turnTo(view) {
  if (current !== view) begin(view);
  uncover(view);
}

function open(view) {
  hush();
  turnTo(view);
  attempt(() => VIEWS[view].enter());
}

// Everything that an address says; what it does not say is as at the start.
function follow() {
  const { view, values } = read();
  const name = view in VIEWS ? view : "watch";
  if (!values.has("seed") && !values.has("case")) {
    if (!picked().game) showFirst();
    uncover(name);
    if (name === "puzzles" && values.has("puzzle")) showPuzzle(values.get("puzzle"));
    else VIEWS[name].enter();
    return;
  }
  const origin = values.has("seed") ? generated(Object.fromEntries(values)) : null;
  const plans = ["plan", "plan2"]
    .filter((key) => values.has(key))
    .map((key) => values.get(key))
    .map((plan) => (plan === "none" ? "" : plan));
  const found = ask("unpack", {
    packed: origin ? null : values.get("case"),
    case: origin?.case ?? null,
    plans,
  });
  const entry = add(origin ?? { name: "From a link", case: found.case });
  const [turn, moment] = (values.get("at") ?? "0.0")
    .split(".")
    .map((text) => Math.min(1e6, Number(text) || 0));
  const at = [Math.max(0, Math.floor(turn)), Math.max(0, Math.floor(moment ?? 0))];
  uncover(name);
  if (name === "play") {
    playFrom(entry, found.plans[0] ?? "0\n");
    return;
  }
  const until = Number(values.get("until"));
  if (name === "compare" && until && found.plans.length === 2) {
    const [line, played] = found.plans;
    const rest = soFar(played);
    const plan = rest.until < until ? rest : planOf(entry, played, "Link");
    pick(entry, plan === rest ? undefined : plan);
    compareLine(entry, plan, { plan: line, until }, ...at);
    return;
  }
  const [a, b] = found.plans.map((plan) => planOf(entry, plan, "Link"));
  watchAt(entry, a, ...(name === "watch" ? at : [0, 0]));
  if (name === "compare") compareAt(entry, a, b, ...at);
  else if (name !== "watch") VIEWS[name].enter();
}

// What there is to see without an address: a game of this session, else the bot's game in the
// middle of a chain.
function showFirst() {
  const { origin, plan, turn, moment } = ask("example");
  const made = { ...generated(origin), key: null };
  const kept = games.find((game) => game.case !== null && game.case !== made.case);
  if (kept) return pick(kept);
  const entry = add(made);
  const played = addPlan(entry, "Bot", plan);
  entry.passing = true;
  watchAt(entry, played, turn, moment);
}

// Whether the message is that of a link that could not be followed.
let lost = false;

function tryFollow() {
  if (lost) hush();
  lost = false;
  try {
    follow();
  } catch (error) {
    lost = true;
    if (!picked().game) showFirst();
    uncover("watch");
    enterWatch();
    complain(`The link cannot be followed: ${error.message}`);
  }
}

function bindKeys() {
  let byPointer = false;
  addEventListener(
    "pointerdown",
    () => {
      byPointer = true;
    },
    true,
  );
  addEventListener(
    "keydown",
    () => {
      byPointer = false;
    },
    true,
  );
  // After a click the keys are the view's again: the space bar does not press the button twice.
  addEventListener("click", (event) => {
    if (event.detail) event.target.closest?.("button, summary")?.blur();
  });
  addEventListener("change", ({ target }) => {
    if (byPointer && (target.tagName === "SELECT" || target.type === "range")) target.blur();
  });
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help-box").open) return;
    const { tagName, type } = event.target;
    const typing = /^(TEXTAREA|SELECT)$/.test(tagName) || (tagName === "INPUT" && type !== "range");
    if (typing) return;
    if (event.key === "?") return byId("help").click();
    if (event.key === "l") return byId("letters").click();
    if (event.key === "m") return byId("marks").click();
    if (event.key === "Escape") return hush();
    // A button that the keyboard has come to takes the space bar and enter, tabs their arrows.
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
  const line = (entry, plan, found, turn) => {
    turnTo("compare");
    compareLine(entry, plan, found, turn);
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
  bindTable(watch);
  bindOpen({
    watch,
    table: () => open("table"),
    puzzles: (list) => {
      turnTo("puzzles");
      openPuzzles(list);
    },
  });
}

async function run() {
  recall();
  onFailure(startAnew);
  const bytes = await embedded();
  await start(bytes);
  lend(bytes);
  // What is below the head, and a message in it, knows how much room is left.
  const head = document.querySelector(".top");
  new ResizeObserver(() =>
    document.documentElement.style.setProperty("--top", `${head.offsetHeight}px`),
  ).observe(head);
  bindViews();
  bindSettings(() => {
    for (const repaint of [repaintWatch, repaintTable, repaintPlay, repaintCompare, repaintPuzzles]) repaint();
  });
  bindKeys();
  bindTabs();
  byId("help").onclick = () => byId("help-box").showModal();
  byId("message").querySelector("button").onclick = hush;
  addEventListener("hashchange", () => {
    if (isOwn(location.hash)) return;
    forget();
    tryFollow();
  });
  // A reload comes back to the very moment that was left.
  comeBack();
  addEventListener("pagehide", leave);
  const missing = await restore();
  bindSession();
  if (innerWidth < 1090) for (const id of ["open-seed", "play-new"]) byId(id).open = false;
  if ((location.hash.length > 1 && games.length) || !(await openInside())) tryFollow();
  if (missing)
    report(
      [],
      [
        `${counted(missing, "game", "games")} of this session did not fit into the ` +
          "browser's storage: open the files again.",
      ],
    );
  const anew = arrived();
  if (anew) complain(anew);
  performance.mark("first picture");
  document.documentElement.dataset.ready = "yes";
}

run().catch((error) => complain(`The page could not start: ${error.message}`));
