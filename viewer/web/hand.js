// Play: the same field by hand, with the bot to ask.

import { gameAddress, write } from "./address.js";
import { AskPanel, advice } from "./ask-panel.js";
import { Board } from "./board.js";
import { soFar } from "./compare.js";
import {
  byId,
  announce,
  attemptIn,
  complain,
  download,
  fileName,
  gained,
  grouped,
  hush,
  make,
  refill,
  say,
} from "./dom.js";
import { ask } from "./engine.js";
import { Info } from "./info.js";
import { add, botOf, letBotPlay, planOf, scoreOf } from "./library.js";
import { generated } from "./open.js";

const PACE = 170;
// Columns that a hint looks ahead.
const AHEAD = 60;
const RIVAL_SECONDS = 4;

let board, panel, info, game, view, summary, entry, handlers;
let timer = 0;
let asked = 0;
// The games that new ones have replaced, the latest at the end: {entry, plan}.
const before = [];
// The form values of the last new game, as text.
let dealt = "";

function buildInfo() {
  const act = (label, onclick) => make("button", { onclick }, label);
  info = new Info(
    byId("play-hud"),
    byId("play-info"),
    { column: "Column", last: "Last column", longest: "Longest so far" },
    [
      act("Restart", () => press("restart")),
      act("Watch it", watchIt),
      act("Download plan", () =>
        download(fileName(entry.name, ".out.txt"), ask("plan", { game })),
      ),
    ],
  );
}

function link() {
  return gameAddress("play", entry, [game]);
}

// A game from a plan on. The one before can be brought back by Undo.
export function playFrom(of, plan = "0\n") {
  if (view?.placed) before.push({ entry, plan: ask("plan", { game }) });
  take(of, plan);
}

function take(of, plan) {
  settle();
  asked += 1;
  const made = ask("hand", { case: of.case, plan });
  if (game) ask("close", { game });
  game = made.game;
  ({ summary, view } = made);
  entry = of;
  board.shape(summary.width, summary.height, summary.palette);
  byId("play-end").hidden = true;
  panel.key = null;
  info.tell({ last: "–" });
  show();
}

function show(extra = {}) {
  const { frame } = view;
  const { placement, column } = frame;
  panel.update(game, view.placed, summary.palette, null);
  board.show(frame, 0, { trigger: panel.trigger, ...extra });
  info.show(frame, summary.palette);
  info.tell({ column: `${Math.min(view.placed + 1, view.columns)} of ${grouped(view.columns)}` });
  if (!extra.propose) say(info.text, frame.text);
  const undo = byId("play-pad").querySelector("[data-press=undo]");
  undo.disabled = !view.can_undo && !before.length;
  undo.title = view.can_undo || !before.length ? "Undo (u)" : "Back to the previous game (u)";
  byId("play-pad").querySelector("[data-press=redo]").disabled = !view.can_redo;
  byId("play-hint").disabled = view.over;
  if (placement && column)
    announce(
      `${column} above position ${placement.stack + 1}${placement.fits ? "" : ", does not fit"}`,
    );
  write(link);
  if (view.over) finish();
  else byId("play-end").hidden = true;
}

// Ends a running animation.
function settle() {
  if (!timer) return;
  clearTimeout(timer);
  timer = 0;
}

// Plays the steps of the column that has just landed, then shows the next one.
function animate() {
  const turn = view.placed - 1;
  let moment = 1;
  const go = () => {
    const frame = ask("frame", { game, turn, moment });
    if (moment >= frame.moments || frame.turn !== turn) return done();
    board.show(frame, PACE * 0.8);
    say(info.points, grouped(frame.points));
    info.tell({ last: gained(frame.turn_points) || "0" });
    if (frame.kind === "marked") announce(frame.text);
    moment += 1;
    timer =
      moment >= frame.moments
        ? setTimeout(done, PACE)
        : setTimeout(go, frame.kind === "marked" ? 2.2 * PACE : PACE);
  };
  const done = () => {
    timer = 0;
    show();
  };
  go();
}

function press(key) {
  settle();
  hush();
  if (key === "undo" && !view.can_undo) {
    if (before.length) {
      const last = before.pop();
      take(last.entry, last.plan);
      say(info.text, "This is the previous game again.");
    }
    return;
  }
  asked += 1;
  view = ask("press", { game, press: key });
  if (view.dropped) {
    panel.leave(false);
    animate();
  } else {
    show();
  }
}

