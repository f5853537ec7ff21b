// The page: which puzzle is shown, its parts put together, what is opened or dropped.

import { Asks, faultText } from "./asks";
import { Board } from "./board";
import type { Layer } from "./board";
import { Lane, loadCore } from "./core";
import { byId, el } from "./dom";
import { Editor } from "./editor";
import { Formula } from "./formula";
import { gallery } from "./gallery";
import { unpacked } from "./share";
import { Take } from "./take";
import type { About, Entry, Field, Puzzle } from "./types";
import { Work } from "./work";

declare const ABOUT: About;

const NEW: Puzzle = {
  genre: null,
  model: `# A latin square: every number once in each row and column.
param n = 4
param clue[n, n] : (1..n)? = {}

var x[n, n] : 1..n

rule "row {r}": for r in 1..n: distinct(x[r, *])
rule "column {c}": for c in 1..n: distinct(x[*, c])
rule "clue at {p}": for (p, k) in givens(clue): x[p] = k

show x
`,
  data: "",
};

/** Files that are larger are not puzzles. */
const MOST = 16 << 20;

/** Longer lists of entries without a place are left to the data's text. */
const MOST_FORM = 60;

const board = new Board(byId("board"), byId("said"), {
  entered: (change) => work.entered(change),
  chosen,
  pointed: (names) => {
    asks.pointed(names);
    formula.pointed(names);
  },
});
const work: Work = new Work(board, { opened, texts, refused: notice });
const asks = new Asks(work);
const formula = new Formula(work, asks);
const take = new Take(work, asks, ABOUT);
const other = new Lane();
const select = byId<HTMLSelectElement>("layer");
let layerName = "";
let editors: { model: Editor; data: Editor } | undefined;

function notice(text: string): void {
  const host = byId("notice");
  host.textContent = text;
  host.hidden = !text;
}

// ---- texts

function tabs(): void {
  const names: [string, string][] = [["data", "Data"], ["model", "Model"], ["formula", "Formula"], ["take", "Take away"]];
  const all = names.map(([id, label]) => {
    const tab = el("button", { id: `tab-of-${id}`, type: "button", role: "tab", "aria-controls": `tab-${id}` }, label);
    tab.addEventListener("click", () => choose(id));
    return { id, tab };
  });
  const choose = (id: string) => {
    for (const one of all) {
      one.tab.setAttribute("aria-selected", String(one.id === id));
      one.tab.tabIndex = one.id === id ? 0 : -1;
      byId(`tab-${one.id}`).hidden = one.id !== id;
    }
  };
  byId("tabs").append(...all.map((one) => one.tab));
  byId("tabs").addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const at = all.findIndex((one) => one.tab === document.activeElement);
    const next = all[(at + step + all.length) % all.length];
    choose(next.id);
    next.tab.focus();
  });
  choose("data");
}

function format(which: "model" | "data"): void {
  void other.ask({ ask: "format", text: work.puzzle[which] }).then((answer) => {
    if (answer.text !== undefined && !answer.faults) {
      work.remember();
      work.setText(which, answer.text);
      texts();
    }
  }, refusal);
}

function makeEditors(): void {
  const host = (which: "model" | "data", label: string) => {
    const inside = el("div", { class: "editor", id: `editor-${which}` });
    const button = el("button", { id: `format-${which}`, type: "button", click: () => format(which) }, "Format");
    byId(`tab-${which}`).replaceChildren(inside, el("div", { class: "row" }, button));
    let timer = 0;
    let session = 0;
    return new Editor(inside, label, ABOUT, (text) => {
      // what is typed without a pause is undone at once
      if (performance.now() - session > 2000) work.remember();
      session = performance.now();
      work.puzzle = { ...work.puzzle, [which]: text };
      stale();
      clearTimeout(timer);
      timer = window.setTimeout(() => void work.refresh(), 150);
    });
  };
  editors = { data: host("data", "Data"), model: host("model", "Model") };
}

/** An answer belongs to the texts that it was found for. */
function stale(): void {
  asks.reset();
  formula.reset();
  take.reset();
}

function texts(): void {
  editors?.model.set(work.puzzle.model);
  editors?.data.set(work.puzzle.data);
  stale();
  buttons();
}

