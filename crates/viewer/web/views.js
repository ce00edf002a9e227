// Switches between the views of the page. Only one view is visible at a time.

import { addHistoryEntry } from "./address.js";
import { attempt, byId, hideMessage } from "./dom.js";

// The views by name. Each has {bind, enter, repaint}; some have {leave, handleKey}, and functions that show a
// given game or board. main.js adds the views here, so that each view can open the others.
export const views = {};

let current = null;

export const currentView = () => views[current];

// Shows a view and hides the others.
export function showView(view) {
  const isOther = current !== view;
  const hadFocus = current && byId(`view-${current}`).contains(document.activeElement);
  if (current && isOther) views[current].leave?.();
  current = view;
  for (const name of Object.keys(views)) {
    byId(`view-${name}`).hidden = name !== view;
    byId(`tab-${name}`).setAttribute("aria-selected", String(name === view));
    byId(`tab-${name}`).tabIndex = name === view ? 0 : -1;
  }
  if (isOther) scrollTo(0, 0);
  if (isOther && hadFocus) byId(`view-${view}`).focus({ preventScroll: true });
}

// Shows a view and adds a history entry, so that the browser's back button leads back. Returns the view.
export function switchTo(view) {
  if (current !== view) addHistoryEntry(view);
  showView(view);
  return views[view];
}

// Handles three keys: [ and ] open the previous and the next case with `stepCase(offset)`; Escape returns to
// Results if `game` comes from a file. Returns false for other keys.
export function handleCaseKey({ key }, game, stepCase) {
  if (key === "Escape" && game.opened) openView("results");
  else if (key === "[" || key === "]") stepCase(key === "[" ? -1 : 1);
  else return false;
  return true;
}

// Opens a view, as a click on its tab does.
export function openView(view) {
  // A message with an Undo button stays visible when the view changes.
  if (byId("message").querySelector(".undo").hidden) hideMessage();
  attempt(() => switchTo(view).enter());
}
