// The puzzle that is worked on: its texts, the answer that is filled in, what the core says of it; undo.

import { Board, placesOf } from "./board";
import type { Entered, Layer } from "./board";
import { Lane, Stopped } from "./core";
import type { Answer, Entry, Fault, Field, Picture, Puzzle } from "./types";

interface Snapshot {
  model: string;
  data: string;
  answer: (number | null)[];
}

export interface View {
  /** The core has answered: faults, fields and a picture are new. */
  opened(): void;
  /** Texts have changed by something else than their editors. */
  texts(): void;
  /** Something that a person tried does not work. */
  refused(message: string): void;
}

/** Seconds that a check while one types may take. */
const PATIENCE = 20;

export class Work {
  puzzle: Puzzle = { genre: null, model: "", data: "" };
  /** For each variable the position of the value that is filled in. */
  answer: (number | null)[] = [];
  faults: Fault[] = [];
  opened: Answer = {};
  picture: Picture | null = null;
  readonly quick = new Lane();
  private past: Snapshot[] = [];
  private future: Snapshot[] = [];
  private again = false;
  private running = false;
  private started = 0;
  private queue: Promise<void> = Promise.resolve();
  private epoch = 0;

  constructor(
    readonly board: Board,
    private view: View,
  ) {}

  /** Another puzzle: nothing of the old one stays. */
  open(puzzle: Puzzle, answer: (number | null)[] = []): void {
    this.epoch++;
    this.puzzle = puzzle;
    this.answer = answer;
    this.past = [];
    this.future = [];
    this.opened = {};
    this.faults = [];
    this.picture = null;
    this.board.fill(null);
    this.board.mark([]);
    this.view.texts();
    void this.refresh();
  }

  private snapshot(): Snapshot {
    return { model: this.puzzle.model, data: this.puzzle.data, answer: [...this.answer] };
  }