function buttons(): void {
  byId<HTMLButtonElement>("undo").disabled = !work.canUndo;
  byId<HTMLButtonElement>("redo").disabled = !work.canRedo;
}

// ---- what the core says

function opened(): void {
  notice("");
  editors?.model.mark(work.faults, "model");
  editors?.data.mark(work.faults, "data");
  const items = work.faults.map((fault) => {
    const place = fault.places.find((one) => one.source);
    const go = () => {
      if (!place?.source || place.from === null) return;
      byId(`tab-of-${place.source}`).click();
      const view = editors![place.source].view;
      view.dispatch({ selection: { anchor: Math.min(place.from, view.state.doc.length) }, scrollIntoView: true });
      view.focus();
    };
    return el("li", {}, el("button", { type: "button", class: fault.warning ? "warning" : "", click: go }, faultText(fault)));
  });
  byId("faults").replaceChildren(...items);
  if (work.picture) board.show(work.picture, work.opened.fields);
  else board.clear(work.faults.length ? "There is nothing to draw yet: see the faults." : "…");
  layers();
  values();
  buttons();
}

function layers(): void {
  const all = work.layers;
  const label = (layer: Layer) => `${layer.variable ? "answer" : "given"}: ${layer.field.name}`;
  const wanted = all.find((layer) => label(layer) === layerName) ?? all[0] ?? null;
  const options = all.map((layer) => el("option", { value: label(layer) }, label(layer)));
  select.replaceChildren(...options);
  select.disabled = all.length === 0;
  if (wanted) select.value = label(wanted);
  layerName = wanted ? label(wanted) : "";
  board.fill(wanted);
  palette(wanted);
}

function current(): Layer | null {
  return work.layers.find((layer) => `${layer.variable ? "answer" : "given"}: ${layer.field.name}` === layerName) ?? null;
}

/** Values to paint with: those allowed, or those that are there already. */
function palette(layer: Layer | null): void {
  const host = byId("palette");
  if (!layer) {
    host.replaceChildren();
    return;
  }
  const field = layer.field;
  const listed = field.choices.length === 1 ? field.choices[0] : [...new Set(field.choices.flat())];
  const found = [...new Set(field.entries.map((entry) => entry.text))].filter((text) => text !== "");
  const texts = listed.length > 0 ? listed : found.sort();
  const entries: [string | null, string, string][] = [[null, "✎", "choose and type"]];
  for (const text of texts.slice(0, 60)) entries.push([text, text === " " ? "␣" : text, `paint ${text}`]);
  if (field.kind === "word" || field.kind === "text") {
    const free = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"].find((letter) => !found.includes(letter));
    if (free) entries.push([free, `+ ${free}`, `paint a new one, ${free}`]);
  }
  if (field.optional) entries.push(["", "⌫", "paint empty"]);
  if (board.brush !== null && !entries.some(([value]) => value === board.brush)) board.brush = null;
  const show = () => {
    byId("board").classList.toggle("brush", board.brush !== null);
    all.forEach((button, at) => button.setAttribute("aria-pressed", String(entries[at][0] === board.brush)));
  };
  const all = entries.map(([value, label, title]) => {
    const click = () => {
      // a value may also be meant for the entry that is chosen
      if (value !== null && board.chosen && board.brush === null && !paints(field)) board.enterHere(value);
      else board.brush = board.brush === value ? null : value;
      show();
    };
    return el("button", { type: "button", title, click }, label);
  });
  host.replaceChildren(...all);
  show();
}

/** Fields whose entries one paints rather than types: rooms and the like. */
function paints(field: Field): boolean {
  return field.kind === "word" || field.kind === "text";
}

/** Values that have no place on the board, as a form. */
function values(): void {
  const host = byId<HTMLFormElement>("values");
  if (host.contains(document.activeElement)) return;
  const inputs: Node[] = [];
  const fields = work.opened.fields;
  for (const field of fields?.parameters ?? []) {
    if (field.array && (field.entries.some((entry) => entry.place) || field.entries.length > MOST_FORM)) continue;
    const entries: Entry[] = field.entries.length || field.array ? field.entries : [{ name: field.name, text: "", choices: 0, place: null }];
    entries.forEach((entry, number) => inputs.push(input(field, entry, (text) => work.enter([[field.name, number, text]]))));
  }
  let first = 0;
  for (const field of fields?.variables ?? []) {
    const start = first;
    first += field.entries.length;
    if (field.entries.some((entry) => entry.place) || field.entries.length > MOST_FORM) continue;
    field.entries.forEach((entry, number) => {
      const enter = (text: string) => {
        const position = text === "" ? null : field.choices[entry.choices].indexOf(text);
        work.entered({ layer: { field, variable: true, first: start }, entries: [number], text, position });
      };
      inputs.push(input(field, entry, enter));
    });
  }
  host.replaceChildren(...inputs);
}

