// A chart with points, lines and bands on two axes, each linear or logarithmic.

import { prepareCanvas, setCentredFont, themeColour, traceLines } from "./canvas.js";
import { clamp, make, showTip } from "./dom.js";

const MARK_PX = 9;
// The maximum distance between the pointer and the point that it highlights or opens, in pixels.
const CLICK_RADIUS_PX = 12;
// The minimum average distance between the labels of an axis, in pixels.
const LABEL_DISTANCE_PX = { x: 60, y: 22 };
// The minimum vertical distance between the names of lines, in pixels.
const NAME_DISTANCE_PX = 13;
// A logarithmic axis whose ends differ by at most this factor has the ticks of a linear axis.
const MIN_LOG_RANGE = 6;
// A logarithmic axis extends at most about this factor below the median of its values.
const MAX_FACTOR_BELOW_MEDIAN = 1000;

// Returns the ticks from `low` to `high`, not many more than `maxCount`. A logarithmic axis has ticks at 1,
// 2 and 5 times each power of ten, or only at some powers of ten. The step of a linear axis is 1, 2 or 5
// times a power of ten, and at least 1 if all values are whole numbers.
function ticks({ low, high, isLog, isWhole }, maxCount) {
  const list = [];
  if (isLog && high / low > MIN_LOG_RANGE) {
    const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
    // Parse a number such as 5e-4 instead of multiplying, so that its label is exact.
    for (let power = from; power <= to; power++)
      for (const digit of [1, 2, 5]) list.push([Number(`${digit}e${power}`), digit, power]);
    const inside = list.filter(([at]) => at >= low && at <= high);
    const tens = inside.filter(([, digit]) => digit === 1);
    if (inside.length <= maxCount) return inside.map(([at]) => at);
    const every = Math.ceil(tens.length / maxCount);
    return tens.filter(([, , power]) => power % every === 0).map(([at]) => at);
  }
  const rough = (high - low) / maxCount || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(isWhole ? 1 : 0, power * [1, 2, 5, 10].find((factor) => factor * power >= rough));
  for (let i = Math.ceil(low / step); i * step <= high; i++) list.push(Number((i * step).toPrecision(12)));
  return list;
}

// Returns the text, shortened at its end if it is wider than `width`.
function shorten(context, text, width) {
  const isTooWide = () => context.measureText(text).width > width;
  while (isTooWide() && text.length > 2) text = `${text.slice(0, -2)}…`;
  return text;
}

export class Chart {
  // `onopen(point)`: called when the user clicks on a point {x, y, colour, shape, label, game, ...} that has
  // a `game`. A point whose x or y is null is drawn at the edge.
  constructor(box, onopen) {
    this.canvas = make("canvas", { role: "img" });
    this.tip = make("output.tip", { hidden: true, "aria-hidden": "true" });
    box.append(this.canvas, this.tip);
    this.points = [];
    this.canvas.onpointermove = (event) => this.highlight(this.nearest(event));
    this.canvas.onpointerleave = () => this.highlight(null);
    this.canvas.onclick = (event) => {
      // A touch screen highlights no point before the tap, so find the nearest one.
      const point = this.highlighted ?? this.nearest(event);
      if (point?.game) onopen(point);
    };
    new ResizeObserver(() => this.repaint()).observe(this.canvas);
  }

  // `x`, `y`: the axes, each as {label, isLog, format}. `lines`: each as {points: [[x, y], …], colour, name}.
  // `bands`: each as {parts: [{x, low, median, high}, …], colour, name}. A name, if any, is at the end of its
  // line. Colours are names in style.css. `diagonal`: true to draw the line x = y. `corner`: the text in the
  // upper left corner. `title`: the description of the chart for screen readers.
  load({ points = [], lines = [], bands = [], x, y, diagonal = false, corner = "", title }) {
    Object.assign(this, { points, lines, bands, axes: { x, y }, diagonal, corner });
    this.canvas.setAttribute("aria-label", title);
    this.repaint();
  }

  repaint() {
    this.background = null;
    this.highlight(null);
    this.draw();
  }

