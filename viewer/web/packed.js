// What is packed by gzip: in the page in base 64, or kept by the browser.

import { byId } from "./dom.js";

// What bytes hold, to be read as the body of an answer is.
export function unpacked(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream);
}

// What an element of the page holds in base 64; the element goes.
export function embedded(id) {
  const text = byId(id).textContent;
  byId(id).remove();
  return unpacked(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
}
