// The slider over a game: bars for the points won, yellow marks where columns are magic. Under a
// pointer it tells the column; where many columns share a pixel, the one of them that pays most.

import { binned, blank, grouped, make, theme } from "./dom.js";

export class Timeline {
  constructor(box, onseek) {
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.input = make("input", {
      type: "range",
      min: 0,
      max: 0,
      value: 0,
      "aria-label": "Column",
      oninput: () => onseek(Number(this.input.value)),
    });
    this.tip = make("output", { className: "tip", hidden: true, "aria-hidden": "true" });
    box.classList.add("line-of-time");
    box.append(this.canvas, this.input, this.tip);
    box.onpointerdown = (event) => {
      box.setPointerCapture(event.pointerId);
      onseek(this.point(event));
    };
    box.onpointermove = (event) => {
      const turn = this.point(event);
      if (event.buttons) onseek(turn);
    };
    box.onpointerleave = () => {
      this.tip.hidden = true;
    };
    Object.assign(this, { games: [], length: 1, at: 0 });
    new ResizeObserver(() => this.repaint()).observe(box);
  }

  // `games`: the summaries of one game, or of two that are compared.
  load(games) {
    this.games = games;
    this.length = Math.max(1, ...games.map((game) => game.columns));
    this.input.max = Math.max(0, ...games.map((game) => game.placed));
    this.back = null;
    this.go(0);
  }

  go(turn, text = "") {
    this.at = turn;
    this.input.value = turn;
    this.input.setAttribute("aria-valuetext", text || `Column ${turn + 1} of ${this.length}`);
    this.draw();
  }

  repaint() {
    this.back = null;
    this.draw();
  }

  // The column under a pointer, which is then told.
  point({ clientX }) {
    const { left, width } = this.canvas.getBoundingClientRect();
    const last = Number(this.input.max);
    const at = (x) =>
      Math.max(0, Math.min(last, Math.floor(((x - left) / width) * this.length)));
    const pays = (turn) => Math.max(0, ...this.games.map(({ gained }) => gained[turn] ?? 0));
    let turn = at(clientX);
    for (let other = at(clientX - 1); other <= at(clientX + 1); other++)
      if (pays(other) > pays(turn)) turn = other;
    const points = this.games.map(({ gained }) => `+${grouped(gained[turn] ?? 0)}`).join(", ");
    const magic = this.games[0]?.magic.includes(turn) ? ", magic" : "";
    this.tip.textContent =
      turn < last ? `Column ${grouped(turn + 1)}: ${points}${magic}` : "The end";
    this.tip.hidden = false;
    const half = this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.min(width - half, Math.max(half, clientX - left))}px`;
    return turn;
  }

  // Bars and marks do not change as the game goes on: they are painted once.
  paintBack(width, height, ratio) {
    const back = document.createElement("canvas");
    back.width = width;
    back.height = height;
    const context = back.getContext("2d");
    const top = height * 0.24;
    context.fillStyle = theme("wash");
    context.beginPath();
    context.roundRect(0, top, width, height - top, 4 * ratio);
    context.fill();
    const shown = this.games.map(({ gained }) =>
      binned(gained, this.length, { width, ratio }, (a, b) => a + b),
    );
    const most = Math.sqrt(Math.max(1, ...shown.flatMap((sums) => [...sums])));
    const step = width / shown[0].length;
    shown.forEach((sums, which) => {
      context.fillStyle = theme(this.games.length > 1 ? ["up", "down"][which] : "accent");
      // Of two games the first stands on a line in the middle, and the second hangs from it.
      const room = (height - top) / this.games.length;
      const base = top + room;
      sums.forEach((points, i) => {
        if (!points) return;
        const size = Math.max(1, (Math.sqrt(points) / most) * (room - ratio));
        const wide = Math.max(1, step - (step > 3 * ratio ? ratio : 0));
        context.fillRect(i * step, which ? base : base - size, wide, size);
      });
    });
    context.fillStyle = theme("magic");
    for (const index of this.games[0]?.magic ?? []) {
      const x = ((index + 0.5) / this.length) * width;
      context.fillRect(x - ratio, 0, 2 * ratio, top - 2 * ratio);
    }
    return back;
  }

  draw() {
    const sheet = blank(this.canvas);
    if (!sheet || !this.games.length) return;
    const { context, width, height, ratio, resized } = sheet;
    if (resized) this.back = null;
    this.back ??= this.paintBack(width, height, ratio);
    context.drawImage(this.back, 0, 0);
    const x = Math.min(width - 2 * ratio, (this.at / this.length) * width);
    context.fillStyle = theme("ink");
    context.globalAlpha = 0.09;
    context.fillRect(0, height * 0.24, x, height);
    context.globalAlpha = 1;
    context.fillRect(x, 0, 2 * ratio, height);
    context.beginPath();
    const knob = Math.max(5 * ratio, Math.min(width - 5 * ratio, x + ratio));
    context.arc(knob, height - 5 * ratio, 5 * ratio, 0, 7);
    context.fill();
  }
}
