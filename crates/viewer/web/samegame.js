// The SameGame puzzle. The engine computes the groups, the points and the legal moves.

import { ARROW_STEPS, Board } from "./board.js";
import { attempt, byId, countText, hideMessage, setText, showError } from "./dom.js";
import { ask } from "./engine.js";
import { botWorker } from "./engine-worker.js";

const HINT_NODES = 20_000;

export class SameGame {
  // The game, as the engine last returned it; null until a board is opened.
  view = null;
  // The cell under the keyboard cursor, {stack, row}; null without a cursor.
  cursor = null;
  // The cell under the pointer; null if there is none.
  hovered = null;

  constructor() {
    const board = (this.board = new Board(byId("same-board")));
    this.sentence = byId("same-text");
    this.buttons = this.sentence.parentElement.querySelectorAll("[data-press]");
    for (const button of this.buttons) button.onclick = () => this.press(button.dataset.press);
    byId("same-form").onsubmit = () => attempt(() => this.fromForm());
    const { canvas } = board;
    canvas.tabIndex = 0;
    canvas.onclick = (event) => {
      const cell = board.cellAt(event);
      this.cursor = null;
      if (cell.inside) this.remove(cell);
    };
    const point = (cell) => {
      this.hovered = cell?.inside ? cell : null;
      this.draw();
    };
    canvas.onmousemove = (event) => point(board.cellAt(event));
    canvas.onmouseleave = () => point(null);
    byId("same-hint").onclick = () => this.hint();
  }

  enter() {
    if (!this.view) this.fromForm();
  }

  press(key) {
    this.view = ask("perform", { game: this.game, action: key });
    this.draw();
  }

  // Shows the game with its marks: the cursor, and the group under the pointer or the cursor. Disables the
  // buttons that have no effect.
  draw(text) {
    const { view, hovered, cursor } = this;
    const at = hovered ?? cursor;
    const number = at ? view.group_of_cell[at.row * view.width + at.stack] : -1;
    const info = view.group_sizes_and_points[number];
    const cells = [...view.group_of_cell.keys()].filter((i) => info && view.group_of_cell[i] === number);
    const group = cells.map((i) => [i % view.width, Math.floor(i / view.width)]);
    const more = info
      ? ` This group: ${countText(info[0], "tile")}, ${countText(info[1], "point")}.`
      : "";
    this.board.show({ ...view, stage: "settled" }, 0, { cursor, group });
    setText(this.sentence, text ?? view.text + more);
    const { can_undo, can_redo, is_over } = view;
    const disabled = { undo: !can_undo, restart: !can_undo, redo: !can_redo, hint: is_over };
    for (const button of this.buttons) button.disabled = disabled[button.dataset.press];
  }

  // Opens a random board, or a board from a file, and closes the previous one. The palette consists of all
  // letters and digits of the board at the start.
  start(request) {
    hideMessage();
    const scoring = byId("same-form").elements.scoring.value;
    const { game, ...view } = ask("open-samegame", { ...request, scoring });
    if (this.game) ask("close", { game: this.game });
    Object.assign(this, { game, view, scoring, cursor: null, hovered: null });
    const { width, height, cells } = view;
    this.board.shape(width, height, [...new Set(cells.replaceAll(".", ""))].sort().join(""));
    this.draw();
  }

  fromForm() {
    const form = byId("same-form").elements;
    const [width, height] = form.size.value.split("x").map(Number);
    const seed = Number(form.seed.value);
    if (!Number.isSafeInteger(seed) || seed < 0)
      throw new Error("The seed must be a whole number, 0 or more.");
    this.start({ random_board: { seed, width, height, colours: Number(form.colours.value) } });
  }

  open(text) {
    this.start({ text });
  }

  remove({ stack, row }) {
    this.view = ask("remove-group", { game: this.game, column: stack, row });
    this.draw();
  }

  async hint() {
    const { view, scoring } = this;
    setText(this.sentence, "The solver is thinking …");
    try {
      const request = { board: view.board, scoring, nodes: HINT_NODES };
      const { cell, text } = await botWorker.ask("samegame-hint", request);
      if (view !== this.view) return;
      if (cell) this.cursor = { stack: cell[0], row: cell[1] };
      this.hovered = null;
      this.draw(text);
    } catch (error) {
      showError(error.message);
    }
  }

  steer({ key }) {
    const by = ARROW_STEPS[key];
    if (by) {
      this.cursor = this.board.moveCursor(this.cursor, by);
      this.hovered = null;
      this.draw();
    } else if (this.cursor && (key === "Enter" || key === " ")) {
      this.remove(this.cursor);
    } else {
      return false;
    }
    return true;
  }
}
