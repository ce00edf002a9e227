// Adds opened files to the library: their cases, runs and plans. The README has the rule.
//
// A paper is a plan or the report of a game, {name, key, player, plan, reported, numbers, again}. With
// `again`, it replaces the player's previous plan of the game. A paper waits until its case is open.

import { collator } from "./dom.js";
import { ask } from "./engine.js";
import {
  addCase, addPlan, addPlayer, currentPick, freeName, gameByDigest, games, notifyChange, removePlans, roster,
  scorePlan,
} from "./library.js";

// The papers whose case is not open yet.
export const waitingPapers = [];

// Takes the opened files; `of(kind)` returns the files of a kind. Returns the opened games, the papers, each
// with its game if it has one, mistakes, the names of ignored files, and notes.
export function addFiles(of) {
  const [mistakes, ignored, notes] = [[...of("mistakes")], [...of("ignored")], []];
  const plans = [...of("plans")];
  // A doubtful file is an invalid plan if its folder has plans.
  const folders = new Set(plans.map(({ folder }) => folder));
  for (const { mistake, ...plan } of of("doubtful")) {
    if (folders.has(plan.folder)) plans.push(plan);
    else if (mistake) mistakes.push(mistake);
    else ignored.push(plan.name);
  }
  const cases = of("cases").map((one) =>
    addCase({ ...one, name: caseName(one), path: one.name, opened: true }),
  );
  const opened = [...cases];
  const fresh = [];
  for (const run of of("runs").sort((a, b) => collator.compare(a.head.started, b.head.started))) {
    const papers = papersOf(run);
    fresh.push(...papers);
    opened.push(...papers.flatMap(({ game }) => game ?? []));
  }
  fresh.push(...plansOf(plans));
  const late = waitingPapers.splice(0);
  for (const paper of [...late, ...misplaced(cases), ...fresh]) {
    paper.game ??= homeOf(paper);
    if (!paper.game) takeLoose(paper, cases, notes);
    if (paper.game) settleIn(paper);
    else waitingPapers.push(paper);
  }
  notifyChange();
  return { opened, fresh, mistakes, ignored: ignored.sort(collator.compare), notes };
}

// Returns the name of a case from a file. The name includes the folder only if another case has the same file
// name.
function caseName({ name, about: { digest } }) {
  const file = name.split(/[/\\]/).at(-1);
  return games.some((game) => game.name === file && game.about.digest !== digest) ? name : file;
}

// Registers a run as a player. Returns its papers, one for each case.
function papersOf({ name, id, head, rows }) {
  const path = name.replaceAll("\\", "/").replace(/\/run\.jsonl$|\.jsonl?$/, "");
  const seen = new Set();
  // Of several equal cases, only the first counts.
  const isFirst = ({ about }) => !about || (!seen.has(about.digest) && seen.add(about.digest));
  const reports = rows.filter(isFirst).map(({ name, key, numbers, about, origin, ...reported }) => ({
    name,
    key,
    numbers,
    plan: null,
    reported,
    game: about ? caseOf({ name, key, about, origin, path }) : undefined,
  }));
  const before = (paper) => paper.game?.plans.find(({ player }) => player === (id ?? path))?.reported;
  const isOther = reports.some((paper) => {
    const known = before(paper);
    return known && known.points !== paper.reported.points;
  });
  // A file with neither a head nor a folder may be another run of the same name.
  const player = id ?? (isOther && !path.includes("/") ? freeName(path, (other) => roster.has(other)) : path);
  addPlayer(player, path, { head, folder: `${path}/out` });
  return reports.map((paper) => ({ ...paper, player, again: true }));
}

// Opens the case of a row. If the page cannot generate the case, only its properties are known.
function caseOf({ about, origin, ...row }) {
  const known = gameByDigest(about.digest);
  const generated = origin && !known?.case && ask("generate", origin);
  const isSame = generated && generated.about.digest === about.digest;
  return addCase({ ...row, about, opened: true, ...(isSame && { case: generated.case, origin }) });
}

