// The Play view: a game that the user plays by hand, with hints from the bot.

import { buildGameAddress, writeAddressLater } from "./address.js";
import { AskPanel } from "./ask-panel.js";
import { Board } from "./board.js";
import { unfinishedPlan } from "./compare.js";
import {
  announce, attemptForm, button, byId, download, safeFileName, gainText, groupDigits, hideMessage, make,
  pressShortcut, refill, setText,
} from "./dom.js";
import { ask } from "./engine.js";
import { botWorker } from "./engine-worker.js";
import { columnNumberText, GamePanel } from "./game-panel.js";
import { findBestLine, judgePlacement, updateReviews } from "./known-lines.js";
import { addCase, botName, findOrAddPlan, letBotPlay, scorePlan } from "./library.js";
import { generateCase } from "./seed.js";
import { switchTo } from "./views.js";

// The duration of a moment in the animation of a drop, in milliseconds. Marked jewels stay longer.
const FRAME_MS = 170;
const RIVAL_SECONDS = 4;

let board, askPanel, gamePanel, game, view, summary, entry;
let timer = 0;
// The column of a review that the user is retrying, and the plan of the columns before it, as {column, plan};
// null if there is none.
let task = null;
// The games that new games have replaced, each as {entry, plan}, the latest last.
const previousGames = [];
// The form values of the latest new game, as JSON.
let lastValues = "";

// Starts a game at the position after the placements of a plan. Undo at the start of the game returns to the
// previous game.
function playFrom(newEntry, plan = "0\n") {
  if (view?.frame.turn) previousGames.push({ entry, plan: ask("plan", { game }) });
  openGame(newEntry, plan);
}

// Lets the user try one column of a reviewed game again. `plan` has the placements before that column.
// `column` is {turn, judged, landings, next, back}: `judged()` returns the review's verdict on the placement
// in the game; `landings(game)` returns where that placement and the best known one land in `game`, which is
// at the same position; `next()` opens the next mistake, if there is one; `back()` returns to the review.
function retry(newEntry, plan, column) {
  if (task?.column !== column) playFrom(newEntry, plan);
  else openGame(newEntry, plan);
  task = { column, plan };
  const { lost } = column.judged();
  const known = lost
    ? `the game loses ${groupDigits(lost)} here. Find a better placement.`
    : "no better placement than the game's is known. Try one.";
  showTask(`Column ${groupDigits(column.turn + 1)}: ${known}`);
}

// Shows text about the column that the user is retrying, with buttons below.
function showTask(text, ...content) {
  const { column, plan } = task;
  const box = byId("play-task");
  box.hidden = false;
  byId("view-play").classList.add("retrying");
  const buttons = [
    ...content,
    column.judged().lost > 0 && button("Show the answer", () => showAnswer(column, plan)),
    column.next && button("Next mistake", column.next),
    button("Back to the review", column.back),
  ];
  const line = make("p", { "aria-live": "polite" }, text);
  refill(box, make("h2", `Retry · ${entry.name}`), line, make("div.acts", buttons));
}

function showAnswer(column, plan) {
  openGame(entry, plan);
  task = { column, plan };
  const { played, better } = column.landings(game);
  const words = ({ column, stack }) => `${column} at position ${stack + 1}`;
  showTask(`Better: ${words(better)}. Played: ${words(played)}.`);
  show({ better, played });
}

// Judges the user's placement as a review does.
async function judgeRetry() {
  const { column, plan } = task;
  const retryButton = button("Try again", () => retry(entry, plan, column));
  const ownTask = (task = { column, plan });
  showTask("The bot is checking your placement …");
  try {
    const own = ask("plan", { game, turns: column.turn + 1 });
    const judge = await judgePlacement(botWorker, entry, own, column.turn);
    updateReviews(entry);
    if (task !== ownTask) return;
    const { lost } = judge();
    const gameLoss = column.judged().lost;
    const comparison = gameLoss ? `, the game's ${groupDigits(gameLoss)}` : "";
    const text = lost
      ? `Your placement loses ${groupDigits(lost)}${comparison}.`
      : "Nothing better found: your placement keeps the best known line.";
    showTask(text, retryButton);
  } catch (error) {
    if (task === ownTask) showTask(error.message, retryButton);
  }
}

