// Game review: the bot analyses every column of a game in the background. The timeline shows the loss of each
// placement against the best line, and a list has the worst placements.
//
// The value of a position is its points so far plus the points of the best known line until a fixed column.
// The loss of a placement is the decrease of this value. The share of the loss is the loss divided by the
// points of the best line before the placement:
//
//     before column 7: 940 so far, the search finds 1,410 more until column 60 -> value 2,350
//     after it:        987 so far, the search finds 1,034 more until column 60 -> value 2,021,
//                      loss 329, share 329 / 1,410 = 23 %: a mistake
//
// The game itself and every other plan of the case that did not fail are known lines while their placements
// agree with the game. So a loss shows even if the search finds less than one of these plans.

import { NODES_PER_COLUMN, reviewWorkers, searchBudget } from "./bot.js";
import { button, countText, groupDigits, make, refill, setText, total, turnItem } from "./dom.js";
import { ask } from "./engine.js";
import { quickstartPlan } from "./library.js";
import { playerName } from "./players.js";

// The number of columns in a block. All lines from a block end this many columns after it, or with the case.
const BLOCK_COLUMNS = 30;
const MAX_PLACEMENTS_SHOWN = 12;
// The grades of a placement. `least` is the minimum share of the best line's points that a placement of this
// grade loses.
const GRADES = [
  { least: 0.5, mark: "??", one: "blunder", many: "blunders", colour: "bad" },
  { least: 0.2, mark: "?", one: "mistake", many: "mistakes", colour: "down" },
  { least: 0.05, mark: "?!", one: "inaccuracy", many: "inaccuracies", colour: "magic" },
];
const DEFINITION =
  "Accuracy: the share of the best known line's points that a placement keeps, on average over all " +
  "columns. ?? loses half of them or more, ? a fifth, ?! a twentieth.";
const INTRODUCTION =
  "The bot reviews every column; the timeline shows the loss of each placement. All opened plans count " +
  "as known lines.";

const gradeOf = ({ lost, best }) => GRADES.find(({ least }) => lost && lost >= least * best);

export class Review {
  // `show(moves)`: draws the losses known so far, {lost, grade} each. `seek(turn)`: goes to a column.
  // `retry(turn, move)`: lets the user play a column again.
  constructor(box, { show, seek, retry }) {
    Object.assign(this, { show, seek, retry, mine: null, reviews: new WeakMap() });
    this.button = button("", () => (this.mine ? this.stop() : this.run()));
    this.bar = make("progress", { max: 1, value: 0, hidden: true, "aria-label": "Review" });
    this.text = make("p.hint", { "aria-live": "polite", title: DEFINITION });
    this.list = make("ol.worst", { "aria-label": "The worst placements" });
    box.append(make("div.ends", make("h2", "Review"), this.button), this.bar, this.text, this.list);
  }

  // Loads another game. Shows the review of its plan if there is one.
  load(game, summary, entry, plan) {
    this.stop();
    Object.assign(this, { game, summary, entry, plan });
    this.draw(this.reviews.get(plan) ?? null);
  }

  stop() {
    if (!this.mine) return;
    this.mine = null;
    for (const worker of reviewWorkers) worker.stop();
    this.draw(null);
  }

  // Returns the lines of the game and of all other plans that did not fail, {plan, points, until} each, the
  // game first. `points`: the points before each column and at the end; `until`: the number of placements
  // that agree with the game.
  lines() {
    const running = (points_by_turn) => {
      const list = [0];
      for (const points of points_by_turn) list.push(list.at(-1) + points);
      return list;
    };
    quickstartPlan(this.entry);
    const isOther = (plan) => plan !== this.plan && plan.plan !== null && !plan.failure;
    const opened = this.entry.plans.filter(isOther).map((plan) => {
      const { game, points_by_turn } = ask("watch", { case: this.entry.case, plan: plan.plan });
      const until = ask("difference", { games: [this.game, game] }) ?? Infinity;
      ask("close", { game });
      return { plan, points: running(points_by_turn), until };
    });
    return [{ plan: this.plan, points: running(this.summary.points_by_turn), until: Infinity }, ...opened];
  }

