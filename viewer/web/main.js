// The page: its views, its keys, and where an address leads.

import { isOwn, read, write } from "./address.js";
import { lend } from "./bot.js";
import { bindCompare, compareAt, compareKey, enterCompare, leaveCompare, repaintCompare } from "./compare.js";
import { byId, attempt, complain, hush } from "./dom.js";
import { ask, start } from "./engine.js";
import { bindPlay, enterPlay, playFrom, playKey, repaintPlay } from "./hand.js";
import { add, addPlan, picked } from "./library.js";
import { bindMaya, enterMaya, openMaya, repaintMaya } from "./maya.js";
import { bindOpen, generated } from "./open.js";
import { bindSamegame, enterSamegame, openBoard, repaintSamegame } from "./samegame.js";
import { bindSettings } from "./settings.js";
import { bindWatch, enterWatch, leaveWatch, repaintWatch, watchAt, watchKey } from "./watch.js";
import { embedded } from "./wasm.js";

const VIEWS = {
  watch: { enter: enterWatch, leave: leaveWatch, key: watchKey },
  play: { enter: enterPlay, key: playKey },
  compare: { enter: enterCompare, leave: leaveCompare, key: compareKey },
  puzzles: { enter: () => { enterSamegame(); enterMaya(); write(() => "puzzles"); } },
};

let current = null;

function uncover(view) {
  if (current && current !== view) VIEWS[current].leave?.();
  current = view;
  for (const name of Object.keys(VIEWS)) {
    byId(`view-${name}`).hidden = name !== view;
    byId(`tab-${name}`).setAttribute("aria-selected", String(name === view));
    byId(`tab-${name}`).tabIndex = name === view ? 0 : -1;
  }
}

function open(view) {
  uncover(view);
  attempt(() => VIEWS[view].enter());
}

// Everything that an address says; what it does not say is as at the start.
function follow() {
  const { view, values } = read();
  const name = view in VIEWS ? view : "watch";
  if (!values.has("seed") && !values.has("case")) {
    if (!picked().game) watchAt(sample(), undefined, 0, 0);
    open(name);
    return;
  }
  const origin = values.has("seed") ? generated(Object.fromEntries(values)) : null;
  const plans = ["plan", "plan2"].filter((key) => values.has(key))
    .map((key) => values.get(key)).map((plan) => (plan === "none" ? "" : plan));
  const found = ask("unpack", { packed: origin ? null : values.get("case"), case: origin?.case ?? null, plans });
  const entry = add(origin?.name ?? "from a link", found.case, [], origin?.origin ?? null);
  const [turn, moment] = (values.get("at") ?? "0.0").split(".").map((text) => Math.min(1e6, Number(text) || 0));
  const at = [Math.max(0, Math.floor(turn)), Math.max(0, Math.floor(moment ?? 0))];
  const [a, b] = found.plans.map((plan, i) => addPlan(entry, i ? "plan B of the link" : "plan of the link", plan));
  uncover(name);
  if (name === "play") {
    playFrom(entry, found.plans[0] ?? "0\n");
    return;
  }
  watchAt(entry, a, ...(name === "watch" ? at : [0, 0]));
  if (name === "compare") compareAt(entry, a ?? entry.plans[0], b ?? entry.plans[0], ...at);
}

function sample() {
  const made = generated({ seed: "1" });
  return add(made.name, made.case, [], made.origin);
}

function tryFollow() {
  try {
    follow();
  } catch (error) {
    if (!picked().game) {
      watchAt(sample(), undefined, 0, 0);
    }
    open("watch");
    complain(`The link cannot be followed: ${error.message}`);
  }
}

function bindKeys() {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help-box").open) return;
    const { tagName, type } = event.target;
    const typing = /^(TEXTAREA|SELECT)$/.test(tagName) || (tagName === "INPUT" && type !== "range");
    if (typing) return;
    if (event.key === "?") return byId("help").click();
    if (event.key === "l") return byId("letters").click();
    if (event.key === "Escape") return hush();
    // A button in focus takes the space bar and enter itself, tabs their arrows.
    if (/^(BUTTON|SUMMARY|A)$/.test(tagName) && event.key === " ") return;
    if (event.target.role === "tab" && /^Arrow(Left|Right)$/.test(event.key)) return;
    if (VIEWS[current].key?.(event)) event.preventDefault();
  });
}

function bindTabs() {
  const names = Object.keys(VIEWS);
  names.forEach((name, i) => {
    const tab = byId(`tab-${name}`);
    tab.onclick = (event) => {
      open(name);
      // After a click with a pointer the arrow keys are the view's.
      if (event.detail) tab.blur();
    };
    tab.onkeydown = ({ key }) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
      if (!by) return;
      const next = names[(i + by + names.length) % names.length];
      open(next);
      byId(`tab-${next}`).focus();
    };
  });
}

async function run() {
  const bytes = await embedded();
  await start(bytes);
  lend(bytes);
  bindWatch({ takeOver: (entry, plan) => { uncover("play"); playFrom(entry, plan); } });
  bindPlay({ watch: (entry, plan) => { uncover("watch"); watchAt(entry, plan, 0, 0); } });
  bindCompare();
  bindSamegame();
  bindMaya();
  bindOpen({
    view: (name) => uncover(name),
    puzzle: ({ kind, text }) => {
      open("puzzles");
      if (kind === "maya") openMaya(text);
      else openBoard(text);
    },
  });
  bindSettings(() => {
    for (const repaint of [repaintWatch, repaintPlay, repaintCompare, repaintSamegame, repaintMaya]) repaint();
  });
  bindKeys();
  bindTabs();
  byId("help").onclick = () => byId("help-box").showModal();
  byId("message").querySelector("button").onclick = hush;
  addEventListener("hashchange", () => { if (!isOwn(location.hash)) tryFollow(); });
  if (innerWidth < 1090) byId("open").open = byId("play-new").open = false;
  tryFollow();
  performance.mark("first picture");
  document.documentElement.dataset.ready = "yes";
}

run().catch((error) => complain(`The page could not start: ${error.message}`));