function input(field: Field, entry: Entry, enter: (text: string) => void): HTMLElement {
  const choices = field.choices[entry.choices] ?? [];
  if (choices.length > 0) {
    const list = el("select", { change: () => enter(list.value) });
    if (field.optional) list.append(el("option", { value: "" }, "–"));
    for (const choice of choices) list.append(el("option", { value: choice }, choice));
    list.value = entry.text;
    return el("label", {}, entry.name, list);
  }
  const text = el("input", { value: entry.text, autocomplete: "off", spellcheck: "false", change: () => enter(text.value) });
  if (field.kind === "int") text.inputMode = "numeric";
  return el("label", {}, entry.name, text);
}

function chosen(entry: Entry | null): void {
  const name = entry && work.variableAt(entry);
  if (name) byId<HTMLInputElement>("why").value = name;
}

// ---- which puzzle

function show(puzzle: Puzzle, answer: (number | null)[] = []): void {
  byId("gallery").hidden = true;
  byId("work").hidden = false;
  if (!editors) makeEditors();
  const model = ABOUT.models.find((one) => one.name === puzzle.genre);
  const name = model ? model.name.replaceAll("-", " ") : "Own model";
  byId("name").textContent = name;
  byId("about").textContent = model?.about ?? "";
  document.title = `${name} – rebus`;
  board.clear("…");
  layerName = "";
  board.brush = null;
  byId("values").replaceChildren();
  asks.lane.stop();
  work.open(puzzle, answer);
  window.scrollTo(0, 0);
}

function boards(genre: string | null, chosen: string | null): void {
  const model = ABOUT.models.find((one) => one.name === genre);
  const list = byId<HTMLSelectElement>("boards");
  byId("boards-label").hidden = !model?.boards.length;
  const own = chosen === null ? [el("option", { value: "" }, "own")] : [];
  const options = (model?.boards ?? []).map((name) => el("option", { value: name }, name.replace(".clues", "")));
  list.replaceChildren(...own, ...options);
  list.value = chosen ?? "";
}

async function catalogued(genre: string, board: string | null): Promise<void> {
  const answer = await other.ask({ ask: "catalogue", genre, board });
  if (answer.unknown || answer.model === undefined || !answer.genre) {
    home();
    notice(`There is no puzzle “${genre}” here.`);
    return;
  }
  const name = board && answer.boards?.includes(board) ? board : (answer.boards?.[0] ?? null);
  boards(answer.genre, name);
  show({ genre: answer.genre, model: answer.model, data: answer.data ?? "" });
}

function home(): void {
  byId("work").hidden = true;
  byId("gallery").hidden = false;
  document.title = "rebus: logic puzzles";
  asks.lane.stop();
}

function refusal(error: Error): void {
  notice(error.message);
}

async function route(): Promise<void> {
  notice("");
  const hash = location.hash.slice(1);
  try {
    if (hash.startsWith("p=")) {
      const shared = await unpacked(hash.slice(2));
      boards(shared.genre, null);
      show({ genre: known(shared.genre), model: shared.model, data: shared.data }, shared.answer);
    } else if (hash.startsWith("/")) {
      const [genre, board] = hash.slice(1).split("/").map((part) => decodeURIComponent(part));
      await catalogued(genre, board ? `${board}.clues` : null);
    } else if (hash === "new") {
      boards(null, null);
      show(NEW);
      byId("tab-of-model").click();
    } else home();
  } catch (error) {
    home();
    notice(`This link cannot be opened: ${(error as Error).message}`);
  }
}

function known(genre: string | null): string | null {
  return ABOUT.models.some((model) => model.name === genre) ? genre : null;
}

// ---- what is opened or dropped

