// Pictures that are walked through one by one: a solution, a chain, the turns of a game.

import { icon, make } from "./dom.js";

export class Scenes {
  // `list()`: the pictures; `show(scene, by)`: draws one, `by` after the last.
  constructor(box, list, show) {
    Object.assign(this, { list, show, at: -1 });
    box.classList.add("acts");
    for (const [name, label, to] of [
      ["first", "To the start", () => 0],
      ["less", "Back", () => this.at - 1],
      ["more", "On", () => this.at + 1],
      ["last", "To the end", () => Infinity],
    ]) {
      const className = name === "more" ? "main" : "";
      const onclick = () => this.go(to());
      box.append(make("button", { className, "aria-label": label, onclick }, icon(name)));
    }
  }

  go(to) {
    const scenes = this.list();
    const before = this.at;
    this.at = Math.min(scenes.length - 1, Math.max(0, to));
    this.show(scenes[this.at], this.at - before);
  }

  // None of them is shown any more: the next one is the first.
  leave() {
    this.at = -1;
  }

  get isLast() {
    return this.at === this.list().length - 1;
  }
}
