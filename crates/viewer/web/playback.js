// The controls of Watch and Compare: position, playback and its speed, for one or two games.

import { byId, clamp, fillMenu, groupDigits, icon, namedParts } from "./dom.js";
import { ask } from "./engine.js";
import { withFailure } from "./failures.js";
import { Timeline } from "./timeline.js";

// Playback speeds, in moments or in columns per second.
const MOMENTS = [0.7, 1.5, 3, 6, 12].map((moments) => ({ moments, text: `${moments} steps/s` }));
const COLUMN_RATES = [4, 15, 60, 250, 1000];
const COLUMNS = COLUMN_RATES.map((columns) => ({ columns, text: `${groupDigits(columns)} columns/s` }));
const SPEEDS = [...MOMENTS, ...COLUMNS];

export class Playback {
  // `onshow(frames, milliseconds)`: receives a frame for each game, and the duration of the animation.
  constructor(box, onshow) {
    this.onshow = onshow;
    this.games = [];
    this.turn = 0;
    this.moment = 0;
    this.timer = null;
    box.append(byId("transport").content.cloneNode(true));
    Object.assign(this, namedParts(box));
    this.timeline = new Timeline(this.line, (turn) => this.go(turn, 0));
    for (const button of box.querySelectorAll("[data-key]"))
      button.onclick = () => this.handleKey(button.dataset);
    fillMenu(this.speed, SPEEDS.map(({ text }) => text), 2);
    this.number.onchange = () => {
      const column = Math.floor(Number(this.number.value.replaceAll(",", "")));
      if (column > 0) this.go(column - 1, 0);
    };
  }

  // Loads one or two games, each as {game, plan, summary}.
  load(games, turn = 0, moment = 0) {
    // The previous games are closed: `pause` draws the new ones.
    this.games = games;
    this.pause();
    const summaries = games.map(({ summary }) => summary);
    this.timeline.load(summaries);
    this.number.title = `of ${groupDigits(this.timeline.length)} columns`;
    this.eventTurns = [...new Set(summaries.flatMap(({ event_turns }) => event_turns))].sort((a, b) => a - b);
    this.go(turn, moment);
  }

  get end() {
    return Math.max(0, ...this.games.map(({ summary }) => summary.placed));
  }

  // The position as it appears in the page's address, such as `60.32`: the turn and the moment.
  get position() {
    return `${this.turn}.${this.moment}`;
  }

  get playing() {
    return this.timer !== null;
  }

  changeSpeed(by) {
    const index = Number(this.speed.value) + by;
    if (SPEEDS[index]) this.speed.value = index;
  }

  show(milliseconds = 0) {
    // A game that ends before the other one keeps showing its end.
    const frames = this.games.map(({ game, plan, summary: { placed } }) => {
      const moment = this.turn > placed ? 0 : this.moment;
      return withFailure(ask("frame", { game, turn: Math.min(this.turn, placed), moment }), plan);
    });
    this.momentCount = Math.max(1, ...frames.map((frame) => frame.moment_count));
    this.moment = Math.min(this.moment, this.momentCount - 1);
    this.timeline.go(this.turn);
    if (document.activeElement !== this.number)
      this.number.value = Math.min(this.turn + 1, this.timeline.length);
    if (frames.length) this.onshow(frames, milliseconds);
  }

  // Goes to a moment of a turn. Positions beyond the end are clamped.
  go(turn, moment, milliseconds = 0) {
    this.turn = clamp(turn, 0, this.end);
    this.moment = this.turn === this.end ? 0 : moment;
    this.show(milliseconds);
  }

  step(by, milliseconds = 160) {
    if (by < 0 && this.moment === 0) {
      if (this.turn > 0) this.go(this.turn - 1, 1e9);
    } else if (this.moment + by >= this.momentCount) {
      this.go(this.turn + 1, 0, milliseconds);
    } else {
      this.go(this.turn, this.moment + by, milliseconds);
    }
  }

  stepColumn(by) {
    this.go(by < 0 && this.moment > 0 ? this.turn : this.turn + by, 0);
  }

  // Goes to the start of the next or the previous event: a chain of several steps, or a magic column that
  // scores (see `event_turns` in record.rs). After the last event, goes to the end of the game; before the
  // first event, to the first column.
  stepChain(by) {
    const before = (turn) => turn < this.turn + (this.moment > 0);
    const turn =
      by > 0
        ? (this.eventTurns.find((turn) => turn > this.turn) ?? this.end)
        : (this.eventTurns.findLast(before) ?? 0);
    this.go(turn, 0);
  }

  // Goes to the turn with the most points. With two games, goes to the turn whose points differ most.
  goToBest() {
    const [a, b] = this.games.map(({ summary }) => summary.points_by_turn);
    // The shorter of two games scores 0 points in the turns after its end.
    const apart = (_, turn) => Math.abs((a[turn] ?? 0) - (b?.[turn] ?? 0));
    const pays = Array.from({ length: this.end }, apart);
    this.go(pays.indexOf(pays.reduce((most, points) => Math.max(most, points), 0)), 0);
  }

  play() {
    if (this.turn >= this.end) this.go(0, 0);
    this.drawPlayButton(true);
    let last = performance.now();
    let due = 0;
    const tick = (now) => {
      this.timer = requestAnimationFrame(tick);
      const { moments, columns } = SPEEDS[Number(this.speed.value)];
      // If the browser has paused the page, do not make up for the lost time.
      due += Math.min(250, now - last) * ((moments ?? columns) / 1000);
      last = now;
      const whole = Math.floor(due);
      if (whole < 1) return;
      due -= whole;
      if (moments) this.step(1, 700 / moments);
      else this.go(this.turn + whole, 0);
      if (this.turn >= this.end) this.pause();
    };
    this.timer = requestAnimationFrame(tick);
  }

  // Draws the playback button: "Pause" while the games play, or else "Play".
  drawPlayButton(isPlaying) {
    this.playButton.replaceChildren(icon(isPlaying ? "pause" : "play"));
    this.playButton.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
  }

  pause() {
    if (!this.playing) return;
    cancelAnimationFrame(this.timer);
    this.timer = null;
    this.drawPlayButton(false);
    this.show();
  }

  // Handles a key, or a click on the button for this key. Returns true if the key belongs to these controls.
  handleKey({ key }) {
    const act = {
      ArrowLeft: () => this.stepColumn(-1),
      ArrowRight: () => this.stepColumn(1),
      ArrowUp: () => this.step(-1),
      ArrowDown: () => this.step(1),
      Home: () => this.go(0, 0),
      End: () => this.go(this.end, 0),
      n: () => this.stepChain(1),
      p: () => this.stepChain(-1),
      b: () => this.goToBest(),
      " ": () => (this.playing ? this.pause() : this.play()),
      "+": () => this.changeSpeed(1),
      "=": () => this.changeSpeed(1),
      "-": () => this.changeSpeed(-1),
    }[key];
    act?.();
    return Boolean(act);
  }
}
