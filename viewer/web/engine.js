// The WebAssembly: it is asked in JSON and answers in JSON.

let exports = null;
let failed = null;

export async function start(bytes) {
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

// Calls this when the WebAssembly has ended itself by a panic. Nothing in it can then be relied on.
export function onFailure(handler) {
  failed = handler;
}

// The answer to a request; a mistake is thrown as an Error with a line for people.
export function ask(name, request) {
  const text = new TextEncoder().encode(JSON.stringify({ ask: name, ...request }));
  let answer = null;
  try {
    const at = exports.columns_question(text.length);
    new Uint8Array(exports.memory.buffer, at, text.length).set(text);
    answer = JSON.parse(read(exports.columns_ask(), exports.columns_answer_length()));
  } catch (error) {
    const why = `the engine failed at "${name}" (${error.message})`;
    if (error instanceof WebAssembly.RuntimeError) failed?.(why);
    throw new Error(why);
  }
  if ("error" in answer) throw new Error(answer.error);
  return answer.ok;
}
