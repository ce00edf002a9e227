// A field on a canvas: draws frames, and animates falling jewels.

import { setCentredFont, themeColour, traceLines, traceRoundedRect } from "./canvas.js";
import { clamp, gainText, make, total } from "./dom.js";
import { drawJewel } from "./jewels.js";

// The width of the frame around the field, in cells.
const EDGE_CELLS = 0.2;
// The width of the margin with the numbers of stacks and rows, in cells.
const NUMBERS_CELLS = 0.6;

// The cursor's step for each arrow key, as [stacks, rows].
export const ARROW_STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

let areMarksVisible = true;

export function setMarksVisible(isVisible) {
  areMarksVisible = isVisible;
}

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

export class Board {
  // `fixedCell`: the size of a cell in pixels; 0 to fit the box.
  constructor(box, fixedCell = 0) {
    Object.assign(this, { box, fixedCell, extra: {} });
    this.canvas = make("canvas", { role: "img", tabIndex: -1 });
    this.text = make("pre", { className: "unseen" });
    box.append(this.canvas, this.text);
    this.shape(6, 13, "abcdefg");
    new ResizeObserver(() => this.resize()).observe(box);
  }

  shape(width, height, palette) {
    Object.assign(this, { width, height, palette, frame: null });
    // The size of the canvas in cells, margins included.
    this.widthInCells = width + 2 * EDGE_CELLS + NUMBERS_CELLS;
    this.heightInCells = height + 2 * EDGE_CELLS + NUMBERS_CELLS;
    (this.box.parentElement ?? this.box).style.setProperty("--shape", this.heightInCells / this.widthInCells);
    this.resize();
  }

  resize() {
    const { clientWidth, clientHeight } = this.box;
    if (!this.fixedCell && (!clientWidth || !clientHeight)) return;
    const ratio = devicePixelRatio || 1;
    const room = Math.min((clientWidth - 2) / this.widthInCells, (clientHeight - 2) / this.heightInCells);
    const cell = this.fixedCell || Math.max(6, Math.floor(room * ratio));
    this.cell = cell;
    this.edge = Math.round(cell * EDGE_CELLS);
    this.margin = Math.round(cell * NUMBERS_CELLS);
    this.canvas.width = this.width * cell + 2 * this.edge + this.margin;
    this.canvas.height = this.height * cell + 2 * this.edge + this.margin;
    this.canvas.style.width = `${this.canvas.width / ratio}px`;
    this.canvas.style.height = `${this.canvas.height / ratio}px`;
    this.draw(1);
  }

  x(stack) {
    return this.margin + this.edge + stack * this.cell;
  }

  // Returns the y coordinate of the top of a row, in canvas pixels.
  y(row) {
    return this.edge + (this.height - 1 - row) * this.cell;
  }

