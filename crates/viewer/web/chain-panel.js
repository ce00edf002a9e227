// The chains of a game: a chart of the steps of the current column's chain, and a list of the best chains. If
// the current column has no chain, the panel shows the list.

import { blank, counted, grouped, parts, setText, theme, turnItem } from "./dom.js";
import { ask } from "./engine.js";

export class ChainPanel {
  // `onseek(turn)`: called when the user clicks on a chain of the list.
  constructor(box, onseek) {
    Object.assign(this, parts(box), { onseek, mode: "This column" });
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
      ...summary.best.map((turn) => {
        const steps = counted(summary.chains[turn], "step", "steps");
        return turnItem(grouped(summary.gained[turn]), turn, steps, () => {
          // Keep the list open, so that keyboard focus is not lost.
          this.mode = "The best";
          this.onseek(turn);
        });
      }),
    );
  }

  show({ turn, step }) {
    if (turn !== this.turn) this.chain = ask("whole", { game: this.game, turn });
    Object.assign(this, { turn, step });
    this.draw();
  }

  draw() {
    if (!this.summary) return;
    const empty = this.mode === "This column" && !this.chain?.steps.length;
    const mode = empty && this.summary.best.length ? "The best" : this.mode;
    this.tabs.forEach((tab) => tab.setAttribute("aria-pressed", String(tab.textContent === mode)));
    this.list.hidden = mode !== "The best";
    this.canvas.hidden = !this.list.hidden;
    if (!this.list.hidden) {
      setText(this.text, this.gameText());
      this.summary.best.forEach((turn, i) =>
        this.list.children[i].firstChild.setAttribute("aria-current", String(turn === this.turn)),
      );
    }
    const sheet = blank(this.canvas);
    if (sheet) this.drawChain(sheet);
  }

  gameText() {
    const { chains, points, longest } = this.summary;
    const long = chains.filter((steps) => steps > 1).length;
    const all = counted(chains.filter(Boolean).length, "chain", "chains");
    return (
      `${grouped(points)} points in ${all}, ${grouped(long)} with more than one step; ` +
      `the longest has ${counted(longest, "step", "steps")}.`
    );
  }

  // Draws a bar for the matches of each step, and a line for the jewels left on the field.
  drawChain({ context, width, height, ratio }) {
    const chain = this.chain;
    const text = chain?.text ?? "The game is over.";
    setText(this.text, text);
    this.canvas.setAttribute("aria-label", `Matches by step. ${text}`);
    context.textAlign = "center";
    const steps = chain?.steps ?? [];
    const [top, bottom, right] = [16 * ratio, height - 18 * ratio, width - 30 * ratio];
    context.fillStyle = theme("line");
    context.fillRect(0, bottom, right, ratio);
    if (!steps.length) return;
    const most = Math.max(...steps.map(({ matches }) => matches), 1);
    const wide = Math.min(right / steps.length, 46 * ratio);
    // If the labels do not all fit, label only every n-th step.
    const every = Math.ceil((22 * ratio) / wide);
    steps.forEach(({ matches, combo, cleared }, i) => {
      const [x, size] = [i * wide, matches ? ((bottom - top) * matches) / most : 3 * ratio];
      context.fillStyle = theme(i + 1 === this.step ? "accent" : matches ? "bar" : "magic");
      context.fillRect(x + ratio, bottom - size, Math.max(ratio, wide - 2 * ratio), size);
      // The last step always has a label; steps too close to it have none.
      const rest = steps.length - 1 - i;
      if (rest && (i % every || rest < every)) return;
      const middle = Math.max(x + wide / 2, 8 * ratio);
      context.fillStyle = theme("ink");
      context.fillText(matches || `${cleared}*`, middle, bottom - size - 4 * ratio);
      context.fillStyle = theme("soft");
      context.fillText(combo ? `×${combo}` : "magic", middle, height - 4 * ratio);
    });
    const { landed } = chain;
    const y = (jewels) => bottom - ((bottom - top) * jewels) / landed;
    context.strokeStyle = theme("down");
    context.lineWidth = 2 * ratio;
    context.beginPath();
    context.moveTo(0, y(landed));
    steps.forEach(({ left }, i) => {
      context.lineTo((i + 0.5) * wide, y(i ? steps[i - 1].left : landed));
      context.lineTo((i + 0.5) * wide, y(left));
    });
    const last = steps.at(-1).left;
    context.lineTo(steps.length * wide, y(last));
    context.stroke();
    context.fillStyle = theme("down");
    context.textAlign = "left";
    context.fillText(landed, steps.length * wide + 4 * ratio, y(landed) + 8 * ratio);
    context.fillText(
      last,
      steps.length * wide + 4 * ratio,
      Math.max(y(last) + 3 * ratio, y(landed) + 20 * ratio),
    );
  }
}
