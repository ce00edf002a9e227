// Opens games: by seed, from files and folders, from the clipboard, by drag and drop.

import {
  attempt,
  attemptIn,
  byId,
  choices,
  complain,
  counted,
  grouped,
  hideMessage,
  report,
  setText,
  sentence,
} from "./dom.js";
import { begin } from "./address.js";
import { ask } from "./engine.js";
import {
  add,
  addPapers,
  addPlan,
  games,
  keyOf,
  namesake,
  onChange,
  pair,
  removePassing,
  pick,
  picked,
  scoreAll,
  settle,
  waiting,
} from "./library.js";

const collator = new Intl.Collator("en", { numeric: true });

// Number of files that the engine sorts per batch. Between batches, the page responds to the user.
const BATCH = 100;

let about = null;
let handlers = {};

// Generates a case from the values of a form: {name, case, about, origin, key}.
export function generated(values) {
  const origin = Object.fromEntries(Object.entries(values).filter(([, value]) => value));
  return { ...ask("generate", origin), origin, key: keyOf(origin) };
}

// The time at which the last seed was opened. Seeds opened within `TYPING` milliseconds of each
// other share one history entry.
let seedTime = -Infinity;
const TYPING = 2000;

function openSeed() {
  hideMessage();
  attemptIn(byId("seed-form"), () => {
    const game = add({
      ...generated(Object.fromEntries(new FormData(byId("seed-form")))),
      passing: true,
    });
    if (performance.now() - seedTime > TYPING) begin("watch");
    seedTime = performance.now();
    pick(game);
    removePassing(game);
    scoreAll();
  });
}

