// Reads lines that contain a start in local time, a zone and a rule, separated by tabs, and writes up to six instances of
// each rule in local time, as interpreted by ical.js.
import readline from "node:readline";
import { createRequire } from "node:module";

const module = createRequire(process.cwd() + "/")("ical.js");
const ICAL = module.default ?? module;

for await (const line of readline.createInterface({ input: process.stdin })) {
  const [start, , rule] = line.split("\t");
  const iterator = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromString(start));
  const found = [];
  for (let next = iterator.next(); next && found.length < 6; next = iterator.next()) found.push(next.toString().slice(0, 19));
  console.log(found.join(" "));
}
