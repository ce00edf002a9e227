// Pictures of a moment, and videos of a chain or of a whole game, to share.

import { Board } from "./board.js";
import { download, safeFileName, gainText, groupDigits, make } from "./dom.js";
import { ask } from "./engine.js";
import { columnNumberText } from "./game-panel.js";

const CELL_PX = 40;
// The height of the text area above the field, and of the one below it, in pixels.
const LINE_PX = 44;
// The duration of a moment in the video of a chain, in milliseconds. Marked jewels stay longer.
const MOMENT_MS = 260;
// The duration of a column in the video of a game, in milliseconds.
const COLUMN_MS = 60;
const MAX_FILMED_COLUMNS = 480;

// A canvas of fixed size, with a field and text above and below it.
class Sheet {
  constructor({ width, height, palette }) {
    this.board = new Board(document.createElement("div"), CELL_PX);
    this.board.shape(width, height, palette);
    // Videos need an even width and height.
    const even = (size) => 2 * Math.ceil(size / 2);
    this.canvas = make("canvas", {
      width: even(this.board.canvas.width + 40),
      height: even(this.board.canvas.height + 2 * LINE_PX + 20),
    });
    // Firefox records a canvas only if it already has a context.
    this.context = this.canvas.getContext("2d");
  }

  // Draws a frame, with its points above the field, and the player and the case below it.
  draw(frame, { name, player, summary }) {
    this.board.show({ ...frame, falls: [] });
    const { context } = this;
    const { width, height } = this.canvas;
    context.fillStyle = "#f4f3ef";
    context.fillRect(0, 0, width, height);
    context.drawImage(this.board.canvas, (width - this.board.canvas.width) / 2, LINE_PX);
    context.fillStyle = "#1d2130";
    context.textBaseline = "middle";
    const line = (text, y, size, align) => {
      context.font = `${size > 20 ? 700 : 400} ${size}px system-ui, sans-serif`;
      context.textAlign = align;
      context.fillText(text, align === "left" ? 14 : width - 14, y, width - 28);
    };
    line(`${groupDigits(frame.points)} points`, LINE_PX / 2, 24, "left");
    line(gainText(frame.turn_points, frame.combo), LINE_PX / 2, 22, "right");
    line(`${player} · ${groupDigits(summary.points)} points`, height - 0.72 * LINE_PX, 16, "left");
    line(`${name} · column ${columnNumberText(frame, summary)}`, height - 0.28 * LINE_PX, 14, "left");
  }
}

export function savePicture(what, frame) {
  const sheet = new Sheet(what.summary);
  sheet.draw(frame, what);
  sheet.canvas.toBlob((blob) => download(safeFileName(what.name, `-column-${frame.turn + 1}.png`), blob));
}

// Yields the frames of a video, each with its duration in milliseconds and the progress from 0 to 1: the
// moments of a turn, or up to `MAX_FILMED_COLUMNS` columns of the game if `turn` is null. The last frame
// lasts longer.
function* framesOf({ game, summary: { placed } }, turn) {
  const step = Math.ceil(Math.max(1, placed) / MAX_FILMED_COLUMNS);
  for (let at = 0; turn === null && at < placed; at += step)
    yield [ask("frame", { game, turn: at, moment: 1e6 }), COLUMN_MS, at / placed];
  if (turn === null) yield [ask("frame", { game, turn: placed, moment: 0 }), 8 * MOMENT_MS, 1];
  for (let moment = 0, moments = 1; turn !== null && moment <= moments; moment++) {
    const frame = ask("frame", { game, turn, moment });
    moments = frame.moment_count;
    yield [frame, frame.stage === "marked" ? 1.6 * MOMENT_MS : MOMENT_MS, moment / moments];
  }
}

// Records a video of a turn, or of the whole game if `turn` is null, in real time. The format is WebM if the
// browser supports it. `onprogress(part)`: receives the progress, from 0 to 1.
export async function saveVideo(what, turn, onprogress) {
  const type = ["video/webm;codecs=vp9", "video/webm", "video/mp4"].find((one) =>
    window.MediaRecorder?.isTypeSupported(one),
  );
  if (!type) throw new Error("This browser cannot record videos.");
  // The user may open another game during the recording.
  const frames = [...framesOf(what, turn)];
  const sheet = new Sheet(what.summary);
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
  for (const [frame, milliseconds, part] of frames) {
    sheet.draw(frame, what);
    // In Firefox, requestFrame is a method of the stream.
    (track.requestFrame ? track : stream).requestFrame();
    onprogress(part);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }
  recorder.stop();
  await ended;
  const ending = type.includes("mp4") ? "mp4" : "webm";
  const part = turn === null ? "game" : `chain-${turn + 1}`;
  download(safeFileName(what.name, `-${part}.${ending}`), new Blob(parts, { type }));
}
