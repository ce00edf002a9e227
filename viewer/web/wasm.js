// The WebAssembly that is embedded in the page: gzip in base 64.

import { byId } from "./dom.js";

export async function embedded() {
  const text = atob(byId("wasm").textContent.trim());
  const packed = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  byId("wasm").remove();
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}
