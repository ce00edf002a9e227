// Closes plans and players, and restores them.

import {
  currentPick, games, notifyGamesChange, pickGame, playersById, removePlans,
} from "./library.js";
import { waitingPlans } from "./add-files.js";

// Returns a function that undoes all later removals. Games and plans that are added in the meantime stay.
function restorer() {
  const before = games.map((game) => [game, { ...game }]);
  const fromFiles = games.flatMap(({ plans }) => plans.filter(({ opened }) => opened));
  const [late, players, { game, plan }] = [[...waitingPlans], [...playersById], currentPick()];
  return () => {
    const old = before.map(([game]) => game);
    games.splice(0, Infinity, ...new Set([...old, ...games]));
    waitingPlans.splice(0, Infinity, ...new Set([...late, ...waitingPlans]));
    const added = [...playersById];
    playersById.clear();
    for (const [id, player] of [...players, ...added]) playersById.set(id, player);
    for (const plan of fromFiles) plan.opened = true;
    for (const [game, { plans, paths, opened, temporary }] of before) {
      // Quickstart's plan, which is never removed, stays the last one.
      const all = [...new Set([...plans.slice(0, -1), ...game.plans])];
      Object.assign(game, { plans: all, paths, opened, temporary });
      notifyGamesChange(game);
    }
    notifyGamesChange();
    if (currentPick().game !== game || currentPick().plan !== plan) pickGame(game, plan);
  };
}

// Removes games. Watch then shows another game or, if it can show no other, keeps the current one.
function removeGames(isRemoved) {
  const { game } = currentPick();
  const at = games.indexOf(game);
  games.splice(0, Infinity, ...games.filter((one) => !isRemoved(one)));
  const playable = games.filter((one) => one.case !== null);
  if (!playable.length) {
    games.push(Object.assign(game, { opened: false, temporary: true, paths: [] }));
    notifyGamesChange(game);
  } else if (!playable.includes(game)) {
    pickGame(playable.at(Math.min(at, playable.length - 1)));
  }
  notifyGamesChange();
}

// Removes a plan. Returns a function that restores it.
export function removePlan(game, plan) {
  const restore = restorer();
  removePlans(game, (one) => one === plan);
  return restore;
}

// Closes a player: removes its plans, and the cases that only this player's run contains. Returns a function
// that restores the player.
export function removePlayer(id) {
  const restore = restorer();
  const { path, paths = [path] } = playersById.get(id);
  const isInside = (one) => paths.some((root) => one === root || one.startsWith(`${root}/`));
  playersById.delete(id);
  waitingPlans.splice(0, Infinity, ...waitingPlans.filter(({ player }) => player !== id));
  const emptied = new Set();
  for (const game of games) {
    if (game.opened && game.plans.some(({ player }) => player === id)) emptied.add(game);
    game.paths = game.paths.filter((one) => !isInside(one));
    removePlans(game, ({ player }) => player === id);
  }
  removeGames((game) => emptied.has(game) && !game.paths.length && !game.plans.some(({ opened }) => opened));
  return restore;
}

// Closes all files: removes all games except the current one, which stays in Watch with its players. Returns
// a function that restores the games.
export function closeAllFiles() {
  const restore = restorer();
  const { game } = currentPick();
  waitingPlans.length = 0;
  const kept = new Set(game.plans.map(({ player }) => player));
  for (const id of [...playersById.keys()]) if (!kept.has(id)) playersById.delete(id);
  for (const plan of game.plans) plan.opened = false;
  removeGames(() => true);
  return restore;
}