// Returns a paper for each plan from a file. A folder is a player, and opening it again replaces its plans.
// Plans without a folder become the first of the players "Plans", "Plans (2)", … that has no other plan for
// one of their cases. Further plans for the same case in a folder become a new player.
function plansOf(plans) {
  const seen = new Map();
  // Group the plans by folder. A group has one plan for a case: if a folder has several plans for a case, the
  // further plans are in further groups.
  const groups = Map.groupBy(plans, (plan) => {
    const id = `${plan.folder}/${idOf(plan)}`;
    seen.set(id, (seen.get(id) ?? 0) + 1);
    return `${seen.get(id)} ${plan.folder}`;
  });
  const before = new Map();
  for (const game of games)
    for (const { player, key, plan } of game.plans)
      if (key && plan !== null) before.set(`${player}/${idOf({ key })}`, plan);
  for (const { player, plan, ...paper } of waitingPapers) before.set(`${player}/${idOf(paper)}`, plan);
  const taken = new Set();
  return [...groups.values()].flatMap((group) => {
    const { folder } = group[0];
    const differs = (player) =>
      group.some((plan) => (before.get(`${player}/${idOf(plan)}`) ?? plan.plan) !== plan.plan);
    const owner = folder && !taken.has(folder) ? ownerOf(folder, differs) : null;
    const isTaken = (name) => taken.has(name) || (folder ? roster.has(name) : differs(name));
    const player = owner ?? freeName(folder || "Plans", isTaken);
    taken.add(folder).add(player);
    addPlayer(player, folder || player);
    return group.map(({ name, key, plan }) => ({ name, key, player, plan, again: Boolean(owner) }));
  });
}

// Returns the id of the player who owns the plans of a folder: a run, the same folder, or the only folder
// whose path has the same end and whose plans do not differ. Returns null if there is none.
function ownerOf(folder, differs) {
  const all = [...roster.values()];
  const same = all.find((run) => run.folder === folder || run.id === folder);
  if (same) return same.id;
  const isEnd = (long, short) => long.endsWith(`/${short}`);
  const alike = all.filter(({ id, folder: known = id }) => isEnd(known, folder) || isEnd(folder, known));
  const equal = alike.filter(({ id }) => !differs(id));
  return equal.length === 1 ? equal[0].id : null;
}

// Returns the key of a game or plan as a string; null if it has no key.
const idOf = ({ key }) => key && `${key.number}/${key.text}`;

// Returns the case of a paper. Of the cases with its key, this is the one in the nearest folder. If there are
// several, it is the latest one for which the plan is valid, or else the latest one.
function homeOf(paper) {
  const near = (path) => {
    const [a, b] = [path, paper.name].map((one) => one.split(/[/\\]/));
    const apart = a.findIndex((part, i) => part !== b[i]);
    return apart < 0 ? a.length : apart;
  };
  const cases = games.filter((game) => game.key && game.case !== null && idOf(game) === idOf(paper));
  if (cases.length < 2) return cases[0];
  const nearness = cases.map(({ paths }) => Math.max(0, ...paths.map(near)));
  const nearest = cases.filter((_, i) => nearness[i] === Math.max(...nearness));
  const isValid = (game) => paper.plan !== null && !scorePlan(game, paper.plan).error;
  return nearest.length > 1 ? (nearest.findLast(isValid) ?? nearest.at(-1)) : nearest[0];
}

// A plan without a number belongs to the only case opened together with it. If no case is opened together
// with it, it belongs to the current case.
function takeLoose(paper, cases, notes) {
  const home = cases.length === 1 ? cases[0] : cases.length ? null : currentPick().game;
  const hasNumbers = paper.key.number && (home?.key?.number || !cases.length);
  if (!home?.case || hasNumbers || paper.plan === null) return;
  paper.game = home;
  if (!cases.length) notes.push(`${paper.name} has no number: it is used as a plan for ${home.name}.`);
}

// Removes invalid plans from games that have the same key as one of the new cases, and returns the papers of
// these plans, which may belong to the new case.
function misplaced(cases) {
  const keys = new Set(cases.map(idOf));
  const others = games.filter((game) => keys.has(idOf(game)) && !cases.includes(game));
  return others.flatMap((game) => {
    const isWrong = ({ opened, key, own, reported }) => opened && key && own?.error && !reported;
    const wrong = game.plans.filter(isWrong);
    if (wrong.length) removePlans(game, isWrong);
    return wrong.map(({ name, key, player, plan }) => ({ name, key, player, plan }));
  });
}

// Adds a paper to its game.
function settleIn({ game, player, name, key, plan, reported, numbers, again }) {
  const known = reported ? { reported, numbers } : { key, name };
  addPlan(game, player, plan, { opened: true, replaces: again, ...known });
}
