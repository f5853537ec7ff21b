// The page in a browser: what a person does, and what strangers might do.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { deflateRawSync } from "node:zlib";
import { built, launched, opened, served } from "./browser.mjs";

const examples = join(import.meta.dirname, "..", "..", "examples");
let server, browser;

before(async () => {
  server = await served();
  browser = await launched();
});
after(async () => {
  await browser.close();
  server.close();
});

/** Runs a test on a page of its own; nothing may have gone wrong on it. */
function on(name, hash, run, options = {}) {
  test(name, async () => {
    const page = await opened(browser, `${options.url ?? server.url}${hash}`, options);
    try {
      await run(page);
      assert.deepEqual(page.wrong, [], "the console is empty");
    } finally {
      await page.context().close();
    }
  });
}

async function go(page, hash) {
  await page.evaluate((hash) => (location.hash = hash), hash);
}

async function board(page) {
  await page.locator("#board svg.rebus").waitFor();
}

async function editor(page, which) {
  await page.click(`#tab-of-${which}`);
  return page.locator(`#editor-${which} .cm-content`);
}

/** The text of an editor, also the lines that are not drawn. */
function text(page, which) {
  return page.evaluate((which) => {
    const content = document.querySelector(`#editor-${which}`).shadowRoot.querySelector(".cm-content");
    return content.cmTile?.view?.state.doc.toString() ?? content.cmView.view.state.doc.toString();
  }, which);
}

async function write(page, which, text) {
  const content = await editor(page, which);
  await content.click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
}

async function result(page) {
  await page.waitForFunction(() => document.querySelector("#run").hidden && document.querySelector("#result").innerText);
  return page.locator("#result").innerText();
}

/** Clicks a cell of the board; rows and columns from 1, in a picture without clues at its margins. */
async function click(page, row, column, count) {
  const box = await page.locator("#board .sheet").boundingBox();
  const step = box.width / (count + 12 / 40);
  const at = (k) => (6 / 40 + k - 0.5) * step;
  await page.mouse.click(box.x + at(column), box.y + at(row));
}

on("the gallery shows the catalogue and searches it", "", async (page) => {
  const cards = page.locator("#cards li:visible");
  const all = await cards.count();
  assert.ok(all > 70, `${all} cards`);
  await page.fill("#search", "bridges");
  assert.equal(await cards.count(), 1);
  assert.match(await cards.innerText(), /hashi/i);
  await page.fill("#search", "no such puzzle");
  assert.equal(await cards.count(), 0);
  await page.fill("#search", "");
  await page.locator("#cards a", { hasText: /^akari/i }).click();
  await board(page);
  assert.equal(await page.locator("#name").innerText(), "Akari");
});

on("every board of the catalogue solves to the known answer", "#/sudoku", async (page) => {
  await board(page);
  let known = 0;
  for (const folder of readdirSync(examples)) {
    for (const file of readdirSync(join(examples, folder)).filter((file) => file.endsWith(".solution"))) {
      const name = file.replace(".solution", "");
      const boards = readdirSync(join(examples, folder)).filter((file) => file.endsWith(".clues"));
      const isBoard = boards.includes(`${name}.clues`);
      const genre = isBoard ? name.slice(0, name.lastIndexOf("-")) : name;
      await go(page, isBoard ? `#/${genre}/${name}` : `#/${genre}`);
      await page.waitForFunction(
        ([genre, board]) =>
          document.querySelector("#name").textContent === genre.replaceAll("-", " ") &&
          (!board || document.querySelector("#boards").value === board) &&
          document.querySelector("#board svg.rebus"),
        [genre, isBoard ? `${name}.clues` : null],
      );
      await page.click("#ask-solve");
      await page.locator("#result figure").waitFor();
      const found = [await page.locator("#result pre").textContent(), await page.locator("#result desc").textContent()];
      const wanted = readFileSync(join(examples, folder, file), "utf8");
      // the file has it in either form
      assert.ok(found.some((text) => text.trimEnd() === wanted.trimEnd()), `${name}\n${found.join("\n")}\n${wanted}`);
      known += 1;
    }
  }
  assert.ok(known > 100, `${known} known answers`);
});

on("the core comes with the page, and the page is there soon", "", async (page) => {
  const { paint, core } = await page.evaluate(async () => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    core: (await (await fetch("core.js").catch(() => null))?.text())?.length,
  })).catch(() => ({}));
  // the policy forbids even the page's own script to fetch anything
  assert.equal(core, undefined);
  assert.ok(paint === undefined || paint < 5000);
  page.wrong.length = 0;
});

