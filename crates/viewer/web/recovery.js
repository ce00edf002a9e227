// Reloads the page after a panic in the WebAssembly module. A reload keeps the games and the address.

import { dropPendingAddress } from "./address.js";
import { saveSession } from "./session.js";
import { loadValue, storeValue } from "./storage.js";

const KEY = "columns-failed";

// The reason for the reload; null if there was none.
let reason = null;
let starting = true;

// Reads the reason for a reload. Must run before any code that can fail.
export function readReloadReason() {
  reason = loadValue(KEY);
  storeValue(KEY, null);
}

// Marks the start of the page as finished. Returns a message for the user if a failure has reloaded the page.
export function finishStart() {
  starting = false;
  return reason && `The page was reloaded: ${reason}.`;
}

// Reloads the page after a failure. If the page fails again while it starts, drops the address, which has
// probably caused both failures. Without an address, another reload would not help.
export async function reloadAfterFailure(failure) {
  if (starting && reason) {
    if (location.hash.length < 2) return;
    history.replaceState(null, "", "#");
  }
  await saveSession();
  storeValue(KEY, failure);
  // Do not return to the moment at which the engine failed.
  dropPendingAddress();
  location.reload();
}
