// The Inc puzzle: a game in which all three players make their best moves, turn by turn.

import { Board } from "./board.js";
import { byId, attempt, hideMessage, setText } from "./dom.js";
import { ask } from "./engine.js";
import { Scenes } from "./scenes.js";

const SAMPLE = "1 10\n231.3\n3.233\n12.12\n3.231\n132.3\n";

let board, played, scenes;

function show({ cells, text, group }) {
  board.show({ cells, kind: "settled", text }, 0, { group });
  setText(byId("inc-text"), text);
}

function open(text) {
  hideMessage();
  played = ask("inc", { text });
  byId("inc-input").value = text;
  board.shape(played.width, played.height, "123");
  scenes.go(0);
}

export const inc = {
  bind() {
    board = new Board(byId("inc-board"), { spawn: false });
    scenes = new Scenes(byId("inc-turns"), () => played.scenes, show);
    byId("inc-play").onclick = () => attempt(() => open(byId("inc-input").value));
  },
  open,
  enter() {
    if (!played) open(SAMPLE);
  },
  repaint: () => board.draw(1),
};
