// Saves the games of this tab in the browser's session storage, for a reload. Each game is
// compressed and stored separately: if one does not fit into the storage, the others are still
// saved.

import { games, onChange } from "./library.js";
import { load, store } from "./memory.js";
import { unpacked } from "./packed.js";
import { papers, waiting } from "./papers.js";

const LIST = "columns-games";
const PAPERS = "columns-plans";
const name = (id) => `columns-game-${id}`;

const ids = new WeakMap();
// The games that changed after they were saved, each with the number of its last change. A game that
// does not fit into the storage leaves this map as well: the page tries again to save it when it
// changes, or when another game is removed.
const stale = new Map();
let last = 0;
let timer = 0;
// The promise of the last save: saves run one after the other.
let saved = Promise.resolve();

function idOf(game) {
  if (!ids.has(game)) ids.set(game, ++last);
  return ids.get(game);
}

// Compresses a value into a string with two bytes in each code unit, since storage counts code
// units.
async function pack(value) {
  const stream = new Blob([JSON.stringify(value)])
    .stream()
    .pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = String.fromCharCode(bytes.length % 2);
  for (let i = 0; i < bytes.length; i += 2)
    text += String.fromCharCode(bytes[i] | ((bytes[i + 1] ?? 0) << 8));
  return text;
}

async function unpack(text) {
  if (text.startsWith("{")) return JSON.parse(text);
  const bytes = new Uint8Array(2 * (text.length - 1) - text.charCodeAt(0));
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(1 + (i >> 1)) >> (8 * (i % 2));
  return unpacked(bytes).json();
}

function change(game) {
  stale.set(game, (stale.get(game) ?? 0) + 1);
}

// Writes the list of the games first: after an interrupted save, the page can then report the
// missing games.
function saveList() {
  store(LIST, games.map(idOf));
}

async function save() {
  const before = load(LIST) ?? [];
  saveList();
  const removed = before.filter((id) => !games.some((game) => idOf(game) === id));
  for (const id of removed) sessionStorage.removeItem(name(id));
  if (removed.length)
    games.filter((game) => !sessionStorage.getItem(name(idOf(game)))).forEach(change);
  for (const game of games.filter((game) => stale.has(game))) {
    const number = stale.get(game);
    const text = await pack(game);
    try {
      sessionStorage.setItem(name(idOf(game)), text);
    } catch {
      // Storage is full: after a reload the page reports the number of missing games.
      sessionStorage.removeItem(name(idOf(game)));
    }
    if (stale.get(game) === number) stale.delete(game);
  }
  sessionStorage.setItem(PAPERS, await pack({ late: waiting() }));
}

// Saves the remaining games uncompressed: a page that is being unloaded has no time to compress
// them. `store` ignores a full storage: after the reload the page reports the missing games.
function saveRest() {
  saveList();
  for (const game of games) if (stale.has(game)) store(name(idOf(game)), game);
  store(PAPERS, { late: waiting() });
}

// Restores the games. Resolves to the number of games that could not be restored.
export async function restore() {
  let missing = 0;
  for (const id of load(LIST) ?? []) {
    try {
      const game = await unpack(sessionStorage.getItem(name(id)));
      games.push(game);
      ids.set(game, id);
      last = Math.max(last, id);
    } catch {
      missing += 1;
    }
  }
  try {
    const stored = sessionStorage.getItem(PAPERS);
    const { late } = stored ? await unpack(stored) : { late: [] };
    papers.push(...late.map((paper) => ({ ...paper, homes: new Set() })));
  } catch {
    missing += 1;
  }
  return missing;
}

// Saves the games now. Resolves when they are saved.
export function saveNow() {
  clearTimeout(timer);
  // Without storage, the games are lost on a reload.
  return (saved = saved.then(save).catch(() => {}));
}

export function bindSession() {
  addEventListener("pagehide", saveRest);
  onChange((game) => {
    if (game) change(game);
    clearTimeout(timer);
    timer = setTimeout(saveNow, 250);
  });
}
