// The WebAssembly: it is asked in JSON and answers in JSON.

let exports = null;
let bytes = null;

export async function start(from) {
  bytes = from;
  const page = {
    now: () => performance.now() / 1000,
    fault: (text, length) => console.error(read(text, length)),
  };
  const made = await WebAssembly.instantiate(bytes, { page });
  exports = made.instance.exports;
}

function read(at, length) {
  return new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, length));
}

// The answer to a request; a mistake is thrown as an Error with a line for people.
export function ask(name, request) {
  const text = new TextEncoder().encode(JSON.stringify({ ask: name, ...request }));
  const at = exports.columns_question(text.length);
  new Uint8Array(exports.memory.buffer, at, text.length).set(text);
  const answer = JSON.parse(read(exports.columns_ask(), exports.columns_answer_length()));
  if ("error" in answer) throw new Error(answer.error);
  return answer.ok;
}
