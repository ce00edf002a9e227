// Opens files, folders, dropped files and pasted text.

import { setBaseUrl } from "./address.js";
import {
  byId, collator, countText, groupDigits, hideMessage, setText, showError, showFileReport,
} from "./dom.js";
import { ask } from "./engine.js";
import {
  currentPick, onGamesChange, pickGame, removeOtherTemporaryGames, scoreAllPlans, scorePlan,
} from "./library.js";
import { addFiles, addStderrFiles, waitingPlans } from "./add-files.js";
import { openView, switchTo } from "./views.js";

// The number of files that the engine classifies in one batch. Between batches, the page handles events.
const FILES_PER_BATCH = 100;

let constants = null;

// Reads files and text. Resolves to a result of `Promise.allSettled` for each: {name, text, …} or an error.
// A read takes 1 to 2 ms, even of many files, so all files are read together. If that fails, each file is
// read separately.
async function readFiles(list) {
  const fits = ({ file }) => file?.size <= constants.max_file_bytes;
  const read = (blob) => blob.arrayBuffer().catch(() => null);
  const whole = await read(new Blob(list.filter(fits).map(({ file }) => file)));
  let end = 0;
  const readText = async ({ name, file }) => {
    if (!fits({ file })) {
      const [size, limit] = [file.size, constants.max_file_bytes].map((bytes) => bytes / 2 ** 20);
      throw new Error(`${name}: ${size.toFixed(0)} MiB is too large (limit ${limit} MiB)`);
    }
    const bytes = whole?.slice(end, (end += file.size)) ?? (await read(file));
    if (!bytes) throw new Error(`${name}: cannot be read`);
    return { name, ...decode(bytes) };
  };
  return Promise.allSettled(list.map((one) => (one.file ? readText(one) : one)));
}

// Decodes UTF-8. Replacement characters stand for bytes that are not UTF-8.
function decode(bytes) {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), is_binary: false };
  } catch {
    return { text: new TextDecoder().decode(bytes), is_binary: true };
  }
}

// Matches the names of files that the page neither opens nor reports: hidden files in folders, and files that
// are still being written.
const IGNORED_NAMES = /[/\\]\.|\.part$/;
// Matches the names of files in a folder `err`, which contain the standard error of bots.
const STDERR_NAMES = /(^|[/\\])err[/\\]/;

// Returns the kind of a file. Text is always opened: the user has pasted it, or `judge open` has put it into
// the page.
function kindOf({ name, file }) {
  if (file && IGNORED_NAMES.test(name)) return "ignored";
  return STDERR_NAMES.test(name) ? "stderr" : "list";
}

// Opens files and text of any kind, each as {name, file} or {name, text, chosen_format}. `quiet`: true to
// stay in the current view, for files that the page opens by itself.
async function openFiles(all, quiet = false) {
  if (!quiet) {
    hideMessage();
    byId("open-box").close();
  }
  const { list = [], stderr = [] } = Object.groupBy(all, kindOf);
  const count = countText(list.length, "file");
  if (list[0]?.file && list.length > constants.max_files)
    return showError(`${count} are too many (limit ${groupDigits(constants.max_files)}).`);
  const parts = [];
  const cover = byId("opening");
  const coverTimer = setTimeout(() => (cover.hidden = quiet), 300);
  try {
    const read = (at) => readFiles(list.slice(at, at + FILES_PER_BATCH));
    let nextBatch = read(0);
    for (let i = 0; i < list.length; i += FILES_PER_BATCH) {
      setText(cover.firstElementChild, `Opening ${groupDigits(i)} of ${count} …`);
      const batch = await nextBatch;
      // Read the next batch while the engine classifies this one.
      nextBatch = read(i + FILES_PER_BATCH);
      parts.push({ errors: batch.flatMap(({ reason }) => reason?.message ?? []) });
      parts.push(ask("classify-files", { files: batch.flatMap(({ value }) => value ?? []) }));
      if (list.length > FILES_PER_BATCH) await new Promise((resolve) => setTimeout(resolve));
    }
    const outputs = await readFiles(stderr);
    parts.push({ stderr_files: outputs.flatMap(({ value }) => value ?? []) });
    addOpenedFiles((kind) => parts.flatMap((part) => part[kind] ?? []), quiet);
  } catch (error) {
    showError(error.message);
  } finally {
    clearTimeout(coverTimer);
    cover.hidden = true;
  }
  scoreAllPlans().then(() => performance.mark("opened"));
}

