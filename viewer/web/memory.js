// Values in the browser's storage: for this tab and its reloads, or permanently in `LASTING`.
// Without storage, the values are lost.

export const LASTING = "localStorage";

export function keep(name, value, store = "sessionStorage") {
  try {
    self[store].setItem(name, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden.
  }
}

export function kept(name, store = "sessionStorage") {
  try {
    return JSON.parse(self[store].getItem(name));
  } catch {
    return null;
  }
}
