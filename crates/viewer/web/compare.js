// The Compare view: two plans for one case side by side, and the difference between their points.

import { buildGameAddress, writeAddressLater } from "./address.js";
import { settings } from "./results-settings.js";
import { Board } from "./board.js";
import { prepareCanvas, themeColour, traceLines } from "./canvas.js";
import {
  announce, attempt, byId, fillMenu, groupDigits, make, refill, setText, total, turnItem,
} from "./dom.js";
import { ask } from "./engine.js";
import { drawFailures } from "./failures.js";
import { gameAtOffset, watchableGames } from "./filter.js";
import { currentPick, onGamesChange, preferredPlan, QUICKSTART, quickstartPlan } from "./library.js";
import { Playback } from "./playback.js";
import { playerName } from "./players.js";
import { comparedPlayers } from "./standings.js";
import { handleCaseKey } from "./views.js";
import { shownTurn } from "./watch.js";

const SIDES = ["a", "b"];

let boards, playback;
let sides = [];
// The plans in the menus.
let choices = [];
let entry = null;
let difference = [];
// `plans` contains the bot's line for `game` and, if the line is compared with an unfinished plan, that plan.
// Both have the fields of a plan, and `until`: the number of columns to show.
let line = { game: null, plans: [] };

// Returns the playable plans of a game. Leaves out plans of hidden players, except those in `wanted`.
function playablePlans(game, wanted) {
  quickstartPlan(game);
  const plans = game.plans.filter(
    (plan) => plan.plan !== null && (wanted.includes(plan) || !settings.hidden.includes(plan.player)),
  );
  return line.game === game ? [...line.plans, ...plans] : plans;
}

// Limits a summary to the first `until` columns.
function truncate(summary, until) {
  if (until === undefined || until >= summary.placed) return summary;
  const points_by_turn = summary.points_by_turn.slice(0, until);
  const event_turns = summary.event_turns.filter((turn) => turn < until);
  return { ...summary, points_by_turn, points: total(points_by_turn), event_turns, placed: until };
}

function load(turn = 0, moment = 0) {
  const plans = SIDES.map((side) => choices[Number(byId(`compare-${side}`).value)]);
  sides.forEach(({ game }) => ask("close", { game }));
  const until = plans.find((plan) => plan.until)?.until;
  sides = plans.map((plan, i) => {
    const summary = { ...entry.facts, ...ask("watch", { case: entry.case, plan: plan.plan }) };
    boards[i].shape(summary.width, summary.height, summary.palette);
    return { game: summary.game, summary: truncate(summary, plan.until ?? until), plan, text: plan.plan };
  });
  const [a, b] = sides.map(({ summary }) => summary.points_by_turn);
  const length = Math.max(a.length, b.length);
  let ahead = 0;
  difference = Array.from({ length }, (_, i) => (ahead += (a[i] ?? 0) - (b[i] ?? 0)));
  playback.load(sides, turn, moment);
  drawTurningPoints();
}

// Returns the turning points, each as {turn, text, title}: the column where the lead becomes permanent, the
// columns whose points differ most, and the first column after which the two fields differ.
function turningPoints() {
  const [a, b] = sides.map(({ summary }) => summary.points_by_turn);
  const leader = Math.sign(difference.at(-1) ?? 0);
  const lead = leader && difference.findLastIndex((ahead) => Math.sign(ahead) !== leader) + 1;
  const swings = difference.map((_, turn) => ({ turn, size: (a[turn] ?? 0) - (b[turn] ?? 0) }));
  const largest = swings.filter(({ size }) => size).sort((a, b) => Math.abs(b.size) - Math.abs(a.size));
  const [positionsA, positionsB] = sides.map(({ text: plan, summary: { placed: columns } }) =>
    ask("trace-line", { case: entry.case, plan, turn: 0, columns }).positions,
  );
  // Turn `first` leads to the first position that only one game has.
  const differing = positionsA.findIndex((position, i) => position !== positionsB[i]);
  const first = (differing < 0 ? positionsA.length : differing) - 1;
  const name = (sign) => (sign > 0 ? "A" : "B");
  const point = (turn, text, title) => ({ turn, text, title });
  return [
    leader && point(lead, `${name(leader)} leads for good`, "From here on the leader stays the same"),
    ...largest
      .slice(0, 3)
      .map(({ turn, size }) =>
        point(turn, `${name(size)} +${groupDigits(Math.abs(size))}`, "One of the three largest swings"),
      ),
    first < playback.end &&
      point(first, "First difference", "The first column after which the two fields differ"),
  ].filter(Boolean);
}