  // Returns the stack, clamped to the field, and the row under the pointer. `inside` is true if the pointer
  // is on the field.
  cellAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const ratio = this.canvas.width / box.width;
    const stack = Math.floor(((event.clientX - box.left) * ratio - this.x(0)) / this.cell);
    const fromTop = ((event.clientY - box.top) * ratio - this.edge) / this.cell;
    return {
      stack: clamp(stack, 0, this.width - 1),
      row: this.height - 1 - Math.floor(fromTop),
      inside: stack >= 0 && stack < this.width && fromTop >= 0 && fromTop < this.height,
    };
  }

  // Returns the cursor after a step, clamped to the field. A null cursor steps from the bottom left.
  moveCursor(cursor, [stacks, rows]) {
    const { stack, row } = cursor ?? { stack: 0, row: 0 };
    return {
      stack: clamp(stack + stacks, 0, this.width - 1),
      row: clamp(row + rows, 0, this.height - 1),
    };
  }

  // Shows a frame. Animates its falling jewels for `milliseconds`.
  show(frame, milliseconds = 0, extra = {}) {
    this.frame = frame;
    this.extra = extra;
    this.describe();
    cancelAnimationFrame(this.pending);
    if (milliseconds < 30 || !frame.falls?.length || reducedMotion.matches || document.hidden) {
      this.draw(1);
      return;
    }
    const start = performance.now();
    const step = (now) => {
      const progress = Math.min(1, (now - start) / milliseconds);
      this.draw(progress);
      if (progress < 1) this.pending = requestAnimationFrame(step);
    };
    this.draw(0);
    this.pending = requestAnimationFrame(step);
  }

  describe() {
    const { cells } = this.frame;
    const rows = [];
    for (let i = 0; i < cells.length; i += this.width) rows.unshift(cells.slice(i, i + this.width));
    this.canvas.dataset.field = rows.join("/");
    this.canvas.setAttribute("aria-label", this.frame.text || "Field");
    this.text.textContent = rows.join("\n");
  }

  draw(progress) {
    // If the view was hidden until now, the size of the board is still unknown.
    if (!this.cell) return this.resize();
    const context = this.canvas.getContext("2d");
    const { cell, width } = this;
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.drawWell(context);
    const frame = this.frame;
    if (!frame) return;
    const { placement, column, stage } = frame;
    if (placement && stage === "falling") this.drawAim(context, placement, column);
    const falls = new Map((frame.falls ?? []).map(({ stack, from, to }) => [to * width + stack, from]));
    const marked = new Set((frame.marked_cells ?? []).map(([x, y]) => y * width + x));
    const dim = stage === "marked" && areMarksVisible;
    const ease = progress * progress * (3 - 2 * progress);
    for (let i = 0; i < frame.cells.length; i++) {
      const letter = frame.cells[i];
      if (letter === ".") continue;
      const [stack, row] = [i % width, Math.floor(i / width)];
      const to = this.y(row);
      const from = falls.has(i) ? this.y(falls.get(i)) : to;
      context.globalAlpha = dim && !marked.has(i) && letter !== "*" ? 0.45 : 1;
      drawJewel(context, letter, this.palette, this.x(stack), from + (to - from) * ease, cell);
    }
    context.globalAlpha = 1;
    if (column && placement && /falling|ended/.test(stage)) this.drawFalling(context, column, placement);
    if (stage === "marked" && areMarksVisible) this.drawMarks(context, frame);
    if (stage === "cleared" && areMarksVisible) this.drawCleared(context, frame.marked_cells);
    this.drawExtra(context);
    // The reason why the game ended. If a column did not fit, the reason is below that column.
    if (stage === "ended")
      this.drawTag(context, frame.end_reason, this.canvas.width / 2, cell * (placement ? 4 : 1.7));
  }

  // Draws a falling column in the top rows, which are empty if it fits.
  drawFalling(context, column, { stack, fits }) {
    const { cell, edge, height } = this;
    context.fillStyle = fits ? "#ffffff1c" : "#ff604080";
    context.strokeStyle = fits ? "#ffffff8c" : "#ff6040";
    context.lineWidth = Math.max(1, cell * 0.05);
    traceRoundedRect(context, this.x(stack), edge, cell, 3 * cell, cell * 0.2);
    context.fill();
    context.stroke();
    this.drawColumn(context, column, stack, height - 3);
  }

  // Draws a column from `row` upwards. Leaves out jewels above the field, unless all are above it.
  drawColumn(context, column, stack, row, alpha = 1) {
    context.globalAlpha = alpha;
    [...column].forEach((letter, i) => {
      if (row < this.height && row + i >= this.height) return;
      drawJewel(context, letter, this.palette, this.x(stack), this.y(row + i), this.cell);
    });
    context.globalAlpha = 1;
  }

  drawWell(context) {
    const { cell, edge, margin, width, height } = this;
    context.fillStyle = "#171b29";
    traceRoundedRect(context, margin, 0, width * cell + 2 * edge, height * cell + 2 * edge, edge);
    context.fill();
    this.drawNumbers(context);
    for (let stack = 0; stack < width; stack++) {
      context.fillStyle = stack % 2 ? "#1b2031" : "#1f2538";
      context.fillRect(this.x(stack), edge, cell, height * cell);
    }
    context.fillStyle = "#ffffff0d";
    for (let row = 1; row < height; row++)
      for (let stack = 1; stack < width; stack++)
        context.fillRect(this.x(stack) - 1, this.y(row - 1) - 1, 2, 2);
  }

  // Draws the numbers of the stacks and rows, counted from 1 as in plans and messages.
  drawNumbers(context) {
    const { cell, margin, width, height } = this;
    context.fillStyle = themeColour("soft");
    const ratio = devicePixelRatio || 1;
    setCentredFont(context, clamp(cell * 0.34, 9 * ratio, 18 * ratio));
    const below = this.canvas.height - margin / 2;
    for (let stack = 0; stack < width; stack++) context.fillText(stack + 1, this.x(stack) + cell / 2, below);
    for (let row = 0; row < height; row++)
      context.fillText(row + 1, margin / 2, this.y(row) + cell / 2, margin);
  }

  drawAim(context, placement, column) {
    const { cell } = this;
    const x = this.x(placement.stack);
    const [top, bottom] = [this.y(this.height - 1), this.y(placement.row)];
    const beam = context.createLinearGradient(0, top, 0, bottom);
    beam.addColorStop(0, placement.fits ? "#ffffff26" : "#ff604060");
    beam.addColorStop(1, "#ffffff08");
    context.fillStyle = beam;
    context.fillRect(x, top, cell, bottom - top + cell);
    this.drawColumn(context, column ?? "", placement.stack, placement.row, 0.28);
  }

  // Draws a line through each match and a frame around each cell to be cleared, and writes the points of the
  // step.
  drawMarks(context, { matches, marked_cells: marked, combo, step_points: points }) {
    const { cell } = this;
    const middle = ([stack, row]) => [this.x(stack) + cell / 2, this.y(row) + cell / 2];
    context.lineCap = "round";
    for (const [style, size] of Object.entries({ "#0b0d15": 0.2, "#ffffff": 0.1 })) {
      context.strokeStyle = style;
      context.lineWidth = cell * size;
      for (const match of matches) {
        traceLines(context, match.map(middle));
        context.stroke();
      }
    }
    for (const [stack, row] of marked) this.ring(context, stack, row, "#ffffff");
    if (points && marked.length) {
      const top = Math.max(...marked.map(([, row]) => row));
      const mean = total(marked.map(([stack]) => stack)) / marked.length;
      this.drawTag(context, gainText(points, combo), this.x(mean) + cell / 2, this.y(top) - cell * 0.45);
    }
  }

  drawTag(context, text, x, y) {
    const size = Math.max(13, this.cell * 0.5);
    setCentredFont(context, size, 800);
    const half = context.measureText(text).width / 2 + size * 0.5;
    x = clamp(x, half, this.canvas.width - half);
    y = Math.max(y, size);
    context.fillStyle = "#fff7d6";
    traceRoundedRect(context, x - half, y - size * 0.72, 2 * half, size * 1.44, size * 0.5);
    context.fill();
    context.fillStyle = "#1d2130";
    context.fillText(text, x, y + size * 0.05);
  }

  drawCleared(context, marked) {
    const { cell } = this;
    context.strokeStyle = "#ffffff55";
    context.lineWidth = Math.max(1, cell * 0.05);
    for (const [stack, row] of marked) {
      context.beginPath();
      context.arc(this.x(stack) + cell / 2, this.y(row) + cell / 2, cell * 0.2, 0, 7);
      context.stroke();
    }
  }

  // Draws a frame around a cell.
  ring(context, stack, row, style, isDashed) {
    const { cell } = this;
    context.setLineDash(isDashed ? [cell * 0.16, cell * 0.12] : []);
    context.strokeStyle = style;
    context.lineWidth = Math.max(2, cell * 0.07);
    traceRoundedRect(context, this.x(stack) + 2, this.y(row) + 2, cell - 4, cell - 4, cell * 0.22);
    context.stroke();
    context.setLineDash([]);
  }

  // Draws what the view adds to the field: a trigger, a proposed placement, the played and the better
  // placement of a mistake, a group, a cursor.
  drawExtra(context) {
    const { cell } = this;
    const { trigger, propose, played, better, group, cursor } = this.extra;
    const ring = (...args) => this.ring(context, ...args);
    if (trigger && trigger.row < this.height) {
      this.drawColumn(context, trigger.colour, trigger.stack, trigger.row, 0.6);
      ring(trigger.stack, trigger.row, "#ffd34d", true);
    }
    const place = ({ stack, row: bottom, column }, alpha, ...style) => {
      this.drawColumn(context, column, stack, bottom, alpha);
      const end = Math.min(this.height, bottom + column.length);
      for (let row = bottom; row < end; row++) ring(stack, row, ...style);
    };
    if (propose) place(propose, 0.75, "#a3b0ff");
    if (played) place(played, 0.3, "#ff9a7a", true);
    if (better) place(better, 0.8, "#7be08a");
    for (const [stack, row] of group ?? []) ring(stack, row, "#ffffff");
    if (cursor) ring(cursor.stack, cursor.row, "#ffd34d", true);
  }
}
