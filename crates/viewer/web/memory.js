// Values in the browser's storage: for this tab and its reloads, or permanently in `PERMANENT_STORAGE`.
// Without storage, the values are lost.

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