function drawTurningPoints() {
  const item = ({ turn, text, title }) => turnItem(text, turn, title, () => playback.go(turn, 0));
  const items = turningPoints().map(item);
  refill(byId("compare-turns"), items.length ? items : make("li.hint", "The two games are equal."));
}

function buildLink() {
  // In a link, the bot's line comes first.
  const [a, b] = sides[1].plan === line.plans[0] ? sides.toReversed() : sides;
  return buildGameAddress("compare", entry, [a.game, b.game], playback.position, a.plan.until);
}

function show(frames, milliseconds) {
  frames.forEach((frame, i) => {
    boards[i].show(frame, milliseconds);
    const name = `${"AB"[i]} · ${playerName(sides[i].plan.player)} · ${groupDigits(frame.points)}`;
    setText(byId(`compare-name-${SIDES[i]}`), name);
  });
  const ahead = frames[0].points - frames[1].points;
  const leader = `${ahead > 0 ? "A" : "B"} is ahead by ${groupDigits(Math.abs(ahead))}`;
  const who = ahead ? leader : "A and B are level";
  const [a, b] = sides.map(({ summary }) => summary.points);
  const column = Math.min(playback.turn + 1, sides[0].summary.columns);
  const where = sides.some(({ plan }) => plan.until) ? "Where the line ends" : "At the end";
  const end = `${where}: A ${groupDigits(a)}, B ${groupDigits(b)}.`;
  const text = `Column ${groupDigits(column)}: ${who}. ${end}`;
  drawFailures(byId("compare-failures"), sides.map(({ plan }) => plan), ["A · ", "B · "]);
  setText(byId("compare-text"), text);
  drawDifference();
  if (!playback.playing) {
    announce(text);
    writeAddressLater("compare", buildLink);
  }
}

function drawDifference() {
  const sheet = prepareCanvas(byId("compare-chart"));
  if (!sheet) return;
  const { context, width, height, ratio } = sheet;
  const [low, high] = [Math.min(0, ...difference), Math.max(0, ...difference)];
  const room = 16 * ratio;
  const scale = (height - 2 * room) / Math.max(1, high - low);
  const middle = high > low ? room + high * scale : height / 2;
  const columns = sides[0].summary.columns;
  const x = (column) => (column / columns) * width;
  const y = (points) => middle - points * scale;
  for (const [colour, keep] of Object.entries({ up: Math.max, down: Math.min })) {
    context.fillStyle = themeColour(colour);
    const stairs = difference.flatMap((points, i) => [i, i + 1].map((at) => [x(at), y(keep(0, points))]));
    traceLines(context, [[0, middle], ...stairs, [x(difference.length), middle]]);
    context.fill();
  }
  context.fillStyle = themeColour("ink");
  context.fillRect(0, middle - ratio / 2, width, ratio);
  context.fillRect(Math.min(width - 2, x(playback.turn)), 0, 2 * ratio, height);
  context.fillStyle = themeColour("soft");
  context.textAlign = "left";
  if (high) context.fillText(`A ahead by up to ${groupDigits(high)}`, 4 * ratio, 12 * ratio);
  if (low) context.fillText(`B ahead by up to ${groupDigits(-low)}`, 4 * ratio, height - 4 * ratio);
}

