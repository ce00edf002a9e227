// Draws jewels and columns. Each of the first seven colours has its own cut and a hue from Okabe and Ito's
// palette, which colour-blind people can distinguish. Five more hues follow. If there are more than seven
// colours, the jewels have letters. Colours after the twelfth combine these hues with other cuts.

import { prepareCanvas, setCentredFont, traceLines, traceRoundedRect } from "./canvas.js";
import { make } from "./dom.js";

const HUES = [
  ...["#D55E00", "#56B4E9", "#F0E442", "#009E73", "#CC79A7", "#0072B2", "#E69F00"],
  ...["#8A4FE0", "#8F6440", "#A9E65B", "#D3D8E6", "#E8332F"],
];
// The number of colours that can be distinguished without letters.
const CUT_COLOURS = 7;

let areLettersVisible = false;
const sprites = new Map();

export function setLettersVisible(isVisible) {
  areLettersVisible = isVisible;
  sprites.clear();
}

// Returns the corners of a regular polygon with n sides, rotated by `turn` radians and moved down by `low`.
function polygon(n, turn, radius, low = 0) {
  return Array.from({ length: n }, (_, i) => {
    const angle = turn + (i * 2 * Math.PI) / n;
    return [Math.cos(angle) * radius, Math.sin(angle) * radius + low];
  });
}

const CUTS = [
  polygon(4, Math.PI / 4, 1.08),
  polygon(24, 0, 0.92),
  polygon(4, 0, 1.02),
  polygon(6, Math.PI / 6, 0.98),
  polygon(5, -Math.PI / 2, 1, 0.06),
  polygon(8, Math.PI / 8, 0.97),
  polygon(3, -Math.PI / 2, 1.12, 0.2),
];

const mixColours = (hue, other, share) => `color-mix(in srgb, ${hue}, ${other} ${share}%)`;

// Sets the current path to the outline of a polygon.
function outline(context, points, scale) {
  traceLines(context, points.map(([x, y]) => [x * scale, y * scale]));
  context.closePath();
}

function paintJewel(context, size, letter, palette) {
  const index = Math.max(0, palette.indexOf(letter));
  const hue = HUES[index % HUES.length];
  const points = CUTS[(index + 3 * Math.floor(index / HUES.length)) % CUTS.length];
  const radius = size * 0.425;
  const light = mixColours(hue, "white", 38);
  const dark = mixColours(hue, "black", 38);
  context.lineJoin = "round";
  outline(context, points, radius);
  const body = context.createLinearGradient(-radius, -radius, radius, radius);
  body.addColorStop(0, light);
  body.addColorStop(0.5, hue);
  body.addColorStop(1, dark);
  context.fillStyle = body;
  context.strokeStyle = body;
  context.lineWidth = size * 0.1;
  context.stroke();
  context.fill();
  context.strokeStyle = mixColours(hue, "black", 55);
  context.lineWidth = Math.max(1, size * 0.025);
  // Facets from the outline to the table, the flat top of the jewel.
  context.globalAlpha = 0.35;
  context.beginPath();
  for (const [x, y] of points.length > 8 ? points.filter((_, i) => i % 3 === 0) : points) {
    context.moveTo(x * radius * 1.08, y * radius * 1.08);
    context.lineTo(x * radius * 0.58, y * radius * 0.58);
  }
  context.stroke();
  context.globalAlpha = 1;
  outline(context, points, radius * 0.58);
  const table = context.createLinearGradient(-radius, -radius, radius * 0.6, radius);
  table.addColorStop(0, mixColours(hue, "white", 72));
  table.addColorStop(0.55, mixColours(hue, "white", 16));
  table.addColorStop(1, hue);
  context.fillStyle = table;
  context.fill();
  if (areLettersVisible || palette.length > CUT_COLOURS || /\d/.test(letter)) {
    setCentredFont(context, size * 0.5, 800);
    context.lineWidth = size * 0.11;
    context.strokeStyle = "#0b0d15";
    context.fillStyle = "#fff";
    context.strokeText(letter, 0, size * 0.03);
    context.fillText(letter, 0, size * 0.03);
  }
}

function paintMagic(context, size) {
  const corners = polygon(8, -Math.PI / 2, 1.08);
  const star = corners.map(([x, y], i) => (i % 2 ? [x / 3, y / 3] : [x, y]));
  const glow = context.createRadialGradient(0, 0, 0, 0, 0, size * 0.48);
  glow.addColorStop(0, "#ffffffd0");
  glow.addColorStop(0.5, "#ffd34d50");
  glow.addColorStop(1, "#ffd34d00");
  context.fillStyle = glow;
  context.fillRect(-size / 2, -size / 2, size, size);
  outline(context, star, size * 0.42);
  context.fillStyle = "#fff";
  context.strokeStyle = "#e5a800";
  context.lineJoin = "round";
  context.lineWidth = size * 0.06;
  context.stroke();
  context.fill();
}

function paintAny(context, size) {
  context.setLineDash([size * 0.12, size * 0.09]);
  context.strokeStyle = "#9aa2bd";
  context.lineWidth = size * 0.06;
  context.beginPath();
  context.arc(0, 0, size * 0.34, 0, 7);
  context.stroke();
  context.fillStyle = "#9aa2bd";
  setCentredFont(context, size * 0.42, 700);
  context.fillText("?", 0, size * 0.03);
}

function sprite(letter, size, palette) {
  const key = `${letter}/${size}/${palette}`;
  let canvas = sprites.get(key);
  if (!canvas) {
    if (sprites.size > 600) sprites.clear();
    canvas = new OffscreenCanvas(size, size);
    const context = canvas.getContext("2d");
    context.translate(size / 2, size / 2);
    if (letter === "*") paintMagic(context, size);
    else if (letter === "?") paintAny(context, size);
    else paintJewel(context, size, letter, palette);
    sprites.set(key, canvas);
  }
  return canvas;
}

// Draws a jewel into a square whose top left corner is at x, y, in canvas pixels.
export function drawJewel(context, letter, palette, x, y, size) {
  context.drawImage(sprite(letter, Math.max(4, Math.round(size)), palette), x, y, size, size);
}

// Draws the next columns of a game, and names them for screen readers.
export function drawNextColumns(canvas, columns, palette) {
  canvas.setAttribute("aria-label", columns.length ? `Next: ${columns.join(", ")}` : "No more columns");
  const sheet = prepareCanvas(canvas);
  if (!sheet) return;
  const { context, width, height } = sheet;
  // Draw as many columns as fit: side by side or, in a narrow box, one below the other.
  const isHigh = height > width;
  const cell = isHigh ? Math.min(width / 1.25, height / 12) : Math.min(height / 3.15, width / 1.45);
  columns.forEach((column, i) => {
    const [x, y] = isHigh ? [0, i * cell * 3.4] : [i * cell * 1.45, 0];
    if (x + 1.25 * cell > width + 1 || y + 3.15 * cell > height + 1) return;
    context.fillStyle = "#1f2538";
    context.globalAlpha = i ? 0.95 - i * 0.06 : 1;
    traceRoundedRect(context, x, y, cell * 1.25, 3.15 * cell, cell * 0.3);
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
