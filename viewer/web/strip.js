// The next columns, on a small canvas.

import { blank } from "./dom.js";
import { drawJewel } from "./jewels.js";

export function drawNext(canvas, columns, palette) {
  const sheet = blank(canvas);
  if (!sheet) return;
  const { context, width, height } = sheet;
  const pad = height * 0.06;
  const cell = Math.min((height - 2 * pad) / 3, width / 9.2);
  columns.forEach((column, i) => {
    const x = i * cell * 1.55;
    context.fillStyle = "#1f2538";
    context.globalAlpha = i ? 0.9 - i * 0.08 : 1;
    context.beginPath();
    context.roundRect(x, 0, cell * 1.25, 3 * cell + 2 * pad, cell * 0.3);
    context.fill();
    [...column].forEach((letter, j) =>
      drawJewel(context, letter, palette, x + cell * 0.125, pad + (2 - j) * cell, cell));
  });
  context.globalAlpha = 1;
  canvas.setAttribute("aria-label", columns.length ? `Next: ${columns.join(", ")}` : "No further columns");
}

// One column, lying on its side, bottom first.
export function columnIcon(column, palette, size = 16) {
  const ratio = devicePixelRatio || 1;
  const canvas = document.createElement("canvas");
  canvas.width = column.length * size * ratio;
  canvas.height = size * ratio;
  canvas.style.width = `${column.length * size}px`;
  canvas.style.height = `${size}px`;
  canvas.style.verticalAlign = "middle";
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", column);
  const context = canvas.getContext("2d");
  [...column].forEach((letter, i) =>
    drawJewel(context, letter, palette, i * size * ratio, 0, size * ratio));
  return canvas;
}
