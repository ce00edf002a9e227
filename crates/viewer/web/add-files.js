// Adds opened files to the library: their cases, runs and plans. "Open files" in the README lists the rules.
//
// A new plan comes from a file or from a run: {name, key, player, plan, reported, metrics, replaces}. It
// waits until its case is open. With `replaces`, it replaces the previous plan of its player.

import { collator } from "./dom.js";
import { ask } from "./engine.js";
import {
  addCase, addPlan, addPlayer, currentPick, gameByDigest, games, notifyGamesChange, playersById, removePlans,
  scorePlan, unusedName,
} from "./library.js";

// The new plans whose case is not open yet.
export const waitingPlans = [];
// The maximum length of a bot's standard error, in characters. The page keeps only the end of longer text.
const MAX_STDERR_LENGTH = 2000;

// Adds opened files. `itemsOfKind(kind)` returns the files, plans, runs, names or error messages of a kind.
// Returns the opened games; the new plans, each with its game if its case is open; error messages; the names
// of ignored files; and notes.
export function addFiles(itemsOfKind) {
  const [errors, ignored, notes] = [[...itemsOfKind("errors")], [...itemsOfKind("ignored_names")], []];
  const plans = [...itemsOfKind("plans")];
  // Treat a doubtful file as an invalid plan if its folder contains other plans, or did before.
  const folders = new Set(plans.map(({ folder }) => folder));
  for (const { error, ...plan } of itemsOfKind("doubtful_plans")) {
    if (folders.has(plan.folder) || playersById.has(plan.folder)) plans.push(plan);
    else if (error) errors.push(error);
    else ignored.push(plan.name);
  }
  const cases = itemsOfKind("cases").map((one) =>
    addCase({ ...one, name: caseNameFor(one), path: one.name, opened: true }),
  );
  const opened = [...cases];
  const newPlans = [];
  const byStartTime = (a, b) => collator.compare(a.head.start_time, b.head.start_time);
  for (const run of itemsOfKind("runs").sort(byStartTime)) {
    const played = plansOfRun(run);
    newPlans.push(...played);
    opened.push(...played.flatMap(({ game }) => game ?? []));
  }
  newPlans.push(...plansOfFolders(plans));
  const waited = waitingPlans.splice(0);
  const withText = opened.filter((game) => game.case !== null);
  for (const newPlan of [...waited, ...takeMisplacedPlans(withText, cases), ...newPlans]) {
    newPlan.game ??= caseForPlan(newPlan);
    if (!newPlan.game && newPlan.reported) opened.push((newPlan.game = openUnknownCase(newPlan)));
    if (!newPlan.game) assignLoosePlan(newPlan, cases, notes);
    if (newPlan.game) addToGame(newPlan);
    else waitingPlans.push(newPlan);
  }
  notifyGamesChange();
  return { opened, newPlans, errors, ignored: ignored.sort(collator.compare), notes };
}

// Returns the name for a case from a file: the file name, with its folder only if another case has the same
// file name.
function caseNameFor({ name, facts: { digest } }) {
  const file = name.split(/[/\\]/).at(-1);
  return games.some((game) => game.name === file && game.facts.digest !== digest) ? name : file;
}

// Registers a run as a player. Returns its new plans, one for each case.
function plansOfRun({ name, id, head, rows }) {
  const path = name.replaceAll("\\", "/").replace(/\/run\.jsonl$|\.jsonl?$/, "");
  const seen = new Set();
  // If several rows have the same case, only the first counts.
  const isFirst = ({ facts }) => !facts || (!seen.has(facts.digest) && seen.add(facts.digest));
  const reports = rows.filter(isFirst).map(({ name, key, metrics, facts, origin, ...reported }) => ({
    name,
    key,
    metrics,
    plan: null,
    reported,
    game: facts ? openCaseOfRow({ name, key, facts, origin, path }) : undefined,
  }));
  const before = (newPlan) => newPlan.game?.plans.find(({ player }) => player === (id ?? path))?.reported;
  const isOther = reports.some((newPlan) => {
    const known = before(newPlan);
    return known && known.points !== newPlan.reported.points;
  });
  // A file with neither a head nor a folder does not identify its run. It counts as a new run if its points
  // differ from those of the known run with this name.
  const isFree = !isOther || path.includes("/");
  const player = id ?? unusedName(path, (name) => !isFree && playersById.has(name));
  const paths = [...new Set([...(playersById.get(player)?.paths ?? []), path])];
  addPlayer(player, path, { head, folder: `${path}/out`, paths });
  return reports.map((newPlan) => ({ ...newPlan, player, replaces: true }));
}

