// Exports the results as CSV and as Markdown.

import { copyText, download, ownProperty, ratioText, showNote } from "./dom.js";
import { playerName } from "./players.js";
import { bestPlan, FAILURES, rankPlayers, ratioOf, referenceName, seedText, statusOf } from "./standings.js";

const CASE_FIELDS = ["width", "height", "columns", "colours", "palette"];

// Downloads a CSV file with a row for each case: the points, ratio, status, reason for a failure and reported
// metrics of each player.
export function downloadCsv(list, names) {
  const quote = (value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  // Returns the columns of a player, {player, what, value} each. `what` is the heading.
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
  const columns = names.flatMap(columnsOf);
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

// Copies two Markdown tables: the standings, and the points on every case. If the browser forbids this,
// downloads the tables.
export async function copyMarkdown(list, names) {
  const line = (cells) => `| ${cells.map((one) => String(one).replaceAll("|", "\\|")).join(" | ")} |\n`;
  const table = (head, rows) =>
    line(head) + line(head.map((_, i) => (i ? "---:" : "---"))) + rows.map(line).join("");
  const standings = rankPlayers(list, names).map(({ player, cases, all, sum, failed, early }) => {
    const ratio = all?.log_percent ? ratioText(1 + all.log_percent.mean / 100) : "";
    const wins = all ? `${all.wins} · ${all.ties} · ${all.losses}` : "";
    return [playerName(player), cases, ratio, wins, sum ?? "", failed || 0, early];
  });
  const mean = `Geometric mean ratio to ${referenceName()}`;
  const head = ["Player", "Cases", mean, "Won · equal · lost", "Sum", "Failed", "Ended early"];
  const points = (plan) => (plan?.failure ? FAILURES[plan.failure] : (plan?.points ?? ""));
  const rows = list.map((game) => [game.name, ...names.map((name) => points(bestPlan(game, name)))]);
  const text = `${table(head, standings)}\n${table(["Case", ...names.map(playerName)], rows)}`;
  if (await copyText(text)) showNote("Table copied as Markdown.");
  else download("results.md", text);
}
