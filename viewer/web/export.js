// Exports the results as CSV and as Markdown.

import { entry, ratio, seed, standing, status } from "./standings.js";

const fixed = (number, digits) => (number === null ? "" : number.toFixed(digits));

// Returns a CSV row for each case, with the points, ratio, status and printed numbers of each
// player.
export function csv(list, names, labelOf) {
  const quote = (value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  const about = ["width", "height", "columns", "colours", "palette"];
  const numbersOf = (name) => [
    ...new Set(list.flatMap((game) => Object.keys(entry(game, name)?.numbers ?? {}))),
  ];
  const numbers = new Map(names.map((name) => [name, numbersOf(name)]));
  const head = names.flatMap((name) =>
    ["points", "ratio", "status", ...numbers.get(name)].map((what) => `${labelOf.get(name)} ${what}`),
  );
  const rows = list.map((game) => [
    game.name,
    seed(game) ?? "–",
    ...about.map((name) => game.about[name]),
    ...names.flatMap((name) => {
      const plan = entry(game, name);
      const extra = numbers.get(name);
      if (!plan) return ["", "", "", ...extra.map(() => "")];
      const state = status(game, plan);
      return [
        plan.points,
        fixed(ratio(game, plan), 4),
        plan.broken ?? state?.text ?? "ok",
        ...extra.map((one) => plan.numbers?.[one] ?? ""),
      ];
    }),
  ]);
  const lines = [["name", "seed", ...about, ...head], ...rows];
  return lines.map((line) => line.map((cell) => quote(String(cell))).join(",") + "\n").join("");
}

// Returns two Markdown tables: the standings, and the points on every case.
export function markdown(list, names, labelOf, base) {
  const line = (cells) => `| ${cells.map((one) => String(one).replaceAll("|", "\\|")).join(" | ")} |\n`;
  const table = (head, rows) =>
    line(head) + line(head.map((_, i) => (i ? "---:" : "---"))) + rows.map(line).join("");
  const standings = names.map((name) => {
    const { cases, ratio, sum, won, lost, invalid, died } = standing(list, name);
    return [labelOf.get(name), cases, fixed(ratio, 4), sum ?? "", won, lost, invalid, died];
  });
  const head = ["Player", "Cases", `Mean ratio to ${base}`, "Sum", "Won", "Lost", "Invalid", "Died"];
  const rows = list.map((game) => [
    game.name,
    ...names.map((name) => {
      const plan = entry(game, name);
      return plan ? (plan.broken ? "invalid" : plan.points) : "";
    }),
  ]);
  const cases = table(["Case", ...names.map((name) => labelOf.get(name))], rows);
  return `${table(head, standings)}\n${cases}`;
}
