// Questions about the puzzle, and their answers as the page shows them.

import { Lane, Stopped } from "./core";
import { byId, el, picture } from "./dom";
import type { Answer, Conflict, Fault, Reason, Solution } from "./types";
import type { Work } from "./work";

let pictures = 0;

export function faultText(fault: Fault): string {
  const place = fault.places[0];
  const where = place ? `${place.source ?? place.name}, line ${place.line}, column ${place.column}: ` : "";
  const label = place?.label ? ` (${place.label})` : "";
  return [`${where}${fault.message}${label}`, ...fault.notes, ...fault.help].join("\n");
}

function plural(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

export class Asks {
  readonly lane = new Lane();
  private began = 0;
  private timer = 0;
  private remark = "";
  private reasons: { button: HTMLButtonElement; entries: string[] }[] = [];
  private listed = 0;
  private result = byId("result");

  constructor(private work: Work) {
    const buttons: [string, string, () => void][] = [
      ["solve", "Solve", () => void this.solve()],
      ["next", "Next solution", () => void this.next()],
      ["unique", "Only one?", () => void this.ask("Looking for two solutions", { ask: "unique" })],
      ["deduce", "What is certain?", () => void this.ask("Comparing all solutions", { ask: "deduce" })],
      ["count", "How many?", () => void this.ask("Counting", { ask: "count", limit: null })],
      ["explain", "Why none, or several?", () => void this.ask("Explaining", { ask: "explain" })],
      ["judge", "Check my answer", () => void this.judge()],
    ];
    const elements = buttons.map(([id, label, click]) => el("button", { id: `ask-${id}`, type: "button", click }, label));
    elements[0].classList.add("primary");
    const why = el("input", { id: "why", placeholder: "x[1, 2]", size: 10, autocomplete: "off", spellcheck: "false" });
    const form = el(
      "form",
      {
        class: "row",
        submit: (event: Event) => {
          event.preventDefault();
          void this.why(why.value);
        },
      },
      el("label", { for: "why" }, "Why is"),
      why,
      el("button", { id: "ask-why" }, "so?"),
    );
    const limit = el("select", { id: "seconds", "aria-label": "Time limit" });
    for (const [value, label] of [["", "no time limit"], ["10", "10 seconds"], ["60", "a minute"], ["600", "ten minutes"]]) {
      limit.append(el("option", { value }, label));
    }
    byId("asks").replaceChildren(...elements, form, limit);
    byId("stop").addEventListener("click", () => this.lane.stop());
    this.reset();
  }

  /** Forgets an answer that belongs to other texts. */
  reset(): void {
    this.listed = 0;
    this.reasons = [];
    this.result.replaceChildren();
    byId<HTMLButtonElement>("ask-next").disabled = true;
    this.work.board.mark([]);
  }

  /** The entries under the pointer mark the rules that speak of them. */
  pointed(names: string[]): void {
    for (const { button, entries } of this.reasons) {
      button.classList.toggle("on", entries.some((entry) => names.includes(entry)));
    }
  }

  private puzzle(): Record<string, unknown> {
    const seconds = Number(byId<HTMLSelectElement>("seconds").value) || null;
    return { ...this.work.puzzle, seconds };
  }

  private tick(doing: string): void {
    const passed = (performance.now() - this.began) / 1000;
    byId("doing").textContent = `${doing}: ${passed.toFixed(1)} s${this.remark ? `, ${this.remark}` : ""}`;
  }

  /** Asks, with progress and a way to stop; null if there was no answer. */
  async run(doing: string, request: Record<string, unknown>): Promise<Answer | null> {
    if (this.lane.busy) this.lane.stop();
    this.began = performance.now();
    this.remark = "";
    byId("run").hidden = false;
    this.tick(doing);
    clearInterval(this.timer);
    this.timer = window.setInterval(() => this.tick(doing), 100);
    try {
      return await this.lane.ask(request, (text) => (this.remark = text));
    } catch (error) {
      const stopped = error instanceof Stopped;
      this.listed = 0;
      byId<HTMLButtonElement>("ask-next").disabled = true;
      this.show(el("p", {}, stopped ? `Stopped after ${((performance.now() - this.began) / 1000).toFixed(1)} s.` : String(error)));
      return null;
    } finally {
      // another question may have taken over
      if (!this.lane.busy) {
        clearInterval(this.timer);
        byId("run").hidden = true;
      }
    }
  }

  async ask(doing: string, question: Record<string, unknown>): Promise<void> {
    this.reset();
    const answer = await this.run(doing, { ...question, puzzle: this.puzzle() });
    if (answer) this.tell(answer);
  }

  private async solve(): Promise<void> {
    // the solutions of an earlier listing stay in its worker
    this.lane.stop();
    this.reset();
    const answer = await this.run("Solving", { ask: "solve", puzzle: this.puzzle() });
    if (answer) this.tellNext(answer);
  }

  private async next(): Promise<void> {
    const answer = await this.run("Looking for another one", { ask: "next" });
    if (answer) this.tellNext(answer);
  }

  private tellNext(answer: Answer): void {
    const solution = answer.solutions?.[0];
    if (!solution) {
      byId<HTMLButtonElement>("ask-next").disabled = true;
      if (answer.over && this.listed > 0) {
        this.result.prepend(el("p", {}, this.listed === 1 ? "This is the only solution." : "There are no more."));
        return;
      }
      if (answer.over) {
        this.show(
          el("p", {}, "There is no solution. "),
          el("button", { type: "button", click: () => byId("ask-explain").click() }, "Why?"),
        );
        return;
      }
      this.tell(answer);
      return;
    }
    this.listed++;
    byId<HTMLButtonElement>("ask-next").disabled = false;
    const best = solution.objective === null ? "" : `, the best: ${solution.objective}`;
    this.show(this.figure(solution, `Solution ${this.listed}${best}, ${this.time()}`));
  }

  private async judge(): Promise<void> {
    if (this.work.answer.every((position) => position === null)) {
      this.reset();
      this.show(el("p", {}, "Nothing is filled in yet: choose the answer under “Fill in”, then click or type on the board."));
      return;
    }
    await this.ask("Checking", { ask: "judge", positions: this.work.answer });
  }

  private async why(expression: string): Promise<void> {
    const asked = expression.trim();
    if (!asked) {
      byId("why").focus();
      return;
    }
    this.reset();
    const answer = await this.run(`Why is ${asked} so`, { ask: "why", expression: asked, puzzle: this.puzzle() });
    if (!answer) return;
    if (answer.because) {
      const value = JSON.stringify(answer.value);
      this.show(el("h3", {}, `${asked} is ${value} in every solution`), ...this.conflict(answer.because));
      this.spot([asked], "differ");
    } else if ("other" in answer) {
      const both = `${JSON.stringify(answer.value)} in one solution, ${JSON.stringify(answer.other)} in another`;
      this.show(el("p", {}, `${asked} need not be so: it is ${both}.`));
    } else this.tell(answer);
  }

  private time(): string {
    return `${Math.max(1, Math.round(this.lane.milliseconds))} ms`;
  }

  show(...parts: (Node | string)[]): void {
    this.result.replaceChildren(...parts);
  }

  private figure(solution: Solution, caption: string): HTMLElement {
    const use = el(
      "button",
      { type: "button", click: () => this.work.setAnswer(solution.positions) },
      "Take as my answer",
    );
    return el(
      "figure",
      {},
      el("figcaption", {}, caption),
      picture(solution.picture.svg, `result${++pictures}`),
      el("details", {}, el("summary", {}, "As text"), el("pre", {}, solution.text)),
      el("div", { class: "row" }, use),
    );
  }

  private spot(names: string[], kind: string): void {
    this.work.board.mark([{ names, kind }]);
  }

  /** Rules as a list; the one that is pointed at marks its entries on the board. */
  private list(reasons: Reason[]): HTMLElement {
    const all = [...new Set(reasons.flatMap((reason) => reason.entries))];
    this.spot(all, "dull");
    this.reasons = [];
    const items = reasons.map((reason) => {
      const on = () => this.work.board.mark([{ names: all, kind: "dull" }, { names: reason.entries, kind: "spot" }]);
      const off = () => this.spot(all, "dull");
      const button = el(
        "button",
        { type: "button", mouseenter: on, mouseleave: off, focus: on, blur: off },
        reason.label,
        el("small", {}, ` ${[reason.place, ...reason.data].join(", ")}`),
      );
      this.reasons.push({ button, entries: reason.entries });
      return el("li", {}, button);
    });
    return el("ol", { class: "reasons" }, ...items);
  }

  private conflict(conflict: Conflict): Node[] {
    const number = conflict.reasons.length;
    if (number === 0) return [el("p", {}, "That follows from the values that are allowed, whatever the rules.")];
    const spare = conflict.minimal
      ? number > 1 && "None of them can be spared."
      : "Some of them may not be needed: the time was over before that was known.";
    const parts: Node[] = [el("p", {}, `because of ${plural(number, "rule")}:`), this.list(conflict.reasons)];
    if (spare) parts.push(el("p", {}, spare));
    return parts;
  }

  /** Any answer. */
  tell(answer: Answer): void {
    const parts: Node[] = [];
    const { solutions } = answer;
    if (answer.faults) {
      const head = answer.limit ? "No answer within the limit." : "There is a fault.";
      parts.push(el("h3", {}, head), ...answer.faults.map((fault) => el("p", {}, faultText(fault))));
    } else if (answer.impossible) {
      parts.push(el("h3", {}, "There is no solution"));
      if (answer.impossible !== true) parts.push(...this.conflict(answer.impossible));
      else parts.push(el("button", { type: "button", click: () => byId("ask-explain").click() }, "Why?"));
    } else if (answer.correct) {
      const cost = typeof answer.objective === "number" ? ` Its value is ${answer.objective}.` : "";
      parts.push(el("h3", {}, "Right: this is a solution."), ...(cost ? [el("p", {}, cost)] : []));
    } else if (answer.broken) {
      parts.push(el("h3", {}, `Wrong: ${plural(answer.broken.length, "rule")} broken`), this.list(answer.broken));
    } else if (answer.unlike) {
      parts.push(el("p", {}, "No solution looks like this."));
    } else if (answer.missing) {
      parts.push(el("p", {}, `Not complete, but no rule is broken by itself: ${plural(answer.missing.length, "entry").replace("entrys", "entries")} open.`));
      this.spot(answer.missing, "differ");
    } else if (answer.number !== undefined) {
      const more = answer.complete ? "" : "at least ";
      const word = answer.number === "1" ? "solution" : "solutions";
      parts.push(el("p", {}, `${more}${answer.number} ${word} (${this.time()})`));
    } else if (answer.fixed && answer.picture) {
      const [fixed, open] = [answer.fixed.length, answer.open?.length ?? 0];
      const text = open === 0 ? "Everything is certain: there is one solution." : `${fixed} certain, ${open} open${answer.complete ? "" : "; the time was over, more may be certain"}.`;
      const use = el("button", { type: "button", click: () => this.work.setAnswer(answer.positions ?? []) }, "Take as my answer");
      parts.push(el("p", {}, text), el("figure", {}, picture(answer.picture.svg, `result${++pictures}`), el("div", { class: "row" }, use)));
    } else if (solutions && solutions.length === 0) {
      parts.push(el("h3", {}, "There is no solution"), el("button", { type: "button", click: () => byId("ask-explain").click() }, "Why?"));
    } else if (solutions && solutions.length === 1) {
      const caption = answer.unique ? "The only solution" : "A solution";
      parts.push(this.figure(solutions[0], `${caption}, ${this.time()}`));
    } else if (solutions) {
      const all = answer.vary ?? answer.differ ?? [];
      const head = answer.vary ? `${plural(all.length, "entry").replace("entrys", "entries")} vary among the solutions` : `They differ in ${all.slice(0, 12).join(", ")}${all.length > 12 ? " …" : ""}`;
      const figures = solutions.map((solution, number) => this.figure(solution, `Solution ${number + 1}`));
      const row = el("div", { class: "row" }, ...figures);
      parts.push(el("h3", {}, "There are several solutions"), el("p", {}, head), row);
      this.spot(all, "differ");
    }
    this.show(...parts);
  }
}
