// Links that hold a puzzle: model, data and answer in the fragment, which no server sees. What stands in a link is a
// stranger's: it is only ever text.

import type { Puzzle } from "./types";

export interface Shared extends Puzzle {
  answer?: (number | null)[];
}

/** Texts of a link may not grow beyond this. */
const MOST = 4 << 20;

async function through(bytes: Uint8Array, stream: GenericTransformStream): Promise<Uint8Array> {
  const reader = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as any).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const part = value as Uint8Array;
    parts.push(part);
    size += part.length;
    if (size > MOST) {
      await reader.cancel();
      throw new Error("the link holds more than this page reads");
    }
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export async function packed(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  const small = await through(bytes, new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of small) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export async function unpacked(code: string): Promise<Shared> {
  if (!/^[A-Za-z0-9_-]+$/.test(code)) throw new Error("the link is damaged: it has characters that no link has");
  const raw = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(raw, (c) => c.charCodeAt(0));
  const text = new TextDecoder("utf-8", { fatal: true }).decode(
    await through(bytes, new DecompressionStream("deflate-raw")),
  );
  const found = JSON.parse(text);
  const is = (value: unknown): value is string => typeof value === "string";
  if (!is(found?.model) || !is(found?.data)) throw new Error("the link holds no puzzle");
  const shared: Shared = { genre: is(found.genre) ? found.genre : null, model: found.model, data: found.data };
  if (Array.isArray(found.answer)) {
    shared.answer = found.answer.map((one: unknown) => (Number.isInteger(one) && (one as number) >= 0 ? one : null));
  }
  return shared;
}
