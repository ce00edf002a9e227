// Values in the browser's storage: for this tab and its reloads, or permanently in `PERMANENT_STORAGE`.
// If the browser forbids storage, values are not stored, and loading returns null.

export const PERMANENT_STORAGE = "localStorage";

export function storeValue(name, value, area = "sessionStorage") {
  try {
    self[area].setItem(name, JSON.stringify(value));
  } catch {
    // The storage is full or forbidden.
  }
}

export function loadValue(name, area = "sessionStorage") {
  try {
    return JSON.parse(self[area].getItem(name));
  } catch {
    return null;
  }
}
