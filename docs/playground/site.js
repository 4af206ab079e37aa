// Writes the pages into dist: the checker, the rules, the fields and the limits. The arguments are the folder and, before it,
// the command, which prints the rules with the findings about their examples, and the limits. The fields are those of
// docs/fields.md, which the library generates too.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { captions } from "./src/captions.js";
import { code, dotted, escape, folded, header, page, searchForm, table } from "./src/html.js";
import { pageOf } from "./src/pages.js";
import { fragment } from "./src/state.js";
import { stateOf } from "./src/tries.js";
import { bases, kinds, occasionsOf, scopes } from "./src/words.js";

const [command, out] = process.argv.slice(2);
const list = (name) =>
  JSON.parse(execFileSync(command, ["--no-config", "--dialect", "google", name, "--format", "json"], { encoding: "utf8", maxBuffer: 1 << 26 }));
const rules = list("rules");
const ids = new Set(rules.map(({ id }) => id));
const write = (name, text) => writeFileSync(join(out, name), text);

const paragraph = (text, type) => (text ? `<p${type ? ` class="${type}"` : ""}>${escape(text)}</p>` : "");
const ruleLink = (id, up = "") => `<a href="${up}${pageOf(id)}">${dotted(id)}</a>`;
const ruleLinks = (list, up) => folded((list ?? []).filter((id) => ids.has(id)).map((id) => ruleLink(id, up)), 3, "rules");

/** Returns a link to a public report, which is an address or of the form "owner/repository#number". */
function report(text) {
  const address = text.startsWith("https://") ? text : `https://github.com/${text.replace("#", "/issues/")}`;
  return `<a href="${escape(address)}">${escape(text.replace("https://", ""))}</a>`;
}

/** The rows of facts of a rule, as names and HTML. */
function facts({ url, kind, when, basis, scope, reads, section, status, reason, seen, reported }) {
  const occasions = occasionsOf(when).map((text) => `<li>${dotted(text)}</li>`);
  return [
    ["kind", `${escape(kind)}: ${kinds[kind]}`],
    ["applies to", `<ul class="plain">${folded(occasions, 4, "kinds of requests", "")}</ul>`],
    ["looks at", escape(scopes[scope])],
    ["reads", reads && folded(reads.map(code), 8, "members", ", ")],
    ["refused with", status && escape(`${status} ${reason ?? ""}`)],
    ["seen", seen && escape(seen)],
    ["reported", reported?.map(report).join("<br>")],
    ["basis", escape(bases[basis])],
    ["section", section !== basis && escape(section)],
    ["in the repository", `<a href="${escape(url)}">${escape(url.replace(/^.*\//, ""))}</a>`],
  ].filter(([, value]) => value);
}

/** Returns JSON as lines, and marks those that another text does not have. */
function marked(value, other, type) {
  const lines = (of) => JSON.stringify(of, null, 2).split("\n");
  const bare = (line) => line.replace(/,$/, "");
  const known = new Set(other ? lines(other).map(bare) : []);
  const mark = (line) => (other && !known.has(bare(line)) ? `<mark class="${type}">${escape(line)}</mark>` : escape(line));
  return `<pre tabindex="0">${lines(value).map(mark).join("\n")}</pre>`;
}

function finding({ kind, path, message }) {
  return `<li class="k-${kind}"><span class="kind">${kind}</span> <code>${dotted(path || "the request")}</code><p>${escape(message)}</p></li>`;
}

/** Returns an example, with the findings about it or what its answer contains. */
function example(title, type, { request, answer }, other, findings) {
  if (!request) {
    return "";
  }
  const link = `../index.html${fragment(stateOf(request))}`;
  const found = findings?.length ? `<ul class="findings">${findings.map(finding).join("\n")}</ul>` : "";
  const result = answer ? `<p>The answer contains:</p><pre tabindex="0">${escape(JSON.stringify(answer, null, 2))}</pre>` : "";
  return `<section class="panel"><div class="head"><h2>${title}</h2><a href="${link}">Try it<span class="hidden">: ${title}</span></a></div>
<div class="body">${marked(request, other, type)}${result}</div>${found}</section>`;
}

function rulePage(rule) {
  const { id, kind, summary, why, sentences = [], good, bad, findings } = rule;
  const [withGood, withBad] = captions[kind] ?? captions[""];
  const said = sentences.map(({ key, text }) => `<li>${code(key)} ${escape(text)}</li>`).join("\n");
  const name = pageOf(id);
  const parts = [
    paragraph(summary, "lead"),
    `<div class="pair">${example(withBad, "old", bad, good.request, findings)}\n${example(withGood, "new", good, bad.request)}</div>`,
    paragraph(why),
    said && `<section><h2>What it can say</h2><ul class="templates">${said}</ul></section>`,
    `<section><h2>About the rule</h2><dl class="facts">${facts(rule).map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join("\n")}</dl></section>`,
  ];
  write(name, page(name, id, parts.filter(Boolean).join("\n"), { up: "../" }));
}

