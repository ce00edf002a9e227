// The slider of a game: bars for points, gold marks for magic columns, and bars from the top for the losses
// of a review. The tip names the column under the pointer. If several columns are within a pixel of the
// pointer, the tip names the one with the most points. In long games, the mouse wheel and a button zoom.

import { prepareCanvas, themeColour, traceRoundedRect } from "./canvas.js";
import { clamp, groupDigits, namedParts, showTip } from "./dom.js";
import { gradeOf } from "./review-panel.js";

// The minimum length of a game that can be zoomed, in columns.
const MIN_ZOOMABLE_COLUMNS = 400;
// The number of visible columns at the highest zoom.
const MIN_VISIBLE_COLUMNS = 50;

export class Timeline {
  constructor(box, onseek) {
    Object.assign(this, namedParts(box));
    this.input.oninput = () => onseek(Number(this.input.value));
    this.zoomButton.onclick = () => this.zoomIn();
    // A click on the button must not move the slider.
    this.zoomButton.onpointerdown = (event) => event.stopPropagation();
    box.onwheel = (event) => {
      if (this.length < MIN_ZOOMABLE_COLUMNS) return;
      event.preventDefault();
      this.zoomTo(this.zoom * (event.deltaY < 0 ? 2 : 0.5), this.turnAt(event.clientX));
    };
    box.onpointerdown = (event) => {
      box.setPointerCapture(event.pointerId);
      onseek(this.showTipAt(event));
    };
    box.onpointermove = (event) => {
      const turn = this.showTipAt(event);
      if (event.buttons) onseek(turn);
    };
    box.onpointerleave = () => (this.tip.hidden = true);
    Object.assign(this, { games: [], moves: [], length: 1, turn: 0, zoom: 1, from: 0 });
    new ResizeObserver(() => this.draw()).observe(box);
  }

  // `games`: the summary of one game, or the summaries of two games to compare.
  load(games) {
    this.games = games;
    this.length = Math.max(1, ...games.map((game) => game.columns));
    this.input.max = Math.max(0, ...games.map((game) => game.placed));
    this.moves = [];
    this.zoomButton.hidden = this.length < MIN_ZOOMABLE_COLUMNS;
    this.zoomTo(1, 0);
    this.go(0);
  }

  // Sets the judged placements of a review, by column, and draws their losses.
  setMoves(moves) {
    this.moves = moves;
    this.draw();
  }

  // The number of visible columns.
  get span() {
    return this.length / this.zoom;
  }

  // Zooms so that `turn` stays visible.
  zoomTo(zoom, turn) {
    this.zoom = clamp(zoom, 1, this.length / MIN_VISIBLE_COLUMNS);
    this.center(turn);
    const text = `${this.zoom < 10 ? Number(this.zoom.toFixed(1)) : Math.round(this.zoom)}×`;
    this.zoomButton.textContent = text;
    this.zoomButton.setAttribute("aria-label", `Timeline zoom, ${text}`);
  }

  center(turn) {
    this.from = clamp(turn - this.span / 2, 0, this.length - this.span);
    this.draw();
  }

  zoomIn() {
    const zoom = this.zoom * 5;
    this.zoomTo(zoom > this.length / MIN_VISIBLE_COLUMNS ? 1 : zoom, this.turn);
  }

  turnAt(x) {
    const { left, width } = this.canvas.getBoundingClientRect();
    return this.from + ((x - left) / width) * this.span;
  }

  go(turn) {
    this.turn = turn;
    if (turn < this.from || turn > this.from + this.span) this.center(turn);
    this.input.value = turn;
    this.input.setAttribute("aria-valuetext", `Column ${turn + 1} of ${this.length}`);
    this.draw();
  }

