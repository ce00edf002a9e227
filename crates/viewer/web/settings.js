// The user's settings: theme, letters on the jewels, marks on cleared jewels.

import { showMarks } from "./board.js";
import { byId } from "./dom.js";
import { showLetters } from "./jewels.js";
import { store, load, PERMANENT_STORAGE } from "./memory.js";

const THEMES = { system: "◐", light: "☀", dark: "☾" };

let theme = load("columns-theme", PERMANENT_STORAGE) ?? "system";
const switches = {
  letters: { on: load("columns-letters", PERMANENT_STORAGE) ?? false, show: showLetters },
  marks: { on: load("columns-marks", PERMANENT_STORAGE) ?? true, show: showMarks },
};

export function bindSettings(repaint) {
  // Registers the colours of the theme, so that canvases read their values for the current scheme.
  const { style } = document.styleSheets[0].cssRules[0];
  const colours = [...style].filter((name) => style.getPropertyValue(name).startsWith("light-dark"));
  for (const name of colours)
    CSS.registerProperty({ name, syntax: "<color>", inherits: true, initialValue: "#000" });
  const apply = () => {
    document.documentElement.style.colorScheme = theme === "system" ? "" : theme;
    byId("theme").firstElementChild.textContent = THEMES[theme];
    byId("theme").lastElementChild.textContent = `Theme: ${theme}`;
    for (const [name, { on, show }] of Object.entries(switches)) {
      show(on);
      byId(name).setAttribute("aria-pressed", String(on));
    }
    repaint();
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  byId("theme").onclick = () => {
    const names = Object.keys(THEMES);
    theme = names[(names.indexOf(theme) + 1) % names.length];
    store("columns-theme", theme, PERMANENT_STORAGE);
    apply();
  };
  for (const [name, one] of Object.entries(switches)) {
    byId(name).onclick = () => {
      one.on = !one.on;
      store(`columns-${name}`, one.on, PERMANENT_STORAGE);
      apply();
    };
  }
  apply();
}
