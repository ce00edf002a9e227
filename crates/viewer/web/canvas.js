// Sizes, colours, fonts and paths for drawing on a canvas.

// Clears a canvas and fits it to the device pixels. Returns its context and its size in device pixels;
// `resized` is true if the size has changed. Returns null while the canvas is hidden.
export function prepareCanvas(canvas) {
  const ratio = devicePixelRatio || 1;
  const width = Math.round(canvas.clientWidth * ratio);
  const height = Math.round(canvas.clientHeight * ratio);
  if (!width || !height) return null;
  const resized = canvas.width !== width || canvas.height !== height;
  if (resized) Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, width, height);
  context.font = `${11 * ratio}px system-ui, sans-serif`;
  return { context, width, height, ratio, resized };
}

// Returns a colour of the theme, by the name of its CSS variable.
export function themeColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

// Sets the font for the text drawn next, and centres that text on its position.
export function setCentredFont(context, size, weight = 400) {
  context.font = `${weight} ${size}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
}

// Begins a path of lines through points [x, y].
export function traceLines(context, points) {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
}

// Sets the current path to the outline of a rectangle with rounded corners.
export function traceRoundedRect(context, x, y, width, height, radius) {
  context.beginPath();
  context.roundRect(x, y, width, height, radius);
}
