// Removes games, plans and players, and restores them.

import { changed, games, pick, picked, removePlans } from "./library.js";
import { pair, papers } from "./papers.js";

// Returns a function that takes back the removals after this call. Games and plans that are added in
// the meantime stay.
function restorer() {
  const before = games.map((game) => [game, game.plans]);
  const [oldPapers, { game, plan }] = [[...papers], picked()];
  return () => {
    const old = before.map(([game]) => game);
    games.splice(0, Infinity, ...new Set([...old, ...games]));
    papers.splice(0, Infinity, ...new Set([...oldPapers, ...papers]));
    for (const [game, plans] of before) {
      // Quickstart's plan, which is never removed, stays the last one.
      game.plans = [...new Set([...plans.slice(0, -1), ...game.plans])];
      changed(game);
    }
    pair();
    if (picked().game !== game || picked().plan !== plan) pick(game, plan);
  };
}

// Removes a game. Returns a function that restores it.
export function removeGame(game) {
  const restore = restorer();
  const at = games.indexOf(game);
  games.splice(at, 1);
  for (const { homes } of papers) homes.delete(game);
  if (picked().game === game && games.length) pick(games[Math.min(at, games.length - 1)]);
  changed();
  return restore;
}

// Removes a plan. Returns a function that restores it.
export function removePlan(game, plan) {
  const restore = restorer();
  removePlans(game, (one) => one === plan);
  return restore;
}

// Removes a player and all of its plans. Returns a function that restores them.
export function removePlayer(name) {
  const restore = restorer();
  papers.splice(0, Infinity, ...papers.filter(({ player }) => player !== name));
  for (const game of games) removePlans(game, ({ player }) => player === name);
  changed();
  return restore;
}