  async run() {
    const mine = (this.mine = {});
    const { game, summary, entry, plan } = this;
    const { placed, columns } = summary;
    const lines = this.lines();
    const [{ points: before }] = lines;
    const moves = new Array(placed);
    // Returns {points, better}: the points at the column `until` if the best line is played from a column on,
    // and the start of that line.
    const worth = async (worker, turn, until) => {
      const position = { case: entry.case, plan: ask("plan", { game, turns: turn }) };
      const found = await worker.ask("hint", { ...position, ...searchBudget(until - turn) });
      const at = (line) => line.points[Math.min(until, line.points.length - 1)];
      const known = lines.filter((line) => line.until >= turn);
      const best = known.reduce((one, other) => (at(other) > at(one) ? other : one));
      const points = before[turn] + (found?.points ?? 0);
      if (points <= at(best)) return { points: at(best), better: `as ${playerName(best.plan.player)} plays` };
      return { points, better: `${found.column} at position ${found.stack + 1}` };
    };
    const review = async (worker, start) => {
      const until = Math.min(columns, start + 2 * BLOCK_COLUMNS);
      let now = await worth(worker, start, until);
      for (let turn = start; turn < Math.min(placed, start + BLOCK_COLUMNS); turn++) {
        const next = await worth(worker, turn + 1, until);
        if (mine !== this.mine) return;
        const { points: value, better } = now;
        const lost = Math.max(0, value - next.points);
        const move = { turn, lost, best: value - before[turn], until, value, better };
        moves[turn] = { ...move, grade: gradeOf(move) };
        now = next;
        if (turn % 10) continue;
        this.bar.value = moves.filter(Boolean).length / placed;
        this.show(moves);
      }
    };
    this.draw(null);
    try {
      await Promise.all(
        reviewWorkers.map(async (worker, i) => {
          for (let at = i; at * BLOCK_COLUMNS < placed && mine === this.mine; at += reviewWorkers.length)
            await review(worker, at * BLOCK_COLUMNS);
        }),
      );
      if (mine !== this.mine) return;
      this.mine = null;
      this.reviews.set(plan, { moves, rival: this.rival(lines) });
      this.draw(this.reviews.get(plan));
    } catch (error) {
      if (mine !== this.mine) return;
      this.mine = null;
      this.draw(null);
      setText(this.text, error.message);
    }
  }

  // Returns the line of the best other plan; null if no plan scores more than the reviewed game.
  rival([own, ...others]) {
    const best = others.reduce((one, other) => (other.points.at(-1) > one.points.at(-1) ? other : one), own);
    return best === own ? null : best;
  }

  // Draws a review, {moves, rival}. Pass null to clear it.
  draw(review) {
    this.bar.hidden = !this.mine;
    setText(this.button, this.mine ? "Stop" : "Review this game");
    this.button.hidden = Boolean(review);
    const { moves = [], rival = null } = review ?? {};
    this.show(moves);
    const worst = moves.filter(({ grade }) => grade).sort((a, b) => b.lost - a.lost);
    const items = worst.slice(0, MAX_PLACEMENTS_SHOWN).map((move) => this.item(move));
    if (rival) {
      const more = rival.points.at(-1) - total(this.summary.points_by_turn);
      const text = `${playerName(rival.plan.player)} +${groupDigits(more)}`;
      const title = "This plan scores more, and differs from here on";
      items.unshift(turnItem(text, rival.until, title, () => this.seek(rival.until)));
    }
    this.list.hidden = !items.length;
    refill(this.list, items);
    const text = review ? this.verdict(moves) : INTRODUCTION;
    setText(this.text, this.mine ? "The bot is reviewing every column." : text);
  }

  item(move) {
    const { turn, lost, grade } = move;
    const better = `${grade.one}; better: ${move.better}`;
    const item = turnItem(`${grade.mark} −${groupDigits(lost)}`, turn, better, () => this.seek(turn));
    item.dataset.grade = grade.colour;
    const title = "Play this column again; the answer stays hidden";
    item.append(button("Retry", () => this.retry(turn, move), { title }));
    return item;
  }

  verdict(moves) {
    const kept = moves.map(({ lost, best }) => (best ? 1 - Math.min(1, lost / best) : 1));
    const accuracy = (100 * total(kept)) / Math.max(1, kept.length);
    const counts = GRADES.map(({ mark, one, many }) => {
      const count = moves.filter(({ grade }) => grade?.mark === mark).length;
      return count && `${countText(count, one, many)} (${mark})`;
    }).filter(Boolean);
    const budget = `with ${NODES_PER_COLUMN} states a column, up to ${2 * BLOCK_COLUMNS} columns ahead`;
    const none = `The search found no placement that loses a twentieth ${budget}; a longer one may.`;
    const grades = counts.length ? `: ${counts.join(", ")}, found ${budget}.` : `. ${none}`;
    return `Accuracy ${accuracy.toFixed(1)} %${grades}`;
  }
}
