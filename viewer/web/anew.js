// After a panic in the WebAssembly the page is loaded again, with its games and its address.

import { saveNow } from "./session.js";

const KEY = "columns-failed";

// Why this page was loaded again, if it was.
let why = null;
let starting = true;

// Called first of all.
export function recall() {
  try {
    why = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
  } catch {
    // A browser that keeps nothing: nobody knows.
  }
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
  try {
    await saveNow();
    sessionStorage.setItem(KEY, because);
  } catch {
    // A browser that keeps nothing: the address is all that comes back.
  }
  location.reload();
}
