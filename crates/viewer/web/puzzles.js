// The Puzzles view: SameGame. A menu lists the boards from files.

import { writeAddressLater } from "./address.js";
import { attempt, byId, fillMenu, pressShortcut } from "./dom.js";
import { SameGame } from "./samegame.js";
import { loadValue, storeValue } from "./storage.js";

const KEY = "columns-boards";

const samegame = new SameGame();
// The boards from files: {list: [{name, text}, …], at}. `at` is the index of the open board.
let opened = { list: [] };

function enter() {
  samegame.enter();
  const { list, at } = opened;
  byId("same-opened").hidden = !list.length;
  fillMenu(byId("same-opened").querySelector("select"), list.map(({ name }) => name), at);
  writeAddressLater("puzzles", () => "puzzles");
}

// Shows the opened board at index `at`, and stores all opened boards for a reload.
function openAt(at) {
  samegame.open(opened.list[at].text);
  opened.at = at;
  enter();
  storeValue(KEY, opened);
}

function openBoards(boards) {
  const find = (board) => opened.list.findIndex(({ text }) => text === board.text);
  for (const board of boards) if (find(board) < 0) opened.list.push(board);
  openAt(find(boards[0]));
}

function bind() {
  byId("same-opened").onchange = ({ target }) => attempt(() => openAt(Number(target.value)));
  opened = loadValue(KEY) ?? opened;
  if (opened.list.length) samegame.open(opened.list[opened.at].text);
}

export const puzzlesView = {
  bind,
  openBoards,
  enter,
  handleKey: (event) =>
    (event.target === samegame.board.canvas && samegame.steer(event)) ||
    pressShortcut(byId("view-puzzles"), event),
  repaint: () => samegame.board.draw(1),
};
