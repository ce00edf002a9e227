// The WebAssembly engine: receives requests and returns answers, both as JSON.

let exports = null;
let failureHandler = null;

export async function startEngine(bytes) {
  const page = {
    now_s: () => performance.now() / 1000,
    log_panic: (text, length) => console.error(read(text, length)),
  };
  const { instance } = await WebAssembly.instantiate(bytes, { page });
  exports = instance.exports;
}

const read = (address, length) =>
  new TextDecoder().decode(new Uint8Array(exports.memory.buffer, address, length));

// Sets the handler for panics in the engine. After a panic, the state of the engine is undefined.
export function onEngineFailure(handler) {
  failureHandler = handler;
}

// Sends a request and returns the answer. Throws an Error with a message for the user.
export function ask(name, request) {
  const text = new TextEncoder().encode(JSON.stringify({ ask: name, ...request }));
  let answer = null;
  try {
    const address = exports.columns_request_buffer(text.length);
    new Uint8Array(exports.memory.buffer, address, text.length).set(text);
    answer = JSON.parse(read(exports.columns_answer(), exports.columns_answer_length()));
  } catch (error) {
    const why = `the engine failed on the request "${name}" (${error.message})`;
    if (error instanceof WebAssembly.RuntimeError) failureHandler?.(why);
    throw new Error(why);
  }
  if ("error" in answer) throw new Error(answer.error);
  return answer.ok;
}
