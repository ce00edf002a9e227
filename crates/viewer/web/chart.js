// The chart of the results: the ratio of every player on every case, against a property of the
// case.

import { blank, make, setText, theme } from "./dom.js";

// The radius of a point, and the maximum distance of a click from its point, in pixels.
const SIZE = 2.5;
const REACH = 12;

// Returns the ticks of an axis from `low` to `high`. A logarithmic axis has ticks at 1, 2 and
// 5 times each power of ten; the step of a linear axis is one of these numbers.
function ticks(low, high, isLog) {
  const list = [];
  if (isLog) {
    for (let power = 10 ** Math.floor(Math.log10(low)); power <= high; power *= 10)
      list.push(power, 2 * power, 5 * power);
  } else {
    const rough = (high - low) / 6 || 1;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find((by) => by * power >= rough);
    for (let at = Math.ceil(low / step) * step; at <= high; at += step) list.push(at);
  }
  const inside = list.filter((at) => at >= low && at <= high);
  // If there are many ticks, keep only the powers of ten.
  return inside.length > 7 ? inside.filter((at) => /^0?\.?0*1/.test(String(at))) : inside;
}

export class Chart {
  // `onopen(point)`: called when the user clicks on a point {x, y, lost, colour, label, ...}, where
  // `y` is a ratio. Lost games appear as rings at the bottom.
  constructor(box, onopen) {
    this.canvas = make("canvas", { role: "img" });
    this.tip = make("output.tip", { hidden: true, "aria-hidden": "true" });
    box.append(this.canvas, this.tip);
    this.points = [];
    this.canvas.onpointermove = (event) => this.point(this.nearest(event));
    this.canvas.onpointerleave = () => this.point(null);
    this.canvas.onclick = (event) => {
      // A finger that taps has no point highlighted.
      const point = this.at ?? this.nearest(event);
      if (point) onopen(point);
    };
    new ResizeObserver(() => this.repaint()).observe(this.canvas);
  }

  // `label`: the name of the x axis; `title`: a description of the chart.
  load(points, label, title) {
    Object.assign(this, { points, label });
    this.canvas.setAttribute("aria-label", title);
    this.repaint();
  }

  repaint() {
    this.back = null;
    this.point(null);
    this.draw();
  }

  // Highlights a point and shows its tip; null hides the tip.
  point(point) {
    if (point === this.at) return;
    this.at = point;
    this.canvas.style.cursor = point ? "pointer" : "";
    this.tip.hidden = !point;
    this.draw();
    if (!point) return;
    setText(this.tip, point.label);
    const [x, y] = this.place(point).map((pixels) => pixels / (devicePixelRatio || 1));
    const half = this.tip.offsetWidth / 2;
    const left = Math.min(this.canvas.clientWidth - half, Math.max(half, x));
    this.tip.style.left = `${left}px`;
    this.tip.style.bottom = `${this.canvas.clientHeight - y + 8}px`;
  }

  nearest({ offsetX, offsetY }) {
    if (!this.frame) return null;
    const ratio = devicePixelRatio || 1;
    let best = null;
    let least = REACH;
    for (const point of this.points) {
      const [x, y] = this.place(point);
      const distance = Math.hypot(x / ratio - offsetX, y / ratio - offsetY);
      if (distance < least) [best, least] = [point, distance];
    }
    return best;
  }

  // Returns the position of a point in canvas pixels. The axis of the ratios is logarithmic.
  place({ x, y }) {
    const { left, right, top, bottom, low, high, isLog, least, most } = this.frame;
    const by = isLog ? Math.log : (value) => value;
    const share = (value, from, to, map) => (map(value) - map(from)) / (map(to) - map(from));
    return [
      left + share(x, low, high, by) * (right - left),
      bottom - Math.max(0, share(y, least, most, Math.log)) * (bottom - top),
    ];
  }

  measure({ width, height, ratio }) {
    const xs = Float64Array.from(this.points, ({ x }) => x).sort();
    const inside = this.points.filter(({ lost }) => !lost);
    const ys = Float64Array.from(inside, ({ y }) => y).sort();
    const [from, to] = [xs[0], xs.at(-1)];
    const [low, high] = [ys[0] ?? 1, ys.at(-1) ?? 1];
    const isLog = from > 0 && to / from > 15;
    const spread = isLog ? (to / from) ** 0.03 : (to - from) * 0.03 || 1;
    const share = Math.max(1.02, (high / low) ** 0.06);
    return {
      left: 46 * ratio,
      right: width - 10 * ratio,
      top: 8 * ratio,
      bottom: height - 20 * ratio,
      low: isLog ? from / spread : from - spread,
      high: isLog ? to * spread : to + spread,
      isLog,
      least: low / share,
      most: high * share,
    };
  }

  paint({ width, height, ratio }) {
    const back = make("canvas", { width, height });
    const context = back.getContext("2d");
    const { left, right, bottom, low, high, isLog, least, most } = this.frame;
    context.font = `${11 * ratio}px system-ui, sans-serif`;
    context.strokeStyle = theme("line");
    context.lineWidth = ratio;
    const line = (x, y, toX, toY) => {
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(toX, toY);
      context.stroke();
    };
    context.textBaseline = "middle";
    context.textAlign = "right";
    for (const y of ticks(least, most, most / least > 4)) {
      const at = Math.round(this.place({ x: low, y })[1]);
      context.fillStyle = theme("soft");
      context.fillText(String(Number(y.toPrecision(3))), left - 6 * ratio, at);
      line(left, at, right, at);
    }
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    for (const x of ticks(low, high, isLog)) {
      const at = this.place({ x, y: most })[0];
      context.fillText(x.toLocaleString("en"), at, height - 5 * ratio);
      line(at, bottom, at, bottom + 4 * ratio);
    }
    context.textAlign = "right";
    context.fillText(this.label, right, bottom - 5 * ratio);
    context.globalAlpha = 0.7;
    for (const point of this.points) this.dot(context, point, SIZE * ratio);
    return back;
  }

  dot(context, point, size) {
    const [x, y] = this.place(point);
    context.fillStyle = context.strokeStyle = point.colour;
    context.beginPath();
    context.arc(x, y, size, 0, 7);
    if (point.lost) context.stroke();
    else context.fill();
  }

  draw() {
    const sheet = blank(this.canvas);
    if (!sheet || !this.points.length) return;
    if (!this.back || sheet.resized) {
      this.frame = this.measure(sheet);
      this.back = this.paint(sheet);
    }
    sheet.context.drawImage(this.back, 0, 0);
    if (this.at) this.dot(sheet.context, this.at, 2 * SIZE * sheet.ratio);
  }
}
