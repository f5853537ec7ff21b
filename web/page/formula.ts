// The formula, row by row, with the rules and entries that a row speaks of; and what solvers say of it.

import type { Asks } from "./asks";
import { byId, el, saved } from "./dom";
import type { Answer } from "./types";
import type { Work } from "./work";

/** More rows are not shown at once. */
const PAGE = 500;

interface Row {
  /** The rule that it comes from, and how it is encoded. */
  rule: string;
  note: string;
  words: string;
  row: string;
}

/** Patterns of the labels that a model's rules have; a label's values may be anything. */
function labels(model: string): RegExp[] {
  const found = [...model.matchAll(/\brule\s+"((?:[^"\\]|\\.)*)"/g)];
  const pattern = (label: string) =>
    label.split(/\{[^{}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*");
  return found.map(([, label]) => new RegExp(`^${pattern(label)}$`, "s"));
}

/** The rows of an annotated formula. Before a row stand comments with `: `: a rule, an encoding, the row in words. */
export function rows(text: string, model: string): Row[] {
  const rules = labels(model);
  const found: Row[] = [];
  let [rule, note] = ["", ""];
  let pending: string[] = [];
  for (const line of text.split("\n")) {
    const comment = /^[c|*] ?(.*)$/.exec(line);
    if (comment && !/^\*? ?#/.test(line)) {
      if (comment[1].startsWith(": ")) pending.push(comment[1].slice(2));
      else pending = [];
    } else if (line && !line.startsWith("p ")) {
      const words = pending.pop() ?? "";
      for (const said of pending) {
        if (rules.some((label) => label.test(said)) || said === "the variables" || said.startsWith("what presolve")) {
          [rule, note] = [said, ""];
        } else note = said;
      }
      found.push({ rule, note, words, row: line });
      pending = [];
    }
  }
  return found;
}

/** Names such as `x[1, 2]` in a text. */
export function namesIn(text: string): string[] {
  const names = text.match(/[\p{L}_][\p{L}\p{N}_]*(\[[^\][]*(\[[^\][]*\][^\][]*)*\])?/gu) ?? [];
  return [...new Set(names)];
}

export class Formula {
  private shown: { button: HTMLButtonElement; names: string[] }[] = [];
  private head: HTMLElement | null = null;
  private target = el("select", { id: "target", "aria-label": "Kind of formula" });
  private lines = el("div", { class: "lines", tabindex: 0, "aria-label": "Rows of the formula", hidden: true });
  private about = el("p", { role: "status" });
  private output = el("textarea", {
    id: "output",
    placeholder: "What a solver printed for this formula: paste it, or drop the file on the page",
    "aria-label": "Output of a solver",
    spellcheck: "false",
  });

  constructor(
    private work: Work,
    private asks: Asks,
  ) {
    for (const [value, label] of [["cnf", "CNF (SAT)"], ["opb", "OPB (pseudo-Boolean)"], ["wcnf", "WCNF (MaxSAT)"], ["xcc", "XCC (exact cover)"]]) {
      this.target.append(el("option", { value }, label));
    }
    byId("tab-formula").replaceChildren(
      el(
        "div",
        { class: "row" },
        this.target,
        el("button", { id: "show-formula", type: "button", click: () => void this.show() }, "Show the rows"),
        el("button", { type: "button", click: () => void this.save(false) }, "Save the formula"),
        el("button", { type: "button", click: () => void this.save(true) }, "Save its map"),
      ),
      this.about,
      this.lines,
      this.output,
      el("div", { class: "row" }, el("button", { id: "decode", type: "button", click: () => void this.decode(this.output.value) }, "Read the answer and check it")),
    );
  }

  reset(): void {
    this.shown = [];
    this.lines.replaceChildren();
    this.lines.hidden = true;
    this.about.textContent = "";
  }

  private formula(target: string, annotated: boolean): Promise<Answer | null> {
    const puzzle = { ...this.work.puzzle };
    return this.asks.run("Encoding", { ask: "formula", target, annotated, puzzle });
  }

  private async show(): Promise<void> {
    this.reset();
    const answer = await this.formula(this.target.value, true);
    if (!answer?.text || answer.faults) {
      if (answer) this.asks.tell(answer);
      return;
    }
    this.about.textContent = `${answer.variables} variables, ${answer.rows} rows`;
    this.lines.hidden = false;
    this.head = null;
    this.more(rows(answer.text, this.work.puzzle.model), 0);
  }

  private more(all: Row[], from: number): void {
    let last = from > 0 ? all[from - 1].rule : "";
    let head: HTMLElement | null = this.head;
    for (const { rule, note, words, row } of all.slice(from, from + PAGE)) {
      if (rule !== last || !head) {
        head = this.head = el("div", { class: "rule" }, rule);
        this.lines.append(head);
      }
      last = rule;
      const names = namesIn(words || row);
      const own = head;
      const on = () => {
        this.lines.querySelector(".rule.on")?.classList.remove("on");
        own.classList.add("on");
        this.work.board.mark([{ names, kind: "spot" }]);
      };
      const said = [words, note && `(${note})`].filter(Boolean).join("  ");
      const button = el("button", { type: "button", mouseenter: on, focus: on }, row, el("small", {}, said && `  ${said}`));
      this.shown.push({ button, names });
      this.lines.append(button);
    }
    const left = all.length - from - PAGE;
    if (left > 0) {
      const more = el("button", { type: "button", click: () => (more.remove(), this.more(all, from + PAGE)) }, `${left} more …`);
      this.lines.append(more);
    }
  }

  /** The entries under the pointer mark the rows that speak of them. */
  pointed(names: string[]): void {
    for (const one of this.shown) one.button.classList.toggle("on", one.names.some((name) => names.includes(name)));
  }

  private async save(map: boolean): Promise<void> {
    const target = this.target.value;
    const answer = await this.formula(target, false);
    if (!answer || answer.faults || answer.text === undefined) {
      if (answer) this.asks.tell(answer);
      return;
    }
    if (map) saved(answer.map ?? "", `puzzle.${target}.map`);
    else saved(answer.text, `puzzle.${target}`);
  }

  /** Decodes what a solver printed: for the chosen kind of formula, else for the first that it fits. */
  async decode(output: string): Promise<void> {
    if (!output.trim()) return;
    this.asks.reset();
    const targets = [this.target.value, ...["cnf", "opb", "wcnf", "xcc"].filter((one) => one !== this.target.value)];
    let first: Answer | null = null;
    for (const target of targets) {
      const formula = await this.formula(target, false);
      if (!formula) return;
      if (formula.map === undefined) {
        first ??= formula;
        continue;
      }
      const answer = await this.asks.run("Decoding", { ask: "decode", map: formula.map, output });
      if (!answer) return;
      if (answer.solutions) {
        this.asks.tell(answer.solutions.length ? answer : { ...answer, solutions: [] });
        return;
      }
      first ??= answer;
    }
    if (first) this.asks.tell(first);
  }
}
