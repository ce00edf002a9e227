// Workers, each with its own instance of the WebAssembly module: one for the bot, two for reviews, and two
// that score plans. If the browser or a policy forbids workers, the page does their work itself.

import { byId } from "./dom.js";
import { ask } from "./engine.js";

let bytes = null;

export function setWasm(wasm) {
  bytes = wasm;
}

// True if a worker has answered, false if a worker could not start, null while this is unknown.
let canUseWorkers = null;

class EngineWorker {
  worker = null;
  lastId = 0;
  pendingJobs = new Map();

  open() {
    const source = new Blob([byId("worker").textContent], { type: "text/javascript" });
    const worker = new Worker(URL.createObjectURL(source));
    worker.onmessage = ({ data }) => {
      canUseWorkers = true;
      if (data.failed) return this.stop(data.failed);
      const { resolve, reject } = this.pendingJobs.get(data.id) ?? {};
      this.pendingJobs.delete(data.id);
      if ("error" in data) reject?.(new Error(data.error));
      else resolve?.(data.ok);
    };
    worker.onerror = (event) => {
      if (canUseWorkers) return this.stop(event.message || "The bot's worker failed.");
      canUseWorkers = false;
      const jobs = [...this.pendingJobs.values()];
      this.pendingJobs.clear();
      for (const job of jobs) this.runInPage(job);
    };
    worker.postMessage({ bytes });
    return worker;
  }

  // Runs a job in the page itself, which does not respond until the job is done.
  async runInPage({ name, request, resolve, reject }) {
    await new Promise((done) => setTimeout(done));
    try {
      resolve(ask(name, request));
    } catch (error) {
      reject(error);
    }
  }

  // Sends a request to the worker. Resolves to its answer.
  ask(name, request) {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      const job = { name, request, resolve, reject };
      try {
        if (canUseWorkers !== false) this.worker ??= this.open();
      } catch {
        canUseWorkers = false;
      }
      if (canUseWorkers === false) return this.runInPage(job);
      this.pendingJobs.set(id, job);
      this.worker.postMessage({ id, name, request });
    });
  }

  // Terminates the worker and rejects its jobs. The next job starts a new worker.
  stop(why = "Stopped.") {
    this.worker?.terminate();
    this.worker = null;
    for (const { reject } of this.pendingJobs.values()) reject(new Error(why));
    this.pendingJobs.clear();
  }
}

export const botWorker = new EngineWorker();
export const reviewWorkers = [new EngineWorker(), new EngineWorker()];
export const scoreWorkers = [new EngineWorker(), new EngineWorker()];
