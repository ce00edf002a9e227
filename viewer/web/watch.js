// Watch: a plan played on a case, moment by moment.

import { full, gameAddress, write } from "./address.js";
import { AskPanel } from "./ask-panel.js";
import { Board } from "./board.js";
import { stop, think } from "./bot.js";
import { byId, announce, complain, download, fileName, grouped, hush, make, say } from "./dom.js";
import { ask } from "./engine.js";
import { Info } from "./info.js";
import { addPlan, draw, onPick, pick, picked } from "./library.js";
import { Player } from "./player.js";

let board, player, panel, info, summary, game, frame, handlers;
let start = { turn: 0, moment: 0 };

function buildInfo(box) {
  const act = (label, title, onclick) => make("button", { onclick, title }, label);
  info = new Info(box,
    { column: "Column", placement: "Placement", turn: "This column", combo: "Combo", longest: "Longest chain" },
    [
      act("Copy link", "An address that brings back exactly this moment", copyLink),
      act("Save moment", "A file that brings back exactly this moment", saveMoment),
      act("Download plan", "The plan as a file", savePlan),
      act("Play on from here", "Take over by hand", () => handlers.takeOver(picked().game, ask("plan", { game, turns: player.turn }))),
    ]);
}

function link() {
  return gameAddress("watch", picked().game, [game], player.at);
}

async function copyLink() {
  const text = full(link());
  try {
    await navigator.clipboard.writeText(text);
    announce("The link is in the clipboard");
    say(info.text, "The link is in the clipboard.");
  } catch {
    complain(`The browser does not let a page write to the clipboard here. The link is in the address bar${text.length < 300 ? `: ${text}` : "."}`);
  }
}

function saveMoment() {
  const name = fileName(picked().game.name, `-column-${player.turn + 1}.columns.txt`);
  download(name, ask("save", { address: link() }));
}

function savePlan() {
  download(fileName(picked().game.name, ".out.txt"), picked().plan.plan);
}

function showFrame([next], milliseconds) {
  frame = next;
  const { placement, column } = frame;
  panel.update(game, frame.turn, summary.palette, placement && column ? { stack: placement.stack, column } : null);
  board.show(frame, milliseconds, { trigger: frame.kind === "falling" ? panel.trigger : null });
  info.show(frame, summary.palette);
  const shifts = placement && ["no shift", "1 shift", "2 shifts"][placement.shift];
  const step = frame.steps ? ` · step ${frame.step} of ${frame.steps}` : "";
  info.tell({
    column: `${Math.min(frame.turn + 1, summary.columns)} of ${grouped(summary.columns)}`,
    placement: placement ? `position ${placement.stack + 1}, ${shifts}${placement.planned ? "" : " (default)"}` : "–",
    turn: `${frame.turn_points ? "+" : ""}${grouped(frame.turn_points)}${step}`,
    combo: frame.combo ? `×${frame.combo}` : "–",
  });
  say(info.text, frame.text);
  if (!player?.playing) {
    announce(frame.text);
    write(link);
  }
}

function load(entry, plan) {
  hush();
  const made = ask("watch", { case: entry.case, plan: plan.plan });
  if (game) ask("close", { game });
  ({ game, ...summary } = made);
  plan.points = summary.points;
  board.shape(summary.width, summary.height, summary.palette);
  say(info.note, `of ${grouped(summary.points)}${summary.ended_early ? `, over after ${grouped(summary.placed)} columns` : ""}`);
  panel.key = null;
  player.load([{ game, summary }], start.turn, start.moment);
  start = { turn: 0, moment: 0 };
}

// Picks a game, to be shown at a moment.
export function watchAt(entry, plan, turn, moment) {
  start = { turn, moment };
  pick(entry, plan);
}

async function letBotPlay() {
  const { game: entry } = picked();
  const seconds = Number(byId("bot-time").value);
  const [bar, button, cancel] = [byId("bot-progress"), byId("bot-play"), byId("bot-cancel")];
  const began = performance.now();
  bar.hidden = cancel.hidden = false;
  button.disabled = true;
  const timer = setInterval(() => {
    bar.value = Math.min(1, (performance.now() - began) / 1000 / seconds);
    say(byId("bot-text"), `thinking, ${((performance.now() - began) / 1000).toFixed(0)} of ${seconds} s`);
  }, 100);
  try {
    const found = await think("solve", { case: entry.case, seconds, nodes: null });
    say(byId("bot-text"), `${grouped(found.points)} points, ${grouped(found.nodes)} positions in ${found.seconds.toFixed(1)} s`);
    const plan = addPlan(entry, `bot, ${seconds} s`, found.plan, found.points);
    pick(entry, plan);
  } catch (error) {
    say(byId("bot-text"), error.message);
  } finally {
    clearInterval(timer);
    bar.hidden = cancel.hidden = true;
    bar.value = 0;
    button.disabled = false;
  }
}

export function repaintWatch() {
  if (!frame) return;
  board.draw(1);
  player.timeline.repaint();
  info.show(frame, summary.palette);
  panel.key = null;
}

export function watchKey(event) {
  return player.key(event);
}

export function leaveWatch() {
  player.pause();
}

export function enterWatch() {
  player.show();
}

export function bindWatch(to) {
  handlers = to;
  board = new Board(byId("watch-board"));
  buildInfo(byId("watch-info"));
  panel = new AskPanel(byId("watch-ask"), board, { back: () => player.show() });
  player = new Player(byId("watch-transport"), showFrame);
  onPick((entry, plan) => {
    try {
      load(entry, plan);
    } catch (error) {
      complain(`${plan.name}: ${error.message}`);
    }
    draw();
  });
  byId("bot-play").onclick = letBotPlay;
  byId("bot-cancel").onclick = () => stop();
}
