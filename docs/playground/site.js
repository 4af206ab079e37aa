// Writes the pages of the rules, the fields and the limits into dist. The arguments are the command, which prints the
// rules and the limits, and the folder. The fields are those of docs/fields.md, which the library generates too.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { captions } from "./src/captions.js";
import { pageOf } from "./src/pages.js";
import { fragment } from "./src/state.js";
import { stateOf } from "./src/tries.js";

const [command, out] = process.argv.slice(2);
const list = (name) => JSON.parse(execFileSync(command, ["--no-config", "--dialect", "google", name, "--format", "json"], { encoding: "utf8", maxBuffer: 1 << 26 }));
const rules = list("rules");
const ids = new Set(rules.map(({ id }) => id));
const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text) => String(text).replace(/[&<>"]/g, (c) => escapes[c]);
const code = (text) => `<code>${escape(text)}</code>`;

/** Writes a page. up is the way from the page to the folder of all pages. */
function write(name, title, content, { up = "", script } = {}) {
  const links = { "index.html": "Checker", "rules/index.html": "Rules", "fields.html": "Fields", "limits.html": "Limits" };
  const nav = Object.entries(links).map(([to, text]) => `<a href="${up}${to}"${to === name ? ' aria-current="page"' : ""}>${text}</a>`);
  writeFileSync(
    join(out, name),
    `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${escape(title)} - calrules</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="${up}style.css">
</head>
<body>
  <header><p class="brand">calrules</p><nav aria-label="Pages">${nav.join("\n")}</nav></header>
  <main class="page"><h1>${escape(title)}</h1>
${content}
  </main>
  <script src="${up}theme.js"></script>${script ? `\n  <script src="${up}${script}"></script>` : ""}
</body>
</html>
`,
  );
}

const kinds = {
  reject: "the service refuses the request",
  ignore: "the value has no effect",
  advise: "the request is accepted, with advice",
  unspecified: "the documents do not say",
  effect: "what the service does",
  default: "a default value",
  decide: "how the principal is found",
};

/** The rows of facts of a rule, as names and HTML. */
function facts({ url, kind, when, basis, scope, reads, section, status, reason, seen, reported }) {
  return [
    ["kind", `${escape(kind)}: ${kinds[kind]}`],
    ["section", escape(section)],
    ["basis", escape(basis)],
    ["when", escape(when)],
    ["scope", escape(scope)],
    ["reads", reads?.map(code).join(", ")],
    ["refused with", status && escape(`${status} ${reason ?? ""}`)],
    ["seen", seen && escape(seen)],
    ["in the repository", `<a href="${escape(url)}">${escape(url.replace(/^.*\//, ""))}</a>`],
    ["reported", reported?.map((url) => `<a href="${escape(url)}">${escape(url)}</a>`).join("<br>")],
  ].filter(([, value]) => value);
}

function example(title, { request, answer }) {
  if (!request) {
    return "";
  }
  const text = JSON.stringify(request, null, 2);
  const link = `../index.html${fragment(stateOf(request))}`;
  const result = answer ? `<p>The answer contains:</p><pre tabindex="0">${escape(JSON.stringify(answer, null, 2))}</pre>` : "";
  return `<section><h2>${title}</h2><p><a class="try" href="${link}">Try it</a></p><pre tabindex="0">${escape(text)}</pre>${result}</section>`;
}

function rulePage(rule) {
  const { id, kind, summary, why, sentences, good, bad } = rule;
  const [withGood, withBad] = captions[kind] ?? captions[""];
  const said = (sentences ?? []).map(({ key, text }) => `<li>${code(key)} ${escape(text)}</li>`).join("\n");
  write(
    pageOf(id),
    id,
    `<p class="lead">${escape(summary)}</p>
${why ? `<p>${escape(why)}</p>` : ""}
<dl class="facts">${facts(rule).map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join("\n")}</dl>
${said ? `<section><h2>What it says</h2><ul>${said}</ul></section>` : ""}
${example(withGood, good)}
${example(withBad, bad)}`,
    { up: "../" },
  );
}

function ruleIndex() {
  const rows = rules.map(
    ({ id, kind, summary, section, reads = [] }) =>
      `<tr data-text="${escape([id, kind, summary, section, ...reads].join(" ").toLowerCase())}"><td><a href="../${pageOf(id)}">${escape(id)}</a></td><td class="kind k-${kind}">${kind}</td><td>${escape(summary)}</td></tr>`,
  );
  write(
    "rules/index.html",
    "Rules",
    `<p class="lead">What Google Calendar, and the Realtime Database, demand of a request: ${rules.length} rules.</p>
<p><label for="search">Search</label> <input id="search" type="search" autocomplete="off" hidden> <span id="found" role="status"></span></p>
${table(["rule", "kind", "what it says"], rows)}`,
    { up: "../", script: "search.js" },
  );
}

const table = (head, rows) =>
  `<div class="wide" tabindex="0" role="group" aria-label="Table"><table class="list"><thead><tr>${head.map((text) => `<th scope="col">${text}</th>`).join("")}</tr></thead><tbody>\n${rows.join("\n")}\n</tbody></table></div>`;
const ruleLinks = (list) => (list ?? []).filter((id) => ids.has(id)).map((id) => `<a href="${pageOf(id)}">${escape(id)}</a>`).join(" ");
const row = (...cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;

/** The tables of docs/fields.md, that of events with the names of Google Calendar. */
function fields() {
  const parts = [];
  let rows = [];
  let count = 0;
  for (const line of readFileSync(new URL("../fields.md", import.meta.url), "utf8").split("\n")) {
    const cells = line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim());
    if (line.startsWith("### ")) {
      parts.push(`<h2>${escape(line.slice(4))}</h2>`);
    } else if (line.startsWith("The body of ")) {
      parts.push(`<p>${escape(line)}</p>`);
    } else if (cells[0] === "member") {
      rows = [];
      parts.push({ head: cells.filter((cell) => cell !== "in google"), rows });
    } else if (cells[0]?.startsWith("`")) {
      rows.push(fieldRow(cells));
      count++;
    }
  }
  write(
    "fields.html",
    "Fields",
    `<p class="lead">Every member of an event, with the names of Google Calendar, and of other bodies. Only the service writes those marked <em>service</em>.</p>
${parts.map((part) => (typeof part === "string" ? part : table(part.head, part.rows))).join("\n")}`,
  );
  return count;
}

/** A row about a member of an event has its other name in the second cell. */
function fieldRow(cells) {
  const isOfEvent = cells.length === 7;
  const [member, google, ...others] = isOfEvent ? cells : [cells[0], "", ...cells.slice(1)];
  const linked = [...others.at(-1).matchAll(/\[([^\]]+)\]/g)].map(([, id]) => id);
  const shown = (text) => escape(text.replaceAll("\\|", "|")).replace(/\*([^*]+)\*/g, "<em>$1</em>").replace(/`([^`]+)`/g, "<code>$1</code>");
  return row(shown(google || member), ...others.slice(0, -1).map(shown), ruleLinks(linked));
}

function limits() {
  const rows = list("limits").map(({ appliesTo, value, unit, rules, source }) =>
    row((appliesTo ?? []).map(code).join("<br>"), escape(value), escape(unit), ruleLinks(rules), escape(source)),
  );
  write("limits.html", "Limits", `<p class="lead">Every limit and enumeration, and where it is written.</p>\n${table(["applies to", "value", "unit", "rules", "source"], rows)}`);
  return rows.length;
}

mkdirSync(join(out, "rules"), { recursive: true });
rules.forEach(rulePage);
ruleIndex();
console.log(`${rules.length} rules, ${fields()} fields and ${limits()} limits have pages or rows.`);
