// Reads and writes the fragment of the address, which names a view, a game and its column.

import { byId } from "./dom.js";
import { ask } from "./engine.js";
import { loadValue, storeValue } from "./storage.js";

const SAVED_ADDRESS_KEY = "columns-left";
const CHECKSUM_KEY = "sum";

let lastWritten = ""; // the address that the page last wrote or followed
let timer = 0; // the timeout that writes the pending address
let pending = null; // a function that builds the pending address; null if there is none

// Parses the fragment. `isWhole` is false if its checksum is wrong: a truncated link would show another game.
export function readAddress() {
  const [view, query = ""] = location.hash.slice(1).split("?", 2);
  const values = new URLSearchParams(query);
  const sum = values.get(CHECKSUM_KEY);
  values.delete(CHECKSUM_KEY);
  const isWhole = sum === null || sum === checksum([...values]);
  return { view, values, isWhole };
}

const checksum = (pairs) => ask("checksum", { text: pairs.map((pair) => pair.join("=")).join("&") });

// Builds a fragment. With a plan, a checksum comes first, so that a truncated link still contains it.
export function buildAddress(view, values) {
  const pairs = Object.entries(values).filter(([, value]) => (value ?? "") !== "");
  if (values.plan) pairs.unshift([CHECKSUM_KEY, checksum(pairs)]);
  const query = new URLSearchParams(pairs);
  return query.size ? `${view}?${query}` : view;
}

// Builds the fragment for one game, or for two games on the same case. `at`: the position; `until`: the
// number of columns to show. Leaves out undefined parts.
export function buildGameAddress(view, entry, games, at, until) {
  const packed = games.map((game) => ask("pack", { game }));
  const [plan, plan2] = packed.map((one) => one.plan || "none");
  return buildAddress(view, { ...(entry.origin || { case: packed[0].case }), plan, plan2, at, until });
}

function put(hash, how) {
  lastWritten = hash;
  if (hash !== location.hash) history[how](null, "", hash);
}

// Writes the pending address. Called after its delay, and before the page adds a history entry.
function flush() {
  clearTimeout(timer);
  const make = pending;
  pending = null;
  if (make) put("#" + make(), "replaceState");
}

// Stores the address for a reload, since a page that is being unloaded can no longer change its own address.
export function saveAddress() {
  try {
    storeValue(SAVED_ADDRESS_KEY, pending ? "#" + pending() : location.hash);
  } catch {
    // The engine has failed: a reload uses the last address that was written.
  }
}

// After a reload, restores the address that `saveAddress` saved.
export function restoreAddress() {
  const hash = loadValue(SAVED_ADDRESS_KEY);
  storeValue(SAVED_ADDRESS_KEY, null);
  const [navigation] = performance.getEntriesByType("navigation");
  if (hash && navigation?.type === "reload") put(hash, "replaceState");
}

// Writes the address of a view 350 ms after the last change, since browsers throttle pages that write it
// often. A hidden view, which may change in the background, leaves the address to the visible one.
export function writeAddressLater(view, make) {
  if (byId(`view-${view}`).hidden) return;
  clearTimeout(timer);
  pending = make;
  timer = setTimeout(flush, 350);
}

// Adds a history entry, so that the browser's back button returns to the current address.
export function addHistoryEntry(view) {
  flush();
  put("#" + view, "pushState");
}

// True if this is the address that the page last wrote or followed.
export const isOwnAddress = (hash) => hash === lastWritten;

// Drops the pending address. Called when the user opens another address, or when the engine fails.
export function dropPendingAddress() {
  clearTimeout(timer);
  pending = null;
  lastWritten = location.hash;
}

// The base URL of links; null to use the page's current URL.
let base = null;

export function setBaseUrl(address) {
  base = address ?? null;
}

// True if a link works only on this computer.
export const linksAreLocal = () => !base && location.protocol === "file:";

// Returns the complete URL with this fragment.
export const fullUrl = (fragment) => (base ?? location.href).split("#")[0] + "#" + fragment;