/** A puzzle of another program, a model, data, an answer of a solver. */
async function openText(text: string, name: string): Promise<void> {
  notice("");
  const typed = text.trim();
  if (!typed) return;
  const own = /#p=([A-Za-z0-9_-]+)$/.exec(typed);
  if (own && !/\s/.test(typed)) {
    location.hash = `p=${own[1]}`;
    return;
  }
  const genre = typed.toLowerCase().replaceAll(" ", "-");
  const model = ABOUT.models.find((one) => one.name === genre || one.aliases.includes(genre));
  if (model) {
    location.hash = `/${model.name}`;
    return;
  }
  const working = !byId("work").hidden;
  const prints = /^s (SATISFIABLE|UNSATISFIABLE|OPTIMUM FOUND|UNKNOWN)/m.test(text) || /^v /m.test(text);
  if (prints && working) {
    await formula.decode(text);
    return;
  }
  const answer = await other.ask({ ask: "import", text: text, name });
  if (answer.faults) {
    notice(answer.faults.map(faultText).join("\n"));
  } else if (answer.genre) {
    const shipped = await other.ask({ ask: "catalogue", genre: answer.genre, board: null });
    boards(answer.genre, null);
    history.pushState(null, "", "#opened");
    show({ genre: answer.genre, model: shipped.model ?? "", data: answer.data ?? "" });
    if (answer.answer) await asks.ask("Checking the answer that came with it", { ask: "verify", answer: answer.answer });
  } else if (name.endsWith(".rebus") || /^\s*(var|param|rule|show)\b/m.test(text)) {
    boards(null, null);
    history.pushState(null, "", "#opened");
    show({ genre: null, model: text, data: "" });
  } else if (working && (/\.(clues|json)$/.test(name) || /^\s*[\p{L}_][\p{L}\p{N}_]* *=/mu.test(text) || text.trim().startsWith("{"))) {
    work.remember();
    work.setText("data", text);
    texts();
  } else {
    notice("This is in no format that is known. Read are URLs of puzz.link, game IDs of Simon Tatham's collection, SudokuPad and f-puzzles, .non, webpbn, sudoku lines, pzprv3; models, and data of the puzzle that is open.");
  }
}

async function openFile(file: File): Promise<void> {
  if (file.size > MOST) notice(`${file.name} is too large for a puzzle.`);
  else await openText(await file.text(), file.name).catch(refusal);
}

function theme(): void {
  const root = document.documentElement;
  const stored = (() => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  })();
  if (stored === "light" || stored === "dark") root.dataset.theme = stored;
  byId("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try {
      localStorage.setItem("theme", root.dataset.theme);
    } catch {
      // a browser that stores nothing
    }
  });
}

function start(): void {
  theme();
  tabs();
  gallery(ABOUT.models);
  byId("open").addEventListener("submit", (event) => {
    event.preventDefault();
    void openText(byId<HTMLInputElement>("opened").value, "").catch(refusal);
  });
  const file = byId<HTMLInputElement>("file");
  byId("browse").addEventListener("click", () => file.click());
  file.addEventListener("change", () => {
    if (file.files?.[0]) void openFile(file.files[0]);
    file.value = "";
  });
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const dropped = event.dataTransfer?.files[0];
    const text = event.dataTransfer?.getData("text");
    if (dropped) void openFile(dropped);
    else if (text) void openText(text, "").catch(refusal);
  });
  byId("undo").addEventListener("click", () => work.undo());
  byId("redo").addEventListener("click", () => work.redo());
  byId("clear").addEventListener("click", () => {
    const layer = current();
    if (layer) work.clear(layer);
  });
  byId("values").addEventListener("submit", (event) => event.preventDefault());
  byId("board").addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
    event.preventDefault();
    if (event.shiftKey) work.redo();
    else work.undo();
  });
  select.addEventListener("change", () => {
    layerName = select.value;
    layers();
  });
  byId<HTMLSelectElement>("boards").addEventListener("change", (event) => {
    const name = (event.target as HTMLSelectElement).value;
    if (name && work.puzzle.genre) location.hash = `/${work.puzzle.genre}/${name.replace(".clues", "")}`;
  });
  window.addEventListener("hashchange", () => void route());
  void route();
  // the core is read while one looks
  setTimeout(() => void loadCore().catch(refusal), 50);
}

start();
