// The SameGame puzzle. The engine computes the groups, the points and the legal moves.

import { ARROW_STEPS } from "./board.js";
import { byId, countText, setText, showError } from "./dom.js";
import { ask } from "./engine.js";
import { botWorker } from "./engine-worker.js";
import { Puzzle } from "./puzzle-base.js";

const HINT_NODES = 20_000;

export class SameGame extends Puzzle {
  // The cell under the pointer; null if there is none.
  hovered = null;

  constructor() {
    super("same");
    const { board } = this;
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
    this.showGame({ group }, text ?? view.text + more);
  }

  // Opens a random board, or a board from a file.
  start(request) {
    this.scoring = byId("same-form").elements.scoring.value;
    this.begin("open-samegame", { ...request, scoring: this.scoring });
    this.hovered = null;
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
