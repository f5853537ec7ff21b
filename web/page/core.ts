// The core in workers. A lane is a worker that answers one question after another; to stop it, it is ended, and the next
// question gets a new one.

import type { Answer } from "./types";

declare const WORKER: string;

export class Stopped extends Error {}

let module: Promise<WebAssembly.Module> | undefined;

/** The bytes of the core stand in a script, packed: so the page works from a folder too. */
async function compiled(): Promise<WebAssembly.Module> {
  await new Promise<void>((done, failed) => {
    const script = document.createElement("script");
    script.src = "core.js";
    script.onload = () => done();
    script.onerror = () => failed(new Error("core.js cannot be loaded"));
    document.head.append(script);
  });
  const packed = Uint8Array.from(atob((globalThis as any).rebusCore), (c) => c.charCodeAt(0));
  (globalThis as any).rebusCore = undefined;
  const bytes = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")));
  return WebAssembly.compile(await bytes.arrayBuffer());
}

export function loadCore(): Promise<WebAssembly.Module> {
  module ??= compiled();
  return module;
}

let source: string | undefined;

interface Waiting {
  id: number;
  done(answer: Answer): void;
  failed(error: Error): void;
  progress?: (text: string) => void;
}

export class Lane {
  private worker: Worker | undefined;
  private waiting = new Map<number, Waiting>();
  private next = 1;
  private round = 0;
  /** The time of the last answer, without waiting. */
  milliseconds = 0;

  get busy(): boolean {
    return this.waiting.size > 0;
  }

  async ask(request: Record<string, unknown>, progress?: (text: string) => void): Promise<Answer> {
    const round = this.round;
    const id = this.next++;
    const answer = new Promise<Answer>((done, failed) => this.waiting.set(id, { id, done, failed, progress }));
    // also where the core cannot be loaded, or the lane is stopped meanwhile
    try {
      const module = await loadCore();
      if (round === this.round) {
        this.worker ??= this.started(module);
        this.worker.postMessage({ id, request });
      }
    } catch (error) {
      this.waiting.get(id)?.failed(error as Error);
      this.waiting.delete(id);
    }
    return answer;
  }

  /** Ends whatever is asked; all who wait are told. */
  stop(): void {
    this.fresh(new Stopped("stopped"));
  }

  private fresh(error: Error): void {
    this.round++;
    this.worker?.terminate();
    this.worker = undefined;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const one of waiting) one.failed(error);
  }

  private started(module: WebAssembly.Module): Worker {
    source ??= URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
    const worker = new Worker(source);
    worker.postMessage({ module });
    worker.onmessage = (event) => {
      const { id, answer, failed, progress, milliseconds } = event.data;
      if (progress !== undefined) {
        for (const one of this.waiting.values()) one.progress?.(progress);
        return;
      }
      const one = this.waiting.get(id);
      this.waiting.delete(id);
      if (failed !== undefined) {
        one?.failed(new Error(failed));
        // its memory may be in disorder
        this.fresh(new Stopped("started anew"));
        return;
      }
      this.milliseconds = milliseconds;
      if (answer.internal) one?.failed(new Error(answer.internal));
      else one?.done(answer);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.fresh(new Error(event.message || "the worker failed"));
    };
    return worker;
  }
}
