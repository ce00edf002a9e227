// Facts about a game. The player, the points, the final score, the status and the next columns are beside the
// field, or above it on phones. A card has further facts, a sentence and buttons.

import { countText, gainText, groupDigits, make, setText } from "./dom.js";
import { drawNextColumns } from "./jewels.js";

// Formats the column number of a frame: `12 of 120`.
export function columnNumberText({ turn }, { columns }) {
  return `${groupDigits(Math.min(turn + 1, columns))} of ${groupDigits(columns)}`;
}

export class GamePanel {
  // `hud`: the element for the facts beside the field. `box`: the card. `facts`: the label of each fact in
  // the card, by name; must include `longest`, which `show` sets.
  constructor(hud, box, facts, buttons) {
    this.player = make("span.who");
    this.points = make("b.points", "0");
    this.gain = make("span.gain");
    this.note = make("span.hint");
    this.next = make("canvas", { role: "img" });
    const now = make("p", this.points, this.gain);
    hud.append(make("div.row", this.player, now, this.note), this.next);
    this.facts = {};
    const list = make("dl");
    for (const [name, label] of Object.entries(facts)) {
      this.facts[name] = make("dd", "–");
      list.append(make("div.ends", make("dt", label), this.facts[name]));
    }
    this.text = make("p.say");
    box.append(this.text, list, make("div.acts", buttons));
    new ResizeObserver(() => this.repaint()).observe(this.next);
  }

  // Sets the text of each given fact, by name.
  set(facts) {
    for (const [name, text] of Object.entries(facts)) setText(this.facts[name], text);
  }

  show({ points, longest_chain, next_columns, turn_points, combo }, palette) {
    setText(this.points, groupDigits(points));
    setText(this.gain, gainText(turn_points, combo));
    this.set({ longest: longest_chain ? countText(longest_chain, "step") : "–" });
    this.columns = [next_columns, palette];
    this.repaint();
  }

  repaint() {
    if (this.columns) drawNextColumns(this.next, ...this.columns);
  }
}