// Opens the case of a row. If the case is not open yet and the page cannot generate it, only its properties
// are known.
function openCaseOfRow({ facts, origin, ...row }) {
  const known = gameByDigest(facts.digest);
  const generated = origin && !known?.case && ask("generate-case", origin);
  const isSame = generated && generated.facts.digest === facts.digest;
  return addCase({ ...row, facts, opened: true, ...(isSame && { case: generated.case, origin }) });
}

// The prefix of the digest of a case whose text and properties are unknown.
const UNKNOWN = "unknown ";

// Opens a game for a result whose case is unknown: the runner pahcer identifies cases only by seeds.
const openUnknownCase = ({ name, key }) =>
  addCase({ name, key, facts: { digest: UNKNOWN + idOf({ key }) }, opened: true });

// Adds files with the standard error of bots, each as {name, text}, to the games of their runs. Returns the
// names of files that belong to no game.
export function addStderrFiles(files) {
  return files.flatMap(({ name, text }) => {
    const [, folder] = /^(.*)\/err\/[^/]*$/.exec(name.replaceAll("\\", "/")) ?? [];
    const player = [...playersById.values()].find((one) => folder && one.folder === `${folder}/out`);
    const planOf = ({ plans }) => plans.find((one) => one.player === player.id);
    const game = player && games.find((one) => stemOf(one.name) === stemOf(name) && planOf(one));
    const plan = game && planOf(game);
    if (!plan) return name;
    plan.stderr = text.trim().slice(-MAX_STDERR_LENGTH);
    notifyGamesChange(game);
    return [];
  });
}

// Returns the new plans, with their players. A folder is a player; opening it again replaces its plans. Plans
// without a folder belong to the player "Plans". If that player has a different plan for one of their cases,
// they belong to "Plans (2)", and so on. Further plans of a folder for the same case belong to further
// players: "out (2)", …
function plansOfFolders(plans) {
  const seen = new Map();
  // Group the plans by folder. A second plan of a folder for the same case begins a second group, and so on.
  const groups = Map.groupBy(plans, (plan) => {
    const id = `${plan.folder}/${caseIdOf(plan)}`;
    seen.set(id, (seen.get(id) ?? 0) + 1);
    return `${seen.get(id)} ${plan.folder}`;
  });
  const before = new Map();
  for (const game of games)
    for (const { player, key, name, plan } of game.plans)
      if (key && plan !== null) before.set(`${player}/${caseIdOf({ key, name })}`, plan);
  for (const { player, plan, ...newPlan } of waitingPlans) before.set(`${player}/${caseIdOf(newPlan)}`, plan);
  const taken = new Set();
  return [...groups.values()].flatMap((group) => {
    const { folder } = group[0];
    const planOf = (id, one) => before.get(`${id}/${caseIdOf(one)}`) ?? one.plan;
    const differs = (id) => group.some((one) => planOf(id, one) !== one.plan);
    const owner = folder && !taken.has(folder) ? ownerOf(folder, differs) : null;
    const isOther = (name) => (folder ? (playersById.get(name)?.path ?? folder) !== folder : differs(name));
    const player = owner ?? unusedName(folder || "Plans", (name) => taken.has(name) || isOther(name));
    const replaces = folder && playersById.has(player);
    taken.add(folder).add(player);
    addPlayer(player, folder || player);
    return group.map(({ name, key, plan }) => ({ name, key, player, plan, replaces }));
  });
}

