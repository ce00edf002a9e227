// The common parts of the puzzles: a board with a sentence, a form, and undo. Each puzzle has `fromForm()`,
// which opens the puzzle that its form describes.

import { Board } from "./board.js";
import { attempt, byId, hideMessage, setText } from "./dom.js";
import { ask } from "./engine.js";

export class Puzzle {
  // The state of the puzzle, as the engine last returned it; null until a puzzle is opened.
  view = null;
  // The cell under the keyboard cursor, {stack, row}; null without a cursor.
  cursor = null;

  // `name`: the prefix of the IDs of this puzzle's elements.
  constructor(name) {
    this.board = new Board(byId(`${name}-board`));
    this.sentence = byId(`${name}-text`);
    this.buttons = this.sentence.parentElement.querySelectorAll("[data-press]");
    for (const button of this.buttons) button.onclick = () => this.press(button.dataset.press);
    byId(`${name}-form`).onsubmit = () => attempt(() => this.fromForm());
  }

  enter() {
    if (!this.view) this.fromForm();
  }

  // Opens a game in the engine, and closes the previous one.
  begin(name, request) {
    hideMessage();
    const { game, ...view } = ask(name, request);
    if (this.game) ask("close", { game: this.game });
    Object.assign(this, { game, view, cursor: null });
    this.shape();
  }

  // Fits the board to the puzzle. The palette consists of all letters and digits of the first field.
  shape() {
    const { width, height, cells } = this.view;
    this.board.shape(width, height, [...new Set(cells.replaceAll(".", ""))].sort().join(""));
  }

  press(key) {
    this.view = ask("perform", { game: this.game, action: key });
    this.draw();
  }

  // Shows a field with its marks: a group, a cursor or a drag.
  show(scene, sentence = scene.text) {
    this.board.show({ ...scene, stage: "settled" }, 0, scene);
    setText(this.sentence, sentence);
  }

  // Shows the game, and disables the buttons that have no effect.
  showGame(marks, sentence) {
    this.show({ ...this.view, cursor: this.cursor, ...marks }, sentence);
    const { can_undo, can_redo, is_over } = this.view;
    const disabled = { undo: !can_undo, restart: !can_undo, redo: !can_redo, hint: is_over };
    for (const button of this.buttons) button.disabled = disabled[button.dataset.press];
  }
}
