// What is told beside a field: the points, some facts, the next columns, a sentence; and buttons.

import { grouped, make, say } from "./dom.js";
import { drawNext } from "./strip.js";

export class Info {
  // `facts`: a label for each name, the longest chain among them.
  constructor(box, facts, buttons) {
    this.points = make("b", null, "0");
    this.note = make("p", { className: "hint" });
    this.facts = {};
    const list = make("dl");
    for (const [name, label] of Object.entries(facts)) {
      this.facts[name] = make("dd", null, "–");
      list.append(make("dt", null, label), this.facts[name]);
    }
    this.next = make("canvas", { role: "img" });
    this.text = make("p", { className: "say" });
    box.append(
      make("p", { className: "score" }, make("span", null, this.points, " points")), this.note, list,
      make("div", { className: "next" }, make("span", { className: "hint" }, "Next columns"), this.next),
      this.text, make("div", { className: "acts" }, ...buttons));
  }

  // A text for each name.
  tell(facts) {
    for (const [name, text] of Object.entries(facts)) say(this.facts[name], text);
  }

  // What every frame has.
  show({ points, longest, next }, palette) {
    say(this.points, grouped(points));
    this.tell({ longest: longest ? `${longest} ${longest === 1 ? "step" : "steps"}` : "–" });
    drawNext(this.next, next, palette);
  }
}
