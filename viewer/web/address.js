// The part of the address after #: a view, a game and a moment in it.

let written = "";
let timer = 0;

export function read() {
  const [view, query = ""] = location.hash.slice(1).split("?", 2);
  return { view, values: new URLSearchParams(query) };
}

export function address(view, values = {}) {
  const query = Object.entries(values)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  return query ? `${view}?${query}` : view;
}

// Writes it when nothing has changed for a moment: browsers slow down pages that write
// their address all the time.
export function write(make) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    written = "#" + make();
    if (written === location.hash) return;
    try {
      history.replaceState(null, "", written);
    } catch {
      location.replace(written);
    }
  }, 350);
}

// Whether an address is one that this page wrote itself.
export function isOwn(hash) {
  return hash === written;
}

export function full(part) {
  return location.href.split("#")[0] + "#" + part;
}