// Returns the ID of the player to which the plans of a folder belong: the run or folder with the same path,
// or else the only match. A player matches if one of the two paths ends with the other, and the plans do not
// differ. Returns null if there is no match, or more than one.
function ownerOf(folder, differs) {
  const all = [...playersById.values()];
  const same = all.find((player) => player.folder === folder || player.id === folder);
  if (same) return same.id;
  const isEnd = (long, short) => long.endsWith(`/${short}`);
  const alike = all.filter(({ id, folder: known = id }) => isEnd(known, folder) || isEnd(folder, known));
  const equal = alike.filter(({ id }) => !differs(id));
  return equal.length === 1 ? equal[0].id : null;
}

// Returns the key of a game or plan as a string; null if it has no key.
const idOf = ({ key }) => key && `${key.is_number}/${key.text}`;

// Returns a file name in lower case, without its folder and up to the first dot.
const stemOf = (name) => name.split(/[/\\]/).at(-1).split(".")[0].toLowerCase();

// Identifies the case of a plan: by the digest if the case is open, or else by the plan's file name.
const caseIdOf = (plan) => caseForPlan(plan)?.facts.digest ?? stemOf(plan.name);

// Returns the game to which a new plan belongs. Among the cases with the plan's key, cases with its exact
// name take precedence, and then the case in the nearest folder. If several cases remain, returns the latest
// one for which the plan is valid, or else the latest one.
function caseForPlan(newPlan) {
  const near = (path) => {
    const [a, b] = [path, newPlan.name].map((one) => one.split(/[/\\]/));
    const apart = a.findIndex((part, i) => part !== b[i]);
    return apart < 0 ? a.length : apart;
  };
  const alike = games.filter((game) => game.key && game.case !== null && idOf(game) === idOf(newPlan));
  const isSame = (name) => stemOf(name) === stemOf(newPlan.name);
  const exact = alike.filter(({ name, paths }) => [name, ...paths].some(isSame));
  const cases = exact.length ? exact : alike;
  if (cases.length < 2) return cases[0];
  const nearness = cases.map(({ paths }) => Math.max(0, ...paths.map(near)));
  const nearest = cases.filter((_, i) => nearness[i] === Math.max(...nearness));
  const isValid = (game) => newPlan.plan !== null && !scorePlan(game, newPlan.plan).error;
  return nearest.length > 1 ? (nearest.findLast(isValid) ?? nearest.at(-1)) : nearest[0];
}

// Assigns a plan to the only case opened together with it, unless both have numbers. If no case was opened
// together with it, assigns a plan without a number to the current case.
function assignLoosePlan(newPlan, cases, notes) {
  const home = cases.length === 1 ? cases[0] : cases.length ? null : currentPick().game;
  const hasNumbers = newPlan.key.is_number && (home?.key?.is_number || !cases.length);
  if (!home?.case || hasNumbers || newPlan.plan === null) return;
  newPlan.game = home;
  if (!cases.length) notes.push(`${newPlan.name} has no number: it is used as a plan for ${home.name}.`);
}

// Takes back plans that may belong to one of the opened cases, from other games with the same key: the
// results of unknown cases, whose games are removed as well, and invalid plans if the case is from a file of
// its own (`cases`). Returns them as new plans.
function takeMisplacedPlans(opened, cases) {
  const [keys, fileKeys] = [opened, cases].map((list) => new Set(list.map(idOf)));
  const others = games.filter((game) => keys.has(idOf(game)) && !opened.includes(game));
  return others.flatMap((game) => {
    if (game.facts.digest.startsWith(UNKNOWN)) {
      games.splice(games.indexOf(game), 1);
      const reports = game.plans.filter(({ reported }) => reported);
      return reports.map(({ name, player, plan, reported, metrics }) => ({
        ...{ name, key: game.key, player, plan, reported, metrics, replaces: true },
      }));
    }
    if (!fileKeys.has(idOf(game))) return [];
    const isWrong = ({ opened, key, own, reported }) => opened && key && own?.error && !reported;
    const wrong = game.plans.filter(isWrong);
    if (wrong.length) removePlans(game, isWrong);
    return wrong.map(({ name, key, player, plan }) => ({ name, key, player, plan }));
  });
}

function addToGame({ game, player, name, key, plan, reported, metrics, replaces }) {
  const known = reported ? { reported, metrics } : { key, name };
  addPlan(game, player, plan, { opened: true, replaces, ...known });
}
