// What the browser keeps: for this tab over a reload, or in `LASTING` for good. Where it keeps
// nothing, that is lost.

export const LASTING = "localStorage";

export function keep(name, value, store = "sessionStorage") {
  try {
    self[store].setItem(name, JSON.stringify(value));
  } catch {
    // No room, or not allowed.
  }
}

export function kept(name, store = "sessionStorage") {
  try {
    return JSON.parse(self[store].getItem(name));
  } catch {
    return null;
  }
}
