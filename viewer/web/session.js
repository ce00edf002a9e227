// Saves the games of this tab in the browser's session storage, for a reload. Each game is
// compressed and stored separately: if one does not fit into the storage, the others are still
// saved.

import { games, onChange, papers, waiting } from "./library.js";
import { load } from "./memory.js";
import { unpacked } from "./packed.js";

const LIST = "columns-games";
const PAPERS = "columns-plans";
const name = (id) => `columns-game-${id}`;

const ids = new WeakMap();
const stale = new Set();
// Games that did not fit into the storage. The page tries again to save a game when it changes, or
// when another game is removed.
let unsaved = new WeakSet();
// The game that is being compressed.
let packing = null;
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

async function save() {
  const now = games.map(idOf);
  try {
    for (const id of load(LIST) ?? []) {
      if (now.includes(id)) continue;
      sessionStorage.removeItem(name(id));
      unsaved = new WeakSet();
    }
    // Write the list first: after an interrupted save, the page can then report the missing games.
    sessionStorage.setItem(LIST, JSON.stringify(now));
    for (const game of [...games]) {
      if (!stale.has(game) || unsaved.has(game)) continue;
      stale.delete(game);
      packing = game;
      const text = await pack(game);
      packing = null;
      try {
        sessionStorage.setItem(name(idOf(game)), text);
      } catch {
        // Storage is full: after a reload the page reports the number of missing games.
        sessionStorage.removeItem(name(idOf(game)));
        stale.add(game);
        unsaved.add(game);
      }
    }
    sessionStorage.setItem(PAPERS, await pack({ late: waiting() }));
  } catch {
    // No storage: the games are lost on a reload.
  }
}

// Saves the remaining games uncompressed: a page that is being unloaded has no time to compress
// them.
function saveRest() {
  const rest = packing ? [packing, ...stale] : [...stale];
  try {
    sessionStorage.setItem(LIST, JSON.stringify(games.map(idOf)));
    for (const game of rest)
      if (games.includes(game)) sessionStorage.setItem(name(idOf(game)), JSON.stringify(game));
    if (timer) sessionStorage.setItem(PAPERS, JSON.stringify({ late: waiting() }));
  } catch {
    // Storage is full: after the reload the page reports the number of missing games.
  }
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
  return (saved = saved.then(save));
}

export function bindSession() {
  addEventListener("pagehide", saveRest);
  onChange((game) => {
    if (game) {
      stale.add(game);
      unsaved.delete(game);
    }
    clearTimeout(timer);
    timer = setTimeout(saveNow, 250);
  });
}
