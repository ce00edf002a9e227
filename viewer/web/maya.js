// Maya: by hand, dragging blocks sideways, and its solution step by step.

import { Board } from "./board.js";
import { byId, attempt, hush, say } from "./dom.js";
import { ask } from "./engine.js";

const SAMPLE = "3\n1 0\n2 1 0\n2 3 4 0\n3 1 0\n2 4 3 4 0\n";
const PALETTE = "abcdefghij";
// Milliseconds that each clearing after a move is shown.
const PACE = 350;

let board, solved, game, view, text;
// The scene of the solution that is shown; null while it is played by hand.
let at = null;
// Where a drag began, and where the keyboard's cursor is: {stack, row}.
let grip = null;
let cursor = null;
let timer = 0;

function show(cells = view.cells, extra = {}) {
  board.show({ cells, kind: "settled", text: view.text }, 0, { cursor, ...extra });
  say(byId("maya-text"), view.text);
  byId("maya-undo").disabled = !view.can_undo;
  byId("maya-redo").disabled = !view.can_redo;
}

function byHand() {
  clearTimeout(timer);
  at = null;
  show();
}

// The solution, picture by picture.
function go(to) {
  clearTimeout(timer);
  solved ??= ask("maya", { text });
  at = Math.min(solved.scenes.length - 1, Math.max(0, to));
  const scene = solved.scenes[at];
  const last = at === solved.scenes.length - 1;
  const answer = last ? ` The answer: ${solved.answer.trim().split("\n").join(", ")}.` : "";
  board.show({ cells: scene.cells, kind: "settled", text: scene.text }, 0, { drag: scene.drag });
  say(byId("maya-text"), `Solution: ${scene.text}${answer}`);
}

export function openMaya(input) {
  hush();
  const { game: made, ...first } = ask("maya-hand", { text: input });
  if (game) ask("close", { game });
  game = made;
  view = first;
  text = input;
  solved = null;
  byId("maya-input").value = text;
  const used = [...PALETTE].filter((letter) => view.cells.includes(letter)).join("");
  board.shape(view.width, view.height, used);
  byHand();
}

function drag(from, right) {
  at = null;
  view = ask("drag", { game, stack: from.stack, row: from.row, right });
  // The block moved, then each clearing; the last of these is the field.
  const way = [...view.way];
  const next = () => {
    if (way.length < 2) return show();
    show(way.shift());
    timer = setTimeout(next, PACE);
  };
  clearTimeout(timer);
  next();
}

function past(press) {
  view = ask("past", { game, press });
  byHand();
}

// Keys of the view, wherever the focus is.
export function mayaKey({ key }) {
  const press = { u: "undo", r: "redo" }[key];
  if (press) past(press);
  return Boolean(press);
}

function key(event) {
  const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[
    event.key
  ];
  if (!move) return;
  event.preventDefault();
  event.stopPropagation();
  const to = cursor
    ? { stack: cursor.stack + move[0], row: cursor.row + move[1] }
    : { stack: 0, row: 0 };
  if (event.shiftKey && cursor && move[0]) drag(cursor, move[0] > 0);
  if (to.stack >= 0 && to.stack < board.width && to.row >= 0 && to.row < board.height) cursor = to;
  if (!event.shiftKey || !move[0]) byHand();
}

function bindDrag() {
  const { canvas } = board;
  canvas.onpointerdown = (event) => {
    const cell = board.cellAt(event);
    grip = cell.inside ? { ...cell, x: event.clientX } : null;
    cursor = null;
    if (grip) canvas.setPointerCapture(event.pointerId);
  };
  canvas.onpointermove = (event) => {
    if (!grip) return;
    const by = Math.sign(event.clientX - grip.x);
    const to = grip.stack + by;
    const far = Math.abs(event.clientX - grip.x) > 8 && to >= 0 && to < board.width;
    show(undefined, far ? { drag: { ...grip, to } } : { group: [[grip.stack, grip.row]] });
  };
  canvas.onpointerup = (event) => {
    if (!grip) return;
    const by = event.clientX - grip.x;
    const from = grip;
    grip = null;
    // A tap is no drag.
    if (Math.abs(by) > 8) drag(from, by > 0);
    else byHand();
  };
  canvas.onpointercancel = () => {
    grip = null;
    byHand();
  };
}

export function enterMaya() {
  if (!view) openMaya(SAMPLE);
}

export function repaintMaya() {
  if (view) board.draw(1);
}

export function bindMaya() {
  board = new Board(byId("maya-board"), { spawn: false });
  board.canvas.tabIndex = 0;
  board.canvas.style.touchAction = "none";
  board.canvas.onkeydown = key;
  bindDrag();
  byId("maya-undo").onclick = () => past("undo");
  byId("maya-redo").onclick = () => past("redo");
  byId("maya-first").onclick = () => go(0);
  byId("maya-back").onclick = () => go((at ?? 0) - 1);
  byId("maya-on").onclick = () => go((at ?? -1) + 1);
  byId("maya-last").onclick = () => go(1e9);
  byId("maya-solve").onclick = () => attempt(() => openMaya(byId("maya-input").value));
}
