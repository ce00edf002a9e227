// Small things about the document. Text only ever becomes text, never markup.

export function byId(id) {
  return document.getElementById(id);
}

export function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && !name.startsWith("aria")) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// Replaces the children of a box. Keyboard focus stays at its place.
export function refill(box, ...children) {
  const places = () => [...box.querySelectorAll("input, button")];
  const held = document.activeElement;
  const at = box.contains(held) ? places().indexOf(held) : -1;
  box.replaceChildren(...children);
  if (at >= 0) (box.contains(held) ? held : places()[at])?.focus();
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

// Sets a text only if it differs: an unchanged one is neither drawn nor read out again.
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function announce(text) {
  say(byId("live"), text);
}

export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// `action`: {label, act} of a button in the message.
function tell(text, kind, action) {
  const box = byId("message");
  say(box.querySelector("p"), text);
  const button = box.querySelector(".act");
  button.hidden = !action;
  if (action) {
    say(button, action.label);
    button.onclick = () => {
      hush();
      action.act();
    };
  }
  box.dataset.kind = kind;
  box.hidden = false;
}

export function complain(text) {
  tell(sentence(String(text)), "bad");
}

// Mistakes in files, each beginning with the name of its file; then notes, and an action as above.
export function report(mistakes, notes = [], action = null) {
  const more = mistakes.length > 5 ? [`… and ${mistakes.length - 5} more.`] : [];
  const lines = [...mistakes.slice(0, 5), ...more, ...notes];
  if (lines.length) tell(lines.join("\n"), mistakes.length ? "bad" : "note", action);
}

export function hush() {
  byId("message").hidden = true;
}

// Calls `act` and shows the error if it throws.
export function attempt(act) {
  try {
    act();
  } catch (error) {
    complain(error.message);
  }
}

// Fills a select, with a text or [value, text] for each choice; the values of texts count from 0.
// Of a long text the end is shown.
export function choices(select, list, chosen) {
  const pairs = list.map((one, i) => (Array.isArray(one) ? one : [i, one]));
  // An unchanged list is left alone: the visitor may have it open.
  const wanted = JSON.stringify(pairs);
  if (select.dataset.of !== wanted) {
    select.replaceChildren(...pairs.map(([value, text]) => make("option", { value }, short(text))));
    select.dataset.of = wanted;
  }
  select.value = chosen;
}

const format = new Intl.NumberFormat("en");

export function grouped(number) {
  return format.format(Math.round(number));
}

// The points of a turn so far and the combo of its last step; empty without points.
export function gained(points, combo) {
  return points ? `+${grouped(points)}${combo > 1 ? ` ×${combo}` : ""}` : "";
}

// The end of a long name, such as that of a file in many folders: its beginning says least.
function short(name) {
  return name.length > 30 ? `…${name.slice(-29)}` : name;
}

export function counted(number, one, many) {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

// Copies a text; false where the browser does not let the page do that.
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

// Does what a form asks for. Shows an error at the field that it names, else below the form.
export function attemptIn(form, act) {
  const fields = [...form.elements].filter(({ name }) => name);
  form.querySelector(".wrong")?.remove();
  for (const field of fields) field.removeAttribute("aria-invalid");
  const named = (text) => fields.find(({ name }) => text.toLowerCase().includes(` ${name} `));
  try {
    const empty = fields.find((field) => field.required && !field.value.trim());
    if (empty) throw new Error(`The ${empty.name} is empty: type a number.`);
    act();
  } catch ({ message }) {
    const field = named(` ${message} `);
    field?.setAttribute("aria-invalid", "true");
    const text = make("p", { className: "wrong", role: "alert" }, sentence(message));
    (field?.closest("label") ?? form.lastElementChild).after(text);
  }
}

export function download(name, content, type = "text/plain") {
  const address = URL.createObjectURL(
    content instanceof Blob ? content : new Blob([content], { type }),
  );
  const link = make("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// A name that is safe for a file, whatever it was.
export function fileName(name, ending) {
  const plain = name
    .replace(/\.\w+$/, "")
    .replace(/[^\w.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  return (plain.slice(0, 60) || "columns") + ending;
}

// The sums, or the largest, of a list that is as long as `length` in bins of two pixels or more.
export function binned(list, length, { width, ratio }, join) {
  const bins = new Float64Array(Math.max(1, Math.min(length, Math.floor(width / (2 * ratio)))));
  list.forEach((value, i) => {
    const bin = Math.floor((i * bins.length) / length);
    bins[bin] = join(bins[bin], value);
  });
  return bins;
}

// An empty canvas with a pixel for each of the screen's, and whether it had other ones before;
// null while it is hidden.
export function blank(canvas) {
  const ratio = devicePixelRatio || 1;
  const [width, height] = [
    Math.round(canvas.clientWidth * ratio),
    Math.round(canvas.clientHeight * ratio),
  ];
  if (!width || !height) return null;
  const resized = canvas.width !== width || canvas.height !== height;
  if (resized) Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, width, height);
  context.font = `${11 * ratio}px system-ui, sans-serif`;
  return { context, width, height, ratio, resized };
}

export function theme(name) {
  return getComputedStyle(document.documentElement)
    .getPropertyValue("--" + name)
    .trim();
}
