// The Watch view: a plan played on a case, step by step.

import { fullUrl, buildGameAddress, linksAreLocal, writeAddressLater } from "./address.js";
import { AskPanel } from "./ask-panel.js";
import { settings } from "./results-settings.js";
import { Board } from "./board.js";
import { ChainPanel } from "./chain-panel.js";
import {
  announce, button, byId, capitalise, copyText, countText, download, groupDigits, make, refill, safeFileName,
  setText, showError, showNote,
} from "./dom.js";
import { ask } from "./engine.js";
import { botWorker } from "./engine-worker.js";
import { drawFailures } from "./failures.js";
import { gameAtOffset, watchableGames } from "./filter.js";
import { columnNumberText, GamePanel } from "./game-panel.js";
import {
  currentPick, hasPointsMismatch, isPlayable, letBotPlay, onGamesChange, onPick, pickGame, preferredPlan,
  QUICKSTART, quickstartPlan, scoreAllPlans, updateResult,
} from "./library.js";
import { landings } from "./known-lines.js";
import { Playback } from "./playback.js";
import { playerName } from "./players.js";
import { removePlan } from "./removal.js";
import { ReviewPanel } from "./review-panel.js";
import { savePicture, saveVideo } from "./share.js";
import { isGrowing, pointsText, statusOf } from "./standings.js";
import { handleCaseKey, switchTo } from "./views.js";

// The length at which many programs truncate a link, in characters.
const MAX_LINK_LENGTH = 2000;

let board, playback, askPanel, chains, reviewPanel, gamePanel, summary, game, frame;
// The text of the plan that the view shows; a newer text may have replaced it.
let shownText = null;

function buildGamePanel() {
  const act = (label, title, onclick) => button(label, onclick, { title });
  const film = (turn) => ({ target }) => recordVideo(target, turn());
  const facts = { column: "Column", turn: "This column", longest: "Longest so far" };
  const toPlay = () => switchTo("play").playFrom(currentPick().game, planBefore(playback.turn));
  gamePanel = new GamePanel(byId("watch-hud"), byId("watch-info"), facts, [
    act("Play from here", "Continue this game by hand", toPlay),
    byId("marks"),
  ]);
  const shares = [
    act("Copy link", "Copy a link to this moment", copyLink),
    act("Picture", "Download this moment as a PNG picture", () => savePicture(currentShare(), frame)),
    act("Video of this chain", "Record this column's chain, in real time", film(() => frame.turn)),
    act("Video of the game", "Record the whole game, at most half a minute", film(() => null)),
    act("Download plan", "Download the plan as a file", savePlan),
  ];
  byId("watch-info").append(make("details.share", make("summary", "Share"), make("div.acts", shares)));
}

function currentShare() {
  const { game: entry, plan } = currentPick();
  return { game, summary, name: entry.name, player: playerName(plan.player) };
}

// Returns the placements before a turn, as a plan.
const planBefore = (turn) => ask("plan", { game, turns: turn });

const buildLink = () => buildGameAddress("watch", currentPick().game, [game], playback.position);

async function copyLink() {
  const url = fullUrl(buildLink());
  if (!(await copyText(url))) {
    return showError(
      "The browser does not allow this page to write to the clipboard. " +
        `The link is in the address bar${url.length < 300 ? `: ${url}` : "."}`,
    );
  }
  const size = `It has ${groupDigits(url.length)} characters`;
  const notes = [
    "Link copied.",
    url.length > MAX_LINK_LENGTH && `${size}: some programs truncate long links.`,
    linksAreLocal() && "It works only on this computer, because this page is a local file.",
  ];
  announce(notes[0]);
  setText(gamePanel.text, notes.filter(Boolean).join(" "));
}

// Records a video of the chain of a turn, or of the whole game if the turn is null.
async function recordVideo(button, turn) {
  button.disabled = true;
  try {
    playback.pause();
    await saveVideo(currentShare(), turn, (part) =>
      setText(gamePanel.text, `Recording the video, ${Math.round(100 * part)} % …`),
    );
    setText(gamePanel.text, "The video was saved to your downloads.");
  } catch (error) {
    showError(error.message);
  } finally {
    button.disabled = false;
  }
}

function savePlan() {
  download(safeFileName(currentPick().game.name, ".out.txt"), currentPick().plan.plan);
}