// Adds opened files to the library, and shows the result. `itemsOfKind`: see `addFiles`.
function addOpenedFiles(itemsOfKind, quiet) {
  const { opened, newPlans, errors, ignored, notes } = addFiles(itemsOfKind);
  ignored.push(...addStderrFiles(itemsOfKind("stderr_files")));
  ignored.sort(collator.compare);
  if (newPlans.length && waitingPlans.length) {
    const wait = waitingPlans.length === 1 ? "waits" : "wait";
    const names = listNames(waitingPlans.map(({ name }) => name));
    notes.push(`${names} ${wait} for a case with the same number: open the case as well.`);
  }
  if (quiet) return showFileReport(errors);
  if (ignored.length)
    notes.push(`Not opened: ${listNames(ignored)} (no cases, plans, runs or boards).`);
  show(opened.length ? opened : [...new Set(newPlans.flatMap(({ game }) => game ?? []))], newPlans);
  const boards = itemsOfKind("boards");
  if (boards.length) switchTo("puzzles").openBoards(boards);
  showFileReport(errors, notes);
}

// Shows a single game in Watch, with the new plan, or several games in Results.
function show(opened, newPlans) {
  const first = opened.find((game) => game.case !== null);
  if (opened.length === 1 && first) switchTo("watch");
  if (first) {
    const isNew = ({ plan }) => plan !== null && newPlans.some((newPlan) => newPlan.plan === plan);
    pickGame(first, first.plans.find(isNew));
    removeOtherTemporaryGames(first);
  }
  if (opened.length > 1 || (opened.length && !first)) openView("results");
}

// Lists the first three names, and counts the others.
function listNames(names) {
  const more = names.length - 3;
  return names.slice(0, 3).join(", ") + (more > 0 ? ` and ${groupDigits(more)} more` : "");
}

function drawWaiting() {
  const plans = countText(waitingPlans.length, "plan waits for its case", "plans wait for their cases");
  byId("waiting").hidden = !waitingPlans.length;
  setText(byId("waiting"), `${plans}: ${listNames(waitingPlans.map(({ name }) => name))}`);
}

// Yields the dropped files, including those in folders that are not hidden, each as {name, file}.
async function* droppedFiles(entries, path = "") {
  const read = (entry, method) =>
    new Promise((resolve, reject) => entry[method](resolve, reject));
  for (const entry of entries) {
    if (path && entry.name.startsWith(".")) continue;
    if (entry.isFile) yield { name: path + entry.name, file: await read(entry, "file") };
    else {
      const reader = entry.createReader();
      // The browser lists a long folder in parts. The last part is empty.
      for (let part; (part = await read(reader, "readEntries")).length; )
        yield* droppedFiles(part, `${path}${entry.name}/`);
    }
  }
}

// Yields the files of a folder, each as {name, file}, in browsers that let the page read folders. Skips
// hidden files and folders, such as `.git`, which may be large.
async function* filesIn(folder, path = `${folder.name}/`) {
  for await (const inner of folder.values()) {
    if (inner.name.startsWith(".")) continue;
    if (inner.kind === "file") yield { name: path + inner.name, file: await inner.getFile() };
    else yield* filesIn(inner, `${path}${inner.name}/`);
  }
}

// Collects the files that are not ignored, and sorts them by name. Stops when there are more files than the
// page can open.
async function collect(files) {
  const list = [];
  let count = 0;
  for await (const file of files) {
    const kind = kindOf(file);
    if (kind !== "ignored") list.push(file);
    if (kind === "list" && ++count > constants.max_files) break;
  }
  return list.sort(byName);
}

// The minimum interval between two checks of a folder, in milliseconds.
const MIN_POLL_MS = 3000;
// The folder that the page checks for changes, {list, stamps}; null if there is none. `list()` resolves to
// its files, and `stamps` has the size and the time of each opened file by its name.
let watchedFolder = null;

const stamp = ({ file }) => `${file.size} ${file.lastModified}`;

// Opens the files that `list` returns, and watches their folder.
async function openFolder(list) {
  const folder = (watchedFolder = { list });
  try {
    const files = await list();
    folder.stamps = new Map(files.map((one) => [one.name, stamp(one)]));
    await openFiles(files);
    if (watchedFolder === folder) watchFolder(folder);
  } catch (error) {
    byId("open-box").close();
    showError(error.message);
  }
}

// Opens new and changed files of a folder while the tab is visible, until another folder is opened or the
// user closes all files. A check of thousands of files is slow, so the interval between checks grows with
// their duration.
async function watchFolder({ list, stamps }) {
  const ownFolder = (watchedFolder = { list, stamps });
  for (let duration = 0; watchedFolder === ownFolder; ) {
    await new Promise((done) => setTimeout(done, MIN_POLL_MS + 10 * duration));
    const start = performance.now();
    const now = document.hidden ? [] : await list().catch(() => []);
    const changed = now.filter((one) => stamps.get(one.name) !== stamp(one));
    if (watchedFolder !== ownFolder) return;
    for (const one of changed) stamps.set(one.name, stamp(one));
    if (changed.length) await openFiles(changed, true);
    duration = performance.now() - start;
  }
}

