// Exports the results as CSV.

import { download, ownProperty } from "./dom.js";
import { playerName } from "./players.js";
import { bestPlan, ratioOf, seedText, statusOf } from "./standings.js";

const CASE_FIELDS = ["width", "height", "columns", "colours", "palette"];

// Downloads a CSV file with a row for each case: its name, seed and properties, then the points, ratio,
// status, reason for a failure and metrics of each player.
export function downloadCsv(list, playerIds) {
  const quote = (value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  // Returns the columns of a player, each as {player, what, value}. `what` is the heading.
  // `value(game, plan)` returns the content of a cell.
  const columnsOf = (player) => {
    const printed = list.flatMap((game) => Object.keys(bestPlan(game, player)?.metrics ?? {}));
    return [
      ["points", (_, plan) => plan.points],
      ["ratio", (game, plan) => ratioOf(game, plan)?.toFixed(4)],
      ["status", (game, plan) => statusOf(game, plan)?.text ?? "ok"],
      ["reason", (_, plan) => plan.reason],
      ...[...new Set(printed)].map((name) => [name, (_, plan) => ownProperty(plan.metrics, name)]),
    ].map(([what, value]) => ({ player, what: `${playerName(player)} ${what}`, value }));
  };
  const columns = playerIds.flatMap(columnsOf);
  const rows = list.map((game) => [
    game.name,
    seedText(game) ?? "–",
    ...CASE_FIELDS.map((name) => game.facts[name] ?? ""),
    ...columns.map(({ player, value }) => {
      const plan = bestPlan(game, player);
      return plan ? (value(game, plan) ?? "") : "";
    }),
  ]);
  const lines = [["name", "seed", ...CASE_FIELDS, ...columns.map(({ what }) => what)], ...rows];
  const text = lines.map((line) => line.map((cell) => quote(String(cell))).join(",") + "\n");
  download("results.csv", text.join(""), "text/csv");
}