function showFrame([next], milliseconds) {
  frame = next;
  const { placement, column } = frame;
  const chosen = placement && column ? { stack: placement.stack, column } : null;
  askPanel.update(game, frame.turn, summary.palette, chosen);
  const isFalling = frame.stage === "falling";
  const { played, better } = reviewPanel.showTurn(frame.turn);
  board.show(frame, milliseconds, isFalling ? { trigger: askPanel.trigger, played, better } : {});
  gamePanel.show(frame, summary.palette);
  chains.show(frame);
  // The points and steps so far, out of the totals of the whole chain.
  const [all, chain] = [summary.points_by_turn[frame.turn] ?? 0, summary.steps_by_turn[frame.turn]];
  const step = frame.step ? `step ${frame.step} of ${chain}` : countText(chain, "step");
  gamePanel.set({
    column: columnNumberText(frame, summary),
    turn: all ? `${groupDigits(frame.turn_points)} of ${groupDigits(all)}${chain ? ` · ${step}` : ""}` : "0",
  });
  setText(gamePanel.text, frame.text);
  if (!playback?.playing) {
    announce(frame.text);
    writeAddressLater("watch", buildLink);
  }
}

// Draws the player, its final score, quickstart's score and the status, beside the board.
function drawSummary() {
  const { game: entry, plan } = currentPick();
  if (!entry || !summary) return;
  const base = entry.plans.find((one) => one.player === QUICKSTART);
  const rival = plan !== base && base.points !== null;
  const state = statusOf(entry, plan);
  setText(gamePanel.player, playerName(plan.player));
  const notes = [
    plan.failure ? `${pointsText(plan)}, 0 points` : `Final ${groupDigits(summary.points)}`,
    ...(rival ? [`Quickstart ${groupDigits(base.points)}`] : []),
    ...(state && !plan.failure ? [capitalise(state.text)] : []),
    ...(hasPointsMismatch(plan) ? [`The run reports ${groupDigits(plan.reported.points)}`] : []),
  ];
  setText(gamePanel.note, notes.join(" · "));
  drawFailures(byId("watch-failures"), [plan], [""]);
}

function load(entry, plan, start) {
  shownText = plan.plan;
  const opened = ask("watch", { case: entry.case, plan: plan.plan });
  if (game) ask("close", { game });
  game = opened.game;
  summary = { ...entry.facts, ...opened };
  const { points, placed, planned, error } = summary;
  updateResult(Object.assign(plan, { own: { points, placed, planned, error } }));
  board.shape(summary.width, summary.height, summary.palette);
  askPanel.invalidate();
  chains.load(game, summary);
  drawSummary();
  // Show an invalid plan at its mistake, unless the caller chose another moment.
  const { turn, moment } = start ?? { turn: summary.error ? summary.placed : 0, moment: 0 };
  reviewPanel.load(game, summary, entry, plan);
  playback.load([{ game, plan, summary }], turn, moment);
  playback.timeline.setMoves(reviewPanel.moves);
}

async function play() {
  const { game: entry } = currentPick();
  const seconds = Number(byId("bot-time").value);
  const [bar, button, cancel] = [byId("bot-progress"), byId("bot-play"), byId("bot-cancel")];
  const start = performance.now();
  bar.hidden = cancel.hidden = false;
  button.disabled = true;
  const timer = setInterval(() => {
    const now = (performance.now() - start) / 1000;
    bar.value = Math.min(1, now / seconds);
    setText(byId("bot-text"), `Thinking, ${now.toFixed(0)} of ${seconds} s.`);
  }, 100);
  try {
    const { answer, plan } = await letBotPlay(entry, seconds);
    setText(
      byId("bot-text"),
      `${groupDigits(answer.points)} points, ${groupDigits(answer.nodes)} states ` +
        `in ${answer.seconds.toFixed(1)} s.`,
    );
    if (currentPick().game === entry) pickGame(entry, plan);
  } catch (error) {
    setText(byId("bot-text"), error.message);
  } finally {
    clearInterval(timer);
    bar.hidden = cancel.hidden = true;
    bar.value = 0;
    button.disabled = false;
  }
}

// Shows the game of the same player on another case of the list.
function showCaseAtOffset(offset) {
  const { game, plan } = currentPick();
  const next = gameAtOffset(game, offset);
  pickGame(next, preferredPlan(next, plan.player));
}