  // Highlights a point and shows its tip. With null, hides the tip.
  highlight(point) {
    if (point === this.highlighted) return;
    this.highlighted = point;
    this.canvas.style.cursor = point?.game ? "pointer" : "";
    this.tip.hidden = !point;
    this.draw();
    if (!point) return;
    const [x, y] = this.toPixels(point).map((pixels) => pixels / (devicePixelRatio || 1));
    showTip(this.tip, point.label, x, this.canvas.clientWidth);
    this.tip.style.bottom = `${this.canvas.clientHeight - y + 8}px`;
  }

  nearest({ offsetX, offsetY }) {
    if (!this.plotArea) return null;
    const ratio = devicePixelRatio || 1;
    let best = null;
    let bestDistance = CLICK_RADIUS_PX;
    for (const point of this.points) {
      const [x, y] = this.toPixels(point);
      const distance = Math.hypot(x / ratio - offsetX, y / ratio - offsetY);
      if (distance < bestDistance) [best, bestDistance] = [point, distance];
    }
    return best;
  }

  // Returns the position of a point in canvas pixels.
  toPixels({ x, y }) {
    const { left, right, top, bottom } = this.plotArea;
    const share = (value, { low, high, isLog }) => {
      const scale = isLog ? Math.log : Number;
      const at = value === null ? 0 : (scale(Math.max(value, low)) - scale(low)) / (scale(high) - scale(low));
      return Math.min(1, at);
    };
    const [across, up] = [share(x, this.plotArea.x), share(y, this.plotArea.y)];
    return [left + across * (right - left), bottom - up * (bottom - top)];
  }

  // Returns the range of an axis, with some room at both ends. Very low values, such as 0 points, are drawn
  // at the low end of a logarithmic axis, so that they do not stretch it.
  range(name) {
    const { isLog } = this.axes[name];
    const index = name === "x" ? 0 : 1;
    const values = [
      ...this.points.map((point) => point[name]),
      ...this.lines.flatMap(({ points }) => points.map((point) => point[index])),
      ...this.bands.flatMap(({ parts }) => parts.flatMap(({ x, low, high }) => (index ? [low, high] : x))),
    ].filter((value) => value !== null && (!isLog || value > 0));
    values.sort((a, b) => a - b);
    const isWhole = values.every(Number.isInteger);
    let [low, high] = [values[0] ?? 1, values.at(-1) ?? 1];
    if (isLog) {
      low = Math.max(low, values.length ? values[values.length >> 1] / MAX_FACTOR_BELOW_MEDIAN : 1);
      const padding = Math.max(1.02, (high / low) ** 0.04);
      return { low: low / padding, high: high * padding, isLog, isEmpty: !values.length };
    }
    const padding = (high - low) * 0.04 || Math.max(1, Math.abs(high) / 50);
    return { low: low - padding, high: high + padding, isLog, isWhole, isEmpty: !values.length };
  }

  measure({ width, height, ratio, context }) {
    const [x, y] = [this.range("x"), this.range("y")];
    if (this.diagonal) x.low = y.low = Math.min(x.low, y.low);
    if (this.diagonal) x.high = y.high = Math.max(x.high, y.high);
    y.ticks = y.isEmpty ? [] : ticks(y, height / ratio / LABEL_DISTANCE_PX.y);
    x.ticks = x.isEmpty ? [] : ticks(x, width / ratio / LABEL_DISTANCE_PX.x);
    const labelWidths = y.ticks.map((at) => context.measureText(this.axes.y.format(at)).width);
    return {
      left: Math.max(20 * ratio, ...labelWidths) + 8 * ratio,
      right: width - 12 * ratio,
      top: 18 * ratio,
      bottom: height - 36 * ratio,
      x,
      y,
    };
  }

