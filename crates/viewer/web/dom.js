// Creates and updates elements of the page, and formats numbers. Strings become text, never markup.

// Compares names so that 9.txt comes before 10.txt.
export const collator = new Intl.Collator("en", { numeric: true });

export const byId = (id) => document.getElementById(id);

// Makes an element: `make("p.hint", { title }, "text", icon)`. The optional properties are attributes, DOM
// properties and, with the prefix "on", event handlers. Children are nodes, strings and nested lists of both;
// null, undefined and false add no child.
export function make(description, ...parts) {
  const [tag, ...classes] = description.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  const properties = parts[0]?.constructor === Object ? parts.shift() : {};
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && !name.startsWith("aria")) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...parts.flat(Infinity).filter((child) => (child ?? false) !== false));
  return element;
}

export const button = (text, onclick, properties) => make("button", { onclick, ...properties }, text);

// Returns the elements in a box that have a `data-part` attribute, keyed by its value.
export function namedParts(box) {
  const list = [...box.querySelectorAll("[data-part]")];
  return Object.fromEntries(list.map((element) => [element.dataset.part, element]));
}

// Returns the key of a keyboard event: letters in lower case, regardless of Caps Lock; on a layout without
// Latin letters, the key of an American keyboard.
export function keyOf({ key, code }) {
  if (key.length > 1) return key;
  if (key.charCodeAt(0) < 128) return key.toLowerCase();
  const signs = { Slash: "/", BracketLeft: "[", BracketRight: "]", Comma: ",", Period: "." };
  return signs[code] ?? (/^Key[A-Z]$/.test(code) ? code.at(-1).toLowerCase() : key);
}

// Clicks the button in `box` that has this key as its shortcut. Returns false if there is none.
export function pressShortcut(box, { key }) {
  const name = CSS.escape(key === " " ? "Space" : key);
  const button = box.querySelector(`[aria-keyshortcuts~="${name}"]`);
  button?.click();
  return Boolean(button);
}

// Returns an own property of an object, or undefined. Users choose the names, and may choose the name of an
// inherited property, such as "constructor".
export const ownProperty = (object, name) => object && Object.hasOwn(object, name) ? object[name] : undefined;

// Replaces the children of a box. The keyboard focus stays on the element with the same label, or else at the
// same position in the box.
export function refill(box, ...children) {
  const controls = () => [...box.querySelectorAll("input, button, textarea, [tabindex]")];
  const focus = document.activeElement;
  const at = box.contains(focus) ? controls().indexOf(focus) : -1;
  box.replaceChildren(...children.flat());
  if (at < 0) return;
  const isSame = (one) => one === focus || (focus.ariaLabel && one.ariaLabel === focus.ariaLabel);
  (controls().find(isSame) ?? controls()[at])?.focus();
}

const SVG = "http:" + "//www.w3.org/2000/svg";

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", "#i-" + name);
  svg.append(use);
  svg.setAttribute("aria-hidden", "true");
  return svg;
}

// Sets the text of an element only if it differs, since some screen readers read text again when it is set.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Sends text to screen readers.
export function announce(text) {
  const live = byId("live");
  // If the text is repeated, append a no-break space: some screen readers read only changed text.
  live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

export const capitalise = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// Shows the message line. With `undo`, the line has a button that calls it.
function showMessage(text, kind, undo = null) {
  const box = byId("message");
  setText(box.querySelector("p"), text);
  const button = box.querySelector(".undo");
  button.hidden = !undo;
  button.onclick = () => {
    hideMessage();
    undo();
  };
  box.dataset.kind = kind;
  box.hidden = false;
}

export function showError(text) {
  showMessage(capitalise(String(text)), "bad");
}

// Shows a note. `undo` takes back the change that the note reports.
export function showNote(text, undo) {
  showMessage(text, "note", undo);
}

// Shows the first five errors in files, the number of further errors, and the notes.
export function showFileReport(errors, notes = []) {
  const more = errors.length > 5 ? [`… and ${errors.length - 5} more.`] : [];
  const lines = [...errors.slice(0, 5), ...more, ...notes];
  if (lines.length) showMessage(lines.join("\n"), errors.length ? "bad" : "note");
}

export function hideMessage() {
  byId("message").hidden = true;
}

// Calls `act` and shows the error if it throws.
export function attempt(act) {
  try {
    act();
  } catch (error) {
    showError(error.message);
  }
}

// Fills a `select` element. Each choice is [value, text], or only the text; its value is then its index.
// Shows only the end of a long text, since the end distinguishes files in deep folders.
export function fillMenu(select, list, chosen) {
  const pairs = list.map((one, i) => (Array.isArray(one) ? one : [i, one]));
  // Do not replace an unchanged list, since the user may have opened it.
  const wanted = JSON.stringify(pairs);
  if (select.dataset.of !== wanted) {
    const short = (text) => (text.length > 30 ? `…${text.slice(-29)}` : text);
    select.replaceChildren(...pairs.map(([value, text]) => make("option", { value }, short(text))));
    select.dataset.of = wanted;
  }
  select.value = chosen;
}

const format = new Intl.NumberFormat("en");

export const groupDigits = (number) => format.format(Math.round(number));

export const ratioText = (ratio) => ratio < 100 ? ratio.toFixed(4) : groupDigits(ratio);

// Formats the points scored so far in a turn, and the combo of the current step; empty without points.
export function gainText(points, combo) {
  return points ? `+${groupDigits(points)}${combo > 1 ? ` ×${combo}` : ""}` : "";
}

export function countText(number, one, many = `${one}s`) {
  return `${groupDigits(number)} ${number === 1 ? one : many}`;
}

export const total = (numbers) => numbers.reduce((a, b) => a + b, 0);

export const clamp = (number, low, high) => Math.max(low, Math.min(high, number));

// Makes a list item with a button that leads to a column of a game.
export function turnItem(text, turn, title, onclick) {
  const content = [make("b", text), make("span", ` at ${groupDigits(turn + 1)}`)];
  return make("li", button(content, onclick, { title }));
}

// Shows a tip centred at `x`, shifted if necessary to stay between 0 and `width`.
export function showTip(tip, text, x, width) {
  setText(tip, text);
  tip.hidden = false;
  const half = tip.offsetWidth / 2;
  tip.style.left = `${clamp(x, half, width - half)}px`;
}

// Copies text to the clipboard. Resolves to false if the browser forbids this.
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

// Checks the required fields of a form, then calls `act`. Shows an error next to the input that the error
// names, or else at the end of the form.
export function attemptForm(form, act) {
  hideMessage();
  const fields = [...form.elements].filter(({ name }) => name);
  form.querySelector(".wrong")?.remove();
  for (const field of fields) field.removeAttribute("aria-invalid");
  const named = (text) => fields.find(({ name }) => text.toLowerCase().includes(` ${name} `));
  try {
    const empty = fields.find((field) => field.required && !field.value.trim());
    if (empty) throw new Error(`The ${empty.name} is empty: enter a number.`);
    act();
  } catch ({ message }) {
    const field = named(` ${message} `);
    field?.setAttribute("aria-invalid", "true");
    const text = make("p.wrong", { role: "alert" }, capitalise(message));
    // Insert the text below a group of fields, so that no field moves.
    (field?.closest(".pair") ?? field?.closest("label") ?? form.lastElementChild).after(text);
  }
}

export function download(name, content, type = "text/plain") {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// Turns any name into a safe file name with this ending.
export function safeFileName(name, ending) {
  const plain = name
    .replace(/\.\w+$/, "")
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  return (plain.slice(0, 60) || "columns") + ending;
}
