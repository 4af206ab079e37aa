// Measures the time to answer a request, for the module and for the command as a long-running child process, and writes the
// figures to the README.
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { createInterface } from "node:readline";
import { load } from "../dist/index.js";
import { withCommand } from "../test/command.js";
import { replaceFigures } from "./figures.js";

const rounds = 3000;
const warmup = 300;

const sample = (path) => JSON.parse(readFileSync(new URL(`../../examples/events/${path}`, import.meta.url), "utf8"));
const params = { conferenceDataVersion: "1", sendUpdates: "all", supportsAttachments: "true" };
const request = (body) => JSON.stringify({ op: "events.insert", params, body });
const requests = {
  "a minimal event": request({ start: { date: "2026-03-10" }, end: { date: "2026-03-11" } }),
  "a meeting with guests and a conference": request(sample("valid/meet-create.json")),
};

async function inProcess() {
  const calrules = await load();
  return async (line) => calrules.line("check", line);
}

function childProcess(program) {
  const child = spawn(program, ["check", "--ndjson"], { stdio: ["pipe", "pipe", "inherit"] });
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ask = async (line) => {
    child.stdin.write(`${line}\n`);
    return (await answers.next()).value;
  };
  return { ask, end: () => child.stdin.end() };
}

/**
 * Calls the functions alternately, and returns the median and the 99th percentile of the times for each function, in
 * microseconds.
 */
async function compare(asks, line) {
  const times = asks.map(() => []);
  for (let i = 0; i < warmup + rounds; i++) {
    for (const [k, ask] of asks.entries()) {
      const begin = process.hrtime.bigint();
      await ask(line);
      times[k].push(Number(process.hrtime.bigint() - begin) / 1000);
    }
  }
  return times.map((list) => {
    const sorted = list.slice(warmup).sort((a, b) => a - b);
    return [0.5, 0.99].map((share) => sorted[Math.floor(share * sorted.length)]);
  });
}

await withCommand(async (program) => {
  const child = childProcess(program);
  const asks = [await inProcess(), child.ask];
  const rows = ["| request | module: median | 99 % | command: median | 99 % |", "| --- | ---: | ---: | ---: | ---: |"];
  for (const [name, line] of Object.entries(requests)) {
    const figures = (await compare(asks, line)).flat().map((time) => `${Math.round(time)} µs`);
    rows.push(`| ${name} | ${figures.join(" | ")} |`);
  }
  child.end();
  const go = execFileSync("go", ["env", "GOVERSION"], { encoding: "utf8" }).trim();
  rows.push("", `Node ${process.versions.node}, ${go}, ${cpus().length} processors (${cpus()[0].model}), ${rounds} requests of each kind.`);
  replaceFigures("latency", rows.join("\n"));
  console.log(rows.join("\n"));
});
