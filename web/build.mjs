// Builds the page: the core as a module of WebAssembly, the scripts, the pictures of the gallery, into target/web.
//
// Everything works from a folder too: scripts are classic ones, the worker is a text in the page's script, the core's
// bytes stand packed in a script of their own.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { coreOf } from "./core.mjs";

const here = import.meta.dirname;
const out = process.argv[2] ?? join(here, "..", "target", "web");
const module = join(here, "target", "wasm32-unknown-unknown", "release", "rebus_web.wasm");

/** Builds the module; where rustup has no target for it, with Debian's compiler (see .ci/core). */
function buildCore() {
  const target = "wasm32-unknown-unknown";
  const run = (program, args, env = {}) =>
    execFileSync(program, args, { cwd: here, stdio: "inherit", env: { ...process.env, ...env } });
  const libdir = execFileSync("rustc", ["--print", "target-libdir", "--target", target], { encoding: "utf8" }).trim();
  if (existsSync(libdir)) {
    run("cargo", ["build", "--release", "--locked", "--target", target]);
    return;
  }
  run(
    "/usr/bin/cargo",
    ["build", "--release", "--locked", "-Z", "build-std=std,panic_abort", "--target", target,
      "--config", `target.${target}.linker="wasm-ld-22"`],
    { RUSTC: "/usr/bin/rustc", RUSTC_BOOTSTRAP: "1" },
  );
}

/** The style of pictures, also where the page's theme is not the system's. */
function pictureStyle(style) {
  const at = style.indexOf("@media (prefers-color-scheme:dark){");
  const light = style.slice(0, at);
  const dark = style.slice(style.indexOf("{", at) + 1, style.lastIndexOf("}"));
  return `${light}\n@media (prefers-color-scheme:dark){:root:not([data-theme="light"]){${dark}}}\n:root[data-theme="dark"]{${dark}}\n`;
}

if (process.env.REBUS_WEB_CORE !== "keep") buildCore();
const ask = await coreOf(module);
const about = ask({ ask: "about" });

await rm(out, { recursive: true, force: true });
await mkdir(join(out, "pictures"), { recursive: true });

const worker = await build({
  entryPoints: [join(here, "page", "worker.ts")],
  bundle: true, write: false, minify: true, format: "iife", target: "es2022",
});
await build({
  entryPoints: [join(here, "page", "main.ts")],
  outfile: join(out, "page.js"),
  bundle: true, minify: true, format: "iife", target: "es2022", charset: "utf8", legalComments: "none",
  define: { WORKER: JSON.stringify(worker.outputFiles[0].text), ABOUT: "__about" },
  banner: { js: `const __about=${JSON.stringify(about)};` },
});
const style = await readFile(join(here, "page", "style.css"), "utf8");
await build({
  stdin: { contents: style + pictureStyle(about.style), loader: "css" },
  outfile: join(out, "style.css"), minify: true, target: ["chrome105", "firefox105", "safari15"],
});
const packed = gzipSync(await readFile(module), { level: 9 });
await writeFile(join(out, "core.js"), `globalThis.rebusCore="${packed.toString("base64")}";\n`);
await cp(join(here, "page", "index.html"), join(out, "index.html"));
await cp(join(here, "page", "icon.svg"), join(out, "icon.svg"));

for (const { name, boards } of about.models) {
  if (boards.length === 0) continue;
  const texts = ask({ ask: "catalogue", genre: name, board: boards[0] });
  const puzzle = { genre: name, model: texts.model, data: texts.data };
  const { picture, faults } = ask({ ask: "open", puzzle });
  if (!picture) throw new Error(`${name}: ${JSON.stringify(faults)}`);
  await writeFile(join(out, "pictures", `${name}.svg`), picture.svg.replace("</desc>", `</desc><style>${about.style}</style>`));
}
console.log(`built ${out}: the core has ${(packed.length / 1e6).toFixed(2)} MB`);
