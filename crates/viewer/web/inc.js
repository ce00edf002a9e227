// The Inc puzzle: a game in which all three players make their best moves, turn by turn.

import { byId, hideMessage } from "./dom.js";
import { ask } from "./engine.js";
import { Puzzle } from "./puzzle-base.js";
import { SceneStepper } from "./scenes.js";

export class Inc extends Puzzle {
  constructor() {
    super("inc");
    const show = (scene) => this.show(scene);
    this.scenes = new SceneStepper(byId("inc-turns"), () => this.view.scenes, show);
  }

  fromForm() {
    this.open(byId("inc-input").value);
  }

  open(text) {
    hideMessage();
    this.view = ask("play-inc", { text });
    byId("inc-input").value = text;
    this.board.shape(this.view.width, this.view.height, "123");
    this.scenes.go(0);
  }
}
