// Saves the games of this tab in the browser's database, to restore them after a reload. Every tab has its
// own set of games.

import { games, onGamesChange, playersById } from "./library.js";
import { waitingPlans } from "./add-files.js";
import { loadValue, storeValue } from "./storage.js";

const SET_KEY = "columns-set";
// The age at which a saved set of games is deleted: a week, in milliseconds.
const MAX_SET_AGE_MS = 7 * 86_400_000;

// The connection to the database; null if the browser forbids databases. A reload then loses the games.
let database = null;
let setName = null; // the name of this tab's set of games
const ids = new WeakMap();
let lastId = 0;
const stale = new Set(); // the games that have changed since they were saved
let savedIds = []; // the IDs of all saved games
let timer = 0;

function idOf(game) {
  if (!ids.has(game)) ids.set(game, ++lastId);
  return ids.get(game);
}

// Resolves to the result of a request to the database.
function promisifyRequest(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function connect() {
  const request = indexedDB.open("columns", 1);
  request.onupgradeneeded = () => {
    for (const name of ["games", "sets"]) request.result.createObjectStore(name);
  };
  return promisifyRequest(request);
}

const gameKeysOf = (set) => IDBKeyRange.bound([set, 0], [set, Infinity]);

// Claims a set of games for this tab. Resolves to false if this tab is a copy of a tab that still uses the
// set. In a browser without locks, only a reloaded tab keeps its set.
function claim(name) {
  return new Promise((resolve) => {
    const [navigation] = performance.getEntriesByType("navigation");
    if (!navigator.locks) return resolve(navigation?.type === "reload");
    const hold = (lock) => {
      resolve(Boolean(lock));
      return lock && new Promise(() => {});
    };
    navigator.locks.request(name, { ifAvailable: true }, hold).catch(() => resolve(true));
  });
}

// Begins a transaction. Returns it with its stores: `stored` has the games, `sets` has the set of each tab.
function beginTransaction(mode) {
  const transaction = database.transaction(["games", "sets"], mode);
  const [stored, sets] = ["games", "sets"].map((name) => transaction.objectStore(name));
  return { transaction, stored, sets };
}

// Saves the changed games immediately. Resolves when they are saved.
export async function saveSession() {
  clearTimeout(timer);
  if (!database) return;
  const { transaction, stored, sets } = beginTransaction("readwrite");
  const order = games.map(idOf);
  for (const game of stale) if (games.includes(game)) stored.put(game, [setName, idOf(game)]);
  for (const id of savedIds) if (!order.includes(id)) stored.delete([setName, id]);
  sets.put({ order, runs: [...playersById.values()], waiting: waitingPlans, used: Date.now() }, setName);
  savedIds = order;
  stale.clear();
  // A page that is being unloaded cannot wait for the automatic commit.
  transaction.commit();
  await new Promise((done) => (transaction.oncomplete = transaction.onabort = done));
}

// Deletes the sets that were last saved at least `MAX_SET_AGE_MS` ago and that no open tab uses.
async function deleteOldSets() {
  const { held } = (await navigator.locks?.query()) ?? { held: [] };
  const used = held.map(({ name }) => name);
  const { stored, sets } = beginTransaction("readwrite");
  const requests = [sets.getAllKeys(), sets.getAll()];
  const [names, all] = await Promise.all(requests.map(promisifyRequest));
  names.forEach((name, i) => {
    if (used.includes(name) || Date.now() - all[i].used < MAX_SET_AGE_MS) return;
    sets.delete(name);
    stored.delete(gameKeysOf(name));
  });
}

// Restores the games. Resolves to the number of games that could not be restored.
export async function restoreSession() {
  try {
    database = await connect();
    const before = loadValue(SET_KEY);
    const isOwn = before && (await claim(before));
    setName = isOwn ? before : `columns-${Date.now()}-${Math.random()}`;
    if (!isOwn) await claim(setName);
    storeValue(SET_KEY, setName);
    await deleteOldSets();
    return before ? await read(before) : 0;
  } catch {
    database = null;
    return 0;
  }
}

async function read(name) {
  const { stored, sets } = beginTransaction("readonly");
  const requests = [sets.get(name), stored.getAllKeys(gameKeysOf(name)), stored.getAll(gameKeysOf(name))];
  const [set, keys, list] = await Promise.all(requests.map(promisifyRequest));
  const byId = new Map(keys.map(([, id], i) => [id, list[i]]));
  const order = set?.order ?? [];
  for (const player of set?.runs ?? []) playersById.set(player.id, player);
  waitingPlans.push(...(set?.waiting ?? []));
  for (const id of order.filter((id) => byId.has(id))) {
    games.push(byId.get(id));
    ids.set(byId.get(id), id);
    // A duplicated tab has its own set, which does not contain these games yet.
    if (name !== setName) stale.add(byId.get(id));
  }
  lastId = Math.max(0, ...order);
  savedIds = order;
  return order.length - games.length;
}

export function bindSession() {
  addEventListener("pagehide", saveSession);
  onGamesChange((game) => {
    if (game) stale.add(game);
    clearTimeout(timer);
    // Scores arrive in large numbers and can be computed again: save them later, but new files immediately.
    if (game) timer = setTimeout(saveSession, 250);
    else saveSession();
  });
}
