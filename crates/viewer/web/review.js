// Game review: the bot analyses every column of a game in the background. The timeline shows the
// loss of each placement against the best line, and a list has the ten worst placements.
//
// The value of a position is its points so far plus the points of the best known line until a fixed
// column. The loss of a placement is the decrease of this value:
//
//     before column 7: 940 so far, the search finds 1,410 more until column 60 -> value 2,350
//     after it:        987 so far, the search finds 1,034 more until column 60 -> value 2,021, loss 329
//
// The game itself counts as a known line, so a weak search cannot report losses in a stronger game.

import { reviewer } from "./bot.js";
import { counted, grouped, make, refill, setText, turnItem } from "./dom.js";
import { ask } from "./engine.js";

// Columns per block. The lines of all positions in a block end at the same column, `BLOCK` columns
// after the end of the block.
const BLOCK = 30;
// Budget of a search in states.
const NODES = 2000;
const WORST = 10;

export class Review {
  // `show(losses)`: draws the losses known so far; `seek(turn)`: goes to a column.
  constructor(box, show, seek) {
    Object.assign(this, { show, seek, mine: null, reviews: new WeakMap() });
    this.button = make("button", { onclick: () => (this.mine ? this.stop() : this.run()) });
    this.bar = make("progress", { max: 1, value: 0, hidden: true, "aria-label": "Review" });
    this.text = make("p", { className: "hint", "aria-live": "polite" });
    this.list = make("ol", { className: "best-chains", "aria-label": "The ten worst placements" });
    const heading = make("div", { className: "ends" }, make("h2", null, "Review"), this.button);
    box.append(heading, this.bar, this.text, this.list);
  }

  // Loads another game and shows the review of its plan if there is one.
  load(game, summary, entry, plan) {
    this.stop();
    Object.assign(this, { game, summary, entry, plan });
    this.draw(this.reviews.get(plan) ?? null);
  }

  stop() {
    if (!this.mine) return;
    this.mine = null;
    reviewer.stop();
    this.draw(null);
  }

  async run() {
    const mine = (this.mine = {});
    const { game, summary, entry, plan } = this;
    const { placed, gained } = summary;
    const before = [0];
    for (const points of gained) before.push(before.at(-1) + points);
    const moves = [];
    // The points of the best line from a column on, and its first placement; the game itself counts
    // as a line.
    const worth = async (turn, until) => {
      const start = ask("plan", { game, turns: turn });
      const request = { case: entry.case, plan: start, ahead: until - turn, nodes: NODES };
      const line = await reviewer.think("hint", request);
      const played = before[Math.min(until, placed)];
      const points = Math.max(played, before[turn] + (line?.points ?? 0));
      return { points, first: points > played ? [line.stack, line.shift] : null };
    };
    this.draw(null);
    try {
      for (let start = 0; start < placed; start += BLOCK) {
        const until = Math.min(summary.columns, start + 2 * BLOCK);
        const end = Math.min(placed, start + BLOCK);
        let now = await worth(start, until);
        for (let turn = start; turn < end; turn++) {
          const next = await worth(turn + 1, until);
          if (mine !== this.mine) return;
          moves.push({ turn, lost: Math.max(0, now.points - next.points), first: now.first });
          now = next;
          if (turn % 10) continue;
          this.bar.value = turn / placed;
          this.show(moves.map(({ lost }) => lost));
        }
      }
      this.mine = null;
      this.reviews.set(plan, moves);
      this.draw(moves);
    } catch (error) {
      if (mine !== this.mine) return;
      this.mine = null;
      this.draw(null);
      setText(this.text, error.message);
    }
  }

  // `moves`: the reviewed placements, {turn, lost, first} each; null without a review.
  draw(moves) {
    this.bar.hidden = !this.mine;
    setText(this.button, this.mine ? "Stop" : "Review this game");
    this.button.hidden = Boolean(moves);
    this.show(moves?.map(({ lost }) => lost) ?? []);
    const worst = moves?.filter(({ lost }) => lost).sort((a, b) => b.lost - a.lost) ?? [];
    this.list.hidden = !worst.length;
    refill(
      this.list,
      ...worst.slice(0, WORST).map(({ turn, lost, first }) => {
        const better = first ? `The better line starts at position ${first[0] + 1}, shift ${first[1]}` : "";
        return turnItem(`−${grouped(lost)}`, turn, better, () => this.seek(turn));
      }),
    );
    const count = counted(worst.length, "placement", "placements");
    const text = this.mine
      ? "The bot is reviewing every column."
      : moves
        ? `${count} lost points against the best line found; the ten worst:`
        : "The bot reviews every column; the timeline shows the loss of each placement.";
    setText(this.text, text);
  }
}
