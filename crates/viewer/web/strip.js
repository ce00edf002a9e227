// Draws columns in a row: the next columns of a game, or a single column as an icon.

import { blank, make } from "./dom.js";
import { drawJewel } from "./jewels.js";

export function drawNext(canvas, columns, palette) {
  canvas.setAttribute("aria-label", columns.length ? `Next: ${columns.join(", ")}` : "No more columns");
  const sheet = blank(canvas);
  if (!sheet) return;
  const { context, width, height } = sheet;
  // The columns stand side by side or, in a narrow box, one below the other. Columns that do not fit are left
  // out.
  const isHigh = height > width;
  const cell = isHigh ? Math.min(width / 1.25, height / 12) : Math.min(height / 3.15, width / 1.45);
  columns.forEach((column, i) => {
    const [x, y] = isHigh ? [0, i * cell * 3.4] : [i * cell * 1.45, 0];
    if (x + 1.25 * cell > width + 1 || y + 3.15 * cell > height + 1) return;
    context.fillStyle = "#1f2538";
    context.globalAlpha = i ? 0.95 - i * 0.06 : 1;
    context.beginPath();
    context.roundRect(x, y, cell * 1.25, 3.15 * cell, cell * 0.3);
    context.fill();
    [...column].forEach((letter, j) =>
      drawJewel(context, letter, palette, x + cell * 0.125, y + (0.075 + 2 - j) * cell, cell),
    );
  });
  context.globalAlpha = 1;
}

// Returns an icon of a column, drawn horizontally, bottom jewel first.
export function columnIcon(column, palette, size = 16) {
  const ratio = devicePixelRatio || 1;
  const [width, height] = [column.length * size, size];
  const canvas = make("canvas", { width: width * ratio, height: height * ratio, role: "img" });
  canvas.setAttribute("aria-label", column);
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px`, verticalAlign: "middle" });
  const context = canvas.getContext("2d");
  [...column].forEach((letter, i) => drawJewel(context, letter, palette, i * size * ratio, 0, size * ratio));
  return canvas;
}