function openGame(newEntry, plan) {
  clearTimeout(timer);
  task = null;
  byId("play-task").hidden = true;
  byId("view-play").classList.remove("retrying");
  const opened = ask("play-by-hand", { case: newEntry.case, plan });
  if (game) ask("close", { game });
  ({ game, view } = opened);
  summary = { ...newEntry.facts, ...opened.summary };
  entry = newEntry;
  board.shape(summary.width, summary.height, summary.palette);
  byId("play-end").hidden = true;
  askPanel.invalidate();
  gamePanel.set({ last: "–" });
  show();
}

function show(extra = {}) {
  const { frame } = view;
  const { placement, column } = frame;
  askPanel.update(game, frame.turn, summary.palette, null);
  board.show(frame, 0, { trigger: askPanel.trigger, ...extra });
  gamePanel.show(frame, summary.palette);
  gamePanel.set({ column: columnNumberText(frame, summary) });
  if (!extra.propose) setText(gamePanel.text, frame.text);
  const undo = padButton("undo");
  undo.disabled = !view.can_undo && !previousGames.length;
  undo.title = view.can_undo || !previousGames.length ? "Undo (u)" : "Back to the previous game (u)";
  padButton("redo").disabled = !view.can_redo;
  const isOver = frame.stage === "ended";
  byId("play-hint").disabled = isOver;
  if (placement && column)
    announce(`${column} above position ${placement.stack + 1}${placement.fits ? "" : ", does not fit"}`);
  saveGameLater();
  if (isOver) finish();
  else byId("play-end").hidden = true;
}

// Writes the game to the address a little after the last change.
const saveGameLater = () => writeAddressLater("play", () => buildGameAddress("play", entry, [game]));

const padButton = (action) => byId("play-pad").querySelector(`[data-press=${action}]`);

// Animates the turn of the column that has just landed, then shows the next column.
function animate() {
  const turn = view.frame.turn - 1;
  let moment = 1;
  const step = () => {
    const frame = ask("frame", { game, turn, moment });
    if (moment >= frame.moment_count || frame.turn !== turn) return show();
    board.show(frame, FRAME_MS * 0.8);
    setText(gamePanel.points, groupDigits(frame.points));
    gamePanel.set({ last: gainText(frame.turn_points) || "0" });
    if (frame.stage === "marked") announce(frame.text);
    moment += 1;
    timer = setTimeout(step, frame.stage === "marked" ? 2.2 * FRAME_MS : FRAME_MS);
  };
  step();
}

function press(key) {
  clearTimeout(timer);
  hideMessage();
  if (key === "undo" && !view.can_undo) {
    if (previousGames.length) {
      const last = previousGames.pop();
      openGame(last.entry, last.plan);
      setText(gamePanel.text, "Back in the previous game.");
    }
    return;
  }
  view = ask("perform", { game, action: key });
  if (view.has_landed) {
    // The user may leave Play during the animation.
    saveGameLater();
    askPanel.leave(false);
    if (task && view.frame.turn === task.column.turn + 1) judgeRetry();
    animate();
  } else {
    show();
  }
}

async function hint() {
  clearTimeout(timer);
  show();
  const askedView = view;
  setText(gamePanel.text, "The bot is thinking …");
  try {
    const plan = ask("plan", { game });
    const line = await findBestLine(botWorker, entry, plan, view.frame.turn);
    if (askedView !== view) return;
    view = ask("aim", { game, stack: line.stack, shift: line.shift });
    const { placement, column } = view.frame;
    show({ propose: { stack: line.stack, column, row: placement.row } });
    setText(gamePanel.text, line.text);
    const compare = () => playLine(line.plan, view.frame.turn);
    gamePanel.text.append(" ", button("Compare its line with this game", compare));
    announce(line.text);
  } catch (error) {
    if (askedView !== view) return;
    setText(gamePanel.text, error.message);
    announce(error.message);
  }
}

