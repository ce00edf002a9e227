// The controls of Watch and Compare: position, playback and its speed, for one or two games.

import { grouped, icon, make } from "./dom.js";
import { ask } from "./engine.js";
import { Timeline } from "./timeline.js";

// Playback speeds, in moments or whole columns per second. With `chains`, playback shows only the
// moments of chains.
const SPEEDS = [
  { moments: 0.7 },
  { moments: 1.5 },
  { moments: 3 },
  { moments: 6 },
  { moments: 12 },
  { columns: 4 },
  { columns: 15 },
  { columns: 60 },
  { columns: 250 },
  { columns: 1000 },
  { moments: 6, chains: true },
];

export class Player {
  // `onshow(frames, milliseconds)`: receives a frame for each game, and the duration of the
  // animation.
  constructor(box, onshow) {
    this.onshow = onshow;
    this.games = [];
    this.turn = 0;
    this.moment = 0;
    this.timer = null;
    const button = (name, label, keys, act, className = "") =>
      make(
        "button",
        { className, title: `${label} (${keys})`, "aria-label": label, onclick: act },
        icon(name),
      );
    const line = make("div");
    box.classList.add("transport");
    this.timeline = new Timeline(line, (turn) => this.go(turn, 0));
    this.playButton = button("play", "Play", "space", () => this.toggle(), "main");
    this.speed = make(
      "select",
      { "aria-label": "Speed", title: "Speed (+ −)" },
      ...SPEEDS.map(({ moments, columns, chains }, i) =>
        make(
          "option",
          { value: i },
          chains
            ? "Chains only"
            : moments
              ? `${moments} steps/s`
              : `${grouped(columns)} columns/s`,
        ),
      ),
    );
    const onchange = () => this.jump();
    this.number = make("input", { inputMode: "numeric", "aria-label": "Go to column", onchange });
    this.total = make("span");
    box.append(
      line,
      make(
        "div",
        { className: "buttons" },
        make("label", { className: "jump" }, "Column", this.number, this.total),
        button("first", "Go to the start", "home", () => this.go(0, 0), "end"),
        button("chain-back", "Previous chain", "p", () => this.chain(-1)),
        button("back", "Previous column", "←", () => this.column(-1)),
        button("less", "Previous step", "↑", () => this.step(-1), "moment"),
        this.playButton,
        button("more", "Next step", "↓", () => this.step(1), "moment"),
        button("on", "Next column", "→", () => this.column(1)),
        button("chain-on", "Next chain", "n", () => this.chain(1)),
        button("last", "Go to the end", "end", () => this.go(this.end, 0), "end"),
        this.speed,
      ),
    );
    this.setSpeed(2);
  }

  // Goes to the column that the user has typed.
  jump() {
    const column = Math.floor(Number(this.number.value.replaceAll(",", "")));
    if (column > 0) this.go(column - 1, 0);
  }

  // Loads one or two games, {game, summary} each.
  load(games, turn = 0, moment = 0) {
    this.pause();
    this.games = games;
    const summaries = games.map(({ summary }) => summary);
    this.timeline.load(summaries);
    this.total.textContent = `of ${grouped(this.timeline.length)}`;
    this.chains = [...new Set(summaries.flatMap(({ events }) => events))].sort((a, b) => a - b);
    this.go(turn, moment);
  }

  get end() {
    return Math.max(0, ...this.games.map(({ summary }) => summary.placed));
  }

  // The position, as it appears in an address.
  get at() {
    return `${this.turn}.${this.moment}`;
  }

  get playing() {
    return this.timer !== null;
  }

  setSpeed(index) {
    this.speed.value = Math.min(SPEEDS.length - 1, Math.max(0, index));
  }

  faster(by) {
    this.setSpeed(Number(this.speed.value) + by);
  }

