// Workers, each with its own WebAssembly: one for the bot, two for reviews, and two that score plans. If the
// browser or a policy forbids workers, the page does their work itself.

import { byId } from "./dom.js";
import { ask } from "./engine.js";

let bytes = null;

export function setWasm(wasm) {
  bytes = wasm;
}

// True if a worker has answered, false if a worker could not start, null before that is known.
let works = null;

class Helper {
  worker = null;
  last = 0;
  waiting = new Map();

  open() {
    const source = new Blob([byId("worker").textContent], { type: "text/javascript" });
    const worker = new Worker(URL.createObjectURL(source));
    worker.onmessage = ({ data }) => {
      works = true;
      if (data.failed) return this.stop(data.failed);
      const { resolve, reject } = this.waiting.get(data.id) ?? {};
      this.waiting.delete(data.id);
      if ("error" in data) reject?.(new Error(data.error));
      else resolve?.(data.ok);
    };
    worker.onerror = (event) => {
      if (works) return this.stop(event.message || "The bot's worker failed.");
      works = false;
      const jobs = [...this.waiting.values()];
      this.waiting.clear();
      for (const job of jobs) this.here(job);
    };
    worker.postMessage({ bytes });
    return worker;
  }

  // Runs a job in the page itself, which does not respond until the job is done.
  async here({ name, request, resolve, reject }) {
    await new Promise((done) => setTimeout(done));
    try {
      resolve(ask(name, request));
    } catch (error) {
      reject(error);
    }
  }

  // Sends a request to the worker. Resolves to its answer.
  think(name, request) {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      const job = { name, request, resolve, reject };
      try {
        if (works !== false) this.worker ??= this.open();
      } catch {
        works = false;
      }
      if (works === false) return this.here(job);
      this.waiting.set(id, job);
      this.worker.postMessage({ id, name, request });
    });
  }

  // Terminates the worker and rejects its jobs. The next job starts a new worker.
  stop(why = "Stopped.") {
    this.worker?.terminate();
    this.worker = null;
    for (const { reject } of this.waiting.values()) reject(new Error(why));
    this.waiting.clear();
  }
}

// The budget of a search, in states for each column that it looks ahead.
export const NODES_PER_COLUMN = 500;

export const botWorker = new Helper();
export const reviewers = [new Helper(), new Helper()];
export const scorers = [new Helper(), new Helper()];