// Reads files. Resolves to a result of `Promise.allSettled` for each file: {name, text, only} or an
// error. A read takes 1 to 2 ms, for a single file or for many, so all files are read
// together. If that fails, reads each file by itself.
async function readFiles(list) {
  const fits = ({ file }) => file?.size <= about.largest_file;
  const read = (blob) => blob.arrayBuffer().catch(() => null);
  const whole = await read(new Blob(list.filter(fits).map(({ file }) => file)));
  let end = 0;
  const readText = async ({ name, file }) => {
    if (!fits({ file })) {
      const [size, most] = [file.size, about.largest_file].map((bytes) => bytes / 2 ** 20);
      throw new Error(`${name}: ${size.toFixed(0)} MiB is too large (limit ${most} MiB)`);
    }
    const bytes = whole?.slice(end, (end += file.size)) ?? (await read(file));
    if (!bytes) throw new Error(`${name}: cannot be read`);
    try {
      return { name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
    } catch {
      return { name, text: null };
    }
  };
  return Promise.allSettled(list.map((one) => (one.file ? readText(one) : one)));
}

// Opens files of any kind, each {name, file} or {name, text, only}. `quiet`: true to stay in the
// current view, for files that the page opens by itself.
async function openFiles(list, quiet = false) {
  if (!quiet) hideMessage();
  byId("open-box").close();
  if (list.length > about.most_files) {
    complain(
      `${counted(list.length, "file is", "files are")} too many ` +
        `(limit ${grouped(about.most_files)}).`,
    );
    return;
  }
  const mistakes = [];
  const content = { cases: [], plans: [], doubtful: [], results: [], puzzles: [], moment: null };
  const cover = byId("opening");
  const slow = setTimeout(() => {
    cover.hidden = quiet;
  }, 300);
  try {
    const read = (at) => readFiles(list.slice(at, at + BATCH));
    let coming = read(0);
    for (let i = 0; i < list.length; i += BATCH) {
      setText(
        cover.firstElementChild,
        `Opening ${i.toLocaleString("en")} of ${counted(list.length, "file", "files")} …`,
      );
      const batch = await coming;
      // Read the next batch while the engine sorts this one.
      coming = read(i + BATCH);
      const files = batch.flatMap(({ value }) => value ?? []);
      mistakes.push(...batch.flatMap(({ reason }) => reason?.message ?? []));
      const part = ask("files", { files });
      for (const [kind, list] of Object.entries(part))
        if (kind in content && Array.isArray(list)) content[kind].push(...list);
      content.moment ??= part.moment;
      mistakes.push(...part.mistakes);
      if (list.length > BATCH) await new Promise((resolve) => setTimeout(resolve));
    }
    take(content, mistakes, quiet);
  } catch (error) {
    complain(error.message);
  } finally {
    clearTimeout(slow);
    cover.hidden = true;
  }
  scoreAll().then(() => performance.mark("opened"));
}

// Opens pasted texts, each {name, text, only}.
function openPasted(texts) {
  hideMessage();
  const { mistakes, ...content } = ask("files", { files: texts });
  take(content, mistakes);
  scoreAll();
}

// Adds opened files, sorted by kind, to the library, pairs plans with cases, and shows the result.
function take({ cases, plans, doubtful, results, puzzles, moment }, mistakes, quiet = false) {
  const notes = [];
  // A file of unknown content is a broken plan if its folder has plans, or if it has the number of
  // a case in another folder.
  const folders = new Set(plans.map(({ folder }) => folder));
  const numbers = new Set([...games, ...cases].map(({ key }) => key?.text));
  const beside = (folder) => cases.some(({ name }) => name.startsWith(`${folder}/`));
  for (const { mistake, ...plan } of doubtful) {
    const { folder, key } = plan;
    if (folders.has(folder) || (numbers.has(key.text) && !beside(folder))) plans.push(plan);
    else mistakes.push(mistake);
  }
  const opened = cases.map((one) => add({ ...one, name: caseName(one), opened: true }));
  for (const one of results) opened.push(...takeResults(one));
  const fresh = addPapers(plans);
  pair();
  for (const paper of fresh) {
    if (paper.homes.size) continue;
    // A plan without a number belongs to the only case opened with it, or to the current case.
    const home = cases.length === 1 ? opened[0] : cases.length ? null : picked().game;
    const numbers = paper.key.number && (home?.key?.number || !cases.length);
    if (!home?.case || numbers) continue;
    settle(paper, home);
    if (!cases.length)
      notes.push(`${paper.name} has no number: it is used as a plan for ${home.name}.`);
  }
  const late = waiting();
  if (plans.length && late.length)
    notes.push(
      `${listed(late)} ${late.length === 1 ? "waits" : "wait"} for a case with the same number: ` +
        "open the case as well.",
    );
  if (quiet) return report(mistakes);
  show(opened.length ? opened : [...new Set(fresh.flatMap((paper) => [...paper.homes]))], fresh);
  if (puzzles.length) handlers.puzzles(puzzles);
  if (moment) location.hash = moment;
  report(mistakes, notes);
}

// Returns the name of a case from a file: without its folder, unless another case has that name.
function caseName({ name, about: { digest } }) {
  const file = name.split(/[/\\]/).at(-1);
  return games.some((game) => game.name === file && game.about.digest !== digest) ? name : file;
}

// Shows a single game in Watch, with the new plan; shows several games in Results.
function show(opened, fresh) {
  const first = opened.find((game) => game.case !== null);
  if (opened.length === 1 && first) handlers.watch();
  if (first)
    pick(
      first,
      first.plans.find((plan) => fresh.some((paper) => paper.plan === plan.plan)),
    );
  if (first) removePassing(first);
  if (opened.length > 1 || (opened.length && !first)) handlers.results();
}

// Adds the rows of a judge's report. Returns their games.
function takeResults({ name, bot, rows }) {
  const path = name.replaceAll("\\", "/").replace(/\.json$/, "");
  const player = namesake(path, false) ?? path;
  return rows.map((row) => {
    const key = /^\d+$/.test(row.name) ? { text: row.name.replace(/^0+/, ""), number: true } : null;
    const { name, case: text, about, origin, mark, placed, wall_s: seconds, numbers } = row;
    const game = add({ name, key, case: text, about, origin, opened: true });
    addPlan(game, player, null, {
      name: bot,
      points: row.score,
      broken: row.reason,
      mark,
      placed,
      judged: true,
      opened: true,
      numbers: seconds === null ? numbers : { seconds, ...numbers },
    });
    return game;
  });
}

// Lists the first three names, and the number of the others.
function listed(plans) {
  const names = plans.slice(0, 3).map(({ name }) => name);
  return names.join(", ") + (plans.length > 3 ? ` and ${plans.length - 3} more` : "");
}

function drawWaiting() {
  const late = waiting();
  const whose = late.length === 1 ? "its case" : "their cases";
  byId("waiting").hidden = !late.length;
  setText(
    byId("waiting"),
    `${counted(late.length, "plan waits", "plans wait")} for ${whose}: ${listed(late)}`,
  );
}

// Fills the seed box with the options of the current game, so that its buttons step through similar
// cases.
function drawSeed() {
  const form = byId("seed-form");
  const origin = picked().game?.origin || {};
  if (form.contains(document.activeElement)) return;
  for (const { name, options } of form.elements) {
    if (name) form.elements[name].value = origin[name] || (options ? options[0].value : "");
  }
  describe();
}

// Returns the dropped files, {name, file} each, including files in folders.
async function filesOf(entries) {
  const out = [];
  const walk = async (entry, path) => {
    if (out.length > about.most_files) return;
    if (entry.isFile) {
      const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
      out.push({ name: path + file.name, file });
    } else if (entry.isDirectory) {
      const reader = entry.createReader();
      for (;;) {
        const entries = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
        if (!entries.length) break;
        for (const inner of entries) await walk(inner, `${path}${entry.name}/`);
      }
    }
  };
  for (const entry of entries) await walk(entry, "");
  return out.sort(byName);
}

// Returns the files of a folder, {name, file} each, in browsers that let the page read folders.
async function filesIn(folder, path = `${folder.name}/`) {
  const out = [];
  for await (const inner of folder.values()) {
    if (inner.kind === "file") out.push({ name: path + inner.name, file: await inner.getFile() });
    else out.push(...(await filesIn(inner, `${path}${inner.name}/`)));
  }
  return out.sort(byName);
}

// Opens the files that `list` returns. A button opens them again. If `watched`, the page itself
// opens files that have changed.
async function openLasting(list, watched = false) {
  clearTimeout(watching);
  byId("again").onclick = () => openLasting(list, watched);
  byId("again").hidden = false;
  const files = await list().catch((error) => complain(error.message) ?? []);
  await openFiles(files);
  if (watched) watchFolder(list, files);
}

// The timer of the next check of the folder.
let watching = 0;
// Minimum interval between two checks, in milliseconds.
const OFTEN = 3000;

// While the tab is visible, checks a folder for changed files and opens them. A check of thousands
// of files is slow, so the interval between checks grows with the duration of a check.
function watchFolder(list, before) {
  const stamp = ({ file }) => `${file.size} ${file.lastModified}`;
  const stamps = new Map(before.map((one) => [one.name, stamp(one)]));
  const look = async () => {
    const began = performance.now();
    const files = document.hidden ? [] : await list().catch(() => []);
    const fresh = files.filter((one) => stamps.get(one.name) !== stamp(one));
    for (const one of fresh) stamps.set(one.name, stamp(one));
    if (fresh.length) await openFiles(fresh, true);
    watching = setTimeout(look, OFTEN + 10 * (performance.now() - began));
  };
  watching = setTimeout(look, OFTEN);
}

// Lets the user choose a folder that the page can read again. Resolves to false if the browser does
// not support this.
async function chooseFolder() {
  try {
    const folder = await showDirectoryPicker();
    await openLasting(() => filesIn(folder), true);
  } catch (error) {
    return error.name === "AbortError";
  }
  return true;
}

// Compares files by name, so that players have the same order every time.
function byName(a, b) {
  return collator.compare(a.name, b.name);
}

function named(files) {
  const list = [...files].map((file) => ({ name: file.webkitRelativePath || file.name, file }));
  return list.sort(byName);
}

function takeDrops() {
  const cover = byId("dropping");
  let depth = 0;
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragenter", (event) => {
    if (hasFiles(event)) {
      depth += 1;
      cover.hidden = false;
    }
  });
  addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    if (!depth) cover.hidden = true;
  });
  addEventListener("dragover", (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  addEventListener("drop", async (event) => {
    depth = 0;
    cover.hidden = true;
    if (!hasFiles(event)) return;
    event.preventDefault();
    const plain = named(event.dataTransfer.files);
    const items = [...event.dataTransfer.items];
    const entries = items.map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    if (entries.some((entry) => entry.isDirectory)) await openLasting(() => filesOf(entries));
    else await openFiles(plain);
  });
}

function describe() {
  const { profile } = byId("seed-form").elements;
  setText(byId("profile-text"), `${sentence(about.profiles[profile.selectedIndex].description)}.`);
}

function bindSeed() {
  const form = byId("seed-form");
  const { seed, profile } = form.elements;
  const names = about.profiles.map(({ name }) => [name, name]);
  choices(profile, names, names[0][0]);
  describe();
  form.onsubmit = (event) => {
    event.preventDefault();
    openSeed();
  };
  form.oninput = ({ target }) => {
    describe();
    if (target === seed && !seed.value.trim()) return;
    openSeed();
  };
  for (const [name, by] of [
    ["seed-less", -1n],
    ["seed-more", 1n],
  ]) {
    byId(name).onclick = () => {
      const now = /^\s*\d+\s*$/.test(seed.value) ? BigInt(seed.value.trim()) : 0n;
      seed.value = String(now + by < 0n ? 0n : now + by);
      openSeed();
    };
  }
}

// Opens the texts in the fields for a case and a plan.
function openFields() {
  const [first, second] = [byId("paste-case"), byId("paste-plan")];
  const [text, plan] = [first.value, second.value].map((value) => value.trim() && value);
  const wrong = byId("paste-wrong");
  setText(wrong, text || plan ? "" : "Both fields are empty: paste a case, a plan or both.");
  if (!text && !plan) return first.focus();
  const texts = [
    ["Pasted case", text, "case"],
    ["Pasted plan", plan, "plan"],
  ].filter(([, value]) => value);
  const files = texts.map(([name, value, only]) => ({ name, text: value, only }));
  const { mistakes, ...content } = ask("files", { files });
  setText(wrong, mistakes.join("\n"));
  if (mistakes.length) return;
  first.value = second.value = "";
  byId("open-box").close();
  take(content, mistakes);
  scoreAll();
}

export function bindOpen(to) {
  handlers = to;
  about = ask("about");
  bindSeed();
  for (const id of ["files", "folder"]) {
    byId(id).onchange = async ({ target }) => {
      const list = named(target.files);
      target.value = "";
      await openFiles(list);
    };
  }
  let lasting = "showDirectoryPicker" in window;
  byId("folder").onclick = async (event) => {
    if (!lasting) return;
    event.preventDefault();
    lasting = await chooseFolder();
    if (!lasting) byId("folder").click();
  };
  for (const button of document.querySelectorAll("[data-open]"))
    button.onclick = () => byId("open-box").showModal();
  byId("open-box").querySelector(".close").onclick = () => byId("open-box").close();
  byId("paste-open").onclick = () => attempt(openFields);
  addEventListener("paste", (event) => {
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName ?? "")) return;
    const files = event.clipboardData.files;
    const text = event.clipboardData.getData("text/plain");
    if (files.length) openFiles(named(files));
    else if (text.trim()) attempt(() => openPasted([{ name: "Pasted text", text }]));
  });
  onChange((game) => {
    if (game) return;
    drawWaiting();
    drawSeed();
  });
  takeDrops();
}

// Opens the files that `judge run --open` has put into the page. Resolves to false if there are
// none.
export async function openInside() {
  const inside = byId("inside").textContent;
  byId("inside").remove();
  if (inside) await openFiles(JSON.parse(inside));
  return Boolean(inside);
}