  show(milliseconds = 0) {
    // One of two games may end before the other.
    const frames = this.games.map(({ game, summary: { placed } }) =>
      ask("frame", {
        game,
        turn: Math.min(this.turn, placed),
        moment: this.turn > placed ? 0 : this.moment,
      }),
    );
    this.moments = Math.max(1, ...frames.map((frame) => frame.moments));
    this.timeline.go(this.turn);
    if (document.activeElement !== this.number)
      this.number.value = Math.min(this.turn + 1, this.timeline.length);
    if (frames.length) this.onshow(frames, milliseconds);
  }

  // Goes to a moment of a turn. Positions beyond the end are clamped.
  go(turn, moment, milliseconds = 0) {
    this.turn = Math.min(this.end, Math.max(0, turn));
    this.moment = Math.max(0, this.turn === this.end ? 0 : moment);
    this.show(milliseconds);
    if (this.moment >= this.moments) {
      this.moment = this.moments - 1;
      this.show();
    }
  }

  step(by, milliseconds = 160) {
    if (by < 0 && this.moment === 0) {
      if (this.turn > 0) this.go(this.turn - 1, 1e9);
    } else if (this.moment + by >= this.moments) {
      this.go(this.turn + 1, 0, milliseconds);
    } else {
      this.go(this.turn, this.moment + by, milliseconds);
    }
  }

  column(by) {
    this.go(by < 0 && this.moment > 0 ? this.turn : this.turn + by, 0);
  }

  // Goes to the start of the next or previous chain; after the last chain, to the end.
  chain(by, milliseconds = 0) {
    const before = (turn) => turn < this.turn + (this.moment > 0);
    const turn =
      by > 0
        ? (this.chains.find((turn) => turn > this.turn) ?? this.end)
        : (this.chains.findLast(before) ?? 0);
    this.go(turn, 0, milliseconds);
  }

  // Goes to the turn with the most points; with two games, to the turn whose points differ most.
  best() {
    const [a, b] = this.games.map(({ summary }) => summary.gained);
    // One of two games may end before the other.
    const apart = (_, turn) => Math.abs((a[turn] ?? 0) - (b?.[turn] ?? 0));
    const pays = Array.from({ length: this.end }, apart);
    this.go(pays.indexOf(pays.reduce((most, points) => Math.max(most, points), 0)), 0);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.turn >= this.end) this.go(0, 0);
    this.setPlaying(true);
    let last = performance.now();
    let due = 0;
    const tick = (now) => {
      this.timer = requestAnimationFrame(tick);
      const { moments, columns, chains } = SPEEDS[Number(this.speed.value)];
      // If the browser paused the page, resume without catching up.
      due += Math.min(250, now - last) * ((moments ?? columns) / 1000);
      last = now;
      const whole = Math.floor(due);
      if (whole < 1) return;
      due -= whole;
      const done = this.moment + 1 >= this.moments || !this.chains.includes(this.turn);
      if (chains && done) this.chain(1, 700 / moments);
      else if (moments) this.step(1, 700 / moments);
      else this.go(this.turn + whole, 0);
      if (this.turn >= this.end) this.pause();
    };
    this.timer = requestAnimationFrame(tick);
  }

  // Shows the play button as "Pause" or "Play".
  setPlaying(on) {
    this.playButton.replaceChildren(icon(on ? "pause" : "play"));
    this.playButton.setAttribute("aria-label", on ? "Pause" : "Play");
  }

  pause() {
    if (!this.playing) return;
    cancelAnimationFrame(this.timer);
    this.timer = null;
    this.setPlaying(false);
    this.show();
  }

  // Handles a key. Returns true if the key belongs to these controls.
  key(event) {
    const act = {
      ArrowLeft: () => this.column(-1),
      ArrowRight: () => this.column(1),
      ArrowUp: () => this.step(-1),
      ArrowDown: () => this.step(1),
      Home: () => this.go(0, 0),
      End: () => this.go(this.end, 0),
      n: () => this.chain(1),
      p: () => this.chain(-1),
      b: () => this.best(),
      " ": () => this.toggle(),
      "+": () => this.faster(1),
      "=": () => this.faster(1),
      "-": () => this.faster(-1),
    }[event.key];
    act?.();
    return Boolean(act);
  }
}
