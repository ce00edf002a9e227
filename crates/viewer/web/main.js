// The entry point of the page: switches views, handles tabs and keys, and opens addresses.

import { dropPendingAddress, isOwnAddress, readAddress, restoreAddress, saveAddress } from "./address.js";
import { compareView, unfinishedPlan } from "./compare.js";
import { byId, countText, hideMessage, keyOf, showError, showNote } from "./dom.js";
import { ask, onEngineFailure, startEngine } from "./engine.js";
import { setWasm } from "./engine-worker.js";
import { addCase, addPlan, currentPick, games, pickGame, findLinkedPlan } from "./library.js";
import { bindOpen, openEmbeddedFiles } from "./open.js";
import { playView } from "./play.js";
import { puzzlesView } from "./puzzles.js";
import { finishStart, readReloadReason, reloadAfterFailure } from "./recovery.js";
import { resultsView } from "./results.js";
import { bindSeedBox, generateCase } from "./seed.js";
import { bindSession, restoreSession } from "./session.js";
import { bindSettings } from "./settings.js";
import { currentView, openView, showView, views } from "./views.js";
import { watchView } from "./watch.js";

// Shows the view, the game and the moment in the address, with defaults for missing parts.
function followAddress() {
  const { view, values, isWhole } = readAddress();
  if (!isWhole) throw new Error("it is incomplete or was changed");
  const name = Object.hasOwn(views, view) ? view : "watch";
  if (!values.has("seed") && !values.has("case")) {
    if (!currentPick().game) showFirst();
    showView(name);
    views[name].enter();
    return;
  }
  const { game, plans, at, until } = parseGame(values);
  const entry = addCase(game);
  showView(name);
  if (name === "play") return playView.playFrom(entry, plans[0]);
  if (name === "compare" && until && plans.length === 2) {
    const [line, played] = plans;
    const unfinished = unfinishedPlan(played);
    const opponent = unfinished.until < until ? unfinished : findLinkedPlan(entry, played);
    pickGame(entry, opponent === unfinished ? undefined : opponent);
    compareView.compareLine(entry, opponent, line, ...at);
    return;
  }
  const [a, b] = plans.map((plan) => findLinkedPlan(entry, plan));
  watchView.showAt(entry, a, ...at);
  if (name === "compare") compareView.showAt(entry, a, b, ...at);
  else if (name !== "watch") views[name].enter();
}

// Parses the game in an address: the case, the plans, the position, and the number of columns to show. All
// other values are options of the generator.
function parseGame(values) {
  const { plan, plan2, at: moments = "0.0", until, case: packed, ...options } = Object.fromEntries(values);
  const origin = values.has("seed") ? generateCase(options) : null;
  const packedPlans = [plan, plan2].filter((one) => one !== undefined);
  const content = ask("unpack", {
    packed: origin ? null : packed,
    case: origin?.case,
    plans: packedPlans.map((one) => (one === "none" ? "" : one)),
  });
  const at = moments.split(".").map((text) => Math.min(1e6, Number.parseInt(text, 10) || 0));
  const game = origin ?? { name: "From a link", case: content.case };
  return { game, plans: content.plans, at, until: Number(until) };
}

// Shows a game of this session, or else the example.
function showFirst() {
  const { game, plans, at } = parseGame(new URLSearchParams(ask("constants").example));
  const other = games.find((one) => one.case !== null && one.case !== game.case);
  if (other) return pickGame(other);
  const entry = addCase({ ...game, key: null });
  const played = addPlan(entry, "Bot", plans[0]);
  entry.temporary = true;
  watchView.showAt(entry, played, ...at);
}

// True while the message reports a link that could not be opened.
let isReportingLink = false;

function tryFollow() {
  if (isReportingLink) hideMessage();
  isReportingLink = false;
  try {
    followAddress();
  } catch (error) {
    isReportingLink = true;
    if (!currentPick().game) showFirst();
    showView("watch");
    watchView.enter();
    showError(`Cannot open the link: ${error.message}`);
  }
}

