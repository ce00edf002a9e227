// What a visitor likes: the theme, letters on the jewels, marks on what a step clears. Kept where
// the browser lets a page keep something.

import { showMarks } from "./board.js";
import { byId } from "./dom.js";
import { showLetters } from "./jewels.js";

const dark = matchMedia("(prefers-color-scheme: dark)");

function load(name, fallback) {
  try {
    return localStorage.getItem(`columns-${name}`) ?? fallback;
  } catch {
    return fallback;
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(`columns-${name}`, value);
  } catch {
    // Then it lasts as long as the page.
  }
}

let theme = load("theme", "system");
const switches = {
  letters: { on: load("letters", "off") === "on", show: showLetters },
  marks: { on: load("marks", "on") === "on", show: showMarks },
};

export function bindSettings(repaint) {
  const apply = () => {
    const name = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
    document.documentElement.dataset.theme = name;
    const sign = { system: "◐", light: "☀", dark: "☾" }[theme];
    byId("theme").firstElementChild.textContent = sign;
    byId("theme").lastElementChild.textContent = `Theme: ${theme}`;
    for (const [name, { on, show }] of Object.entries(switches)) {
      show(on);
      byId(name).setAttribute("aria-pressed", String(on));
    }
    repaint();
  };
  dark.addEventListener("change", apply);
  byId("theme").onclick = () => {
    theme = { system: "light", light: "dark", dark: "system" }[theme];
    keep("theme", theme);
    apply();
  };
  for (const [name, one] of Object.entries(switches)) {
    byId(name).onclick = () => {
      one.on = !one.on;
      keep(name, one.on ? "on" : "off");
      apply();
    };
  }
  apply();
}
