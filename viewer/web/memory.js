// What the browser keeps for this tab over a reload. Where it keeps nothing, that is lost.

export function keep(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // No room, or not allowed.
  }
}

export function kept(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null;
  }
}