function bindKeys() {
  let byPointer = false;
  for (const kind of ["pointerdown", "keydown"])
    addEventListener(kind, () => (byPointer = kind === "pointerdown"), true);
  // A clicked button loses the focus, so that keys go to the view and the space bar does not press it again.
  addEventListener("click", (event) => {
    if (event.detail) event.target.closest?.("button, summary")?.blur();
  });
  addEventListener("change", ({ target }) => {
    if (byPointer && (target.tagName === "SELECT" || target.type === "range")) target.blur();
  });
  addEventListener("keydown", (event) => {
    // On many keyboards, [ is typed with AltGr, which some systems also report as Ctrl and Alt. Do not treat
    // this as a browser shortcut.
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    const isShortcut = hasModifier && !event.getModifierState("AltGraph");
    if (isShortcut || document.querySelector("dialog[open]")) return;
    const key = keyOf(event);
    const { tagName, type } = event.target;
    const typing = /^(TEXTAREA|SELECT)$/.test(tagName) || (tagName === "INPUT" && type !== "range");
    if (typing) return;
    const button = { "?": "help", l: "letters", m: "marks" }[key];
    if (button) return byId(button).click();
    if (key === "Escape" && !byId("message").hidden) return hideMessage();
    if (key === "/") {
      if (currentView() !== views.results) openView("results");
      byId("table-search").focus();
      return event.preventDefault();
    }
    // A focused button handles the space bar itself, and tabs handle the arrow keys.
    if (/^(BUTTON|SUMMARY|A)$/.test(tagName) && key === " ") return;
    if (event.target.role === "tab" && /^Arrow(Left|Right)$/.test(key)) return;
    const { target } = event;
    if (currentView().handleKey?.({ key, target })) event.preventDefault();
  });
}

function bindTabs() {
  const names = Object.keys(views);
  names.forEach((name, i) => {
    const tab = byId(`tab-${name}`);
    tab.onclick = () => openView(name);
    tab.onkeydown = ({ key }) => {
      const offset = { ArrowLeft: -1, ArrowRight: 1 }[key];
      if (!offset) return;
      const next = names[(i + offset + names.length) % names.length];
      openView(next);
      byId(`tab-${next}`).focus();
    };
  });
}

// Decompresses the WebAssembly module, which the page contains as base64-encoded gzip data. Removes its
// element.
function unpackWasm() {
  const packed = Uint8Array.from(atob(byId("wasm").textContent), (letter) => letter.charCodeAt(0));
  byId("wasm").remove();
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

async function run() {
  readReloadReason();
  onEngineFailure(reloadAfterFailure);
  const bytes = await unpackWasm();
  await startEngine(bytes);
  setWasm(bytes);
  // The layout below the header depends on the header's height, which a message changes.
  const head = document.querySelector(".top");
  new ResizeObserver(() =>
    document.documentElement.style.setProperty("--top", `${head.offsetHeight}px`),
  ).observe(head);
  Object.assign(views, {
    results: resultsView,
    watch: watchView,
    compare: compareView,
    play: playView,
    puzzles: puzzlesView,
  });
  for (const { bind } of Object.values(views)) bind();
  bindOpen();
  bindSeedBox();
  bindSettings(() => Object.values(views).forEach(({ repaint }) => repaint()));
  bindKeys();
  bindTabs();
  // The page handles its forms itself, except for those that close a dialog.
  addEventListener("submit", (event) => event.target.method === "dialog" || event.preventDefault());
  byId("help").onclick = () => byId("help-box").showModal();
  byId("message").querySelector(".close").onclick = hideMessage;
  addEventListener("hashchange", () => {
    if (isOwnAddress(location.hash)) return;
    dropPendingAddress();
    tryFollow();
  });
  // After a reload, return to the same moment.
  restoreAddress();
  addEventListener("pagehide", saveAddress);
  const missing = await restoreSession();
  bindSession();
  if (innerWidth < 1090) byId("play-new").open = false;
  const isReload = location.hash.length > 1 && games.length > 0;
  await openEmbeddedFiles(!isReload);
  if (!currentPick().game) tryFollow();
  const count = `${countText(missing, "game")} of this session`;
  if (missing) showNote(`${count} could not be restored after the reload: open the files again.`);
  const reason = finishStart();
  if (reason) showError(reason);
  performance.mark("first picture");
  document.documentElement.dataset.ready = "yes";
}

run().catch((error) => showError(`The page could not start: ${error.message}`));
