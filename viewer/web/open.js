// Ways to open a game: a seed, files, the clipboard, dropping.

import { byId, attempt, complain, hush, make, say } from "./dom.js";
import { ask } from "./engine.js";
import { add, pick, picked } from "./library.js";

let about = null;
let handlers = {};

// A case by seed, everything as typed: {name, case}.
export function generated(values) {
  const known = ["seed", "profile", "width", "height", "columns", "colours", "magic"];
  const wish = {};
  for (const name of known) if (values[name]) wish[name] = String(values[name]);
  return { ...ask("generate", wish), origin: wish };
}

function openSeed(values) {
  const made = generated(values);
  pick(add(made.name, made.case, [], made.origin));
}

async function readFile(file, name) {
  if (file.size > about.largest_file) {
    const size = (file.size / 2 ** 20).toFixed(0);
    throw new Error(`${name}: ${size} MiB are too much, expected at most ${about.largest_file / 2 ** 20} MiB`);
  }
  const bytes = await file.arrayBuffer();
  try {
    return { name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { name, text: null };
  }
}

// Opens files, each {name, file}: whatever they are.
async function openFiles(list) {
  hush();
  const mistakes = [];
  const files = [];
  if (list.length > about.most_files) {
    complain(`${list.length} files are too many, expected at most ${about.most_files}`);
    return;
  }
  for (const { name, file } of list) {
    try {
      files.push(await readFile(file, name));
    } catch (error) {
      mistakes.push(error.message.startsWith(name) ? error.message : `${name}: cannot be read`);
    }
  }
  openTexts(files, mistakes);
}

function openTexts(files, mistakes = []) {
  const found = ask("files", { files });
  mistakes.push(...found.mistakes);
  let first = null;
  for (const { name, case: text, plans } of found.games) {
    const game = add(name, text, plans);
    first ??= game;
  }
  if (found.plans.length && !found.games.length && picked().game) {
    // Plans alone are for the game that is shown.
    first = addToShown(found.plans, mistakes);
  } else {
    for (const { name } of found.plans) mistakes.push(`${name}: a plan whose case is not among the files`);
  }
  if (first) {
    handlers.view("watch");
    pick(first);
  }
  if (found.puzzles.length) handlers.puzzle(found.puzzles[0]);
  if (found.moment) location.hash = found.moment;
  if (mistakes.length) {
    const more = mistakes.length > 5 ? [`… and ${mistakes.length - 5} more`] : [];
    complain([...mistakes.slice(0, 5), ...more].join("\n"));
  }
}

function addToShown(plans, mistakes) {
  const { game } = picked();
  const found = ask("files", { files: [{ name: game.name, text: game.case },
    ...plans.map(({ name, plan }) => ({ name, text: plan }))] });
  mistakes.push(...found.mistakes);
  const good = found.games[0]?.plans ?? [];
  return good.length ? add(game.name, game.case, good) : null;
}

// What was dropped, folders included: {name, file} each.
async function dropped(items) {
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
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  for (const entry of entries) await walk(entry, "");
  return out;
}

function named(files) {
  return [...files].map((file) => ({ name: file.webkitRelativePath || file.name, file }));
}

function takeDrops() {
  const cover = byId("dropping");
  let depth = 0;
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragenter", (event) => { if (hasFiles(event)) { depth += 1; cover.hidden = false; } });
  addEventListener("dragleave", () => { depth = Math.max(0, depth - 1); if (!depth) cover.hidden = true; });
  addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); });
  addEventListener("drop", async (event) => {
    depth = 0;
    cover.hidden = true;
    if (!hasFiles(event)) return;
    event.preventDefault();
    const plain = named(event.dataTransfer.files);
    try {
      const found = await dropped(event.dataTransfer.items);
      await openFiles(found.length ? found : plain);
    } catch {
      await openFiles(plain);
    }
  });
}

export function bindOpen(to) {
  handlers = to;
  about = ask("about");
  const form = byId("seed-form");
  const profile = form.elements.profile;
  profile.append(...about.profiles.map(({ name }) => make("option", { value: name }, name)));
  const describe = () => say(byId("profile-text"), about.profiles[profile.selectedIndex]?.description ?? "");
  profile.onchange = describe;
  describe();
  form.onsubmit = (event) => {
    event.preventDefault();
    hush();
    attempt(() => openSeed(Object.fromEntries(new FormData(form))));
  };
  byId("files").onchange = async ({ target }) => {
    await openFiles(named(target.files));
    target.value = "";
  };
  byId("paste-open").onclick = () => {
    hush();
    const texts = [["pasted case", byId("paste-case").value], ["pasted plan", byId("paste-plan").value]];
    openTexts(texts.filter(([, text]) => text.trim()).map(([name, text]) => ({ name, text })));
  };
  addEventListener("paste", (event) => {
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName ?? "")) return;
    const files = event.clipboardData.files;
    const text = event.clipboardData.getData("text/plain");
    if (files.length) openFiles(named(files));
    else if (text.trim()) openTexts([{ name: "pasted text", text }]);
  });
  takeDrops();
}