// Compares the bot's line with this game up to its current position.
function playLine(line, turn) {
  switchTo("compare").compareLine(entry, unfinishedPlan(ask("plan", { game })), line, turn);
}

// Shows the final score, with the scores of quickstart and the bot on the same case.
async function finish() {
  const box = byId("play-end");
  if (!box.hidden) return;
  box.hidden = false;
  const rival = botName(RIVAL_SECONDS);
  const row = (name, text) => make("tr", make("td", name), make("td", text));
  const own = row("You", groupDigits(view.frame.points));
  const quickstart = row("Quickstart", groupDigits(scorePlan(entry, null).points));
  const bot = row(rival, "Thinking …");
  const watch = make("div.acts", button("Watch and compare", watchGame));
  refill(box, make("h2", "Final scores"), make("table", own, quickstart, bot), watch);
  try {
    const known = entry.plans.find((plan) => plan.player === rival);
    setText(bot.lastChild, groupDigits((known ?? (await letBotPlay(entry, RIVAL_SECONDS)).plan).points));
  } catch (error) {
    setText(bot.lastChild, error.message);
  }
}

function watchGame() {
  const plan = ask("plan", { game });
  switchTo("watch").showAt(entry, findOrAddPlan(entry, plan, "By hand"), 0, 0);
}

function newGame(values) {
  playFrom(addCase(generateCase(values)));
  lastValues = JSON.stringify(values);
  if (previousGames.length) setText(gamePanel.text, "New game. Undo returns to the previous one.");
}

function enter() {
  if (!game) newGame(Object.fromEntries(new FormData(byId("play-form"))));
  show();
}

function repaint() {
  if (!view) return;
  board.draw(1);
  askPanel.invalidate();
  gamePanel.show(view.frame, summary.palette);
}

function bind() {
  board = new Board(byId("play-board"));
  const facts = { column: "Column", last: "Last column", longest: "Longest so far" };
  gamePanel = new GamePanel(byId("play-hud"), byId("play-info"), facts, [
    button("Restart", () => view.frame.turn && playFrom(entry)),
    button("Watch this game", watchGame),
    button("Download plan", () => download(safeFileName(entry.name, ".out.txt"), ask("plan", { game }))),
  ]);
  askPanel = new AskPanel(byId("play-ask"), board, byId("play-pad"), {
    back: () => view && show(),
    play: (stack, shift) => {
      // During an animation, the panel lists the placements of the column that has landed.
      if (view.frame.turn !== askPanel.turn) return;
      view = ask("aim", { game, stack, shift });
      press("drop");
    },
    entry: () => entry,
    line: playLine,
  });
  byId("play-form").onsubmit = ({ target }) =>
    attemptForm(target, () => {
      const { seed } = target.elements;
      const values = () => Object.fromEntries(new FormData(target));
      // The same values would generate the same case: use the next seed.
      if (JSON.stringify(values()) === lastValues) seed.value = String(BigInt(seed.value.trim()) + 1n);
      newGame(values());
    });
  for (const key of byId("play-pad").querySelectorAll("[data-press]"))
    key.onclick = () => press(key.dataset.press);
  byId("play-hint").onclick = hint;
  // A tap on another stack moves the column there; a second tap drops the column.
  board.canvas.onclick = (event) => {
    const { stack } = board.cellAt(event);
    if (view.frame.placement?.stack === stack) return press("drop");
    clearTimeout(timer);
    view = ask("aim", { game, stack });
    show();
  };
}

export const playView = {
  bind,
  enter,
  playFrom,
  retry,
  handleKey: (event) => pressShortcut(byId("play-pad"), event),
  repaint,
};
