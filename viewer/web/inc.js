// Inc: what the three players choose, turn by turn.

import { Board } from "./board.js";
import { byId, attempt, hush, say } from "./dom.js";
import { ask } from "./engine.js";

const SAMPLE = "1 10\n231.3\n3.233\n12.12\n3.231\n132.3\n";

let board, played;
let at = 0;

function go(to) {
  at = Math.min(played.scenes.length - 1, Math.max(0, to));
  const scene = played.scenes[at];
  board.show({ cells: scene.cells, kind: "settled", text: scene.text }, 0, { group: scene.group });
  say(byId("inc-text"), scene.text);
}

export function openInc(text) {
  hush();
  played = ask("inc", { text });
  byId("inc-input").value = text;
  board.shape(played.width, played.height, "123");
  go(0);
}

export function enterInc() {
  if (!played) openInc(SAMPLE);
}

export function repaintInc() {
  if (played) board.draw(1);
}

export function bindInc() {
  board = new Board(byId("inc-board"), { spawn: false });
  byId("inc-first").onclick = () => go(0);
  byId("inc-back").onclick = () => go(at - 1);
  byId("inc-on").onclick = () => go(at + 1);
  byId("inc-last").onclick = () => go(1e9);
  byId("inc-play").onclick = () => attempt(() => openInc(byId("inc-input").value));
}
