// The seed box of the Watch view, and the cases that it generates.

import { addHistoryEntry } from "./address.js";
import { attemptForm, byId, capitalise, fillMenu, setText } from "./dom.js";
import { ask } from "./engine.js";
import {
  addCase, currentPick, onGamesChange, pickGame, removeOtherTemporaryGames, scoreAllPlans,
} from "./library.js";

// The profiles of the generator, each as {name, description}.
let profiles = [];

// Generates a case from the values of a form or a link. Returns {name, case, facts, origin, key}.
export function generateCase(values) {
  const origin = Object.fromEntries(Object.entries(values).filter(([, value]) => value));
  return { ...ask("generate-case", origin), origin };
}

// The time when the last seed was opened. Another seed within `TYPING_INTERVAL_MS` adds no history entry.
let seedTime = -Infinity;
const TYPING_INTERVAL_MS = 2000;

function openSeed() {
  attemptForm(byId("seed-form"), () => {
    const values = Object.fromEntries(new FormData(byId("seed-form")));
    const game = addCase({ ...generateCase(values), temporary: true });
    if (performance.now() - seedTime > TYPING_INTERVAL_MS) addHistoryEntry("watch");
    seedTime = performance.now();
    pickGame(game);
    removeOtherTemporaryGames(game);
    scoreAllPlans();
  });
}

// Fills the seed box with the options of the current game, so that the buttons lead to similar cases.
function drawSeed() {
  const form = byId("seed-form");
  const origin = currentPick().game?.origin ?? {};
  if (form.contains(document.activeElement)) return;
  for (const { name, options } of form.elements) {
    if (name) form.elements[name].value = origin[name] || (options ? options[0].value : "");
  }
  describe();
}

function describe() {
  const { profile } = byId("seed-form").elements;
  setText(byId("profile-text"), `${capitalise(profiles[profile.selectedIndex].description)}.`);
}

export function bindSeedBox() {
  ({ profiles } = ask("constants"));
  const form = byId("seed-form");
  const { seed, profile } = form.elements;
  const names = profiles.map(({ name }) => [name, name]);
  fillMenu(profile, names, names[0][0]);
  describe();
  form.onsubmit = openSeed;
  form.oninput = ({ target }) => {
    describe();
    if (target === seed && !seed.value.trim()) return;
    openSeed();
  };
  const step = (by) => {
    const next = by + (/^\s*\d+\s*$/.test(seed.value) ? BigInt(seed.value.trim()) : 0n);
    seed.value = String(next < 0n ? 0n : next);
    openSeed();
  };
  byId("seed-less").onclick = () => step(-1n);
  byId("seed-more").onclick = () => step(1n);
  onGamesChange((game) => game || drawSeed());
}