// Stops watching the folder. Returns a function that resumes it unless another folder has been opened.
export function stopWatching() {
  const folder = watchedFolder;
  watchedFolder = null;
  return () => folder?.stamps && !watchedFolder && watchFolder(folder);
}

// Lets the user choose a folder that the page can read again. Resolves to false if the browser does not
// support or allow this.
async function chooseFolder() {
  try {
    const folder = await showDirectoryPicker();
    openFolder(() => collect(filesIn(folder)));
  } catch (error) {
    return error.name === "AbortError";
  }
  return true;
}

// Compares files by name, so that players always have the same order.
const byName = (a, b) => collator.compare(a.name, b.name);

function withNames(files) {
  const list = [...files].map((file) => ({ name: file.webkitRelativePath || file.name, file }));
  return list.sort(byName);
}

function takeDrops() {
  const cover = byId("dropping");
  let timer = 0;
  const show = (on) => {
    cover.hidden = !on;
    clearTimeout(timer);
    // While the user drags files over the page, the browser fires `dragover` at least every 350 ms. After
    // 700 ms without an event, the drag has ended.
    if (on) timer = setTimeout(() => show(false), 700);
  };
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    show(true);
  });
  addEventListener("drop", (event) => {
    show(false);
    if (!hasFiles(event)) return;
    event.preventDefault();
    const plain = withNames(event.dataTransfer.files);
    const entries = [...event.dataTransfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
    if (entries.some((entry) => entry.isDirectory)) openFolder(() => collect(droppedFiles(entries)));
    else openFiles(plain);
  });
}

// Opens the case and the plan that the user has pasted into the inputs.
function openPastedText() {
  const fields = [byId("paste-case"), byId("paste-plan")];
  const files = [
    { name: "Pasted case", text: fields[0].value, chosen_format: "case" },
    { name: "Pasted plan", text: fields[1].value, chosen_format: "plan" },
  ].filter(({ text }) => text.trim());
  const empty = "Both fields are empty: paste a case, a plan or both.";
  const errors = files.length ? [...ask("classify-files", { files }).errors] : [empty];
  const text = fields[0].value.trim() ? fields[0].value : currentPick().game?.case;
  if (fields[1].value.trim() && !errors.length && text) {
    const { error } = scorePlan({ case: text }, fields[1].value);
    if (error) errors.push(`Pasted plan: ${error}`);
  }
  const wrong = errors.join("\n");
  setText(byId("paste-wrong"), wrong);
  if (!files.length) fields[0].focus();
  if (wrong) return;
  for (const field of fields) field.value = "";
  openFiles(files);
}

// Opens pasted text. A plan gets another name than a case, since a plan belongs to the case with its name.
function openPlainText(text) {
  const file = { name: "Pasted text", text };
  const { plans } = ask("classify-files", { files: [file] });
  openFiles([plans.length ? { ...file, name: "Pasted plan" } : file]);
}

export function bindOpen() {
  constants = ask("constants");
  for (const id of ["files", "folder"]) {
    byId(id).onchange = async ({ target }) => {
      const list = withNames(target.files);
      target.value = "";
      await openFiles(list);
    };
  }
  let canChooseFolder = "showDirectoryPicker" in window;
  byId("folder").onclick = async (event) => {
    if (!canChooseFolder) return;
    event.preventDefault();
    canChooseFolder = await chooseFolder();
    if (!canChooseFolder) byId("folder").click();
  };
  for (const button of document.querySelectorAll("[data-open]"))
    button.onclick = () => byId("open-box").showModal();
  byId("open-box").querySelector(".close").onclick = () => byId("open-box").close();
  byId("paste-open").onclick = openPastedText;
  addEventListener("paste", (event) => {
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName ?? "")) return;
    const { files } = event.clipboardData;
    const text = event.clipboardData.getData("text/plain");
    if (files.length) openFiles(withNames(files));
    else if (text.trim()) openPlainText(text);
  });
  onGamesChange((game) => game || drawWaiting());
  takeDrops();
}

// Uses the base URL for links that `judge open` has put into the page. Opens its files if `isNew` is true.
export async function openEmbeddedFiles(isNew) {
  const text = byId("inside").textContent;
  byId("inside").remove();
  if (!text) return;
  const { base, files } = JSON.parse(text);
  setBaseUrl(base);
  if (isNew) await openFiles(files);
}
