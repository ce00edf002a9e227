// The chains of a game: a chart of the current column's chain, or a list of the best chains, which also
// appears if the column has no chain.

import { prepareCanvas, themeColour, traceLines } from "./canvas.js";
import { countText, groupDigits, namedParts, setText, turnItem } from "./dom.js";
import { ask } from "./engine.js";

export class ChainPanel {
  // `onseek(turn)`: called when the user clicks on a chain in the list.
  constructor(box, onseek) {
    Object.assign(this, namedParts(box), { onseek, mode: "This column" });
    this.tabs = [...box.querySelectorAll("button")];
    for (const tab of this.tabs) tab.onclick = () => this.set(tab.textContent);
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  set(mode) {
    this.mode = mode;
    this.draw();
  }

  load(game, summary) {
    Object.assign(this, { game, summary, turn: null });
    this.list.replaceChildren(
      ...summary.best_turns.map((turn) => {
        const steps = countText(summary.steps_by_turn[turn], "step");
        return turnItem(groupDigits(summary.points_by_turn[turn]), turn, steps, () => {
          // Keep the list open, so that keyboard focus is not lost.
          this.mode = "The best";
          this.onseek(turn);
        });
      }),
    );
  }

  show({ turn, step }) {
    if (turn !== this.turn) this.chain = ask("chain", { game: this.game, turn });
    Object.assign(this, { turn, step });
    this.draw();
  }

  draw() {
    if (!this.summary) return;
    const empty = this.mode === "This column" && !this.chain?.steps.length;
    const mode = empty && this.summary.best_turns.length ? "The best" : this.mode;
    this.tabs.forEach((tab) => tab.setAttribute("aria-pressed", String(tab.textContent === mode)));
    this.list.hidden = mode !== "The best";
    this.canvas.hidden = !this.list.hidden;
    if (!this.list.hidden) {
      setText(this.text, this.gameText());
      this.summary.best_turns.forEach((turn, i) =>
        this.list.children[i].firstChild.setAttribute("aria-current", String(turn === this.turn)),
      );
    }
    const sheet = prepareCanvas(this.canvas);
    if (sheet) this.drawChain(sheet);
  }

  gameText() {
    const { steps_by_turn, points, longest_chain } = this.summary;
    const long = steps_by_turn.filter((steps) => steps > 1).length;
    const all = countText(steps_by_turn.filter(Boolean).length, "chain");
    return (
      `${groupDigits(points)} points in ${all}, ${groupDigits(long)} with more than one step; ` +
      `the longest has ${countText(longest_chain, "step")}.`
    );
  }

  // Draws a bar for the matches of each step, and a line for the number of jewels left on the field.
  drawChain({ context, width, height, ratio }) {
    const chain = this.chain ?? { steps: [], text: "The game is over." };
    const { jewels_after_landing: landed, steps, text } = chain;
    setText(this.text, text);
    this.canvas.setAttribute("aria-label", `Matches by step. ${text}`);
    context.textAlign = "center";
    const [top, bottom, right] = [16 * ratio, height - 18 * ratio, width - 30 * ratio];
    context.fillStyle = themeColour("line");
    context.fillRect(0, bottom, right, ratio);
    if (!steps.length) return;
    const most = Math.max(...steps.map(([matches]) => matches), 1);
    const wide = Math.min(right / steps.length, 46 * ratio);
    // If the labels do not all fit, draw only every n-th label.
    const label = context.measureText(`×${steps.length}`).width + 6 * ratio;
    const every = Math.ceil(Math.max(label, 22 * ratio) / wide);
    // Only the first step can be a clearing by a magic column, which has neither matches nor a combo.
    const first = steps[0][0] ? 1 : 0;
    steps.forEach(([matches, cleared], i) => {
      const [x, size] = [i * wide, matches ? ((bottom - top) * matches) / most : 3 * ratio];
      context.fillStyle = themeColour(i + 1 === this.step ? "accent" : matches ? "bar" : "magic");
      context.fillRect(x + ratio, bottom - size, Math.max(ratio, wide - 2 * ratio), size);
      // The last step always has a label. Steps too close to the last step have no label.
      const rest = steps.length - 1 - i;
      if (rest && (i % every || rest < every)) return;
      const middle = Math.max(x + wide / 2, 8 * ratio);
      context.fillStyle = themeColour("ink");
      context.fillText(matches || `${cleared}*`, middle, bottom - size - 4 * ratio);
      context.fillStyle = themeColour("soft");
      context.fillText(matches ? `×${i + first}` : "magic", middle, height - 4 * ratio);
    });
    const left = [landed];
    for (const [, cleared] of steps) left.push(left.at(-1) - cleared);
    const y = (jewels) => bottom - ((bottom - top) * jewels) / landed;
    const end = steps.length * wide;
    const stairs = left.flatMap((jewels, i) => [
      [Math.max(0, i - 0.5) * wide, y(jewels)],
      [Math.min(end, (i + 0.5) * wide), y(jewels)],
    ]);
    context.strokeStyle = context.fillStyle = themeColour("down");
    context.lineWidth = 2 * ratio;
    traceLines(context, stairs);
    context.stroke();
    context.textAlign = "left";
    const last = y(left.at(-1));
    context.fillText(landed, end + 4 * ratio, y(landed) + 8 * ratio);
    context.fillText(left.at(-1), end + 4 * ratio, Math.max(last + 3 * ratio, y(landed) + 20 * ratio));
  }
}
