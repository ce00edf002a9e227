// The Puzzles view: shows SameGame, Maya or Inc. A menu lists the puzzles from files.

import { writeAddressLater } from "./address.js";
import { attempt, byId, fillMenu, pressShortcut } from "./dom.js";
import { Inc } from "./inc.js";
import { Maya } from "./maya.js";
import { SameGame } from "./samegame.js";
import { loadValue, storeValue } from "./storage.js";

const PUZZLES = { samegame: new SameGame(), maya: new Maya(), inc: new Inc() };
const KEY = "columns-puzzles";

let current = "samegame";
// The puzzles from files, by kind: {list: [{name, text}, …], at}. `at` is the index of the open puzzle.
let opened = {};

function showPuzzle(name) {
  current = Object.hasOwn(PUZZLES, name) ? name : "samegame";
  for (const one of Object.keys(PUZZLES)) {
    byId(one).hidden = one !== current;
    byId(`choose-${one}`).setAttribute("aria-pressed", String(one === current));
  }
  PUZZLES[current].enter();
  const { list = [], at } = opened[current] ?? {};
  byId("puzzle-opened").hidden = !list.length;
  fillMenu(byId("puzzle-opened").querySelector("select"), list.map(({ name }) => name), at);
  writeAddressLater("puzzles", () => `puzzles?puzzle=${current}`);
}

// Shows the opened puzzle at index `at`, and stores all opened puzzles for a reload.
function openAt(kind, at) {
  PUZZLES[kind].open(opened[kind].list[at].text);
  opened[kind].at = at;
  showPuzzle(kind);
  storeValue(KEY, opened);
}

function openPuzzles(list) {
  for (const { kind, name, text } of list) {
    opened[kind] ??= { list: [] };
    const known = opened[kind].list;
    if (!known.some((one) => one.text === text)) known.push({ name, text });
  }
  const { kind, text } = list[0];
  openAt(kind, opened[kind].list.findIndex((one) => one.text === text));
}

function bind() {
  for (const name of Object.keys(PUZZLES))
    byId(`choose-${name}`).onclick = () => showPuzzle(name);
  byId("puzzle-opened").onchange = ({ target }) =>
    attempt(() => openAt(current, Number(target.value)));
  opened = loadValue(KEY) ?? {};
  for (const [kind, { list, at }] of Object.entries(opened))
    if (at !== undefined) PUZZLES[kind].open(list[at].text);
}

export const puzzlesView = {
  bind,
  openPuzzles,
  showPuzzle,
  enter: () => showPuzzle(current),
  key(event) {
    const puzzle = PUZZLES[current];
    if (event.target === puzzle.board.canvas && puzzle.steer?.(event)) return true;
    return pressShortcut(byId(current), event);
  },
  repaint() {
    for (const puzzle of Object.values(PUZZLES)) puzzle.board.draw(1);
  },
};
