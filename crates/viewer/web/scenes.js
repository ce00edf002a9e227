// Buttons that step through the scenes of a chain.

import { clamp, icon, make } from "./dom.js";

export class SceneStepper {
  // `list()`: returns the scenes. `show(scene, by)`: draws a scene, which is `by` steps after the
  // last one drawn.
  constructor(box, list, show) {
    Object.assign(this, { list, show, index: -1 });
    box.classList.add("acts");
    for (const [name, label, to] of [
      ["first", "Go to the start", () => 0],
      ["less", "Previous", () => this.index - 1],
      ["more", "Next", () => this.index + 1],
      ["last", "Go to the end", () => Infinity],
    ]) {
      const className = name === "more" ? "main" : "";
      const onclick = () => this.go(to());
      box.append(make("button", { className, "aria-label": label, onclick }, icon(name)));
    }
  }

  go(to) {
    const scenes = this.list();
    const before = this.index;
    this.index = clamp(to, 0, scenes.length - 1);
    this.show(scenes[this.index], this.index - before);
  }

  // Forgets the position: the next step shows the first scene.
  reset() {
    this.index = -1;
  }
}
