// Reloads the page after a panic in the WebAssembly, with its games and its address.

import { forget } from "./address.js";
import { store, load } from "./memory.js";
import { saveNow } from "./session.js";

const KEY = "columns-failed";

// The reason for the reload; null if there was none.
let why = null;
let starting = true;

// Reads the reason for a reload. Must run before anything that can fail.
export function readReason() {
  why = load(KEY);
  store(KEY, null);
}

// Marks the start as finished. Returns a message for the user if the page was reloaded.
export function finishStart() {
  starting = false;
  return why && `The page was reloaded: ${why}.`;
}

// Reloads the page because of a failure. A failure during a second start drops the address, which
// probably causes it; without an address, reloading would not help.
export async function reloadAfter(because) {
  if (starting && why) {
    if (location.hash.length < 2) return;
    history.replaceState(null, "", "#");
  }
  await saveNow();
  store(KEY, because);
  // Do not return to the moment that failed.
  forget();
  location.reload();
}