async function hint() {
  settle();
  const mine = ++asked;
  show();
  say(info.text, "The bot is thinking …");
  try {
    const plan = ask("plan", { game, turns: view.placed });
    const found = await advice(entry.case, plan, AHEAD);
    if (mine !== asked || !found) return;
    view = ask("aim", { game, stack: found.stack, shift: found.shift });
    const { placement, column } = view.frame;
    show({ propose: { stack: found.stack, column, landing: placement.landing } });
    say(info.text, found.text);
    const line = () => playLine(found, view.placed);
    info.text.append(" ", make("button", { onclick: line }, "Compare its line with this game"));
    announce(found.text);
  } catch (error) {
    if (mine === asked) complain(error.message);
  }
}

// The bot's line beside this game, which stands still where it is.
function playLine(found, turn) {
  handlers.line(entry, soFar(ask("plan", { game })), found, turn);
}

// The end: this score beside the quickstart's and the bot's on the same columns.
async function finish() {
  const box = byId("play-end");
  if (!box.hidden) return;
  box.hidden = false;
  const mine = asked;
  const rival = botOf(RIVAL_SECONDS);
  const rivals = [
    ["You", view.frame.points],
    ["Quickstart", scoreOf(entry, null).points],
    [rival, null],
  ];
  const fill = () =>
    refill(
      box,
      make("h2", null, "How it went"),
      make(
        "table",
        null,
        make(
          "tbody",
          null,
          ...rivals.map(([name, points]) =>
            make(
              "tr",
              null,
              make("td", null, name),
              make("td", null, points === null ? "Thinking …" : grouped(points)),
            ),
          ),
        ),
      ),
      make("div", { className: "acts" }, make("button", { onclick: watchIt }, "Watch and compare")),
    );
  fill();
  try {
    const known = entry.plans.find((plan) => plan.player === rival);
    rivals[2][1] = (known ?? (await letBotPlay(entry, RIVAL_SECONDS)).plan).points;
  } catch (error) {
    rivals[2][0] = `Bot: ${error.message}`;
  }
  if (mine === asked) fill();
}

function watchIt() {
  const plan = ask("plan", { game });
  handlers.watch(entry, planOf(entry, plan, "By hand"));
}

function key(event) {
  const act = {
    ArrowLeft: () => press("left"),
    ArrowRight: () => press("right"),
    ArrowUp: () => press("shift"),
    ArrowDown: () => press("drop"),
    " ": () => press("drop"),
    u: () => press("undo"),
    r: () => press("redo"),
    h: hint,
  }[event.key];
  act?.();
  return Boolean(act);
}

function newGame(values) {
  const made = generated(values);
  dealt = JSON.stringify(values);
  playFrom(add(made), "0\n");
  if (before.length) say(info.text, "New game. Undo returns to the previous one.");
}

function enter() {
  if (!game) newGame(Object.fromEntries(new FormData(byId("play-form"))));
  show();
}

function repaint() {
  if (!view) return;
  board.draw(1);
  panel.key = null;
  info.show(view.frame, summary.palette);
}

export function bindPlay(to) {
  handlers = to;
  board = new Board(byId("play-board"));
  buildInfo();
  panel = new AskPanel(byId("play-ask"), board, byId("play-pad"), {
    back: () => view && show(),
    play: (stack, shift) => {
      settle();
      view = ask("aim", { game, stack, shift });
      press("drop");
    },
    text: () => entry.case,
    line: playLine,
  });
  byId("play-form").onsubmit = (event) => {
    event.preventDefault();
    hush();
    attemptIn(event.target, () => {
      const { seed } = event.target.elements;
      const values = () => Object.fromEntries(new FormData(event.target));
      // The game that is there already would be no new one: the next seed is.
      if (JSON.stringify(values()) === dealt) seed.value = String(BigInt(seed.value.trim()) + 1n);
      newGame(values());
    });
  };
  for (const button of byId("play-pad").querySelectorAll("[data-press]")) {
    button.onclick = () => press(button.dataset.press);
  }
  byId("play-hint").onclick = hint;
  // A tap on another stack aims there, a second one drops.
  board.canvas.onclick = (event) => {
    const { stack } = board.cellAt(event);
    const there = view.frame.placement?.stack === stack;
    settle();
    if (there) press("drop");
    else {
      asked += 1;
      view = ask("aim", { game, stack });
      show();
    }
  };
}

export const playView = { enter, key, repaint };
