// What one takes away: pictures, files, links.

import type { Asks } from "./asks";
import { byId, el, saved } from "./dom";
import { packed } from "./share";
import type { About } from "./types";
import type { Work } from "./work";

const FORMS: Record<string, string> = {
  puzzlink: "puzz.link URL",
  tatham: "Game ID (Simon Tatham)",
  lines: "Sudoku line",
  non: "Nonogram file (.non)",
};

/** The scale of pictures made of points. */
const SCALE = 3;

export class Take {
  private text = el("textarea", { id: "taken", readonly: true, "aria-label": "Text to copy", hidden: true });
  private copy = el("button", { type: "button", hidden: true, click: () => void this.copied() }, "Copy");
  private about = el("p", { role: "status" });

  constructor(
    private work: Work,
    private asks: Asks,
    private known: About,
  ) {
    const button = (id: string, label: string, click: () => void) => el("button", { id, type: "button", click }, label);
    const forms = known.forms.map((form) => button(`form-${form}`, FORMS[form] ?? form, () => void this.export(form)));
    byId("tab-take").replaceChildren(
      el("h3", {}, "Picture"),
      el("div", { class: "row" }, button("save-svg", "SVG", () => saved(this.svg(), this.name("svg"), "image/svg+xml")), button("save-png", "PNG", () => void this.png()), button("print", "Print", () => window.print())),
      el("h3", {}, "Files"),
      el("div", { class: "row" }, button("save-data", "Data", () => saved(work.puzzle.data, this.name("clues"))), button("save-model", "Model", () => saved(work.puzzle.model, this.name("rebus")))),
      el("h3", {}, "To other programs"),
      el("div", { class: "row" }, ...forms),
      el("h3", {}, "Link to share"),
      el("div", { class: "row" }, button("share", "Make a link: model, data and answer are in it", () => void this.link())),
      this.about,
      this.text,
      el("div", { class: "row" }, this.copy),
    );
  }

  reset(): void {
    this.tell("", "");
  }

  private name(suffix: string): string {
    return `${this.work.puzzle.genre ?? "puzzle"}.${suffix}`;
  }

  private tell(about: string, text: string): void {
    this.about.textContent = about;
    this.text.value = text;
    this.text.hidden = this.copy.hidden = !text;
  }

  private async copied(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.text.value);
    } catch {
      this.text.select();
      document.execCommand("copy");
    }
    this.about.textContent = "Copied.";
  }

  /** The picture that is shown, with its style, as a file of its own. */
  svg(): string {
    const drawn = this.work.picture?.svg ?? "";
    return drawn.replace(/(<\/desc>\n?)/, `$1<style>${this.known.style}</style>\n`);
  }

  private async png(): Promise<void> {
    const url = URL.createObjectURL(new Blob([this.svg()], { type: "image/svg+xml" }));
    try {
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = el("canvas", { width: image.naturalWidth * SCALE, height: image.naturalHeight * SCALE });
      canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
      const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
      if (blob) saved(blob, this.name("png"));
    } finally {
      URL.revokeObjectURL(url);
    }
  }

  private async export(form: string): Promise<void> {
    const answer = await this.asks.run("Writing", { ask: "export", form, puzzle: this.work.puzzle });
    if (!answer) return;
    if (answer.faults) {
      this.tell(answer.faults.map((fault) => [fault.message, ...fault.help].join("; ")).join("\n"), "");
      return;
    }
    const lost = answer.lost?.length ? `Not told as it is: ${answer.lost.join(", ")}.` : "";
    this.tell(lost, answer.text ?? "");
  }

  private async link(): Promise<void> {
    const answer = this.work.answer.some((position) => position !== null) ? this.work.answer : undefined;
    const code = await packed({ ...this.work.puzzle, answer });
    const url = `${location.href.split("#")[0]}#p=${code}`;
    history.replaceState(null, "", `#p=${code}`);
    this.tell(`${url.length} characters; the puzzle is behind the #, which no server sees.`, url);
  }
}
