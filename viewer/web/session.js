// The games of this tab, kept over a reload in the browser's session storage: each by itself,
// packed, so that what does not fit costs nothing of the others.

import { games, onChange, papers, waiting } from "./library.js";
import { kept } from "./memory.js";
import { unpacked } from "./packed.js";

const LIST = "columns-games";
const PAPERS = "columns-plans";
const name = (id) => `columns-game-${id}`;

const ids = new WeakMap();
const stale = new Set();
// Games that have found no room: they are tried again when they or the list change.
let homeless = new WeakSet();
// The game that is being packed now.
let packing = null;
let last = 0;
let timer = 0;
// One save after the other.
let saved = Promise.resolve();

function idOf(game) {
  if (!ids.has(game)) ids.set(game, ++last);
  return ids.get(game);
}

// Bytes as the code units of a string, two in one: storage counts those.
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
    for (const id of kept(LIST) ?? []) {
      if (now.includes(id)) continue;
      sessionStorage.removeItem(name(id));
      homeless = new WeakSet();
    }
    // First, so that what a reload interrupts is missed.
    sessionStorage.setItem(LIST, JSON.stringify(now));
    for (const game of [...games]) {
      if (!stale.has(game) || homeless.has(game)) continue;
      stale.delete(game);
      packing = game;
      const text = await pack(game);
      packing = null;
      try {
        sessionStorage.setItem(name(idOf(game)), text);
      } catch {
        // No room: after a reload the page says how many are missing.
        sessionStorage.removeItem(name(idOf(game)));
        stale.add(game);
        homeless.add(game);
      }
    }
    const late = waiting().map((paper) => ({ ...paper, homes: undefined }));
    if (late.length) sessionStorage.setItem(PAPERS, await pack(late));
    else sessionStorage.removeItem(PAPERS);
  } catch {
    // A browser that keeps nothing: the games last as long as the page.
  }
}

// Keeps what is not saved yet as it is: a page that goes has no time to pack it.
function saveRest() {
  const rest = packing ? [packing, ...stale] : [...stale];
  try {
    sessionStorage.setItem(LIST, JSON.stringify(games.map(idOf)));
    for (const game of rest)
      if (games.includes(game)) sessionStorage.setItem(name(idOf(game)), JSON.stringify(game));
    const late = waiting().map((paper) => ({ ...paper, homes: undefined }));
    if (late.length && timer) sessionStorage.setItem(PAPERS, JSON.stringify({ late }));
  } catch {
    // No room: after the reload the page says how many games are missing.
  }
}

// Brings the games back; returns the number of those that could not be kept.
export async function restore() {
  let missing = 0;
  for (const id of kept(LIST) ?? []) {
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
    const late = sessionStorage.getItem(PAPERS);
    const list = late ? await unpack(late) : [];
    papers.push(...(list.late ?? list).map((paper) => ({ ...paper, homes: new Set() })));
  } catch {
    missing += 1;
  }
  return missing;
}

// Keeps the games now; done when that is done.
export function saveNow() {
  clearTimeout(timer);
  return (saved = saved.then(save));
}

export function bindSession() {
  addEventListener("pagehide", saveRest);
  onChange((game) => {
    if (game) {
      stale.add(game);
      homeless.delete(game);
    }
    clearTimeout(timer);
    timer = setTimeout(saveNow, 250);
  });
}