  paint({ width, height, ratio }) {
    const background = make("canvas", { width, height });
    const context = background.getContext("2d");
    const { left, right, top, bottom, x, y } = this.plotArea;
    context.font = `${11 * ratio}px system-ui, sans-serif`;
    context.lineWidth = ratio;
    const stroke = (points, style) => {
      traceLines(context, points);
      context.strokeStyle = style;
      context.stroke();
    };
    const text = (words, x, y, align) => {
      context.fillStyle = themeColour("soft");
      context.textAlign = align;
      context.fillText(words, x, y);
    };
    context.textBaseline = "middle";
    for (const value of y.ticks) {
      const at = Math.round(this.toPixels({ x: x.low, y: value })[1]);
      text(this.axes.y.format(value), left - 6 * ratio, at, "right");
      stroke([[left, at], [right, at]], themeColour("line"));
    }
    context.textBaseline = "alphabetic";
    for (const value of x.ticks) {
      const at = this.toPixels({ x: value, y: y.low })[0];
      const words = this.axes.x.format(value);
      if (!words) continue;
      const half = context.measureText(words).width / 2;
      text(words, clamp(at, half, width - half), height - 20 * ratio, "center");
      stroke([[at, bottom], [at, bottom + 4 * ratio]], themeColour("line"));
    }
    const failed = this.points.some(({ x, y }) => x === null || y === null) ? "✖ failed" : "";
    text(failed, 0, height - 4 * ratio, "left");
    const free = right - context.measureText(failed).width - 8 * ratio;
    text(shorten(context, this.axes.x.label, free), right, height - 4 * ratio, "right");
    if (x.isEmpty) text("No case has these results.", (left + right) / 2, (top + bottom) / 2, "center");
    text(this.corner, left + 6 * ratio, top + 12 * ratio, "left");
    text(shorten(context, this.axes.y.label, width - left), left, 11 * ratio, "left");
    if (this.diagonal && !x.isEmpty) stroke([[left, bottom], [right, top]], themeColour("soft"));
    context.lineWidth = 2 * ratio;
    const ends = [];
    for (const { parts, colour, name } of this.bands) {
      const edge = (name) => parts.map((part) => this.toPixels({ x: part.x, y: part[name] }));
      traceLines(context, [...edge("low"), ...edge("high").reverse()]);
      context.globalAlpha = 0.18;
      context.fillStyle = themeColour(colour);
      context.fill();
      context.globalAlpha = 1;
      stroke(edge("median"), themeColour(colour));
      if (parts.length) ends.push({ name, colour, at: edge("median").at(-1) });
    }
    for (const { points, colour, name } of this.lines) {
      const places = points.map(([x, y]) => this.toPixels({ x, y }));
      stroke(places, themeColour(colour));
      if (name && places.length) ends.push({ name, colour, at: places.at(-1) });
    }
    const names = new Set(this.points.map(({ colour }) => colour));
    const colours = new Map([...names].map((name) => [name, themeColour(name)]));
    for (const point of this.points) this.dot(context, point, MARK_PX * ratio, colours.get(point.colour));
    this.drawNames(context, ends, ratio);
    return background;
  }

  // Writes the names of lines at their ends, from the top down without overlap.
  drawNames(context, ends, ratio) {
    setCentredFont(context, 11 * ratio, 600);
    context.textAlign = "right";
    let free = 0;
    for (const { name, colour, at: [x, y] } of ends.sort((a, b) => a.at[1] - b.at[1])) {
      const width = context.measureText(name).width;
      const at = Math.max(y + NAME_DISTANCE_PX * ratio, free);
      const right = Math.max(x - 6 * ratio, this.plotArea.left + width + 6 * ratio);
      context.fillStyle = themeColour("card");
      context.fillRect(right - width - 2 * ratio, at - 6 * ratio, width + 4 * ratio, 12 * ratio);
      context.fillStyle = themeColour(colour);
      context.fillText(name, right, at);
      free = at + NAME_DISTANCE_PX * ratio;
    }
  }

  dot(context, point, size, colour = themeColour(point.colour)) {
    const [x, y] = this.toPixels(point);
    context.fillStyle = colour;
    setCentredFont(context, size);
    context.fillText(point.shape, x, y);
  }

  draw() {
    const sheet = prepareCanvas(this.canvas);
    if (!sheet || !this.axes) return;
    if (!this.background || sheet.resized) {
      this.plotArea = this.measure(sheet);
      this.background = this.paint(sheet);
    }
    sheet.context.drawImage(this.background, 0, 0);
    if (this.highlighted) this.dot(sheet.context, this.highlighted, 2 * MARK_PX * sheet.ratio);
  }
}
