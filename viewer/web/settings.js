// What a visitor likes: the theme, and letters on the jewels. Kept where the browser lets
// a page keep something.

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
let letters = load("letters", "off") === "on";

function toggleLetters() {
  letters = !letters;
  keep("letters", letters ? "on" : "off");
}

export function bindSettings(repaint) {
  const apply = () => {
    const name = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
    document.documentElement.dataset.theme = name;
    const sign = { system: "◐", light: "☀", dark: "☾" }[theme];
    byId("theme").firstElementChild.textContent = sign;
    byId("theme").lastElementChild.textContent = `Theme: ${theme}`;
    showLetters(letters);
    byId("letters").setAttribute("aria-pressed", String(letters));
    repaint();
  };
  dark.addEventListener("change", apply);
  byId("theme").onclick = () => {
    theme = { system: "light", light: "dark", dark: "system" }[theme];
    keep("theme", theme);
    apply();
  };
  byId("letters").onclick = () => {
    toggleLetters();
    apply();
  };
  apply();
}
