// The board: a picture of the core, with entries that can be pointed at, typed into and painted.
//
// Nothing here knows a genre: which entries there are, where they are drawn and what they may be, the core says.

import { el, picture, svgEl } from "./dom";
import type { Area, Entry, Field, Fields, Picture, Spot } from "./types";

/** A field that is filled in on the board: a parameter, or a variable of the answer. */
export interface Layer {
  field: Field;
  variable: boolean;
  /** For a variable: the number of its first entry among all of them. */
  first: number;
}

export interface Entered {
  layer: Layer;
  entries: number[];
  /** The text of a parameter; the position of a variable's value, or null. */
  text: string;
  position: number | null;
}

interface Listener {
  entered(change: Entered): void;
  chosen(entry: Entry | null): void;
  /** The entries under the pointer, of every field. */
  pointed(names: string[]): void;
}

/** All entries by name, with their places. */
export type Places = Map<string, [number, Spot]>;

export function placesOf(fields: Fields | undefined): Places {
  const places: Places = new Map();
  for (const field of [...(fields?.parameters ?? []), ...(fields?.variables ?? [])]) {
    for (const entry of field.entries) if (entry.place) places.set(entry.name, entry.place);
  }
  return places;
}

let pictures = 0;

export class Board {
  private host: HTMLElement;
  private overlay: SVGElement | null = null;
  private areas: Area[] = [];
  private places: Places = new Map();
  private layer: Layer | null = null;
  private at: number | null = null;
  private typed = "";
  private typedAt = 0;
  private painted: Set<number> | null = null;
  /** What a stroke enters; null is what a click makes of each entry. */
  brush: string | null = null;
  private marks: { names: string[]; kind: string }[] = [];

  constructor(
    host: HTMLElement,
    private said: HTMLElement,
    private listener: Listener,
  ) {
    this.host = host;
    host.addEventListener("pointerdown", (event) => this.down(event));
    host.addEventListener("pointermove", (event) => this.move(event));
    host.addEventListener("pointerup", () => this.up());
    host.addEventListener("pointercancel", () => this.up());
    host.addEventListener("pointerleave", () => this.listener.pointed([]));
    host.addEventListener("keydown", (event) => this.key(event));
    host.addEventListener("focus", () => this.redraw());
    host.addEventListener("blur", () => this.redraw());
  }

  show(drawn: Picture, fields: Fields | undefined): void {
    this.areas = drawn.areas;
    this.places = placesOf(fields);
    const svg = picture(drawn.svg, `board${++pictures}`);
    const box = svg.getAttribute("viewBox") ?? "0 0 1 1";
    const width = svg.getAttribute("width") ?? "1";
    this.overlay = svgEl("svg", { class: "overlay", viewBox: box, width, "aria-hidden": "true" });
    const sheet = el("div", { class: "sheet" }, svg, this.overlay as unknown as Node);
    sheet.style.maxWidth = `${Math.max(Number(width) * 1.25, 120)}px`;
    this.host.replaceChildren(sheet);
    this.redraw();
  }

  clear(text: string): void {
    this.overlay = null;
    this.host.replaceChildren(el("p", { class: "hint" }, text));
  }

  /** Chooses the field that is filled in. */
  fill(layer: Layer | null): void {
    const same = layer && this.layer && layer.field.name === this.layer.field.name;
    this.layer = layer;
    if (!same || this.at === null || this.at >= (layer?.field.entries.length ?? 0)) this.at = null;
    this.redraw();
  }

  get chosen(): Entry | null {
    return this.at === null ? null : (this.layer?.field.entries[this.at] ?? null);
  }

  /** Marks entries by name. */
  mark(marks: { names: string[]; kind: string }[]): void {
    this.marks = marks;
    this.redraw();
  }