on("clues are clicked and typed, and the data follow, and back", "#/sudoku", async (page) => {
  await board(page);
  await click(page, 1, 3, 9);
  await page.keyboard.press("4");
  await page.waitForFunction(() => document.querySelector("#board text")?.ownerSVGElement.querySelector("desc").textContent.startsWith("5 3 4"));
  assert.match(await text(page, "data"), /5 3 4 \. 7/);
  // the arrow keys lead on
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("6");
  await page.waitForFunction(() => document.querySelector("#board desc").textContent.startsWith("5 3 4 | 6 7"));
  await page.click("#undo");
  await page.waitForFunction(() => document.querySelector("#board desc").textContent.startsWith("5 3 4 | · 7"));
  await page.click("#redo");
  await page.waitForFunction(() => document.querySelector("#board desc").textContent.startsWith("5 3 4 | 6 7"));
  // the text leads the board too
  await write(page, "data", `clue = "${"9" + ".".repeat(80)}"\n`);
  await page.waitForFunction(() => document.querySelector("#board desc").textContent.startsWith("9 · ·"));
  await page.click("#clear");
  await page.waitForFunction(() => document.querySelector("#board desc").textContent.startsWith("···"));
});

on("rooms are painted, corners and margins typed, edges clicked", "#/jigsaw-sudoku", async (page) => {
  await board(page);
  await page.selectOption("#layer", "given: room");
  const before = await text(page, "data");
  const palette = page.locator("#palette button");
  const last = (await palette.count()) - 1;
  await palette.nth(last).click();
  const count = await page.locator("#board svg.rebus").evaluate((svg) => (svg.viewBox.baseVal.width - 12) / 40);
  await click(page, 1, 1, count);
  for (let tries = 0; tries < 100 && (await text(page, "data")) === before; tries++) await page.waitForTimeout(50);
  assert.match(await text(page, "data"), /^room = """\n[^a\n]a/m);
  // an edge of slitherlink's answer
  await go(page, "#/slitherlink/slitherlink-1");
  await page.waitForFunction(() => document.querySelector("#name").textContent === "slitherlink");
  await page.waitForFunction(() => [...document.querySelectorAll("#layer option")].some((one) => one.value === "answer: line"));
  await page.selectOption("#layer", "answer: line");
  const frame = await page.locator("#board .sheet").boundingBox();
  const lines = () => page.locator("#board path.line").count();
  assert.equal(await lines(), 0);
  const columns = await page.locator("#board svg.rebus").evaluate((svg) => (svg.viewBox.baseVal.width - 12) / 40);
  const step = frame.width / (columns + 0.3);
  await page.mouse.click(frame.x + step * 0.65, frame.y + step * 0.15);
  await page.mouse.click(frame.x + step * 0.65, frame.y + step * 0.15);
  await page.waitForFunction(() => document.querySelectorAll("#board path.line").length === 1);
  // a clue beside the rows of a nonogram
  await go(page, "#/nonogram");
  await page.waitForFunction(() => document.querySelector("#name").textContent === "nonogram" && document.querySelector("#layer").value.includes("across"));
  await page.locator("#board").focus();
  await page.keyboard.press("ArrowDown");
  assert.match(await page.locator("#said").innerText(), /across\[1\]/);
});

on("a size makes another board", "#/queens", async (page) => {
  await board(page);
  const n = page.locator("#values input").first();
  await n.fill("5");
  await n.press("Tab");
  await page.waitForFunction(() => document.querySelector("#board desc").textContent.trim().split("\n").length === 5);
  assert.match(await text(page, "data"), /n = 5/);
});

on("a model typed from nothing", "#new", async (page) => {
  await board(page);
  await write(page, "model", 'var x[3] : 1..3\nrule "all": distinct(x)\nrule "up": increasing(x)\nshow x\n');
  await page.waitForFunction(() => document.querySelector("#board desc").textContent.includes("···"));
  await page.click("#ask-unique");
  assert.match(await result(page), /only solution/);
  assert.equal((await page.locator("#result pre").textContent()).trim(), "1 2 3");
  await page.click("#format-model");
});

on("a fault is underlined and told, and mended", "#new", async (page) => {
  await board(page);
  await write(page, "model", "var x : 1..9\nrule: yy = 1\nshow x\n");
  const fault = page.locator("#faults button");
  await fault.waitFor();
  assert.match(await fault.innerText(), /model, line 2, column 7: .*yy/);
  await page.locator("#editor-model .cm-lintRange-error").waitFor();
  assert.equal(await page.locator("#editor-model .cm-lintRange-error").innerText(), "yy");
  await page.click("#ask-solve");
  assert.match(await result(page), /fault/);
  await write(page, "model", "var x : 1..9\nrule: x = 7\nshow x\n");
  await fault.waitFor({ state: "detached" });
  // positions count characters, not bytes
  await write(page, "model", "# äöü 😀\nvar x : 1..9\nrule: zz = 1\nshow x\n");
  await fault.waitFor();
  assert.equal(await page.locator("#editor-model .cm-lintRange-error").innerText(), "zz");
});

on("names are completed, and their meaning is told", "#new", async (page) => {
  await board(page);
  const content = await editor(page, "model");
  await content.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("rule: disti", { delay: 20 });
  const list = page.locator("#editor-model .cm-tooltip-autocomplete");
  await list.waitFor();
  assert.match(await list.innerText(), /distinct/);
  await page.keyboard.press("Escape");
  await page.locator("#editor-model .cm-line", { hasText: "distinct(x[r" }).getByText("distinct", { exact: true }).hover();
  await page.locator("#editor-model .meaning").waitFor();
  assert.match(await page.locator("#editor-model .meaning").innerText(), /Are all entries different\?/);
});

on("questions have answers", "#/row", async (page) => {
  await board(page);
  await page.click("#ask-count");
  assert.match(await result(page), /^2 solutions/);
  await page.click("#ask-unique");
  assert.match(await result(page), /several solutions[\s\S]*differ in x\[1\]/);
  assert.equal(await page.locator("#result figure").count(), 2);
  assert.ok((await page.locator("#result .marked").count()) > 0, "differences are marked");
  await page.click("#ask-deduce");
  assert.match(await result(page), /2 certain, 2 open/);
  await page.click("#ask-solve");
  await result(page);
  await page.click("#ask-next");
  await page.waitForFunction(() => document.querySelector("#result").innerText.includes("Solution 2"));
  await page.click("#ask-next");
  await page.waitForFunction(() => document.querySelector("#result").innerText.includes("no more"));
  await page.fill("#why", "x[2]");
  await page.click("#ask-why");
  assert.match(await result(page), /x\[2\] is 3 in every solution[\s\S]*clue at 2/);
  await page.fill("#why", "x[1]");
  await page.click("#ask-why");
  assert.match(await result(page), /need not be so/);
});

on("rules that clash are listed, and mark their cells", "#/sudoku", async (page) => {
  await board(page);
  await click(page, 1, 3, 9);
  await page.keyboard.press("5");
  await page.waitForFunction(() => document.querySelector("#board desc").textContent.startsWith("5 3 5"));
  await page.click("#ask-solve");
  assert.match(await result(page), /There is no solution/);
  await page.locator("#result button", { hasText: "Why?" }).click();
  await page.locator(".reasons button").first().waitFor();
  await page.locator(".reasons button").first().hover();
  assert.ok((await page.locator("#board .overlay .spot").count()) > 0, "cells are marked");
  // and back: the cell marks its rules
  await click(page, 1, 1, 9);
  const box = await page.locator("#board .sheet").boundingBox();
  await page.mouse.move(box.x + box.width / 18, box.y + box.height / 18, { steps: 3 });
  assert.ok((await page.locator(".reasons button.on").count()) > 0, "rules are marked");
});

on("an answer on the board is checked", "#/sudoku", async (page) => {
  await board(page);
  await page.click("#ask-judge");
  assert.match(await result(page), /Nothing is filled in/);
  await page.click("#ask-solve");
  await page.locator("#result figure").waitFor();
  await page.getByText("Take as my answer").click();
  await page.waitForFunction(() => document.querySelector("#board desc").textContent.startsWith("5 3 4 | 6 7 8"));
  await page.click("#ask-judge");
  assert.match(await result(page), /Right/);
  await page.selectOption("#layer", "answer: x");
  await click(page, 1, 3, 9);
  await page.keyboard.press("9");
  await page.waitForFunction(() => document.querySelector("#board desc").textContent.startsWith("5 3 9"));
  await page.click("#ask-judge");
  assert.match(await result(page), /Wrong/);
});

const HARD = 'param n = 11\nvar x[n + 1, n] : bool\nrule: for r in 1..n+1: any(x[r, *])\nrule: for c in 1..n: count(x[*, c]) <= 1\nshow x\n';

on("a hard question is stopped within a second, and the page stays alive", "#new", async (page) => {
  await board(page);
  await write(page, "model", HARD);
  await page.waitForFunction(() => document.querySelector("#board desc").textContent.trim().split("\n").length === 12);
  await page.click("#ask-count");
  await page.waitForFunction(() => /[1-9]\.\d s/.test(document.querySelector("#doing").textContent));
  const before = Date.now();
  await page.click("#stop");
  assert.match(await result(page), /Stopped/);
  assert.ok(Date.now() - before < 1000, `${Date.now() - before} ms`);
  await write(page, "model", "var x : 1..3\nrule: x = 2\nshow x\n");
  await page.click("#ask-solve");
  assert.match(await result(page), /Solution 1/);
});

on("a time limit ends a question", "#new", async (page) => {
  await board(page);
  await write(page, "model", HARD);
  await page.waitForFunction(() => document.querySelector("#board desc").textContent.trim().split("\n").length === 12);
  await page.selectOption("#seconds", "10");
  await page.evaluate(() => document.querySelector("#seconds option[value='10']").setAttribute("value", "1"));
  await page.click("#ask-solve");
  assert.match(await result(page), /No answer within the limit|no solution/i);
});

on("a link holds model, data and answer", "#/sudoku", async (page) => {
  await board(page);
  await page.click("#ask-solve");
  await page.getByText("Take as my answer").click();
  await page.waitForFunction(() => document.querySelector("#board desc").textContent.startsWith("5 3 4 | 6 7 8"));
  await page.click("#tab-of-take");
  await page.click("#share");
  await page.waitForFunction(() => document.querySelector("#taken").value);
  const url = await page.locator("#taken").inputValue();
  assert.match(url, /#p=[A-Za-z0-9_-]+$/);
  const other = await opened(browser, url);
  await other.waitForFunction(() => document.querySelector("#board desc")?.textContent.startsWith("5 3 4 | 6 7 8"));
  await other.click("#ask-judge");
  assert.match(await result(other), /Right/);
  assert.deepEqual(other.wrong, []);
  await other.context().close();
});

test("a hostile link is text, or nothing", async () => {
  const packed = (value) => deflateRawSync(JSON.stringify(value)).toString("base64url");
  const evil = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>';
  const model = `var x[2] : ["${evil.replaceAll('"', "'")}", "b"]\nrule "${evil.replaceAll('"', "'")}": x[1] = x[2]\nshow x\nshow "${evil.replaceAll('"', "'")}"\n`;
  const links = [
    `#p=${packed({ genre: evil, model, data: "", answer: [0, 1, "x", -5, 1e99] })}`,
    `#p=${packed({ genre: "__proto__", model: `${evil} = 1`, data: evil })}`,
    `#p=${packed({ model: 5, data: [] })}`,
    `#p=${packed("x".repeat(5 << 20))}`,
    "#p=%3Cscript%3E",
    "#p=AAAA",
    "#p=",
    `#/${encodeURIComponent(evil)}`,
    "#/sudoku/../../etc/passwd",
    "#/%E0%A4%A",
    "#/constructor",
  ];
  for (const link of links) {
    const page = await opened(browser, server.url + link);
    await page.waitForTimeout(400);
    await page.click("#ask-solve", { timeout: 300 }).catch(() => {});
    await page.waitForTimeout(200);
    assert.equal(await page.evaluate(() => window.hit), undefined, link);
    assert.equal(await page.locator("img[src=x], main script").count(), 0, link);
    assert.deepEqual(page.wrong, [], link);
    await page.context().close();
  }
});

on("puzzles of other programs are opened from one field", "", async (page) => {
  const tried = [
    ["https://puzz.link/p?slither/4/4/dgdh2c7b", "slitherlink"],
    ["mosaic:3x3:4a2b32b", "mosaic"],
    ["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79", "sudoku"],
    ["towers", "skyscrapers"],
  ];
  for (const [text, genre] of tried) {
    await page.fill("#opened", text);
    await page.keyboard.press("Enter");
    await page.waitForFunction((genre) => document.querySelector("#name").textContent === genre, genre);
    await board(page);
  }
  await page.fill("#opened", "https://example.org/no/puzzle");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#notice").innerText.includes("not read"));
  await page.fill("#opened", "<b>what is this</b>");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#notice").innerText.includes("no format"));
});

on("files are opened", "", async (page) => {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  const file = (name, text) => (writeFileSync(join(folder, name), text), join(folder, name));
  await page.setInputFiles("#file", file("a.non", "width 3\nheight 2\nrows\n1\n3\ncolumns\n1\n2\n1\n"));
  await page.waitForFunction(() => document.querySelector("#name").textContent === "nonogram");
  await page.setInputFiles("#file", file("own.rebus", "param n\nparam c[n] : (1..9)?\nvar x[n] : 1..9\nshow x\n"));
  await page.waitForFunction(() => document.querySelector("#name").textContent === "Own model");
  await page.setInputFiles("#file", file("own.json", '{"n": 2, "c": [null, 4]}'));
  await page.waitForFunction(() => document.querySelector("#board desc")?.textContent.trim() === "··");
  await page.locator("#board").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("7");
  await page.waitForFunction(() => document.querySelector("#editor-data").shadowRoot.textContent.includes("[7, 4]"));
});

on("the formula is shown row by row, saved, and a solver's answer is read", "#/row", async (page) => {
  await board(page);
  await page.click("#tab-of-formula");
  await page.click("#show-formula");
  const row = page.locator(".lines button", { hasText: "x[1] = 2 or x[1] = 4" });
  await row.hover();
  assert.ok((await page.locator("#board .overlay .spot").count()) > 0, "its cell is marked");
  assert.equal(await page.locator(".rule.on").innerText(), "the variables");
  await page.fill("#output", "s SATISFIABLE\nv -1 2 -3 -4 -5 -6 7 -8 -9 -10 -11 12 13 -14 -15 -16 0\n");
  await page.click("#decode");
  assert.match(await result(page), /A solution/);
  assert.equal((await page.locator("#result pre").textContent()).trim(), "2 3 4 1");
  await page.fill("#output", "s SATISFIABLE\nv 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 0\n");
  await page.click("#decode");
  assert.match(await result(page), /fault/);
  const saving = page.waitForEvent("download");
  await page.getByText("Save the formula").click();
  assert.match(readFileSync(await (await saving).path(), "utf8"), /^p cnf 16 /m);
});

on("pictures, files and other forms are taken away", "#/slitherlink", async (page) => {
  await board(page);
  await page.click("#tab-of-take");
  const download = async (id) => {
    const saving = page.waitForEvent("download");
    await page.click(id);
    const file = await saving;
    return [file.suggestedFilename(), readFileSync(await file.path())];
  };
  const [svgName, svg] = await download("#save-svg");
  assert.equal(svgName, "slitherlink.svg");
  assert.match(svg.toString(), /^<svg[\s\S]*<style>[\s\S]*<\/svg>/);
  const [, png] = await download("#save-png");
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  const [, data] = await download("#save-data");
  assert.match(data.toString(), /clue = """/);
  await page.click("#form-puzzlink");
  await page.waitForFunction(() => document.querySelector("#taken").value.startsWith("https://puzz.link/p?slither/"));
  await page.click("#form-lines");
  await page.waitForFunction(() => document.querySelector("#tab-take [role=status]").innerText.includes("cannot be written"));
});

