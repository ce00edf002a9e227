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

// Puts others in the place of what a box holds; what the keyboard is at stays where it is.
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

// Sets a text only where it is another: what is unchanged is neither drawn nor read again.
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function announce(text) {
  say(byId("live"), text);
}

export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function tell(text, kind) {
  const box = byId("message");
  say(box.querySelector("p"), text);
  box.dataset.kind = kind;
  box.hidden = false;
}

export function complain(text) {
  tell(sentence(String(text)), "bad");
}

// Mistakes in files, each beginning with the name of its file; what there is to say besides.
export function report(mistakes, notes = []) {
  const more = mistakes.length > 5 ? [`… and ${mistakes.length - 5} more.`] : [];
  const lines = [...mistakes.slice(0, 5), ...more, ...notes];
  if (lines.length) tell(lines.join("\n"), mistakes.length ? "bad" : "note");
}

export function hush() {
  byId("message").hidden = true;
}

// Does it; where that fails, says why.
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
  // What is as before is left alone: it may just be unfolded.
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

// What a turn has paid so far, and by which combo its last step; nothing where it has not.
export function gained(points, combo) {
  return points ? `+${grouped(points)}${combo > 1 ? ` ×${combo}` : ""}` : "";
}

// The end of a long name, such as that of a file in many folders: its beginning says least.
function short(name) {
  return name.length > 32 ? `…${name.slice(-31)}` : name;
}

export function counted(number, one, many) {
  return `${grouped(number)} ${number === 1 ? one : many}`;
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
