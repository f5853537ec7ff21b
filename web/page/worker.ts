// The worker: the core, one request at a time. It is ended from outside to stop a question.

interface Exports {
  memory: WebAssembly.Memory;
  reserve(bytes: number): number;
  answer(): number;
  output(): number;
}

const scope = self as unknown as {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => void) | null;
};
let core: Exports | undefined;
let last = 0;
let panic = "";

function text(at: number, bytes: number): string {
  return new TextDecoder().decode(new Uint8Array(core!.memory.buffer, at, bytes).slice());
}

function start(module: WebAssembly.Module): void {
  const page = {
    now: () => performance.now(),
    tell: (at: number, bytes: number) => {
      // what changes faster than one can read is left out
      if (performance.now() - last > 100) {
        last = performance.now();
        scope.postMessage({ progress: text(at, bytes) });
      }
    },
    panicked: (at: number, bytes: number) => {
      panic = text(at, bytes);
    },
  };
  core = new WebAssembly.Instance(module, { page }).exports as unknown as Exports;
}

function answer(request: unknown): unknown {
  const bytes = new TextEncoder().encode(JSON.stringify(request));
  const at = core!.reserve(bytes.length);
  new Uint8Array(core!.memory.buffer, at, bytes.length).set(bytes);
  const length = core!.answer();
  return JSON.parse(text(core!.output(), length));
}

scope.onmessage = (event) => {
  const { module, id, request } = event.data;
  if (module) {
    start(module);
    return;
  }
  panic = "";
  const begin = performance.now();
  try {
    const found = answer(request);
    scope.postMessage({ id, answer: found, milliseconds: performance.now() - begin });
  } catch (error) {
    const deep = error instanceof RangeError || /stack|out of bounds/i.test(String(error));
    const failed = panic || (deep ? "the texts are nested too deeply for this page" : `the core failed: ${error}`);
    scope.postMessage({ id, failed });
  }
};