on("it works from a folder, without any server", "", async (page) => {
  await page.context().setOffline(true);
  await page.locator("#cards a", { hasText: /^nurikabe/i }).click();
  await board(page);
  await page.click("#ask-unique");
  assert.match(await result(page), /only solution/);
}, { url: pathToFileURL(join(built, "index.html")).href });

on("on a telephone nothing is wider than the screen", "#/sudoku", async (page) => {
  await board(page);
  await page.click("#ask-solve");
  await page.locator("#result figure").waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide} wide`);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/phone.png`, fullPage: true });
}, { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });

on("it is used with the keyboard alone, and every control has a name", "#/row", async (page) => {
  await board(page);
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, input, select, textarea, a, [tabindex]")]
      .filter((one) => one.offsetParent && !(one.innerText?.trim() || one.getAttribute("aria-label") || one.labels?.length || one.title))
      .map((one) => one.outerHTML.slice(0, 80)),
  );
  assert.deepEqual(nameless.filter((html) => !html.includes("main")), []);
  const seen = new Set();
  for (let at = 0; at < 60; at++) {
    await page.keyboard.press("Tab");
    seen.add(await page.evaluate(() => document.activeElement.id));
  }
  for (const id of ["opened", "layer", "board", "ask-solve", "tab-of-data"]) assert.ok(seen.has(id), id);
});
