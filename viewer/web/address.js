// The part of the address after #: a view, a game and a position in it.

import { ask } from "./engine.js";
import { keep, kept } from "./memory.js";

const LEFT = "columns-left";
const SUM = "sum";

let written = "";
let timer = 0;
let pending = null;

// The view and the values of the address. A checksum in it must be right: a link that was cut on
// its way would show another game.
export function read() {
  const [view, query = ""] = location.hash.slice(1).split("?", 2);
  const values = new URLSearchParams(query);
  const sum = values.get(SUM);
  values.delete(SUM);
  const isWhole = sum === null || sum === checksum([...values]);
  return { view, values, isWhole };
}

function checksum(pairs) {
  return ask("checksum", { text: pairs.map((pair) => pair.join("=")).join("&") });
}

// An address; the checksum comes first, so that a cut link still has it.
export function address(view, values) {
  const pairs = Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => [name, String(value)]);
  if (values.plan) pairs.unshift([SUM, checksum(pairs)]);
  const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
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

// Writes the pending address immediately, before another view begins its own history entry.
function flush() {
  clearTimeout(timer);
  const make = pending;
  pending = null;
  if (make) put("#" + make(), "replaceState");
}

// Keeps the address for a reload: a page that is being left can no longer write it.
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

// Writes the address once nothing has changed for 350 ms: browsers slow down pages that write
// their address all the time.
export function write(make) {
  clearTimeout(timer);
  pending = make;
  timer = setTimeout(flush, 350);
}

// Begins a history entry, so that the browser's back button leads to the previous view.
export function begin(view) {
  flush();
  put("#" + view, "pushState");
}

// True if the page wrote this address itself.
export function isOwn(hash) {
  return hash === written;
}

// Drops the pending address: it belongs to a place that the browser's buttons have left.
export function forget() {
  clearTimeout(timer);
  pending = null;
  written = location.hash;
}

export function full(part) {
  return location.href.split("#")[0] + "#" + part;
}
