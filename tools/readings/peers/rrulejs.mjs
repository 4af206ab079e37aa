// Reads lines that contain a start in local time, a zone and a rule, separated by tabs, and writes up to six instances of
// each rule in local time, as interpreted by rrule.js. As its documentation recommends, local times are represented as UTC
// times.
import readline from "node:readline";
import { createRequire } from "node:module";

const { RRule } = createRequire(process.cwd() + "/")("rrule");

for await (const line of readline.createInterface({ input: process.stdin })) {
  const [start, , rule] = line.split("\t");
  const options = RRule.parseString(rule);
  options.dtstart = new Date(start + "Z");
  const found = new RRule(options).all((_, i) => i < 6);
  console.log(found.map((d) => d.toISOString().slice(0, 19)).join(" "));
}
