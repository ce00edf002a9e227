// The SameGame puzzle. The engine computes groups, points and legal moves.

import { ARROWS, Board } from "./board.js";
import { bot } from "./bot.js";
import { byId, attempt, complain, counted, hideMessage, setText } from "./dom.js";
import { ask } from "./engine.js";

const HINT_NODES = 20_000;

let board, game, view, scoring;
let cursor = null;
let over = null;
let requests = 0;

function cellsOf(group) {
  if (group === undefined || group < 0) return [];
  const cells = [];
  view.groups.forEach((other, i) => {
    if (other === group) cells.push([i % view.width, Math.floor(i / view.width)]);
  });
  return cells;
}

function groupAt(cell) {
  return cell ? view.groups[cell.row * view.width + cell.stack] : undefined;
}

function show(text = null) {
  const at = over ?? cursor;
  const group = groupAt(at);
  board.show({ cells: view.cells, kind: "settled", text: view.text }, 0, {
    group: cellsOf(group),
    cursor,
  });
  const pay = view.pays[group];
  const more = pay
    ? ` This group: ${counted(pay[0], "tile", "tiles")}, ${counted(pay[1], "point", "points")}.`
    : "";
  setText(byId("same-text"), text ?? view.text + more);
  byId("same-undo").disabled = !view.can_undo;
  byId("same-redo").disabled = !view.can_redo;
  byId("same-restart").disabled = !view.can_undo;
  byId("same-hint").disabled = view.over;
}

function begin(request) {
  hideMessage();
  requests += 1;
  const { game: opened, ...first } = ask("samegame", request);
  if (game) ask("close", { game });
  game = opened;
  view = first;
  scoring = request.scoring;
  cursor = over = null;
  board.shape(view.width, view.height, view.palette);
  show();
}

function fromForm() {
  const form = byId("same-form").elements;
  const [width, height] = form.size.value.split("x").map(Number);
  const seed = Number(form.seed.value);
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new Error("The seed must be a whole number, 0 or more.");
  const drawn = { seed, width, height, colours: Number(form.colours.value) };
  begin({ drawn, scoring: form.scoring.value });
}

// Opens a board from a file.
function open(text) {
  begin({ text, scoring: byId("same-form").elements.scoring.value });
}

function remove(cell) {
  requests += 1;
  view = ask("remove", { game, column: cell.stack, row: cell.row });
  show();
}

function press(key) {
  requests += 1;
  view = ask("press-puzzle", { game, press: key });
  show();
}

async function hint() {
  if (view.over) return;
  const mine = ++requests;
  setText(byId("same-text"), "The solver is thinking …");
  try {
    const result = await bot.think("samegame-hint", { board: view.board, scoring, nodes: HINT_NODES });
    if (mine !== requests) return;
    if (result.cell) cursor = { stack: result.cell[0], row: result.cell[1] };
    over = null;
    show(result.text);
  } catch (error) {
    complain(error.message);
  }
}

// Arrow keys move the cursor; Enter or Space removes the group under it.
function steer(event) {
  const by = ARROWS[event.key];
  if (by) {
    cursor = board.moved(cursor, by);
    over = null;
    show();
  } else if (cursor && (event.key === "Enter" || event.key === " ")) {
    remove(cursor);
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
}

function bind() {
  board = new Board(byId("same-board"), { spawn: false });
  const { canvas } = board;
  canvas.tabIndex = 0;
  canvas.onkeydown = steer;
  canvas.onclick = (event) => {
    const cell = board.cellAt(event);
    cursor = null;
    if (cell.inside) remove(cell);
  };
  canvas.onmousemove = (event) => {
    const cell = board.cellAt(event);
    over = cell.inside ? cell : null;
    show();
  };
  canvas.onmouseleave = () => {
    over = null;
    show();
  };
  byId("same-form").onsubmit = (event) => {
    event.preventDefault();
    attempt(fromForm);
  };
  byId("same-undo").onclick = () => press("undo");
  byId("same-redo").onclick = () => press("redo");
  byId("same-restart").onclick = () => press("restart");
  byId("same-hint").onclick = hint;
}

export const samegame = {
  bind,
  open,
  enter() {
    if (!view) fromForm();
  },
  repaint: () => board.draw(1),
  key({ key }) {
    const act = { u: () => press("undo"), r: () => press("redo"), h: hint }[key];
    act?.();
    return Boolean(act);
  },
};
