// Game review: the bot judges every placement of a game in the background. The timeline shows the losses, the
// board shows a better placement of the current column, and a list shows the worst placements.

import { button, clamp, countText, groupDigits, make, refill, setText } from "./dom.js";
import { ask } from "./engine.js";
import { reviewWorkers } from "./engine-worker.js";
import { columnIcon } from "./jewels.js";
import {
  judgePlacement, landings, MAX_COLUMNS_AHEAD, NODES_PER_COLUMN, setReview, updateReviews,
} from "./known-lines.js";
import { playerName } from "./players.js";

// The maximum number of columns in a chunk. Each worker reviews one chunk at a time.
const CHUNK_COLUMNS = 30;
// The number of mistakes listed until the user asks for all.
const MAX_MISTAKES_SHOWN = 8;
const REDRAW_INTERVAL_MS = 300;
// The grades of a placement. `minShare` is the minimum share of the best line's points that a placement of
// this grade loses.
const GRADES = [
  { minShare: 0.5, mark: "??", one: "blunder", many: "blunders", colour: "bad" },
  { minShare: 0.2, mark: "?", one: "mistake", many: "mistakes", colour: "down" },
  { minShare: 0.02, mark: "?!", one: "inaccuracy", many: "inaccuracies", colour: "magic" },
];
const DEFINITION =
  "Accuracy: the share of the best known line's points that a placement keeps, on average over the " +
  `reviewed columns. The bot searches ${NODES_PER_COLUMN} states a column, up to ${MAX_COLUMNS_AHEAD} ` +
  "columns ahead; all opened plans are known lines. ?? loses half or more, ? a fifth, ?! a fiftieth.";

export const gradeOf = ({ lost, best }) => GRADES.find(({ minShare }) => lost && lost >= minShare * best);

export class ReviewPanel {
  // `show(moves)`: draws the losses known so far. `seek(turn)`: goes to a column. `retry(turn)`: lets the
  // user play a column again.
  constructor(box, { show, seek, retry }) {
    Object.assign(this, { box, show, seek, retry, run: null, turn: 0, all: false });
    this.button = button("", () => (this.run ? this.stop() : this.start()), { className: "main" });
    const field = (label) => make("input", { inputMode: "numeric", "aria-label": label });
    this.range = [field("First column"), field("Last column")];
    this.choice = make("label", "Columns ", this.range[0], " to ", this.range[1]);
    this.bar = make("progress", { max: 1, value: 0, hidden: true, "aria-label": "Review" });
    this.text = make("p.hint", { "aria-live": "polite", title: DEFINITION });
    this.now = make("p.row.now");
    const step = (by, text, name, key) =>
      button(text, () => this.step(by), { title: `${name} (${key})`, "aria-label": name });
    this.again = button("Retry", () => this.retry(this.turn), {
      title: "Play this column again; the answer stays hidden",
    });
    const back = step(-1, "‹ Mistake", "Previous mistake", ",");
    this.steps = make("div.acts", back, step(1, "Mistake ›", "Next mistake", "."), this.again);
    this.list = make("ol.worst", { "aria-label": "The worst placements" });
    this.more = button("", () => this.draw(!this.all));
    const head = make("div.ends", make("h2", "Review"), this.choice, this.button);
    box.append(head, this.bar, this.text, this.now, this.steps, this.list, make("div.acts", this.more));
  }

  // Loads a game, whose previous one is closed, stops a running review, and shows the review of the plan.
  load(game, summary, entry, plan) {
    Object.assign(this, { game, summary, entry, plan });
    this.stop();
    this.range[0].value = 1;
    this.range[1].value = summary.placed;
    this.draw(false);
  }

  // The judged placements of the plan, by column. Placements that are not reviewed are missing.
  get moves() {
    return this.plan.review?.moves ?? [];
  }

  stop() {
    const { run } = this;
    if (!run) return;
    this.run = null;
    for (const worker of reviewWorkers) worker.stop();
    this.store(run);
    this.draw();
  }

  // Adds a run's results so far, if any, to the review of its plan, unless the plan has been replaced.
  store({ judged, entry, plan, text }) {
    if (!judged.size || plan.plan !== text) return;
    const moves = plan.review?.moves ?? [];
    for (const [turn, result] of judged) moves[turn] = result();
    setReview(plan, moves);
    updateReviews(entry);
  }

  // Draws the review again if it has changed.
  update() {
    if (!this.run && this.plan?.review !== this.drawn) this.draw();
  }

  async start() {
    const { game, entry, plan, summary } = this;
    const [from, to] = this.range.map(({ value }, i) => Math.floor(value) || (i ? summary.placed : 1));
    const [first, last] = [clamp(from - 1, 0, summary.placed), clamp(to, 0, summary.placed)];
    const columns = Array.from({ length: last - first }, (_, i) => first + i);
    const missing = columns.filter((turn) => !this.moves[turn]);
    // If no column is missing, review all columns again, using the plans opened in the meantime.
    const open = missing.length ? missing : columns;
    const run = {
      judged: new Map(),
      entry,
      plan,
      text: plan.plan,
      count: open.length,
      start: performance.now(),
      drawn: 0,
    };
    this.run = run;
    this.draw();
    const text = ask("plan", { game, turns: summary.placed });
    const chunks = [...Map.groupBy(open, (turn) => Math.floor(turn / CHUNK_COLUMNS)).values()];
    const work = async (worker) => {
      for (let chunk; (chunk = chunks.shift()); ) {
        for (const turn of chunk) {
          const result = await judgePlacement(worker, entry, text, turn);
          if (run !== this.run) return;
          run.judged.set(turn, result);
          this.progress(run);
        }
      }
    };
    try {
      await Promise.all(reviewWorkers.map(work));
      if (run === this.run) this.stop();
    } catch (error) {
      if (run !== this.run) return;
      this.stop();
      setText(this.text, error.message);
    }
  }

