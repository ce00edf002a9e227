// The games at hand: cases, and the plans for each.

import { byId, grouped, make } from "./dom.js";
import { ask } from "./engine.js";

// {name, case, origin, plans: [{name, plan, points}]}
export const games = [];
let listener = () => {};
let shown = { game: null, plan: null };

export function onPick(act) {
  listener = act;
}

export function picked() {
  return shown;
}

// Adds a game, or plans to the one that has the same case. Every game has the quickstart's
// plan, to compare with.
export function add(name, text, plans = [], origin = null) {
  let game = games.find((known) => known.case === text);
  if (!game) {
    game = { name, case: text, origin, plans: [] };
    games.push(game);
  }
  for (const plan of plans) addPlan(game, plan.name, plan.plan);
  if (!game.plans.some((plan) => plan.quickstart)) {
    game.plans.push({ name: "quickstart", plan: ask("quickstart", { case: text }), points: null, quickstart: true });
  }
  draw();
  return game;
}

// The plan of that text, added if it is new.
export function addPlan(game, name, text, points = null) {
  let plan = game.plans.find((known) => known.plan === text);
  if (!plan) {
    plan = { name, plan: text, points };
    game.plans.unshift(plan);
  }
  draw();
  return plan;
}

export function pick(game, plan = game.plans[0]) {
  shown = { game, plan };
  listener(game, plan);
  draw();
}

export function draw() {
  const list = byId("games");
  list.replaceChildren(...games.map((game) => make("li", null,
    make("span", null, game.name),
    make("ul", null, ...game.plans.map((plan) => make("li", null,
      make("button", {
        onclick: () => pick(game, plan),
        "aria-current": String(shown.game === game && shown.plan === plan),
        title: plan.name,
      }, make("span", null, plan.name), make("span", null, plan.points === null ? "" : grouped(plan.points)))))))));
}
