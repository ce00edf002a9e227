// Finds the best known line of a position, and the loss of a placement. Reviews, Retry, Ask and hints all use
// this module, so they cannot contradict each other.
//
// All known lines of a case form one graph, in which equal positions are one node. A line that was known
// before a placement therefore stays known after it, regardless of which search found the line. For example,
// with positions p, q and r and placements a and b:
//
//     column 7: the search finds p -a-> q -b-> r, 1,410 points until column 60
//     column 8: if the game plays a, the search begins at q, and may find less; q -b-> r is still known
//
// The value of a position is the most points that any path from it scores until a fixed column, the horizon.
// The loss of a placement is the value before it, minus its points and the value after it. It is never
// negative, since the placement is an edge of the graph.
//
// A review is {moves, accuracy}: the judged placements by column, and their accuracy in percent. Reviews are
// computed again whenever the graph has grown.

import { total } from "./dom.js";
import { ask } from "./engine.js";
import { notifyGamesChange, quickstartPlan, updateResult } from "./library.js";

// The budget of a search for each column that it looks ahead, in states.
export const NODES_PER_COLUMN = 500;
// The number of columns in a block. All searches that begin in the same block end at the same horizon.
const BLOCK_COLUMNS = 30;
export const MAX_COLUMNS_AHEAD = 2 * BLOCK_COLUMNS;

// Returns the horizon of the lines from the column `turn` on: the first column whose points do not count.
const horizonOf = (turn, columns) =>
  Math.min(columns, BLOCK_COLUMNS * Math.floor(turn / BLOCK_COLUMNS) + MAX_COLUMNS_AHEAD);

// Formats a list of [stack, shift] placements as a plan.
const formatPlan = (placements) =>
  [placements.length, ...placements.map(([stack, shift]) => `${stack + 1} ${shift}`), ""].join("\n");

// Returns the first `count` placements of a plan. Placements after its end are [0, 0], the default.
function firstPlacements(plan, count) {
  const numbers = plan.trim().split(/\s+/).slice(1).map(Number);
  return Array.from({ length: count }, (_, i) => [(numbers[2 * i] ?? 1) - 1, numbers[2 * i + 1] ?? 0]);
}

class LineGraph {
  // The edges {placement, points, next} from each position.
  edges = new Map();
  // The completed searches, as `position/horizon`.
  searched = new Set();
  // The plans whose lines are in this graph, as text.
  plans = new Set();
  // The best edges by horizon and position, computed on first use after a change.
  cache = new Map();
  ready = Promise.resolve();

  add(line) {
    line?.placements.forEach((placement, i) => {
      const [position, next] = [line.positions[i], line.positions[i + 1]];
      if (!this.edges.has(position)) this.edges.set(position, []);
      const list = this.edges.get(position);
      if (!list.some((edge) => edge.next === next)) list.push({ placement, points: line.points[i], next });
    });
    this.cache.clear();
  }

  // Returns the points and the first edge of the best path from `position`, before the column `turn`, to the
  // horizon `until`. An empty path has no edge.
  best(position, turn, until) {
    if (turn >= until) return { points: 0 };
    if (!this.cache.has(until)) this.cache.set(until, new Map());
    const known = this.cache.get(until);
    if (!known.has(position)) {
      let best = { points: 0 };
      for (const edge of this.edges.get(position) ?? []) {
        const points = edge.points + this.best(edge.next, turn + 1, until).points;
        if (!best.edge || points > best.points) best = { points, edge };
      }
      known.set(position, best);
    }
    return known.get(position);
  }

  // Returns the placements of the best path.
  path(position, turn, until) {
    const placements = [];
    for (let at = turn; at < until; at++) {
      const { edge } = this.best(position, at, until);
      if (!edge) break;
      placements.push(edge.placement);
      position = edge.next;
    }
    return placements;
  }

  // Judges the placement of the column `turn` in a line. `known` is an earlier judgement: neither the best
  // points nor those of this placement fall, even if some lines are missing from the graph after a reload.
  judge(line, turn, until, known = { best: 0, lost: 0 }) {
    const at = turn - line.turn;
    const [before, after] = line.positions.slice(at, at + 2);
    const found = this.best(before, turn, until).points;
    const best = Math.max(known.best, found);
    const own = line.points[at] + this.best(after, turn + 1, until).points;
    const lost = best - Math.max(known.best - known.lost, own);
    const better = found < best ? known.line : this.path(before, turn, until);
    return { turn, lost, best, until, ...(lost && { line: better }) };
  }
}

const graphs = new WeakMap();

