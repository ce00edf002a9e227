// The part of the address after #: a view, a game and a moment in it.

import { ask } from "./engine.js";
import { keep, kept } from "./memory.js";

const LEFT = "columns-left";

let written = "";
let timer = 0;
let pending = null;

export function read() {
  const [view, query = ""] = location.hash.slice(1).split("?", 2);
  return { view, values: new URLSearchParams(query) };
}

function address(view, values) {
  const query = Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  return query ? `${view}?${query}` : view;
}

// The address of a game, or of two on the same case, and how many columns of them are shown; a
// part is left out where it is undefined.
export function gameAddress(view, entry, games, at, until) {
  const packed = games.map((game) => ask("pack", { game }));
  const [plan, plan2] = packed.map((one) => one.plan || "none");
  return address(view, { ...(entry.origin || { case: packed[0].case }), plan, plan2, at, until });
}

function put(hash, how) {
  written = hash;
  if (hash === location.hash) return;
  try {
    history[how](null, "", hash);
  } catch {
    location.replace(hash);
  }
}

// What is still to be written is written now: before another view begins an entry of its own.
function flush() {
  clearTimeout(timer);
  const make = pending;
  pending = null;
  if (make) put("#" + make(), "replaceState");
}

// A page that goes can no longer change what a reload leads to: the next one finds it here.
export function leave() {
  try {
    keep(LEFT, pending ? "#" + pending() : location.hash);
  } catch {
    // An engine that has failed: the address is that of a moment ago.
  }
}

export function comeBack() {
  const left = kept(LEFT);
  keep(LEFT, null);
  const [how] = performance.getEntriesByType("navigation");
  if (left && how?.type === "reload") put(left, "replaceState");
}

// Writes it when nothing has changed for a moment: browsers slow down pages that write
// their address all the time.
export function write(make) {
  clearTimeout(timer);
  pending = make;
  timer = setTimeout(flush, 350);
}

// Begins an entry of the history, so that the browser's back button leads to the view before.
export function begin(view) {
  flush();
  put("#" + view, "pushState");
}

// Whether an address is one that this page wrote itself.
export function isOwn(hash) {
  return hash === written;
}

// What is still to be written belongs to a place that was left by the browser's own buttons.
export function forget() {
  clearTimeout(timer);
  pending = null;
  written = location.hash;
}

export function full(part) {
  return location.href.split("#")[0] + "#" + part;
}
