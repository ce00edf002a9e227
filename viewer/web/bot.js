// Asks the worker. One that is stopped is ended, and the next question starts another.

import { byId } from "./dom.js";

let worker = null;
let bytes = null;
let last = 0;
const waiting = new Map();

export function lend(wasm) {
  bytes = wasm;
}

function open() {
  const source = new Blob([byId("worker").textContent], { type: "text/javascript" });
  const address = URL.createObjectURL(source);
  const made = new Worker(address);
  made.onmessage = ({ data }) => {
    const { resolve, reject } = waiting.get(data.id) ?? {};
    waiting.delete(data.id);
    if ("error" in data) reject?.(new Error(data.error));
    else resolve?.(data.ok);
  };
  made.onerror = (event) => stop(event.message || "the bot's worker failed");
  made.postMessage({ bytes });
  return made;
}

export function think(name, request) {
  worker ??= open();
  const id = ++last;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, name, request });
  });
}

export function stop(why = "stopped") {
  worker?.terminate();
  worker = null;
  for (const { reject } of waiting.values()) reject(new Error(why));
  waiting.clear();
}