  // Returns the column under the pointer, and shows its tip.
  showTipAt({ clientX }) {
    const { left, width } = this.canvas.getBoundingClientRect();
    const last = Number(this.input.max);
    const at = (x) => clamp(Math.floor(this.turnAt(x)), 0, last);
    const pays = (turn) => Math.max(0, ...this.games.map(({ points_by_turn }) => points_by_turn[turn] ?? 0));
    let turn = at(clientX);
    for (let other = at(clientX - 1); other <= at(clientX + 1); other++)
      if (pays(other) > pays(turn)) turn = other;
    const points = this.games.map((game) => `+${groupDigits(game.points_by_turn[turn] ?? 0)}`).join(", ");
    const magic = this.games[0]?.magic_columns.includes(turn) ? ", magic" : "";
    const move = this.moves[turn];
    const lost = move?.lost ? `, loses ${groupDigits(move.lost)} ${gradeOf(move)?.mark ?? ""}` : "";
    const text = turn < last ? `Column ${groupDigits(turn + 1)}: ${points}${lost}${magic}` : "End";
    showTip(this.tip, text, clientX - left, width);
    return turn;
  }

  drawGames({ context, width, height, ratio }) {
    const top = height * 0.24;
    context.fillStyle = themeColour("wash");
    traceRoundedRect(context, 0, top, width, height - top, 4 * ratio);
    context.fill();
    const from = Math.floor(this.from);
    const span = Math.min(this.length - from, Math.ceil(this.span));
    // Sum the points in bins that are at least two pixels wide.
    const series = this.games.map(({ points_by_turn: points }) => {
      const bins = new Float64Array(Math.max(1, Math.min(span, Math.floor(width / (2 * ratio)))));
      for (let i = 0; i < span; i++) bins[Math.floor((i * bins.length) / span)] += points[from + i] ?? 0;
      return bins;
    });
    const most = Math.sqrt(Math.max(1, ...series.flatMap((sums) => [...sums])));
    const step = width / series[0].length;
    series.forEach((sums, which) => {
      context.fillStyle = themeColour(this.games.length > 1 ? ["up", "down"][which] : "accent");
      // With two games, the bars of the first rise from the middle, and those of the second hang from it.
      const room = (height - top) / this.games.length;
      const base = top + room;
      sums.forEach((points, i) => {
        if (!points) return;
        const size = Math.max(1, (Math.sqrt(points) / most) * (room - ratio));
        const wide = Math.max(1, step - (step > 3 * ratio ? ratio : 0));
        context.fillRect(i * step, which ? base : base - size, wide, size);
      });
    });
    // Draw the worst placements last, so that they stay visible.
    const isVisible = ({ turn }) => turn >= from && turn < from + span;
    const moves = this.moves.filter((move) => move && gradeOf(move) && isVisible(move));
    const worst = Math.sqrt(Math.max(1, ...moves.map(({ lost }) => lost)));
    for (const move of moves.sort((a, b) => a.lost - b.lost)) {
      const { turn, lost } = move;
      const size = (Math.sqrt(lost) / worst) * (height - top) * 0.7;
      context.fillStyle = themeColour(gradeOf(move).colour);
      context.fillRect(((turn - from) / span) * width, top, Math.max(2 * ratio, width / span - ratio), size);
    }
    context.fillStyle = themeColour("magic");
    for (const index of this.games[0].magic_columns) {
      const x = ((index + 0.5 - from) / span) * width;
      context.fillRect(x - ratio, 0, 2 * ratio, top - 2 * ratio);
    }
  }

  draw() {
    const sheet = prepareCanvas(this.canvas);
    if (!sheet || !this.games.length) return;
    this.drawGames(sheet);
    const { context, width, height, ratio } = sheet;
    const x = Math.min(width - 2 * ratio, ((this.turn - this.from) / this.span) * width);
    context.fillStyle = themeColour("ink");
    context.globalAlpha = 0.09;
    context.fillRect(0, height * 0.24, x, height);
    context.globalAlpha = 1;
    context.fillRect(x, 0, 2 * ratio, height);
    context.beginPath();
    const knob = clamp(x + ratio, 5 * ratio, width - 5 * ratio);
    context.arc(knob, height - 5 * ratio, 5 * ratio, 0, 7);
    context.fill();
  }
}
