// The core in node: what the page's build and its tests ask directly.

import { readFile } from "node:fs/promises";

/** A function that answers requests, from the bytes of the module. */
export async function coreOf(path) {
  const module = await WebAssembly.compile(await readFile(path));
  const page = {
    now: () => performance.now(),
    tell: () => {},
    panicked: (at, bytes) => console.error(Buffer.from(core.memory.buffer, at, bytes).toString()),
  };
  const core = (await WebAssembly.instantiate(module, { page })).exports;
  return (request) => {
    const bytes = Buffer.from(JSON.stringify(request));
    const at = core.reserve(bytes.length);
    new Uint8Array(core.memory.buffer, at, bytes.length).set(bytes);
    const length = core.answer();
    return JSON.parse(Buffer.from(core.memory.buffer, core.output(), length).toString());
  };
}