// Draws the current case and its players.
function drawGames() {
  const { game: entry, plan: current } = currentPick();
  if (!entry || byId("view-watch").hidden) return;
  if (current.plan !== shownText) return pickGame(entry, current, { turn: playback.turn, moment: 0 });
  const { width, height, columns, colours } = entry.facts;
  byId("intro").hidden = !entry.temporary;
  setText(byId("game-name"), entry.name);
  setText(
    byId("game-about"),
    `${width} × ${height}, ${countText(columns, "column")}, ` +
      `${countText(colours, "colour")}${isGrowing(entry.facts) ? ", growing" : ""}`,
  );
  const visible = (plan) => plan === current || !settings.hidden.includes(plan.player);
  refill(
    byId("games"),
    ...entry.plans.filter(visible).map((plan) => {
      const name = playerName(plan.player);
      const isKnown = isPlayable(plan);
      const properties = {
        disabled: !isKnown,
        "aria-current": String(current === plan),
        title: plan.reason ?? (isKnown ? plan.name : "Only the points are known"),
      };
      const show = () => pickGame(entry, plan.player === QUICKSTART ? quickstartPlan(entry) : plan);
      const forget = () => showNote(`${name} was removed from this case.`, removePlan(entry, plan));
      // Plans made on this page are removed here; players from files are removed in Results.
      const isOwn = !plan.opened && plan.player !== QUICKSTART;
      return make(
        "li",
        button([make("span", name), make("span", pointsText(plan))], show, properties),
        isOwn && button("×", forget, { className: "remove", "aria-label": `Remove ${name}` }),
      );
    }),
  );
  const playable = watchableGames(entry);
  const at = playable.indexOf(entry);
  byId("game-turns").hidden = playable.length < 2;
  setText(byId("game-count"), `${groupDigits(at + 1)} of ${groupDigits(playable.length)}`);
  drawSummary();
  reviewPanel.update();
}

// Lets the user play a judged column again in Play, with buttons for the next mistake and the review.
function retry(turn) {
  const { game: entry, plan } = currentPick();
  const next = reviewPanel.neighbour(turn, 1);
  // If another plan replaces this one, the review of this one stays valid for the column.
  const { plan: text, review: { moves } } = plan;
  const judged = () => ((plan.plan === text && plan.review?.moves) || moves)[turn];
  switchTo("play").retry(entry, planBefore(turn), {
    turn,
    judged,
    landings: (game) => landings(game, text, judged()),
    next: next !== undefined && (() => retryNext(entry, plan, next)),
    back: () => switchTo("watch").showAt(entry, plan, turn, 0),
  });
}

// Lets the user retry the next mistake of a plan. In the meantime, Watch may show another plan, or the plan
// may have been replaced.
function retryNext(entry, plan, turn) {
  if (!plan.review?.moves[turn]) return switchTo("watch").showAt(entry, plan, turn, 0);
  if (currentPick().plan !== plan) pickGame(entry, plan);
  retry(turn);
}

function repaint() {
  if (!frame) return;
  board.draw(1);
  playback.timeline.draw();
  gamePanel.show(frame, summary.palette);
  chains.draw();
  askPanel.invalidate();
}

export const shownTurn = () => playback.turn;

export const watchView = {
  bind,
  showAt: (entry, plan, turn, moment) => pickGame(entry, plan, { turn, moment }),
  enter: () => {
    playback.show();
    drawGames();
  },
  leave: () => playback.pause(),
  handleKey: (event) =>
    handleCaseKey(event, currentPick().game, showCaseAtOffset) ||
    reviewPanel.handleKey(event) ||
    playback.handleKey(event),
  repaint,
};

function bind() {
  board = new Board(byId("watch-board"));
  buildGamePanel();
  askPanel = new AskPanel(byId("watch-ask"), board, byId("watch-transport"), {
    back: () => playback.show(),
    entry: () => currentPick().game,
    line: (advice, turn) => {
      const { game: entry, plan } = currentPick();
      switchTo("compare").compareLine(entry, plan, advice, turn);
    },
  });
  playback = new Playback(byId("watch-transport"), showFrame);
  chains = new ChainPanel(byId("watch-chain"), (turn) => playback.go(turn, 0));
  reviewPanel = new ReviewPanel(byId("watch-review"), {
    show: (moves) => {
      if (playback.games[0]?.game !== game) return;
      playback.timeline.setMoves(moves);
      playback.show();
    },
    seek: (turn) => playback.go(turn, 0),
    retry,
  });
  onPick((entry, plan, start) => {
    try {
      load(entry, plan, start);
    } catch (error) {
      showError(`${plan.name}: ${error.message}`);
    }
    scoreAllPlans();
  });
  let pending = 0;
  onGamesChange(() => {
    pending ||= requestAnimationFrame(() => {
      pending = 0;
      drawGames();
    });
  });
  byId("game-back").onclick = () => showCaseAtOffset(-1);
  byId("game-on").onclick = () => showCaseAtOffset(1);
  byId("intro-bot").onclick = () => {
    byId("open-bot").open = true;
    byId("open-bot").scrollIntoView({ block: "nearest" });
    byId("open-bot").querySelector("summary").focus();
    play();
  };
  byId("bot-play").onclick = play;
  byId("bot-cancel").onclick = () => botWorker.stop();
}
