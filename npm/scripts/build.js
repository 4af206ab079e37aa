// Builds dist/: the module, the JavaScript beside it and the types.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { pack } from "./pack.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = (command, args, env = {}) =>
  execFileSync(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });

mkdirSync(new URL("../dist", import.meta.url), { recursive: true });
// Without inlining, the module is a tenth smaller.
run(
  "go",
  ["build", "-trimpath", "-buildmode=c-shared", "-gcflags=all=-l", "-ldflags=-s -w", "-o", "dist/calrules.wasm", "./reactor"],
  { GOOS: "wasip1", GOARCH: "wasm" },
);
const wasm = new URL("../dist/calrules.wasm", import.meta.url);
writeFileSync(wasm, pack(readFileSync(wasm)));
await build({
  absWorkingDir: root,
  entryPoints: ["src/index.ts"],
  outfile: "dist/index.js",
  bundle: true,
  format: "esm",
  target: "es2022",
  external: ["node:*"],
});
run("npx", ["--no-install", "tsc"]);
