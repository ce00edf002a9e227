// Decompresses gzip data: from elements of the page, where it is in base 64, or from storage.

import { byId } from "./dom.js";

// Decompresses bytes. Returns a Response, to be read as text, JSON or bytes.
export function unpacked(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream);
}

// Decompresses the base 64 content of an element and removes the element.
export function embedded(id) {
  const text = byId(id).textContent;
  byId(id).remove();
  return unpacked(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
}
