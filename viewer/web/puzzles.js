// Puzzles: one of the three at a time.

import { write } from "./address.js";
import { byId } from "./dom.js";
import { bindInc, enterInc, openInc, repaintInc } from "./inc.js";
import { bindMaya, enterMaya, openMaya, repaintMaya } from "./maya.js";
import { bindSamegame, enterSamegame, openBoard, repaintSamegame } from "./samegame.js";

const PUZZLES = {
  samegame: { enter: enterSamegame, open: openBoard, repaint: repaintSamegame },
  maya: { enter: enterMaya, open: openMaya, repaint: repaintMaya },
  inc: { enter: enterInc, open: openInc, repaint: repaintInc },
};

let current = "samegame";

export function showPuzzle(name) {
  current = name in PUZZLES ? name : "samegame";
  for (const one of Object.keys(PUZZLES)) {
    byId(one).hidden = one !== current;
    byId(`choose-${one}`).setAttribute("aria-pressed", String(one === current));
  }
  PUZZLES[current].enter();
  write(() => `puzzles?puzzle=${current}`);
}

export function enterPuzzles() {
  showPuzzle(current);
}

export function openPuzzle({ kind, text }) {
  showPuzzle(kind);
  PUZZLES[kind].open(text);
}

export function repaintPuzzles() {
  for (const puzzle of Object.values(PUZZLES)) puzzle.repaint();
}

export function bindPuzzles() {
  bindSamegame();
  bindMaya();
  bindInc();
  for (const name of Object.keys(PUZZLES)) byId(`choose-${name}`).onclick = () => showPuzzle(name);
}
