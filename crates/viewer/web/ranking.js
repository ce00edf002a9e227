// The standings: a table of the players by rank, with the data of their runs.

import { changeSettings, settings } from "./results-settings.js";
import {
  button, byId, clamp, groupDigits, make, ratioText, refill, setText, showNote, signedText, total,
} from "./dom.js";
import { unusedName, isLabelTaken, QUICKSTART, playersById } from "./library.js";
import { allPlayers, playerName, playerMark, referencePlayer, visiblePlayers } from "./players.js";
import { removePlayer } from "./removal.js";
import { rankPlayers, ratioOf, referenceName, mapResults } from "./standings.js";

// The number of bars of a distribution.
const BAR_COUNT = 15;
// The logarithm of the ratio at the right end of a distribution. The left end has the inverse ratio.
const MAX_LOG_RATIO = Math.log(2);

// Describes a change with its interval.
export function changeContent(estimate) {
  if (!estimate) return "–";
  const range = estimate.interval?.map((end) => signedText(end)).join(" to ") ?? "";
  return [make("b", `${signedText(estimate.mean)} % `), make("small", range)];
}

export const pValueText = (p) => p < 0.0001 ? "<0.0001" : p.toFixed(4);

// Draws the distribution of the ratios: worse games to the left of the middle, better games to the right.
function distribution(list, player) {
  const canvas = make("canvas.spread", { width: 8 * BAR_COUNT, height: 44, role: "img" });
  const counts = new Array(BAR_COUNT).fill(0);
  for (const share of mapResults(list, player, ratioOf)) {
    const at = Math.round((Math.log(share) / MAX_LOG_RATIO + 1) * (BAR_COUNT >> 1));
    counts[clamp(at, 0, BAR_COUNT - 1)] += 1;
  }
  const [half, top] = [BAR_COUNT >> 1, Math.max(1, ...counts)];
  const [below, above] = [counts.slice(0, half), counts.slice(half + 1)].map(total);
  canvas.setAttribute("aria-label", `${below} lower, ${counts[half]} about equal, ${above} higher`);
  const context = canvas.getContext("2d");
  counts.forEach((count, i) => {
    context.fillStyle = i < half ? "#c25400" : i > half ? "#2d86c4" : "#8a8fa0";
    const size = count && Math.max(2, (40 * count) / top);
    context.fillRect(8 * i + 1, 43 - size, 6, size + 1);
  });
  return canvas;
}

// Describes the run of a player: its comment, command, build, commit, date and limits, and changes of its program.
function runText(player) {
  const { head, path } = playersById.get(player) ?? {};
  if (!head) return path === player ? "" : path;
  const limits = [
    head.time_limit_s && `${head.time_limit_s} s`,
    head.memory_limit_mib && `${head.memory_limit_mib} MiB`,
  ];
  const commit = head.commit && `${head.commit}${head.has_uncommitted_changes ? " + changes" : ""}`;
  const date = head.start_time.slice(0, 16).replace("T", " ");
  return [head.comment, head.bot, head.bot_version, commit, date, ...limits, ...head.notes].filter(Boolean).join(" · ");
}

// Returns the text box with the name of a player. Long names wrap in a text box, but not in an input.
function nameField(player) {
  const own = playerName(player);
  if (player === QUICKSTART) return make("span.own", own);
  const onchange = ({ target }) => {
    const text = unusedName(target.value.trim() || own, (name) => isLabelTaken(name, player));
    if (playersById.has(player)) Object.assign(playersById.get(player), { label: text, renamed: true });
    changeSettings({});
  };
  const onkeydown = (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    event.target.blur();
  };
  const title = playersById.get(player)?.path;
  const name = `Name of ${own}`;
  return make("textarea.own", { value: own, rows: 1, title, "aria-label": name, onchange, onkeydown });
}

function nameCell(player) {
  const { colour, shape } = playerMark(player);
  const own = playerName(player);
  const isHidden = settings.hidden.includes(player);
  const others = settings.hidden.filter((one) => one !== player);
  const symbol = make("span", { "aria-hidden": "true" }, shape);
  symbol.style.color = colour;
  const isOnly = settings.only === player;
  const shows = {
    type: "checkbox",
    checked: !isHidden,
    "aria-label": `Show ${own}`,
    title: "Show this player",
    onchange: () => changeSettings({ hidden: isHidden ? others : [...others, player] }),
  };
  const isolates = {
    className: "mark",
    title: "Show only this player in the charts",
    "aria-label": `Only ${own} in the charts`,
    "aria-pressed": String(isOnly),
  };
  const closes = { className: "remove", "aria-label": `Close ${own}`, title: "Close this player" };
  const close = () => showNote(`${own} was closed.`, removePlayer(player));
  const row = make(
    "div.row",
    make("input", shows),
    button(symbol, () => changeSettings({ only: isOnly ? "" : player }), isolates),
    nameField(player),
    player !== QUICKSTART && button("×", close, closes),
  );
  return make("th", { scope: "row" }, row, make("p.hint", runText(player)));
}

function row(list, { player, cases, all, sum, failed, early, short, seconds }) {
  const isBase = player === referencePlayer();
  const cell = (name, ...content) => make("td", { className: name }, content);
  const part = [cases, list.length].map(groupDigits).join(" of ");
  const few = cases < list.length && make("small", ` ${part} cases`);
  const troubles = [failed, early && `${early} ended early`, short && `${short} plans end early`];
  const time = seconds && [`${seconds.mean.toFixed(2)} s `, make("small", `max ${seconds.max.toFixed(2)} s`)];
  const delta = all?.log_percent;
  return make(
    "tr",
    { "data-player": playerName(player), className: isBase ? "chosen" : "" },
    nameCell(player),
    cell("delta", isBase ? "reference" : changeContent(delta), few),
    cell("ratio", delta ? ratioText(1 + delta.mean / 100) : "–"),
    cell("wins", all ? `${all.wins} · ${all.ties} · ${all.losses}` : "–"),
    cell("p", all && referencePlayer() && !isBase ? pValueText(delta?.p_value ?? 1) : "–"),
    cell(`troubles ${failed ? "failed" : ""}`, troubles.filter(Boolean).join(", ") || "0"),
    cell("spread", isBase ? "" : distribution(list, player)),
    cell("sum", sum === null ? "–" : groupDigits(sum)),
    cell("time", time ?? "–"),
  );
}

// Draws the standings of the players for the games of `list`. Hidden players come last.
export function drawRanking(list) {
  const rows = rankPlayers(list, visiblePlayers()).map((standing) => row(list, standing));
  const hidden = allPlayers().filter((name) => settings.hidden.includes(name));
  const empty = hidden.map((player) => {
    const cell = make("td.hidden", { colSpan: 8 }, "hidden");
    return make("tr", { "data-player": playerName(player) }, nameCell(player), cell);
  });
  refill(byId("ranking"), rows, empty);
  setText(byId("ranking-base"), `Δ to ${referenceName()} (95 %)`);
}
