// After a panic in the WebAssembly the page is loaded again, with its games and its address.

import { forget } from "./address.js";
import { keep, kept } from "./memory.js";
import { saveNow } from "./session.js";

const KEY = "columns-failed";

// Why this page was loaded again, if it was.
let why = null;
let starting = true;

// Called first of all.
export function recall() {
  why = kept(KEY);
  keep(KEY, null);
}

// Called when there is something to see; a line for people, if the page was loaded again.
export function arrived() {
  starting = false;
  return why && `This page was started anew: ${why}.`;
}

export async function startAnew(because) {
  if (starting && why) {
    // The address itself leads to the failure. Where it is empty, nothing would help.
    if (location.hash.length < 2) return;
    history.replaceState(null, "", "#");
  }
  await saveNow();
  keep(KEY, because);
  // The moment that failed is not come back to.
  forget();
  location.reload();
}
