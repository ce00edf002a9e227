// Exports the results as CSV and as Markdown.

import { copy, download, note } from "./dom.js";
import { label } from "./players.js";
import { entry, ratio, seed, standing, status } from "./standings.js";

const ABOUT = ["width", "height", "columns", "colours", "palette"];

// Downloads a CSV row for each case, with the points, ratio, status and printed numbers of each
// player.
export function downloadCsv(list, names) {
  const quote = (value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  // The columns of a player: a name, and a function from a game and a plan to the value.
  const columnsOf = (player) => {
    const printed = list.flatMap((game) => Object.keys(entry(game, player)?.numbers ?? {}));
    return [
      ["points", (_, plan) => plan.points],
      ["ratio", (game, plan) => ratio(game, plan)?.toFixed(4)],
      ["status", (game, plan) => plan.broken ?? status(game, plan)?.text ?? "ok"],
      ...[...new Set(printed)].map((name) => [name, (_, plan) => plan.numbers?.[name]]),
    ].map(([what, value]) => ({ player, what: `${label(player)} ${what}`, value }));
  };
  const columns = names.flatMap(columnsOf);
  const rows = list.map((game) => [
    game.name,
    seed(game) ?? "–",
    ...ABOUT.map((name) => game.about[name]),
    ...columns.map(({ player, value }) => {
      const plan = entry(game, player);
      return plan ? (value(game, plan) ?? "") : "";
    }),
  ]);
  const lines = [["name", "seed", ...ABOUT, ...columns.map(({ what }) => what)], ...rows];
  const text = lines.map((line) => line.map((cell) => quote(String(cell))).join(",") + "\n");
  download("results.csv", text.join(""), "text/csv");
}

// Copies two Markdown tables: the standings, and the points on every case. If the browser forbids
// this, downloads them.
export async function copyMarkdown(list, names, base) {
  const line = (cells) => `| ${cells.map((one) => String(one).replaceAll("|", "\\|")).join(" | ")} |\n`;
  const table = (head, rows) =>
    line(head) + line(head.map((_, i) => (i ? "---:" : "---"))) + rows.map(line).join("");
  const standings = names.map((name) => {
    const { cases, ratio, sum, won, lost, invalid, died } = standing(list, name);
    return [label(name), cases, ratio?.toFixed(4) ?? "", sum ?? "", won, lost, invalid, died];
  });
  const head = ["Player", "Cases", `Mean ratio to ${base}`, "Sum", "Won", "Lost", "Invalid", "Died"];
  const points = (plan) => (plan?.broken ? "invalid" : (plan?.points ?? ""));
  const rows = list.map((game) => [game.name, ...names.map((name) => points(entry(game, name)))]);
  const text = `${table(head, standings)}\n${table(["Case", ...names.map(label)], rows)}`;
  if (await copy(text)) note("Table copied as Markdown.");
  else download("results.md", text);
}