// Resolves to the graph of a case. It contains the plans that did not fail, and the lines of their reviews.
async function graphOf(worker, game) {
  if (!graphs.has(game)) graphs.set(game, new LineGraph());
  const graph = graphs.get(game);
  quickstartPlan(game);
  // A stopped worker must not prevent later calls from adding the remaining plans.
  graph.ready = graph.ready.catch(() => {}).then(async () => {
    for (const { plan, failure, review } of game.plans) {
      if (plan === null || failure || graph.plans.has(plan)) continue;
      graph.add(await trace(worker, game, plan, 0, game.facts.columns));
      for (const { turn, line } of review?.moves.filter(Boolean) ?? []) {
        if (!line) continue;
        const placements = [...firstPlacements(plan, turn), ...line];
        graph.add(await trace(worker, game, formatPlan(placements), turn, placements.length));
      }
      graph.plans.add(plan);
    }
  });
  await graph.ready;
  return graph;
}

const trace = (worker, game, plan, turn, columns) =>
  worker.ask("trace-line", { case: game.case, plan, turn, columns });

// Searches from the position before the column `turn`, unless this search has been completed before. Resolves
// to this position. If the caller does not know `position`, throws an error if no placement fits there.
async function search(worker, graph, game, plan, turn, until, position) {
  if (turn >= until || graph.searched.has(`${position}/${until}`)) return position;
  const ahead = until - turn;
  const budget = { columns_ahead: ahead, nodes: NODES_PER_COLUMN * ahead };
  const start = formatPlan(firstPlacements(plan, turn));
  const line = await worker.ask("find-line", { case: game.case, plan: start, ...budget });
  if (!line && !position) throw new Error("No placement fits.");
  graph.add(line);
  position ??= line.positions[0];
  graph.searched.add(`${position}/${until}`);
  return position;
}

// Resolves to the best known line after the first `turn` placements of a plan, {plan, turn, stack, shift,
// column, text}. Throws an error if no further placement fits. `plan`: the placements so far, followed by the
// line.
export async function findBestLine(worker, game, plan, turn) {
  const until = horizonOf(turn, game.facts.columns);
  const graph = await graphOf(worker, game);
  const position = await search(worker, graph, game, plan, turn, until);
  const placements = [...firstPlacements(plan, turn), ...graph.path(position, turn, until)];
  const line = { plan: formatPlan(placements), turn };
  updateReviews(game);
  return { ...line, ...(await worker.ask("describe-line", { case: game.case, ...line })) };
}

// Judges the placement of the column `turn` in a plan. Resolves to a function that returns the loss as
// known at the time of the call, {turn, lost, best, until, line}:
// - `best`: the points of the best known line; `lost`: the number of these points that the placement loses;
// - `line`: the placements of the best known line; absent if nothing is lost.
export async function judgePlacement(worker, game, plan, turn) {
  const until = horizonOf(turn, game.facts.columns);
  const graph = await graphOf(worker, game);
  const step = await trace(worker, game, plan, turn, turn + 1);
  graph.add(step);
  const [position, next] = step.positions;
  await search(worker, graph, game, plan, turn, until, position);
  await search(worker, graph, game, plan, turn + 1, until, next);
  return () => graph.judge(step, turn, until);
}

// Returns the accuracy of judged placements in percent.
function accuracyOf(moves) {
  const kept = moves.filter(Boolean).map(({ lost, best }) => (best ? 1 - lost / best : 1));
  return (100 * total(kept)) / kept.length;
}

// Sets the review of a plan, given its judged placements by column.
export function setReview(plan, moves) {
  plan.review = { moves, accuracy: accuracyOf(moves) };
  updateResult(plan);
}

// Recomputes all reviews of a game from the lines that are known now.
export function updateReviews(game) {
  for (const plan of game.plans) {
    const moves = plan.review?.moves;
    if (!moves) continue;
    const text = formatPlan(firstPlacements(plan.plan, moves.length));
    const line = ask("trace-line", { case: game.case, plan: text, turn: 0, columns: moves.length });
    const judge = (move) => move && graphs.get(game).judge(line, move.turn, move.until, move);
    setReview(plan, moves.map(judge));
    notifyGamesChange(game);
  }
}

// Returns where the played and the better placement of a judged column land, as {played, better}. Both are
// {stack, column, row}.
export function landings(game, plan, { turn, line }) {
  const placements = [firstPlacements(plan, turn + 1).at(-1), line[0]];
  const [played, better] = ask("find-landings", { game, turn, placements });
  return { played, better };
}
