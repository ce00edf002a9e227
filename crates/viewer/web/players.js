// The players of the results, their labels and marks.

import { BEST_AS_REFERENCE, onSettingsChange, settings } from "./results-settings.js";
import { onGamesChange, openedGames, QUICKSTART, playersById } from "./library.js";

// The players, cached since every row needs them. A change to the games or the settings clears the cache.
let cache = {};
onGamesChange(() => (cache = {}));
onSettingsChange(() => (cache = {}));

// Returns the players that the results show, in the order in which they were opened: those from files, and
// those that have played every opened case on the page. Quickstart comes last. It is left out if there are at
// least two others, and one of them has quickstart's plan on every case.
export const allPlayers = () => (cache.all ??= findPlayers());

function findPlayers() {
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
  const playerIds = [...playersById.keys()].filter((id) => counts.has(id) && isPlayer(id));
  const isKnown =
    playerIds.length > 1 && playerIds.some((id) => cases.every((game) => playsQuickstart(game, id)));
  return isKnown ? playerIds : [...playerIds, QUICKSTART];
}

// True if one of the player's plans is the same as quickstart's.
function playsQuickstart({ plans }, player) {
  const { plan: base } = plans.find((one) => one.player === QUICKSTART);
  return base !== null && plans.some((one) => one.player === player && one.plan?.trim() === base.trim());
}

// Returns the reference player; "" if ratios are relative to the best score on each case. The default is the
// first player, or quickstart if there is only one other player.
export function referencePlayer() {
  if (settings.reference === BEST_AS_REFERENCE) return "";
  const playerIds = allPlayers();
  if (playerIds.includes(settings.reference)) return settings.reference;
  return playerIds.indexOf(QUICKSTART) === 1 ? QUICKSTART : playerIds[0];
}

// The number of player colours in style.css.
const COLOUR_COUNT = 12;
const SHAPES = "●■▲◆▼✚★✖";

// Returns the shape of a player and the name of its colour in style.css, the same in every chart.
export function playerMark(player) {
  if (player === QUICKSTART) return { colour: "soft", shape: "○" };
  const i = allPlayers().indexOf(player);
  return { colour: `player-${i % COLOUR_COUNT}`, shape: SHAPES[i % SHAPES.length] };
}

export const visiblePlayers = () => (cache.visible ??= allPlayers().filter(isShown));
const isShown = (id) => !settings.hidden.includes(id);

export const playerName = (player) => playersById.get(player)?.label ?? player;