  remember(): void {
    this.past.push(this.snapshot());
    if (this.past.length > 500) this.past.shift();
    this.future = [];
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  undo(): void {
    this.swap(this.past, this.future);
  }

  redo(): void {
    this.swap(this.future, this.past);
  }

  private swap(from: Snapshot[], to: Snapshot[]): void {
    const state = from.pop();
    if (!state) return;
    to.push(this.snapshot());
    this.puzzle = { ...this.puzzle, model: state.model, data: state.data };
    this.answer = state.answer;
    this.view.texts();
    void this.refresh();
  }

  setText(which: "model" | "data", text: string): void {
    this.puzzle = { ...this.puzzle, [which]: text };
    void this.refresh();
  }

  get layers(): Layer[] {
    const layers: Layer[] = [];
    const placed = (field: Field) => field.array && field.entries.some((entry) => entry.place);
    for (const field of this.opened.fields?.parameters ?? []) {
      if (placed(field)) layers.push({ field, variable: false, first: 0 });
    }
    let first = 0;
    for (const field of this.opened.fields?.variables ?? []) {
      if (field.entries.some((entry) => entry.place)) layers.push({ field, variable: true, first });
      first += field.entries.length;
    }
    return layers;
  }

  /** The variable that is drawn where an entry is. */
  variableAt(entry: Entry): string | null {
    for (const field of this.opened.fields?.variables ?? []) {
      for (const other of field.entries) {
        if (other.name === entry.name) return other.name;
        const [one, two] = [other.place, entry.place];
        if (one && two && one[0] === two[0] && one[1][0] === two[1][0] && one[1][1] === two[1][1]) return other.name;
      }
    }
    return null;
  }

  /** Asks anew what the texts mean; while one types, only the last state. */
  async refresh(): Promise<void> {
    this.again = true;
    if (this.running) {
      if (performance.now() - this.started > 500) this.quick.stop();
      return;
    }
    this.running = true;
    while (this.again) {
      this.again = false;
      this.started = performance.now();
      const epoch = this.epoch;
      try {
        const answer = await this.quick.ask({ ask: "open", puzzle: { ...this.puzzle, seconds: PATIENCE } });
        if (epoch === this.epoch && !this.again) await this.take(answer);
      } catch (error) {
        if (error instanceof Stopped) this.again ||= epoch !== this.epoch;
        else this.view.refused((error as Error).message);
      }
    }
    this.running = false;
  }

  private async take(answer: Answer): Promise<void> {
    // a puzzle with a fault keeps the board it had
    const fields = answer.fields ?? this.opened.fields;
    this.opened = { ...answer, fields };
    this.faults = answer.faults ?? answer.warnings ?? [];
    if (answer.picture) this.picture = answer.picture;
    this.fillFields();
    if (answer.picture && this.answer.some((position) => position !== null)) await this.drawAttempt();
    this.view.opened();
  }

  /** Writes the answer into the variables' fields. */
  private fillFields(): void {
    const variables = this.opened.fields?.variables ?? [];
    const all = variables.reduce((sum, field) => sum + field.entries.length, 0);
    if (all > 0 && this.answer.length !== all) this.answer = new Array(all).fill(null);
    let at = 0;
    for (const field of variables) {
      for (const entry of field.entries) {
        const position = this.answer[at++] ?? null;
        entry.text = position === null ? "" : (field.choices[entry.choices]?.[position] ?? "");
      }
    }
  }

  private async drawAttempt(): Promise<void> {
    const answer = await this.quick.ask({
      ask: "attempt",
      puzzle: { ...this.puzzle, seconds: PATIENCE },
      positions: this.answer,
    });
    if (answer.picture) this.picture = answer.picture;
  }

  /** Enters what was filled in on the board or in a form. */
  entered(change: Entered): void {
    if (change.layer.variable) {
      this.remember();
      for (const entry of change.entries) this.answer[change.layer.first + entry] = change.position;
      this.redrawn();
      return;
    }
    this.enter(change.entries.map((entry) => [change.layer.field.name, entry, change.text]));
  }

  setAnswer(positions: (number | null)[]): void {
    this.remember();
    this.answer = [...positions];
    this.fillFields();
    this.redrawn();
  }

  private redrawn(): void {
    const epoch = this.epoch;
    this.inOrder(async () => {
      if (epoch !== this.epoch) return;
      this.fillFields();
      await this.drawAttempt();
      this.view.opened();
    });
  }

  /** New texts of parameters' entries. */
  enter(changes: [string, number, string][]): void {
    const epoch = this.epoch;
    this.inOrder(async () => {
      if (epoch !== this.epoch) return;
      const answer = await this.quick.ask({ ask: "enter", puzzle: this.puzzle, changes });
      if (epoch !== this.epoch) return;
      if (answer.data === undefined) {
        this.view.refused(answer.faults?.map((fault) => [fault.message, ...fault.help].join("; ")).join("\n") ?? "");
      } else if (answer.data !== this.puzzle.data) {
        this.remember();
        this.puzzle = { ...this.puzzle, data: answer.data };
        this.view.texts();
      }
      await this.refresh();
    });
  }

  private inOrder(step: () => Promise<void>): void {
    this.queue = this.queue.then(step).catch((error: Error) => {
      if (!(error instanceof Stopped)) this.view.refused(error.message);
    });
  }

  /** Empties the field that is filled in. */
  clear(layer: Layer): void {
    const numbers = layer.field.entries.map((_, number) => number);
    if (layer.variable) {
      this.remember();
      for (const number of numbers) this.answer[layer.first + number] = null;
      this.redrawn();
    } else if (layer.field.optional || layer.field.kind === "bool") {
      const text = layer.field.optional ? "" : ".";
      this.enter(numbers.map((number) => [layer.field.name, number, text]));
    } else {
      this.enter(numbers.map((number) => [layer.field.name, number, layer.field.choices[0]?.[0] ?? ""]));
    }
  }

  get places() {
    return placesOf(this.opened.fields);
  }
}
