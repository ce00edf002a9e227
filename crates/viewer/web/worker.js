// The script of the workers: each runs its own instance of the WebAssembly module.

import { ask, onEngineFailure, startEngine } from "./engine.js";

let ready = null;

// After a failure, the page terminates this worker, and starts another one for its next request.
onEngineFailure((why) => self.postMessage({ failed: why }));

self.onmessage = async ({ data }) => {
  // The first message contains the WebAssembly module. The worker does not answer it.
  ready ??= startEngine(data.bytes);
  if (data.bytes) return;
  try {
    await ready;
    self.postMessage({ id: data.id, ok: ask(data.name, data.request) });
  } catch (error) {
    self.postMessage({ id: data.id, error: String(error.message ?? error) });
  }
};