function ruleIndex() {
  const rows = rules.map(({ id, kind, basis, summary, why = "", section, reads = [], status = "", reason = "", seen = "", sentences = [] }) => ({
    cells: [
      ruleLink(id, "../"),
      `<span class="kind k-${kind}">${kind}</span>`,
      `${escape(summary)}${status ? ` <span class="soft">${escape(`${status} ${reason}`)}</span>` : ""}`,
    ],
    text: [id, kind, basis, summary, why, section, ...reads, status, reason, seen, ...sentences.map(({ text }) => text)].join(" "),
    filters: { kind, basis },
  }));
  const present = (words, name) => Object.keys(words).filter((word) => rules.some((rule) => rule[name] === word)).map((word) => [word, `${word}: ${words[word]}`]);
  const filters = { kind: present(kinds, "kind"), basis: present(bases, "basis") };
  const lead = `What Google Calendar, and the Realtime Database, demand of a request: ${rules.length} rules. Search for words, or paste a status, a reason or a sentence of an error.`;
  const content = `${paragraph(lead, "lead")}\n${searchForm(filters)}\n${table("rules", ["rule", "kind", "what it says"], rows)}`;
  write("rules/index.html", page("rules/index.html", "Rules", content, { up: "../", scripts: ["search.js"] }));
}

/** The tables of docs/fields.md, that of events with the names of Google Calendar. */
function fields() {
  const parts = [{ title: "Event" }];
  for (const line of readFileSync(new URL("../fields.md", import.meta.url), "utf8").split("\n")) {
    const cells = line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim());
    const part = parts.at(-1);
    if (line.startsWith("### ")) {
      parts.push({ title: line.slice(4) });
    } else if (line.startsWith("The body of ")) {
      part.note = line;
    } else if (cells[0] === "member") {
      Object.assign(part, { head: cells.filter((cell) => cell !== "in google"), rows: [] });
    } else if (cells[0]?.startsWith("`")) {
      part.rows.push(fieldRow(cells));
    }
  }
  const anchor = (title) => title.toLowerCase().replace(/\W+/g, "-");
  const sections = parts.map(
    ({ title, note, head, rows }) =>
      `<section class="part" id="${anchor(title)}"><h2>${escape(title)}</h2>${paragraph(note)}${table(title === "Event" ? "event" : "body", head, rows)}</section>`,
  );
  const jumps = parts.map(({ title }) => `<a href="#${anchor(title)}">${escape(title)}</a>`);
  const content = `<p class="lead">Every member of an event, with the names of Google Calendar, and of other bodies. Only the service writes those marked <em>service</em>; <em>create</em> means insert and import, <em>modify</em> update and patch, and <em>write</em> all four.</p>
<nav aria-label="On this page">${jumps.join("\n")}</nav>\n${searchForm()}\n${sections.join("\n")}`;
  write("fields.html", page("fields.html", "Fields", content, { scripts: ["search.js"] }));
  return parts.flatMap(({ rows }) => rows).length;
}

/** A row about a member of an event has its other name in the second cell. */
function fieldRow(cells) {
  const isOfEvent = cells.length === 7;
  const [member, google, ...others] = isOfEvent ? cells : [cells[0], "", ...cells.slice(1)];
  const linked = [...others.at(-1).matchAll(/\[([^\]]+)\]/g)].map(([, id]) => id);
  const name = (google || member).replaceAll("`", "");
  const shown = (text) => escape(text.replaceAll("\\|", "|")).replace(/\*([^*]+)\*/g, "<em>$1</em>").replace(/`([^`]+)`/g, "<code>$1</code>");
  return { cells: [code(name), ...others.slice(0, -1).map(shown), ruleLinks(linked)], text: [name, ...others.slice(0, -1), ...linked].join(" ") };
}

function limits() {
  const rows = list("limits").map(({ appliesTo, value, unit, rules, source }) => ({
    cells: [appliesTo.map(code).join("<br>"), escape(value), escape(unit), ruleLinks(rules), escape(source)],
    text: [...appliesTo, value, unit, ...(rules ?? []), source].join(" "),
  }));
  const content = `<p class="lead">Every limit and enumeration, and where it is written.</p>\n${searchForm()}\n${table("limits", ["applies to", "value", "unit", "rules", "source"], rows)}`;
  write("limits.html", page("limits.html", "Limits", content, { scripts: ["search.js"] }));
  return rows.length;
}

/** Writes the parameters of each operation, for the checker. They are those of the OpenAPI document without the common ones. */
function parameters() {
  const { paths } = JSON.parse(readFileSync(new URL("../schemas/google/openapi.json", import.meta.url), "utf8"));
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const inQuery = ({ parameters = [] }) => parameters.filter((parameter) => parameter.in === "query");
  write("parameters.json", JSON.stringify(Object.fromEntries(operations.map((op) => [op.operationId, inQuery(op).map(parameter)]))));
}

function parameter({ name, description = "", schema: { type, enum: values, items, minimum, maximum } }) {
  const range = minimum === undefined ? "" : `From ${minimum}${maximum < 1000 ? ` to ${maximum}` : ""}. `;
  return { name, hint: range + description, values: values ?? items?.enum ?? (type === "boolean" ? ["true", "false"] : undefined) };
}

mkdirSync(join(out, "rules"), { recursive: true });
rules.forEach(rulePage);
ruleIndex();
parameters();
write("index.html", readFileSync(new URL("index.html", import.meta.url), "utf8").replace("<!-- header -->", header("index.html")));
console.log(`${rules.length} rules, ${fields()} fields and ${limits()} limits have pages or rows.`);
