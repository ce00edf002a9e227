// The standings: a table of the players by rank, with the data of their runs.

import { changeSettings, settings } from "./results-settings.js";
import { button, byId, countText, groupDigits, make, refill, setText, showNote, total } from "./dom.js";
import { unusedName, isLabelTaken, QUICKSTART, playersById } from "./library.js";
import { allPlayers, playerName, playerMark, referencePlayer, visiblePlayers } from "./players.js";
import { removePlayer } from "./removal.js";
import { comparePlayers, judgedPairs, rankPlayers, referenceName } from "./standings.js";

// The number of verdicts that are always visible. The others are in a list that the user can open.
const MAX_VERDICTS_SHOWN = 3;
// The players whose run details the user has opened.
const unfolded = new Set();

// Returns a change and its interval as page content; a dash if there is none.
export function changeContent(change) {
  return change ? [make("b", `${change.text} `), make("small", change.range)] : "–";
}

// Describes the run of a player: its comment, the bot's command, version and commit, the start time, the
// limits, changes to the program, and the times of the games.
function runText(player, seconds) {
  const { head, path } = playersById.get(player) ?? {};
  const times = seconds && `${seconds.mean.toFixed(2)} s a game, at most ${seconds.max.toFixed(2)} s`;
  if (!head) return [path !== player && path, times].filter(Boolean).join(" · ");
  const limits = [
    head.time_limit_s && `${head.time_limit_s} s`,
    head.memory_limit_mib && `${head.memory_limit_mib} MiB`,
  ];
  const commit = head.commit && `${head.commit}${head.has_uncommitted_changes ? " + changes" : ""}`;
  const date = head.start_time.slice(0, 16).replace("T", " ");
  const all = [head.comment, head.bot, head.bot_version, commit, date, ...limits, ...head.notes, times];
  return all.filter(Boolean).join(" · ");
}

// Returns the text area with the name of a player, or plain text for quickstart, which cannot be renamed.
// Long names wrap in a text area, but not in an input.
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

// Returns a `details` element with the description of a player's run.
function runDetails(player, text) {
  const ontoggle = ({ target }) => unfolded[target.open ? "add" : "delete"](player);
  const label = `Run of ${playerName(player)}`;
  const summary = make("summary", { "aria-label": label, title: label }, "i");
  return make("details.run", { open: unfolded.has(player), ontoggle }, summary, make("p.hint", text));
}

function nameCell(player, seconds) {
  const { colour, shape } = playerMark(player);
  const own = playerName(player);
  const isHidden = settings.hidden.includes(player);
  const others = settings.hidden.filter((one) => one !== player);
  const symbol = make("span.mark", { "aria-hidden": "true" }, shape);
  symbol.style.color = `var(--${colour})`;
  const shows = {
    type: "checkbox",
    checked: !isHidden,
    "aria-label": `Show ${own}`,
    title: "Show this player",
    onchange: () => changeSettings({ hidden: isHidden ? others : [...others, player] }),
  };
  const closes = { className: "remove", "aria-label": `Close ${own}`, title: "Close this player" };
  const close = () => showNote(`${own} was closed.`, removePlayer(player));
  const text = runText(player, seconds);
  const row = make(
    "div.row",
    make("label", make("input", shows), symbol),
    nameField(player),
    player !== QUICKSTART && button("×", close, closes),
    text && runDetails(player, text),
  );
  return make("th", { scope: "row" }, row);
}

function row(list, { player, cases, all, sum, failed, early, short, accuracies, seconds }) {
  const isBase = player === referencePlayer();
  const cell = (name, ...content) => make("td", { className: name }, content);
  const part = [cases, list.length].map(groupDigits).join(" of ");
  const few = cases < list.length && make("small", ` ${part} cases`);
  const ends = [early && `${early} early`, short && `${short} short`].filter(Boolean).join(" · ");
  const accuracy = `${(total(accuracies) / accuracies.length).toFixed(1)} %`;
  const reviewed = make("small", ` ${countText(accuracies.length, "game")}`);
  return make(
    "tr",
    { "data-player": playerName(player), className: isBase ? "chosen" : "" },
    nameCell(player, seconds),
    cell("delta", isBase ? "reference" : changeContent(all?.log_percent), few),
    cell("wins", all && !isBase ? `${all.wins} · ${all.ties} · ${all.losses}` : "–"),
    cell(`troubles ${failed ? "failed" : ""}`, failed || (ends ? "" : "0"), " ", make("small", ends)),
    cell("sum", sum === null ? "–" : groupDigits(sum)),
    cell("accuracy", ...(accuracies.length ? [accuracy, reviewed] : ["–"])),
  );
}

// Draws the verdict on each judged pair of players, the best player first. Only the first
// `MAX_VERDICTS_SHOWN` verdicts are always visible.
function drawVerdicts(list, ranked) {
  const texts = judgedPairs(ranked).map(([a, b]) => comparePlayers(list, a, b)?.verdict);
  const items = texts.filter(Boolean).map((text) => make("li", text));
  const more = items.splice(MAX_VERDICTS_SHOWN);
  const box = byId("verdicts");
  const isOpen = Boolean(box.querySelector("details")?.open);
  const none = list.length ? "No two players have a case in common." : "No case passes the filter.";
  const first = items.length ? make("ul", items) : make("p", none);
  const summary = make("summary", countText(more.length, "more pair"));
  refill(box, first, ...(more.length ? [make("details", { open: isOpen }, summary, make("ul", more))] : []));
}

// Draws the verdicts and the standings for the games in `list`. Hidden players come last.
export function drawRanking(list) {
  const standings = rankPlayers(list, visiblePlayers());
  drawVerdicts(list, standings.map(({ player }) => player));
  const rows = standings.map((standing) => row(list, standing));
  const hidden = allPlayers().filter((playerId) => settings.hidden.includes(playerId));
  const empty = hidden.map((player) => {
    const cell = make("td.hidden", { colSpan: 5 }, "hidden");
    return make("tr", { "data-player": playerName(player) }, nameCell(player), cell);
  });
  refill(byId("ranking"), rows, empty);
  const isReviewed = standings.some(({ accuracies }) => accuracies.length);
  byId("ranking").parentElement.classList.toggle("reviewed", isReviewed);
  setText(byId("ranking-base"), `Δ to ${referenceName()} (95 %)`);
}
