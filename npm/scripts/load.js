// Measures the time to load the package and to check a first event, in a new process each time, in comparison with a Go
// module that does nothing, and writes the figures to the README. With a file as the argument, the script is one such
// process.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { load } from "../dist/index.js";
import { replaceFigures } from "./figures.js";

const rounds = 15;
const root = fileURLToPath(new URL("..", import.meta.url));
const ours = fileURLToPath(new URL("../dist/calrules.wasm", import.meta.url));
const empty = fileURLToPath(new URL("../node_modules/.cache/empty.wasm", import.meta.url));
const request = { op: "events.insert", body: { start: { date: "2026-03-10" }, end: { date: "2026-03-09" } } };

/**
 * Returns the milliseconds to compile and start the module and, for our module, to check an event, and to start and check
 * again.
 */
async function measure(file) {
  const bytes = readFileSync(file);
  const times = [performance.now()];
  const module = await WebAssembly.compile(bytes);
  times.push(performance.now());
  for (let i = 0; i < 2; i++) {
    const calrules = await load(module);
    times.push(performance.now());
    if (file === ours) {
      calrules.check(request);
    }
    times.push(performance.now());
  }
  return times.slice(1).map((time, i) => time - times[i]);
}

function compare() {
  execFileSync("go", ["build", "-trimpath", "-buildmode=c-shared", "-ldflags=-s -w", "-o", empty, "./empty"], {
    cwd: root, stdio: "inherit", env: { ...process.env, GOOS: "wasip1", GOARCH: "wasm" },
  });
  const all = new Map([[empty, []], [ours, []]]);
  for (let i = 0; i < rounds; i++) {
    for (const [file, list] of all) {
      list.push(JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url), file], { encoding: "utf8" })));
    }
  }
  const median = (list, part) => list.map(part).sort((a, b) => a - b)[Math.floor(rounds / 2)];
  const columns = [([compile]) => compile, ([, start]) => start, ([, , check]) => check, ([a, b, c]) => a + b + c, ([, , , again, check]) => again + check];
  const rows = [...all].map(([file, list]) => {
    const cells = columns.map((part) => `${median(list, part).toFixed(file === empty ? 1 : 0)} ms`);
    return `| ${file === empty ? "a Go module that does nothing" : "calrules"} | ${cells.join(" | ")} |`;
  });
  const head = ["| module | compile | start | first check | sum | one more instance |", "| --- | ---: | ---: | ---: | ---: | ---: |"];
  const where = `Node ${process.versions.node}, ${cpus().length} processors (${cpus()[0].model}), the medians of ${rounds} processes.`;
  const text = [...head, ...rows, "", where].join("\n");
  console.log(text);
  replaceFigures("load", text);
}

if (process.argv[2]) {
  console.log(JSON.stringify(await measure(process.argv[2])));
} else {
  compare();
}