  private point(place: [number, Spot]): { x: number; y: number; area: Area; kind: "cell" | "across" | "down" | "corner" } | null {
    const area = this.areas.find((area) => area.drawing === place[0]);
    if (!area) return null;
    const [down, across] = place[1];
    const x = area.x + ((across - 2 * area.first[1] + 1) * area.width) / 2;
    const y = area.y + ((down - 2 * area.first[0] + 1) * area.height) / 2;
    const [upright, level] = [down % 2 !== 0, across % 2 !== 0];
    return { x, y, area, kind: upright ? (level ? "corner" : "across") : level ? "down" : "cell" };
  }

  private shape(place: [number, Spot], kind: string): SVGElement | null {
    const found = this.point(place);
    if (!found) return null;
    const { x, y, area } = found;
    const [w, h] = [area.width, area.height];
    if (found.kind === "cell") {
      return svgEl("rect", { class: kind, x: x - w / 2 + 1, y: y - h / 2 + 1, width: w - 2, height: h - 2, rx: 3 });
    }
    if (found.kind === "corner") return svgEl("circle", { class: kind, cx: x, cy: y, r: w / 4 });
    // between two cells: the wall, or the way across it, of half a cell
    return svgEl("circle", { class: kind, cx: x, cy: y, r: w / 5 });
  }

  private redraw(): void {
    if (!this.overlay) return;
    const shapes: SVGElement[] = [];
    for (const { names, kind } of this.marks) {
      for (const name of names) {
        const place = this.places.get(name);
        const shape = place && this.shape(place, kind);
        if (shape) shapes.push(shape);
      }
    }
    const place = this.chosen?.place;
    if (place) {
      const shape = this.shape(place, document.activeElement === this.host ? "cursor focused" : "cursor");
      if (shape) shapes.push(shape);
    }
    this.overlay.replaceChildren(...shapes);
  }

  /** The entry of the field nearest to the pointer, not far from it. */
  private nearest(event: PointerEvent): number | null {
    const at = this.where(event);
    if (!this.layer || !at) return null;
    let best: number | null = null;
    let least = Infinity;
    this.layer.field.entries.forEach((entry, number) => {
      const apart = entry.place ? this.apart(entry.place, at) : Infinity;
      if (apart < least) [best, least] = [number, apart];
    });
    return least <= 0.6 ? best : null;
  }

  private choices(number: number): string[] {
    const field = this.layer!.field;
    return field.choices[field.entries[number].choices] ?? [];
  }

  /** What a click makes of an entry whose values are few; null where it only chooses. */
  private next(number: number): string | null {
    const choices = this.choices(number);
    const optional = this.layer!.field.optional;
    if (choices.length === 0 || choices.length + Number(optional) > 4) return null;
    // what is empty or false comes first
    const round = optional ? ["", ...order(choices)] : order(choices);
    return round[(round.indexOf(this.layer!.field.entries[number].text) + 1) % round.length];
  }

  private enter(numbers: number[], text: string): void {
    const layer = this.layer!;
    const fitting = numbers.filter((number) => {
      const choices = this.choices(number);
      return text === "" || choices.length === 0 || choices.includes(text);
    });
    if (fitting.length === 0) return;
    const position = text === "" ? null : this.choices(fitting[0]).indexOf(text);
    for (const number of fitting) layer.field.entries[number].text = text;
    this.listener.entered({ layer, entries: fitting, text, position });
    this.say();
  }

  private say(): void {
    const entry = this.chosen;
    this.said.textContent = entry ? `${entry.name}: ${entry.text || "empty"}` : "";
  }

  choose(number: number | null): void {
    this.at = number;
    this.typed = "";
    this.redraw();
    this.say();
    this.listener.chosen(this.chosen);
  }

  /** Enters a text at the chosen entry. */
  enterHere(text: string): void {
    if (this.at !== null) this.enter([this.at], text);
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    const number = this.nearest(event);
    if (number === null) return;
    this.choose(number);
    if (this.brush !== null) {
      this.painted = new Set([number]);
      this.host.setPointerCapture(event.pointerId);
      return;
    }
    const next = this.next(number);
    if (next !== null) this.enter([number], next);
  }

