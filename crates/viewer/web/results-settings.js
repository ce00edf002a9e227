// The settings of the results view, which survive a reload.

import { loadValue, storeValue } from "./storage.js";

const KEY = "columns-settings";
// The value of `reference` for ratios to the best score of each case.
export const BEST_AS_REFERENCE = "*";

export const DEFAULTS = {
  hidden: [],
  // The reference player, or `BEST_AS_REFERENCE`. If empty, `referencePlayer` in players.js chooses one.
  reference: "",
  // What the rows are sorted by: an ID that `sortKey` in standings.js takes. A leading "-" means descending.
  sort: "name",
  filter: "",
  // The chart between the standings and the rows: see CHARTS in chart-panel.js.
  panel: "pair",
  // The property of cases, or the metric, on the x axis of the chart. If empty, the first property that
  // varies.
  axis: "",
  a: "",
  b: "",
  // The name of the metric to show with each result; if empty, none is shown.
  number: "",
};

export const settings = { ...DEFAULTS, ...loadValue(KEY) };

const listeners = [];

// Calls `listener()` after every change to the settings.
export function onSettingsChange(listener) {
  listeners.push(listener);
}

export function changeSettings(part) {
  Object.assign(settings, part);
  storeValue(KEY, settings);
  for (const listener of listeners) listener();
}

// Splits the setting `sort` into the ID of the column and the direction.
export function sortOrder() {
  const down = settings.sort.startsWith("-");
  return { id: down ? settings.sort.slice(1) : settings.sort, down };
}
