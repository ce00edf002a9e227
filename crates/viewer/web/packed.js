// Decompresses gzip data in elements of the page, where it is in base 64.

import { byId } from "./dom.js";

// Decompresses the content of an element and removes the element. Returns a Response.
export function embedded(id) {
  const text = byId(id).textContent;
  byId(id).remove();
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}
