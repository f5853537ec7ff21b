// A browser with the page, for the tests.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

export const built = process.env.REBUS_WEB ?? join(import.meta.dirname, "..", "..", "target", "web");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };

/** The folder on a port of this machine. */
export async function served() {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://host").pathname));
    try {
      const file = path === "/" ? "/index.html" : path;
      const bytes = await readFile(join(built, file));
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

export function launched() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

/** A page that remembers what went wrong on it. */
export async function opened(browser, url, options = {}) {
  const context = await browser.newContext({ acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.wrong = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") page.wrong.push(message.text());
  });
  page.on("pageerror", (error) => page.wrong.push(String(error)));
  page.setDefaultTimeout(20_000);
  await page.goto(url);
  return page;
}
