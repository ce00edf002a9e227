// Watch: a plan played on a case, moment by moment.

import { address, full, write } from "./address.js";
import { AskPanel } from "./ask-panel.js";
import { Board } from "./board.js";
import { stop, think } from "./bot.js";
import { byId, announce, complain, download, fileName, grouped, hush, make, say } from "./dom.js";
import { ask } from "./engine.js";
import { addPlan, draw, onPick, pick, picked } from "./library.js";
import { Player } from "./player.js";
import { drawNext } from "./strip.js";

let board, player, panel, summary, game, frame, handlers;
const shown = {};
let start = { turn: 0, moment: 0 };

function field(list, name, label) {
  shown[name] = make("dd", null, "–");
  list.append(make("dt", null, label), shown[name]);
}

function buildInfo(box) {
  const list = make("dl");
  shown.points = make("b", null, "0");
  shown.final = make("p", { className: "hint" });
  field(list, "column", "Column");
  field(list, "placement", "Placement");
  field(list, "turn", "This column");
  field(list, "combo", "Combo");
  field(list, "longest", "Longest chain");
  shown.next = make("canvas", { role: "img" });
  shown.text = make("p", { className: "say" });
  const act = (label, title, onclick) => make("button", { onclick, title }, label);
  box.append(
    make("p", { className: "score" }, make("span", null, shown.points, " points")), shown.final, list,
    make("div", { className: "next" }, make("span", { className: "hint" }, "Next columns"), shown.next),
    shown.text,
    make("div", { className: "acts" },
      act("Copy link", "An address that brings back exactly this moment", copyLink),
      act("Save moment", "A file that brings back exactly this moment", saveMoment),
      act("Download plan", "The plan as a file", savePlan),
      act("Play on from here", "Take over by hand", () => handlers.takeOver(picked().game, ask("plan", { game, turns: player.turn })))));
}

export function link() {
  const { game: entry } = picked();
  const packed = ask("pack", { game, turns: null });
  const from = entry.origin ?? { case: packed.case };
  return address("watch", { ...from, plan: packed.plan || "none", at: `${player.turn}.${player.moment}` });
}

async function copyLink() {
  const text = full(link());
  try {
    await navigator.clipboard.writeText(text);
    announce("The link is in the clipboard");
    say(shown.text, "The link is in the clipboard.");
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
  say(shown.points, grouped(frame.points));
  say(shown.column, `${Math.min(frame.turn + 1, summary.columns)} of ${grouped(summary.columns)}`);
  const shifts = placement && ["no shift", "1 shift", "2 shifts"][placement.shift];
  say(shown.placement, placement ? `position ${placement.stack + 1}, ${shifts}${placement.planned ? "" : " (default)"}` : "–");
  const step = frame.steps ? ` · step ${frame.step} of ${frame.steps}` : "";
  say(shown.turn, `${frame.turn_points ? "+" : ""}${grouped(frame.turn_points)}${step}`);
  say(shown.combo, frame.combo ? `×${frame.combo}` : "–");
  say(shown.longest, frame.longest ? `${frame.longest} ${frame.longest === 1 ? "step" : "steps"}` : "–");
  say(shown.text, frame.text);
  drawNext(shown.next, frame.next, summary.palette);
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
  say(shown.final, `of ${grouped(summary.points)}${summary.ended_early ? `, over after ${grouped(summary.placed)} columns` : ""}`);
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
  drawNext(shown.next, frame.next, summary.palette);
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
