// The Maya puzzle: the user drags blocks sideways, or steps through the solution.

import { ARROWS, Board } from "./board.js";
import { byId, attempt, hideMessage, setText } from "./dom.js";
import { ask } from "./engine.js";
import { Scenes } from "./scenes.js";

const SAMPLE = "3\n1 0\n2 1 0\n2 3 4 0\n3 1 0\n2 4 3 4 0\n";
const PALETTE = "abcdefghij";
// Duration of each clearing after a move, in milliseconds.
const PACE = 350;
// Maximum movement of the pointer during a tap, in pixels.
const TAP = 8;

let board, solved, scenes, game, view, text;
// The cell where a drag started, and the cell of the keyboard's cursor: {stack, row}.
let grip = null;
let cursor = null;
let timer = 0;

function show(cells = view.cells, extra = {}) {
  board.show({ cells, kind: "settled", text: view.text }, 0, { cursor, ...extra });
  setText(byId("maya-text"), view.text);
  byId("maya-undo").disabled = !view.can_undo;
  byId("maya-redo").disabled = !view.can_redo;
}

// Shows the puzzle played by hand.
function byHand() {
  clearTimeout(timer);
  scenes.leave();
  show();
}

// Shows a step of the solution; the last step includes the answer.
function showSolution({ cells, text, drag }) {
  clearTimeout(timer);
  const lines = solved.answer.trim().split("\n").join(", ");
  board.show({ cells, kind: "settled", text }, 0, { drag });
  setText(byId("maya-text"), `Solution: ${text}${scenes.isLast ? ` Answer: ${lines}.` : ""}`);
}

function open(input) {
  hideMessage();
  const { game: opened, ...first } = ask("maya-hand", { text: input });
  if (game) ask("close", { game });
  game = opened;
  view = first;
  text = input;
  solved = null;
  byId("maya-input").value = text;
  const used = [...PALETTE].filter((letter) => view.cells.includes(letter)).join("");
  board.shape(view.width, view.height, used);
  byHand();
}

function drag(from, right) {
  scenes.leave();
  view = ask("drag", { game, stack: from.stack, row: from.row, right });
  // The fields after the block has moved and after each clearing. The last field is the result.
  const fields = [...view.steps];
  const next = () => {
    if (fields.length < 2) return show();
    show(fields.shift());
    timer = setTimeout(next, PACE);
  };
  clearTimeout(timer);
  next();
}

function press(key) {
  view = ask("press-puzzle", { game, press: key });
  byHand();
}

// Arrow keys move the cursor. With the Shift key, left and right also drag the block under it.
function steer(event) {
  const by = ARROWS[event.key];
  if (!by) return;
  event.preventDefault();
  event.stopPropagation();
  const from = cursor;
  cursor = board.moved(cursor, by);
  if (event.shiftKey && from && by[0]) drag(from, by[0] > 0);
  else byHand();
}

function bindDrag({ canvas }) {
  canvas.onpointerdown = (event) => {
    const cell = board.cellAt(event);
    grip = cell.inside ? { ...cell, x: event.clientX } : null;
    cursor = null;
    if (grip) canvas.setPointerCapture(event.pointerId);
  };
  canvas.onpointermove = (event) => {
    if (!grip) return;
    const by = event.clientX - grip.x;
    const to = grip.stack + Math.sign(by);
    const far = Math.abs(by) > TAP && to >= 0 && to < board.width;
    show(undefined, far ? { drag: { ...grip, to } } : { group: [[grip.stack, grip.row]] });
  };
  canvas.onpointerup = (event) => {
    if (!grip) return;
    const by = event.clientX - grip.x;
    const from = grip;
    grip = null;
    if (Math.abs(by) > TAP) drag(from, by > 0);
    else byHand();
  };
  canvas.onpointercancel = () => {
    grip = null;
    byHand();
  };
}

export const maya = {
  bind() {
    board = new Board(byId("maya-board"), { spawn: false });
    board.canvas.tabIndex = 0;
    board.canvas.style.touchAction = "none";
    board.canvas.onkeydown = steer;
    bindDrag(board);
    byId("maya-undo").onclick = () => press("undo");
    byId("maya-redo").onclick = () => press("redo");
    const list = () => (solved ??= ask("maya", { text })).scenes;
    scenes = new Scenes(byId("maya-solution"), list, showSolution);
    byId("maya-solve").onclick = () => attempt(() => open(byId("maya-input").value));
  },
  open,
  enter() {
    if (!view) open(SAMPLE);
  },
  repaint: () => board.draw(1),
  key({ key }) {
    const name = { u: "undo", r: "redo" }[key];
    if (name) press(name);
    return Boolean(name);
  },
};
