// Puzzles: one of the three at a time, and those that came from files.

import { write } from "./address.js";
import { attempt, byId, make, short } from "./dom.js";
import { bindInc, enterInc, openInc, repaintInc } from "./inc.js";
import { bindMaya, enterMaya, mayaKey, openMaya, repaintMaya } from "./maya.js";
import { keep, kept } from "./memory.js";
import {
  bindSamegame,
  enterSamegame,
  openBoard,
  repaintSamegame,
  samegameKey,
} from "./samegame.js";

const PUZZLES = {
  samegame: { enter: enterSamegame, open: openBoard, repaint: repaintSamegame, key: samegameKey },
  maya: { enter: enterMaya, open: openMaya, repaint: repaintMaya, key: mayaKey },
  inc: { enter: enterInc, open: openInc, repaint: repaintInc },
};
const KEY = "columns-puzzles";

let current = "samegame";
// Of each kind those that came from files, {name, text} each, and which of them is open.
let opened = {};

export function showPuzzle(name) {
  current = name in PUZZLES ? name : "samegame";
  for (const one of Object.keys(PUZZLES)) {
    byId(one).hidden = one !== current;
    byId(`choose-${one}`).setAttribute("aria-pressed", String(one === current));
  }
  PUZZLES[current].enter();
  const { list = [], at } = opened[current] ?? {};
  byId("puzzle-opened").hidden = !list.length;
  byId("puzzle-opened").querySelector("select").replaceChildren(
    ...list.map((one, i) =>
      make("option", { value: i, selected: i === at }, short(one.name)),
    ),
  );
  write(() => `puzzles?puzzle=${current}`);
}

export function enterPuzzles() {
  showPuzzle(current);
}

// Opens one of those from files, and keeps them over a reload.
function openAt(kind, at) {
  PUZZLES[kind].open(opened[kind].list[at].text);
  opened[kind].at = at;
  showPuzzle(kind);
  keep(KEY, opened);
}

export function openPuzzles(list) {
  for (const { kind, name, text } of list) {
    opened[kind] ??= { list: [] };
    const known = opened[kind].list;
    if (!known.some((one) => one.text === text)) known.push({ name, text });
  }
  const { kind, text } = list[0];
  openAt(
    kind,
    opened[kind].list.findIndex((one) => one.text === text),
  );
}

export function puzzleKey(event) {
  return PUZZLES[current].key?.(event);
}

export function repaintPuzzles() {
  for (const puzzle of Object.values(PUZZLES)) puzzle.repaint();
}

export function bindPuzzles() {
  bindSamegame();
  bindMaya();
  bindInc();
  for (const name of Object.keys(PUZZLES)) byId(`choose-${name}`).onclick = () => showPuzzle(name);
  byId("puzzle-opened").onchange = ({ target }) =>
    attempt(() => openAt(current, Number(target.value)));
  opened = kept(KEY) ?? {};
  for (const [kind, { list, at }] of Object.entries(opened))
    if (at !== undefined) PUZZLES[kind].open(list[at].text);
}