  private move(event: PointerEvent): void {
    const number = this.nearest(event);
    if (this.painted && number !== null) {
      this.painted.add(number);
      return;
    }
    this.listener.pointed(this.under(event));
  }

  private under(event: PointerEvent): string[] {
    const at = this.where(event);
    if (!at) return [];
    return [...this.places].filter(([, place]) => this.apart(place, at) <= 0.5).map(([name]) => name);
  }

  /** The pointer's place in the picture. */
  private where(event: PointerEvent): Spot | null {
    if (!this.overlay) return null;
    const box = this.overlay.getBoundingClientRect();
    const view = (this.overlay as SVGSVGElement).viewBox.baseVal;
    return [
      ((event.clientX - box.left) / box.width) * view.width,
      ((event.clientY - box.top) / box.height) * view.height,
    ];
  }

  /** How far a place is from a point, in cells. */
  private apart(place: [number, Spot], [x, y]: Spot): number {
    const point = this.point(place);
    if (!point) return Infinity;
    return Math.max(Math.abs(point.x - x) / point.area.width, Math.abs(point.y - y) / point.area.height);
  }

  private up(): void {
    const painted = this.painted;
    this.painted = null;
    if (painted && this.brush !== null && this.layer) this.enter([...painted], this.brush);
  }

  private key(event: KeyboardEvent): void {
    if (!this.layer || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (arrow) {
      event.preventDefault();
      this.go(arrow as Spot);
      return;
    }
    if (this.at === null) return;
    if (event.key === "Backspace" || event.key === "Delete") {
      event.preventDefault();
      this.typed = "";
      this.enter([this.at], this.layer.field.optional ? "" : (order(this.choices(this.at))[0] ?? ""));
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      const next = this.brush ?? this.next(this.at);
      if (next !== null) this.enter([this.at], next);
    } else if (event.key.length === 1) {
      event.preventDefault();
      this.type(event.key, event.timeStamp);
    }
  }

  /** Keys that follow each other soon make one text: 1 and 2 are 12, where 12 is allowed. */
  private type(key: string, time: number): void {
    const choices = this.choices(this.at!);
    const longer = time - this.typedAt < 1500 ? this.typed + key : key;
    const fits = (text: string) => choices.length === 0 || choices.some((choice) => same(choice, text));
    const begins = (text: string) => choices.some((choice) => choice.toLowerCase().startsWith(text.toLowerCase()));
    const text = fits(longer) || begins(longer) ? longer : key;
    this.typed = text;
    this.typedAt = time;
    if (fits(text)) this.enter([this.at!], choices.find((choice) => same(choice, text)) ?? text);
    else if (!begins(text)) this.said.textContent = `${key} is not allowed here`;
  }

  /** To the next entry in a direction. */
  private go([down, across]: Spot): void {
    const entries = this.layer!.field.entries;
    const here = this.chosen?.place;
    if (!here) {
      const first = entries.findIndex((entry) => entry.place);
      if (first >= 0) this.choose(first);
      return;
    }
    let best: number | null = null;
    let least = Infinity;
    entries.forEach((entry, number) => {
      if (!entry.place || entry.place[0] !== here[0]) return;
      const [dr, dc] = [entry.place[1][0] - here[1][0], entry.place[1][1] - here[1][1]];
      const along = dr * down + dc * across;
      const aside = Math.abs(dr * across) + Math.abs(dc * down);
      if (along <= 0 || aside > along) return;
      const cost = along + 2 * aside;
      if (cost < least) [best, least] = [number, cost];
    });
    if (best !== null) this.choose(best);
  }
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** What a click comes to first: of booleans the true one, for false is as good as empty. */
function order(choices: string[]): string[] {
  const off = choices.filter((choice) => choice === "." || choice === "false");
  return [...off, ...choices.filter((choice) => choice !== "." && choice !== "false")];
}
