// The editor of a model or of data: highlighting, faults underlined, completion, the meaning of names.
//
// It stands in a shadow root: there its styles are style sheets of the root, and the page needs no inline style.

import { autocompletion, completionKeymap, closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
  HighlightStyle,
  StreamLanguage,
  bracketMatching,
  syntaxHighlighting,
} from "@codemirror/language";
import type { StreamParser } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import type { Diagnostic } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightSpecialChars,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { About, Fault, Name } from "./types";
import { el } from "./dom";

interface State {
  picture: boolean;
}

function language(about: About): StreamParser<State> {
  const words = new Set(about.words);
  const names = new Set(about.names.map((name) => name.name));
  return {
    startState: () => ({ picture: false }),
    token(stream, state) {
      if (state.picture) {
        if (stream.match(/^.*?"""/)) state.picture = false;
        else stream.skipToEnd();
        return "string";
      }
      if (stream.eatSpace()) return null;
      if (stream.match(/^#.*/)) return "comment";
      if (stream.match('"""')) {
        state.picture = true;
        return "string";
      }
      if (stream.match(/^r?"(?:[^"\\]|\\.)*"?/)) return "string";
      if (stream.match(/^\d+/)) return "number";
      const word = stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u) as RegExpMatchArray | null;
      if (word) {
        if (/^(true|false|none)$/.test(word[0])) return "atom";
        if (words.has(word[0])) return "keyword";
        if (/^(bool|int|text|word|list)$/.test(word[0])) return "typeName";
        return names.has(word[0]) ? "standard" : "variableName";
      }
      if (stream.match(/^(->|<->|\.\.|\+\+|[<>!]=|[-+*/%=<>?:])/)) return "operator";
      stream.next();
      return null;
    },
    tokenTable: { standard: tags.standard(tags.variableName) },
    languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
  };
}

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--keyword)", fontWeight: "600" },
  { tag: [tags.atom, tags.number], color: "var(--number)" },
  { tag: tags.string, color: "var(--string)" },
  { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
  { tag: tags.standard(tags.variableName), color: "var(--builtin)" },
  { tag: tags.typeName, color: "var(--builtin)" },
  { tag: tags.operator, color: "var(--operator)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "14px", backgroundColor: "var(--field)", color: "var(--text)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace", lineHeight: "1.45" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--dim)", border: "none" },
  ".cm-activeLine": { backgroundColor: "var(--active)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--select)",
  },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--text)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "#fff" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", padding: "4px 8px" },
  ".meaning": { padding: "6px 10px", maxWidth: "34rem" },
  ".meaning code": { fontFamily: "inherit", fontWeight: "600" },
  ".meaning p": { margin: "4px 0 0" },
});

function meaning(name: Name): HTMLElement {
  const [expression, value] = name.example;
  const shown = expression && (value === "drawing" ? expression : `${expression} is ${value}`);
  return el(
    "div",
    { class: "meaning" },
    el("code", {}, name.signature),
    el("p", {}, name.about),
    shown && el("p", {}, shown),
  );
}

/** Words, built-ins, and the names of the text itself. */
function completions(about: About) {
  const words: Completion[] = about.words.map((label) => ({ label, type: "keyword" }));
  const names: Completion[] = about.names.map((name) => ({
    label: name.name,
    type: "function",
    detail: name.signature.slice(name.name.length),
    info: () => meaning(name),
  }));
  return (context: CompletionContext): CompletionResult | null => {
    const typed = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*/u);
    if (!typed && !context.explicit) return null;
    const own = new Set(context.state.doc.toString().match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []);
    for (const known of [...about.words, ...about.names.map((name) => name.name)]) own.delete(known);
    if (typed) own.delete(typed.text);
    const options = [...words, ...names, ...[...own].map((label) => ({ label, type: "variable" }))];
    return { from: typed ? typed.from : context.pos, options, validFor: /^[\p{L}\p{N}_]*$/u };
  };
}

function hovered(about: About) {
  return hoverTooltip((view, at) => {
    const line = view.state.doc.lineAt(at);
    for (const found of line.text.matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)) {
      const from = line.from + found.index;
      const to = from + found[0].length;
      if (from <= at && at <= to) {
        const name = about.names.find((known) => known.name === found[0]);
        return name ? { pos: from, end: to, above: true, create: () => ({ dom: meaning(name) }) } : null;
      }
    }
    return null;
  });
}

export class Editor {
  readonly view: EditorView;
  private quiet = false;

  constructor(host: HTMLElement, label: string, about: About, changed: (text: string) => void) {
    const root = host.attachShadow({ mode: "open" });
    const inside = el("div", { part: "editor" });
    root.append(inside);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(":host{display:block;min-height:0}div[part]{height:100%}");
    root.adoptedStyleSheets = [sheet];
    const state = EditorState.create({
      doc: "",
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        highlightSpecialChars(),
        highlightActiveLine(),
        bracketMatching(),
        closeBrackets(),
        lintGutter(),
        EditorView.lineWrapping,
        StreamLanguage.define(language(about)),
        syntaxHighlighting(colours),
        autocompletion({ override: [completions(about)] }),
        hovered(about),
        look,
        EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
        keymap.of([
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...historyKeymap,
          ...completionKeymap,
          ...lintKeymap,
          indentWithTab,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !this.quiet) changed(update.state.doc.toString());
        }),
      ],
    });
    this.view = new EditorView({ state, parent: inside, root });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Sets the text without telling it as a change. Only the part that differs is replaced, so the cursor stays. */
  set(text: string): void {
    const old = this.text;
    if (old === text) return;
    let start = 0;
    while (start < old.length && start < text.length && old[start] === text[start]) start++;
    let end = 0;
    const most = Math.min(old.length, text.length) - start;
    while (end < most && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
    this.quiet = true;
    this.view.dispatch({
      changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) },
    });
    this.quiet = false;
  }

  /** Underlines faults that have a place in this text. */
  mark(faults: Fault[], source: "model" | "data"): void {
    const length = this.view.state.doc.length;
    const diagnostics: Diagnostic[] = [];
    for (const fault of faults) {
      const more = [...fault.notes, ...fault.help].map((line) => `\n${line}`).join("");
      for (const place of fault.places) {
        if (place.source !== source || place.from === null || place.to === null) continue;
        const from = Math.min(place.from, length);
        const to = Math.min(Math.max(place.to, from), length);
        diagnostics.push({
          from,
          to,
          severity: fault.warning ? "warning" : "error",
          message: `${fault.message}${place.label ? ` (${place.label})` : ""}${more}`,
          source: fault.code,
        });
        // the first place is the main one
        break;
      }
    }
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }
}
