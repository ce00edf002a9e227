// The ratio of a player on every case against a number of the case, a point each: where a build
// is better and where it is worse.

import { blank, grouped, make, say, theme } from "./dom.js";

// Pixels of the points, and how far a click may be from one.
const SIZE = 3;
const REACH = 12;

export class Scatter {
  // `onopen(point)`: a click on a point, each {x, y, name, ...}; `y` is a ratio.
  constructor(box, onopen) {
    this.canvas = make("canvas", { role: "img" });
    this.text = make("p", { className: "hint", "aria-live": "polite" });
    box.append(this.canvas, this.text);
    this.points = [];
    this.canvas.onpointermove = (event) => this.point(this.nearest(event));
    this.canvas.onpointerleave = () => this.point(null);
    this.canvas.onclick = (event) => {
      const found = this.nearest(event);
      if (found) onopen(found);
    };
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  // `label`: what the numbers are, `title`: the whole in a sentence.
  load(points, label, title) {
    Object.assign(this, { points, label, title, at: null });
    this.canvas.setAttribute("aria-label", title);
    this.draw();
  }

  point(found) {
    this.canvas.style.cursor = found ? "pointer" : "";
    if (found === this.at) return;
    this.at = found;
    this.draw();
  }

  nearest({ offsetX, offsetY }) {
    const ratio = devicePixelRatio || 1;
    let best = null;
    let least = REACH;
    for (const point of this.points) {
      const [x, y] = this.place(point);
      const far = Math.hypot(x / ratio - offsetX, y / ratio - offsetY);
      if (far < least) [best, least] = [point, far];
    }
    return best;
  }

  // In pixels of the canvas. Ratios are drawn by their logarithm: twice as good is as far from the
  // middle as half as good.
  place({ x, y }) {
    const { left, right, top, bottom, low, high, most } = this.frame;
    return [
      left + ((x - low) / (high - low)) * (right - left),
      (top + bottom) / 2 - (Math.log(y) / most) * ((bottom - top) / 2),
    ];
  }

  draw() {
    const sheet = blank(this.canvas);
    if (!sheet || !this.label) return;
    const { context, width, height, ratio } = sheet;
    const xs = this.points.map(({ x }) => x);
    const [low, high] = [Math.min(...xs), Math.max(...xs)];
    const spread = high > low ? (high - low) * 0.04 : 1;
    this.frame = {
      left: 44 * ratio,
      right: width - 8 * ratio,
      top: 8 * ratio,
      bottom: height - 22 * ratio,
      low: low - spread,
      high: high + spread,
      most: 1.1 * Math.max(0.05, ...this.points.map(({ y }) => Math.abs(Math.log(y)))),
    };
    const { left, right, top, bottom, most } = this.frame;
    context.fillStyle = theme("soft");
    context.strokeStyle = theme("line");
    context.lineWidth = ratio;
    context.textBaseline = "middle";
    context.textAlign = "right";
    for (const share of [-0.8, 0, 0.8]) {
      const value = Math.exp(share * most);
      const y = Math.round((top + bottom) / 2 - (share * (bottom - top)) / 2);
      context.fillText(value.toFixed(2), left - 6 * ratio, y);
      context.beginPath();
      context.moveTo(left, y);
      context.lineTo(right, y);
      context.stroke();
    }
    context.textBaseline = "alphabetic";
    context.textAlign = "center";
    const below = height - 6 * ratio;
    const named = (x, text) => context.fillText(text, this.place({ x, y: 1 })[0], below);
    if (high > low) for (const x of [low, high]) named(x, grouped(x));
    named((low + high) / 2, high > low ? this.label : `${this.label}: ${grouped(low)}`);
    context.globalAlpha = 0.75;
    for (const point of this.points) {
      const [x, y] = this.place(point);
      context.fillStyle = theme(point.y < 1 ? "down" : point.y > 1 ? "up" : "soft");
      context.beginPath();
      context.arc(x, y, (point === this.at ? 2 : 1) * SIZE * ratio, 0, 7);
      context.fill();
    }
    context.globalAlpha = 1;
    const { at } = this;
    say(this.text, at ? `${at.name}: ${at.y.toFixed(3)}, ${this.label} ${at.x}` : this.title);
  }
}
