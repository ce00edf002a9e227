// The Maya puzzle: the user drags blocks sideways, or views the solution step by step.

import { ARROW_STEPS } from "./board.js";
import { byId } from "./dom.js";
import { ask } from "./engine.js";
import { Puzzle } from "./puzzle-base.js";
import { SceneStepper } from "./scenes.js";

// The duration of each clearing after a move, in milliseconds.
const CLEARING_MS = 350;
// The maximum movement of the pointer during a tap, in pixels.
const MAX_TAP_PX = 8;

export class Maya extends Puzzle {
  // The cell where a drag started, with the x coordinate of the pointer: {stack, row, x}; null between drags.
  grip = null;
  timer = 0;

  constructor() {
    super("maya");
    const list = () => (this.solution ??= ask("solve-maya", { text: this.text }));
    this.scenes = new SceneStepper(byId("maya-solution"), list, (scene) => {
      clearTimeout(this.timer);
      this.show(scene, `Solution: ${scene.text}`);
    });
    this.bindDrag(this.board.canvas);
  }

  // Shows the puzzle that the user plays by hand.
  draw() {
    clearTimeout(this.timer);
    this.scenes.reset();
    this.showGame();
  }

  fromForm() {
    this.open(byId("maya-input").value);
  }

  open(text) {
    this.begin("open-maya", { text });
    Object.assign(this, { text, solution: null });
    byId("maya-input").value = text;
    this.draw();
  }

  drag({ stack, row }, right) {
    this.scenes.reset();
    this.view = ask("drag-block", { game: this.game, stack, row, to_right: right });
    // The field after the move, then the field after each clearing.
    const fields = [...this.view.animated_fields];
    const next = () => {
      if (fields.length < 2) return this.draw();
      this.showGame({ cells: fields.shift() });
      this.timer = setTimeout(next, CLEARING_MS);
    };
    clearTimeout(this.timer);
    next();
  }

  // Arrow keys move the cursor. With the Shift key, the left and right keys also drag the block under the
  // cursor.
  steer({ key, shiftKey }) {
    const by = ARROW_STEPS[key];
    if (!by) return false;
    const from = this.cursor;
    this.cursor = this.board.moveCursor(from, by);
    if (shiftKey && from && by[0]) this.drag(from, by[0] > 0);
    else this.draw();
    return true;
  }

  bindDrag(canvas) {
    canvas.tabIndex = 0;
    canvas.style.touchAction = "none";
    canvas.onpointerdown = (event) => {
      const cell = this.board.cellAt(event);
      this.grip = cell.inside ? { ...cell, x: event.clientX } : null;
      this.cursor = null;
      if (this.grip) canvas.setPointerCapture(event.pointerId);
    };
    canvas.onpointermove = (event) => {
      const { grip, board } = this;
      if (!grip) return;
      const by = event.clientX - grip.x;
      const to = grip.stack + Math.sign(by);
      const far = Math.abs(by) > MAX_TAP_PX && to >= 0 && to < board.width;
      this.showGame(far ? { drag: { ...grip, to } } : { group: [[grip.stack, grip.row]] });
    };
    canvas.onpointerup = (event) => {
      const { grip } = this;
      if (!grip) return;
      const by = event.clientX - grip.x;
      this.grip = null;
      if (Math.abs(by) > MAX_TAP_PX) this.drag(grip, by > 0);
      else this.draw();
    };
    canvas.onpointercancel = () => {
      this.grip = null;
      this.draw();
    };
  }
}
