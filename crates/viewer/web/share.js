// Sharing: a picture of a moment, a video of a chain.

import { Board } from "./board.js";
import { download, fileName, gained, grouped, make } from "./dom.js";
import { ask } from "./engine.js";

// The size of a cell, and the height of the lines of text above and below the field, in pixels.
const CELL = 40;
const LINE = 44;
// Duration of each moment in a video, in milliseconds.
const MOMENT = 260;

// A canvas of fixed size with a field and two lines of text.
class Sheet {
  constructor({ width, height, palette }) {
    this.board = new Board(document.createElement("div"), { fixed: CELL });
    this.board.shape(width, height, palette);
    // Videos need an even width and height.
    const even = (size) => 2 * Math.ceil(size / 2);
    this.canvas = make("canvas", {
      width: even(this.board.canvas.width + 40),
      height: even(this.board.canvas.height + 2 * LINE + 20),
    });
    // Firefox records a canvas only if it already has a context.
    this.context = this.canvas.getContext("2d");
  }

  draw(frame, title) {
    this.board.show({ ...frame, falls: [] });
    const { context } = this;
    const { width, height } = this.canvas;
    context.fillStyle = "#f4f3ef";
    context.fillRect(0, 0, width, height);
    context.drawImage(this.board.canvas, (width - this.board.canvas.width) / 2, LINE);
    context.fillStyle = "#1d2130";
    context.textBaseline = "middle";
    const line = (text, y, size, align) => {
      context.font = `${size > 20 ? 700 : 400} ${size}px system-ui, sans-serif`;
      context.textAlign = align;
      context.fillText(text, align === "left" ? 14 : width - 14, y, width - 28);
    };
    line(`${grouped(frame.points)} points`, LINE / 2, 24, "left");
    line(gained(frame.turn_points, frame.combo), LINE / 2, 22, "right");
    line(title, height - LINE / 2, 16, "left");
  }
}

function title(name, frame, summary) {
  return `${name} · column ${grouped(Math.min(frame.turn + 1, summary.columns))}`;
}

export function savePicture(name, frame, summary) {
  const sheet = new Sheet(summary);
  sheet.draw(frame, title(name, frame, summary));
  sheet.canvas.toBlob((blob) => download(fileName(name, `-column-${frame.turn + 1}.png`), blob));
}

// Records a video of a turn, as WebM if possible, in real time. `onprogress(part)`: receives the
// progress, from 0 to 1.
export async function saveVideo(name, game, turn, summary, onprogress) {
  const type = ["video/webm;codecs=vp9", "video/webm", "video/mp4"].find((one) =>
    window.MediaRecorder?.isTypeSupported(one),
  );
  if (!type) throw new Error("This browser cannot record videos.");
  const sheet = new Sheet(summary);
  const stream = sheet.canvas.captureStream(0);
  const [track] = stream.getVideoTracks();
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 2_500_000 });
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const ended = new Promise((resolve, reject) => {
    recorder.onstop = resolve;
    recorder.onerror = () => reject(new Error("The video could not be recorded."));
  });
  recorder.start();
  let moments = 1;
  for (let moment = 0; moment <= moments; moment++) {
    // Show the last moment for twice as long.
    const frame = ask("frame", { game, turn, moment: Math.min(moment, moments - 1) });
    moments = frame.moments;
    sheet.draw(frame, title(name, frame, summary));
    // In Firefox, requestFrame is a method of the stream.
    (track.requestFrame ? track : stream).requestFrame();
    onprogress(moment / moments);
    await new Promise((resolve) =>
      setTimeout(resolve, frame.kind === "marked" ? 1.6 * MOMENT : MOMENT),
    );
  }
  recorder.stop();
  await ended;
  const ending = type.includes("mp4") ? "mp4" : "webm";
  download(fileName(name, `-chain-${turn + 1}.${ending}`), new Blob(parts, { type }));
}