  // Shows the number of reviewed columns and the time left.
  progress(run) {
    const now = performance.now();
    if (now - run.drawn < REDRAW_INTERVAL_MS) return;
    run.drawn = now;
    const done = run.judged.size;
    this.bar.value = done / run.count;
    const left = Math.ceil(((now - run.start) / done) * ((run.count - done) / 1000));
    setText(this.text, `${groupDigits(done)} of ${countText(run.count, "column")}, about ${left} s left.`);
  }

  // The turns with a mistake, in order.
  get mistakes() {
    return this.moves.filter((move) => move && gradeOf(move)).map(({ turn }) => turn);
  }

  // Returns the turn of the nearest mistake before (`by` is −1) or after (1) a turn; undefined if there is
  // none.
  neighbour(turn, by) {
    const list = this.mistakes;
    return by > 0 ? list.find((one) => one > turn) : list.findLast((one) => one < turn);
  }

  step(by) {
    const turn = this.neighbour(this.turn, by);
    if (turn !== undefined) this.seek(turn);
  }

  // Called for every frame. Returns the marks for the board: the played and the better placement if the
  // column is a mistake, or else none.
  showTurn(turn) {
    this.turn = turn;
    const move = this.moves[turn];
    const grade = move && gradeOf(move);
    const shown = grade ? landings(this.game, this.plan.plan, move) : {};
    this.now.hidden = !this.moves.length;
    const lost = grade && `${grade.mark} loses ${groupDigits(move.lost)}. Better: `;
    const verdict = move ? "nothing better found." : "not reviewed.";
    const small = move?.lost && `loses ${groupDigits(move.lost)} of ${groupDigits(move.best)}.`;
    const column = `Column ${groupDigits(turn + 1)}: ${lost || small || verdict}`;
    refill(this.now, column, ...(grade ? this.placement(shown.better) : []));
    this.again.disabled = !move;
    for (const [i, by] of [-1, 1].entries())
      this.steps.children[i].disabled = this.neighbour(turn, by) === undefined;
    return shown;
  }

  // Returns what to show for a placement: its column, from the bottom up, and the number of its stack.
  placement({ column, stack }) {
    return [columnIcon(column, this.summary.palette, 14), `${stack + 1}`];
  }

  // Draws the review of the plan. `all`: true to list all mistakes.
  draw(all = this.all) {
    this.all = all;
    this.drawn = this.plan.review;
    const { moves } = this;
    const count = moves.filter(Boolean).length;
    const isWhole = count >= this.summary.placed;
    this.box.hidden = !this.summary.placed;
    this.bar.hidden = !this.run;
    this.choice.hidden = isWhole && !this.run;
    const label = isWhole ? "Review again" : count ? "Continue" : "Review this game";
    setText(this.button, this.run ? "Stop" : label);
    this.steps.hidden = !count;
    this.show(moves);
    this.showTurn(this.turn);
    const worst = moves.filter((move) => move && gradeOf(move)).sort((a, b) => b.lost - a.lost);
    refill(this.list, worst.slice(0, all ? Infinity : MAX_MISTAKES_SHOWN).map((move) => this.item(move)));
    this.list.hidden = !worst.length;
    this.more.hidden = worst.length <= MAX_MISTAKES_SHOWN;
    setText(this.more, all ? "Show the worst only" : `Show all ${groupDigits(worst.length)}`);
    if (this.run) return setText(this.text, "The bot begins the review.");
    const introduction = "What should have been played, column by column.";
    setText(this.text, count ? this.verdict(moves, count) : introduction);
  }

  item(move) {
    const { played, better } = landings(this.game, this.plan.plan, move);
    const { mark, one, colour } = gradeOf(move);
    const words = [
      make("b", `${mark} −${groupDigits(move.lost)}`),
      ` at ${groupDigits(move.turn + 1)}:`,
      ...this.placement(played),
      " →",
      ...this.placement(better),
    ];
    const title = `${one} at column ${groupDigits(move.turn + 1)}: the played and the better placement`;
    const item = make("li", button(words, () => this.seek(move.turn), { title }));
    item.dataset.grade = colour;
    return item;
  }

  verdict(moves, count) {
    const counts = GRADES.map(({ mark, one, many }) => {
      const count = moves.filter((move) => move && gradeOf(move)?.mark === mark).length;
      return count && `${countText(count, one, many)} ${mark}`;
    }).filter(Boolean);
    const part = count < this.summary.placed && ` in ${groupDigits(count)} of ${this.summary.placed} columns`;
    const grades = counts.length ? counts.join(", ") : "no mistake found";
    const rival = this.rival();
    const more = rival && groupDigits(rival.points - this.plan.points);
    const better = rival && `${playerName(rival.player)} scores ${more} more.`;
    const accuracy = `Accuracy ${this.plan.review.accuracy.toFixed(1)} %${part || ""}: ${grades}.`;
    return [accuracy, better].filter(Boolean).join(" ");
  }

  // Returns the plan with the most points on the case; null if it is the reviewed one.
  rival() {
    const isMore = (a, b) => (a.points ?? 0) > (b.points ?? 0);
    const best = this.entry.plans.reduce((one, other) => (isMore(other, one) ? other : one), this.plan);
    return best === this.plan ? null : best;
  }

  // Handles the keys for the previous and the next mistake. Returns false for other keys.
  handleKey({ key }) {
    const by = { ",": -1, ".": 1 }[key];
    if (by) this.step(by);
    return Boolean(by);
  }
}
