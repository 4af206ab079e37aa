// Builds dist/: the module with the licenses of what it links, the JavaScript beside it and the types. With --module, it
// builds only the module.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { licenses } from "./licenses.js";
import { pack } from "./pack.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = (command, args, env = {}) =>
  execFileSync(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });

const dist = (name) => new URL(`../dist/${name}`, import.meta.url);

// Without inlining, the module is a tenth smaller. The linker has nothing to do if its output is up to date, so that is
// kept.
const linked = "node_modules/.cache/calrules.wasm";
run(
  "go",
  ["build", "-trimpath", "-buildmode=c-shared", "-gcflags=all=-l", "-ldflags=-s -w", "-o", linked, "./reactor"],
  { GOOS: "wasip1", GOARCH: "wasm" },
);
mkdirSync(dist("."), { recursive: true });
writeFileSync(dist("calrules.wasm"), pack(readFileSync(new URL(`../${linked}`, import.meta.url))));
writeFileSync(dist("LICENSES.txt"), licenses());
if (process.argv.includes("--module")) {
  process.exit();
}

await build({
  absWorkingDir: root,
  entryPoints: ["src/index.ts"],
  outfile: "dist/index.js",
  bundle: true,
  format: "esm",
  target: "es2022",
  platform: "browser", // fails on an import of a module of Node
});
run("npx", ["--no-install", "tsc"]);
