// The players of the results, their labels and marks.

import { BEST_AS_REFERENCE, onSettingsChange, settings } from "./results-settings.js";
import { onGamesChange, openedGames, QUICKSTART, playersById } from "./library.js";

// The players, computed on first use after a change, since every row needs them.
let cache = {};
onGamesChange(() => (cache = {}));
onSettingsChange(() => (cache = {}));

// Returns the players that the results show: those from files, and those that have played every opened case
// on the page. They are in the order in which they were opened, with quickstart last.
export const allPlayers = () => (cache.everyone ??= findEveryone());

function findEveryone() {
  const cases = openedGames();
  const fromFiles = new Set();
  const counts = new Map();
  for (const { plans } of cases) {
    for (const { player, opened } of plans) {
      if (opened) fromFiles.add(player);
      counts.set(player, (counts.get(player) ?? 0) + 1);
    }
  }
  const isPlayer = (id) => id !== QUICKSTART && (fromFiles.has(id) || counts.get(id) >= cases.length);
  return [...playersById.keys()].filter((id) => counts.has(id) && isPlayer(id)).concat(QUICKSTART);
}

// Returns the reference player; "" if ratios are relative to the best score on each case. By default, this is
// the first of several players, or else quickstart.
export function referencePlayer() {
  if (settings.reference === BEST_AS_REFERENCE) return "";
  const names = allPlayers();
  return names.includes(settings.reference) ? settings.reference : names.at(names.length > 2 ? 0 : -1);
}

// Returns the players A and B: the user's choice, or else the reference and the latest other player.
export function comparedPlayers() {
  const names = allPlayers();
  const latest = names.findLast((name) => name !== settings.a && name !== QUICKSTART);
  const b = names.includes(settings.b) ? settings.b : latest;
  const isFree = (name) => names.includes(name) && name !== b;
  const a = [settings.a, referencePlayer(), ...names].find(isFree);
  return [a ?? QUICKSTART, b ?? QUICKSTART];
}

const HUES = [
  ...["#0072b2", "#d55e00", "#009e73", "#b0578d", "#b98000", "#3a95cf"],
  ...["#8f6bd8", "#b3423a", "#46878a", "#7a7a00", "#a8673f", "#d0457a"],
];
const SHAPES = "●■▲◆▼✚★✖";

// Returns the colour and the shape of a player, which are the same in every chart.
export function playerMark(player) {
  if (player === QUICKSTART) return { colour: "#767b8c", shape: "○" };
  const i = allPlayers().indexOf(player);
  return { colour: HUES[i % HUES.length], shape: SHAPES[i % SHAPES.length] };
}

export const visiblePlayers = () => (cache.shown ??= allPlayers().filter(isShown));
const isShown = (id) => !settings.hidden.includes(id);

export const playerName = (player) => playersById.get(player)?.label ?? player;
