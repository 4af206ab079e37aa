// Tests the schemas in the JSON language server of VS Code: completion, hover texts and checks for each file that an editor
// matches by name according to the catalog. The program exits with status 1 if a result differs from the expected result.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import languageService from "vscode-json-languageservice";

const { getLanguageService, TextDocument } = languageService;
const root = new URL("../../", import.meta.url);
const { schemas } = JSON.parse(readFileSync(new URL("docs/schemas/catalog.json", root)));
const base = "https://raw.githubusercontent.com/calrules/calrules/main/";

// The settings in the README must be the settings for the first file in the catalog.
const [settings] = readFileSync(new URL("README.md", root), "utf8").match(/^\{"json\.schemas": [^`]*/m);
const [{ fileMatch, url }] = schemas;
assert.deepEqual(JSON.parse(settings)["json.schemas"], [{ fileMatch, url }]);

const service = getLanguageService({
  schemaRequestService: async (url) => {
    assert.ok(url.startsWith(base), url);
    return readFileSync(new URL(url.slice(base.length), root), "utf8");
  },
});
// Configure the schemas as in "json.schemas" in the settings of VS Code, and as in the catalog of SchemaStore.
service.configure({ validate: true, schemas: schemas.map(({ url, fileMatch }) => ({ uri: url, fileMatch })) });

/** Returns the editor's results for a text, at the position of the mark |, in a file with the given name. */
async function edit(name, text) {
  const at = Math.max(text.indexOf("|"), 0);
  const document = TextDocument.create(`file:///events/${name}`, "json", 1, text.replace("|", ""));
  const parsed = service.parseJSONDocument(document);
  const problems = await service.doValidation(document, parsed);
  const completion = await service.doComplete(document, document.positionAt(at), parsed);
  const hover = await service.doHover(document, document.positionAt(at), parsed);
  return {
    problems: problems.map(({ message, range }) => `${range.start.line + 1}: ${message}`),
    completion: (completion?.items ?? []).map(({ label }) => label),
    hover: (hover?.contents ?? []).map((content) => content.value ?? content).join("\n"),
  };
}

const day = '"start": {"date": "2026-03-10"}, "end": {"date": "2026-03-11"}';

for (const { name, file, text, problems, completion, hover } of [
  { name: "an event that is fine", file: "a.gcal-event.json", text: `{${day}}`, problems: [] },
  { name: "members", file: "a.gcal-event.json", text: `{${day}, "|"}`, completion: ["hangoutLink", "attendees", "reminders"] },
  { name: "values", file: "a.gcal-event.json", text: `{${day}, "eventType": "|"}`, completion: ['"focusTime"', '"outOfOffice"'] },
  { name: "members of a part", file: "a.gcal-event.json", text: `{${day}, "reminders": {"overrides": [{"|"}]}}`, completion: ["method", "minutes"] },
  { name: "a description", file: "a.gcal-event.json", text: `{${day}, "attendees": [{"em|ail": "ada@example.com"}]}`, hover: /RFC 5322 address/, problems: [] },
  { name: "a value that is not listed", file: "a.gcal-event.json", text: `{${day},\n"status": "confirmd"}`, problems: [/^2: .*Valid values: "confirmed"/] },
  { name: "a member that is missing", file: "a.gcal-event.json", text: '{"start": {"date": "2026-03-10"}}', problems: [/^1: Missing property "end"/] },
  { name: "a number out of range", file: "a.gcal-event.json", text: `{${day}, "reminders": {"overrides": [{"method": "popup",\n"minutes": 50000}]}}`, problems: [/^2: .*40320/] },
  { name: "a patch", file: "a.gcal-patch.json", text: '{"summary": "b", "|"}', completion: ["location"] },
  { name: "a patch that is fine", file: "a.gcal-patch.json", text: '{"summary": null}', problems: [] },
  { name: "the configuration", file: "calrules.json", text: '{"dialect": "|"}', completion: ['"google"'] },
  { name: "a rule in the configuration", file: "calrules.json", text: '{"ignore": ["time.ordr"]}', problems: [/^1: /] },
  { name: "another file", file: "package.json", text: '{"start": 5}', problems: [] },
]) {
  const got = await edit(file, text);
  const context = `${name}: ${JSON.stringify(got).slice(0, 500)}`;
  for (const label of completion ?? []) {
    assert.ok(got.completion.includes(label), context);
  }
  if (hover) {
    assert.match(got.hover, hover, context);
  }
  if (problems) {
    assert.equal(got.problems.length, problems.length, context);
    problems.forEach((pattern, i) => assert.match(got.problems[i], pattern, context));
  }
  console.log(`ok ${name}`);
}
