// Builds dist/: the module with the licenses of its dependencies, the JavaScript file and the types. With --module, the
// script builds only the module.
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

// Without inlining, the module is a tenth smaller. The output of the linker is kept, because the linker has nothing to do if
// its output is up to date.
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
  platform: "browser", // fails if a Node module is imported
});
run("npx", ["--no-install", "tsc"]);
