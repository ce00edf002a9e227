// Maya: a solution, step by step.

import { Board } from "./board.js";
import { byId, attempt, hush, say } from "./dom.js";
import { ask } from "./engine.js";

const SAMPLE = "3\n1 0\n2 1 0\n2 3 4 0\n3 1 0\n2 4 3 4 0\n";
const PALETTE = "abcdefghij";

let board, solved;
let at = 0;

function go(to) {
  at = Math.min(solved.scenes.length - 1, Math.max(0, to));
  const scene = solved.scenes[at];
  const answer = at === solved.scenes.length - 1 ? ` The answer: ${solved.answer.trim().split("\n").join(", ")}.` : "";
  say(byId("maya-text"), scene.text + answer);
  board.show({ cells: scene.cells, kind: "settled", text: scene.text }, 0, { drag: scene.drag });
}

export function openMaya(text) {
  hush();
  solved = ask("maya", { text });
  byId("maya-input").value = text;
  const used = [...PALETTE].filter((letter) => solved.scenes[0].cells.includes(letter)).join("");
  board.shape(solved.width, solved.height, used);
  go(0);
}

export function enterMaya() {
  if (!solved) openMaya(SAMPLE);
}

export function repaintMaya() {
  if (solved) board.draw(1);
}

export function bindMaya() {
  board = new Board(byId("maya-board"), { spawn: false });
  byId("maya-first").onclick = () => go(0);
  byId("maya-back").onclick = () => go(at - 1);
  byId("maya-on").onclick = () => go(at + 1);
  byId("maya-last").onclick = () => go(1e9);
  byId("maya-solve").onclick = () => attempt(() => openMaya(byId("maya-input").value));
}
