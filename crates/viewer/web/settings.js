// The user's settings: the theme, letters on the jewels, and marks on cleared jewels.

import { setMarksVisible } from "./board.js";
import { byId } from "./dom.js";
import { setLettersVisible } from "./jewels.js";
import { loadValue, PERMANENT_STORAGE, storeValue } from "./storage.js";

const THEMES = { system: "◐", light: "☀", dark: "☾" };
// The values of each setting, beginning with the default, and a function that applies a value.
const SETTINGS = {
  theme: { values: Object.keys(THEMES), apply: applyTheme },
  letters: { values: [false, true], apply: setLettersVisible },
  marks: { values: [true, false], apply: setMarksVisible },
};

function applyTheme(theme) {
  document.documentElement.style.colorScheme = theme === "system" ? "" : theme;
  const [symbol, name] = byId("theme").children;
  symbol.textContent = THEMES[theme];
  name.textContent = `Theme: ${theme}`;
}

// Applies the settings. The button of a setting selects its next value.
export function bindSettings(repaint) {
  // Register the colours of the theme, so that canvases read the values of the current colour scheme.
  const { style } = document.styleSheets[0].cssRules[0];
  const colours = [...style].filter((name) => style.getPropertyValue(name).startsWith("light-dark"));
  for (const name of colours)
    CSS.registerProperty({ name, syntax: "<color>", inherits: true, initialValue: "#000" });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  for (const [name, { values, apply }] of Object.entries(SETTINGS)) {
    const button = byId(name);
    const set = (value) => {
      apply(value);
      if (typeof value === "boolean") button.ariaPressed = String(value);
      button.onclick = () => {
        const next = values[(values.indexOf(value) + 1) % values.length];
        storeValue(`columns-${name}`, next, PERMANENT_STORAGE);
        set(next);
      };
      repaint();
    };
    const stored = loadValue(`columns-${name}`, PERMANENT_STORAGE);
    set(values.includes(stored) ? stored : values[0]);
  }
}