// Selects the two plans to compare. By default, the first is the plan in Watch, or the first playable plan if
// Watch shows quickstart's plan or another game. The second is the plan of player A in Results, or of B if A
// has the first plan, or else quickstart's.
function choose(game, a = null, b = null) {
  entry = game;
  choices = playablePlans(game, [a, b, currentPick().plan]);
  const names = choices.map(({ player }) => playerName(player));
  const isShown = currentPick().game === game && currentPick().plan.player !== QUICKSTART;
  const cases = watchableGames(game);
  fillMenu(byId("compare-case"), cases.map(({ name }) => name), cases.indexOf(game));
  const first = Math.max(0, choices.indexOf(a ?? (isShown ? currentPick().plan : null)));
  const rival = comparedPlayers().find((player) => player !== choices[first].player);
  const other = b ? choices.indexOf(b) : choices.findLastIndex(({ player }) => player === rival);
  fillMenu(byId("compare-a"), names, first);
  fillMenu(byId("compare-b"), names, other < 0 ? choices.length - 1 : other);
}

function compareAt(game, a, b, turn, moment) {
  choose(game, a, b);
  load(turn, moment);
}

// Returns a plan that is shown only up to its last placement: a game played by hand, or a line of the bot.
export function unfinishedPlan(plan, player = "This game so far") {
  return { player, plan, until: Number.parseInt(plan, 10) };
}

// Compares the bot's line with the plan of a game, beginning at a turn.
function compareLine(game, plan, text, turn, moment = 0) {
  const advised = unfinishedPlan(text, "The bot's line");
  line = { game, plans: plan.until === undefined ? [advised] : [advised, plan] };
  compareAt(game, advised, plan, turn, moment);
}

function enter() {
  const { game } = currentPick();
  const [a, b] = sides.map(({ plan }) => plan);
  if (entry === game && a) compareAt(game, a, b, playback.turn, playback.moment);
  // Begin at the column that Watch shows.
  else compareAt(game, null, null, shownTurn());
}

function repaint() {
  if (!sides.length) return;
  boards.forEach((board) => board.draw(1));
  playback.timeline.draw();
  drawDifference();
}

// Compares the same players on another case.
function showCase(game) {
  attempt(() => {
    choose(game, ...sides.map(({ plan }) => preferredPlan(game, plan.player)));
    load();
  });
}

function bind() {
  boards = SIDES.map((side) => new Board(byId(`compare-board-${side}`)));
  playback = new Playback(byId("compare-transport"), show);
  byId("compare-case").onchange = ({ target }) => showCase(watchableGames(entry)[target.value]);
  byId("compare-a").onchange = byId("compare-b").onchange = () =>
    attempt(() => load(playback.turn, 0));
  byId("compare-chart").onclick = ({ offsetX, target }) =>
    playback.go(Math.floor((offsetX / target.clientWidth) * sides[0].summary.columns), 0);
  // Update the menus when the plans of the case change, and the boards when their plans are replaced.
  onGamesChange((game) => {
    if (!game || game !== entry || byId("view-compare").hidden) return;
    choose(game, ...sides.map(({ plan }) => plan));
    if (sides.some(({ plan, text }) => plan.plan !== text)) load(playback.turn);
  });
  new ResizeObserver(() => sides.length && drawDifference()).observe(byId("compare-chart"));
}

export const compareView = {
  bind,
  showAt: compareAt,
  compareLine,
  // Goes to the column where the lead becomes permanent. If the games end level, goes to the largest swing.
  goToLead: () => playback.go(turningPoints()[0]?.turn ?? 0, 0),
  enter,
  leave: () => playback.pause(),
  handleKey: (event) =>
    handleCaseKey(event, entry, (offset) => showCase(gameAtOffset(entry, offset))) ||
    playback.handleKey(event),
  repaint,
};
