// The user's settings: theme, letters on the jewels, marks on cleared jewels.

import { showMarks } from "./board.js";
import { byId } from "./dom.js";
import { showLetters } from "./jewels.js";
import { store, load, LASTING } from "./memory.js";

const THEMES = { system: "◐", light: "☀", dark: "☾" };

let theme = load("columns-theme", LASTING) ?? "system";
const switches = {
  letters: { on: load("columns-letters", LASTING) ?? false, show: showLetters },
  marks: { on: load("columns-marks", LASTING) ?? true, show: showMarks },
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
    store("columns-theme", theme, LASTING);
    apply();
  };
  for (const [name, one] of Object.entries(switches)) {
    byId(name).onclick = () => {
      one.on = !one.on;
      store(`columns-${name}`, one.on, LASTING);
      apply();
    };
  }
  apply();
}
