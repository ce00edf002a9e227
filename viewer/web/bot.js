// Helpers beside the page: workers with a WebAssembly of their own. One lets the bot think,
// others score plans, so that neither waits for the other.

import { byId } from "./dom.js";

let bytes = null;

export function lend(wasm) {
  bytes = wasm;
}

class Helper {
  worker = null;
  last = 0;
  waiting = new Map();

  open() {
    const source = new Blob([byId("worker").textContent], { type: "text/javascript" });
    const made = new Worker(URL.createObjectURL(source));
    made.onmessage = ({ data }) => {
      if (data.failed) return this.stop(data.failed);
      const { resolve, reject } = this.waiting.get(data.id) ?? {};
      this.waiting.delete(data.id);
      if ("error" in data) reject?.(new Error(data.error));
      else resolve?.(data.ok);
    };
    made.onerror = (event) => this.stop(event.message || "The bot's worker failed.");
    made.postMessage({ bytes });
    return made;
  }

  think(name, request) {
    this.worker ??= this.open();
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, name, request });
    });
  }

  // Ends the worker; the next question starts another.
  stop(why = "Stopped.") {
    this.worker?.terminate();
    this.worker = null;
    for (const { reject } of this.waiting.values()) reject(new Error(why));
    this.waiting.clear();
  }
}

export const bot = new Helper();
export const scorers = [new Helper(), new Helper()];
