// One request: its findings, and its result.
import { complaint } from "./complaint.js";
import { differenceTable } from "./differences.js";
import { count, make, none, panel, showOnce } from "./dom.js";
import { Editor } from "./editor.js";
import { findingList } from "./findings.js";

const withBody = ["events.insert", "events.import", "events.patch", "events.update", "response"];
const withStored = ["events.patch", "events.update", "events.move", "events.delete", "events.get"];
const operations = [...new Set([...withBody, ...withStored])];

export function checkView({ calrules, state, dialect, say, changed }) {
  const body = new Editor("Body of the request", state.body, update);
  const stored = new Editor("Stored event", state.stored, update);
  const options = operations.map((op) => make("option", { value: op, selected: op === state.op }, op));
  const op = make("select", { onchange: update }, ...options);
  const params = make("input", { value: state.params, oninput: update, spellcheck: "false" });
  const verdict = make("span", { class: "verdict" });
  const findings = make("div");
  const result = make("div", { class: "body" });
  const bodyPanel = panel("Body", body.element);
  const storedPanel = panel("Stored event", stored.element);
  const findingPanel = panel("Findings", findings, verdict);
  const resultPanel = panel("What the service stores", result);
  const fields = [make("label", {}, "Operation", op), make("label", { class: "wide" }, "Parameters", params)];
  const request = panel("Request", make("div", { class: "body fields" }, ...fields));

  let current = []; // the findings that are shown

  /** Returns the parts of a finding that are shown: all but its offset. */
  const seen = ({ rule, kind, path, message, place }) => ({ rule, kind, path, message, line: place?.line, column: place?.column });

  function answer() {
    const request = { op: state.op, dialect, params: query(state.params) };
    if (withStored.includes(state.op)) {
      request.existing = JSON.parse(state.stored);
    }
    return withBody.includes(state.op) ? calrules.checkText(state.body, request) : calrules.check(request);
  }

  function update() {
    Object.assign(state, { op: op.value, params: params.value, body: body.text, stored: stored.text });
    bodyPanel.hidden = !withBody.includes(state.op);
    storedPanel.hidden = !withStored.includes(state.op);
    try {
      show(answer());
    } catch (error) {
      const text = complaint(error);
      body.show([]);
      setVerdict("bad", "No request");
      showOnce(findings, error instanceof SyntaxError ? `The stored event is not JSON: ${text}` : text, none);
      showOnce(result, null, outcome);
    }
    changed();
  }

  function show({ accepted, findings: found, event, stored: kept }) {
    body.show(found);
    setVerdict(accepted ? "good" : "bad", accepted ? "Accepted" : "Rejected", `, ${count(found.length, "finding")}`);
    current = found;
    const goTo = (i) => body.goTo(current[i].place.offset);
    const fix = (i) => body.fix(current[i]);
    showOnce(findings, found.map(seen), () => findingList(calrules, found, dialect, { goTo, fix }));
    showOnce(result, accepted ? differences(kept ?? event) : null, outcome);
  }

  /** Returns the differences of the result from what was stored or, of a new event, from what was sent. */
  function differences(after) {
    const isChange = withStored.includes(state.op);
    const before = JSON.parse(isChange ? state.stored : state.body);
    return { list: after ? calrules.diff(before, after, { dialect }) : [], before: isChange ? "stored" : "sent" };
  }

  function outcome(found) {
    return found ? differenceTable(found.list, found.before, "then stored") : none("Nothing: the request is rejected.");
  }

  function setVerdict(type, text, more = "") {
    say(text + more);
    verdict.className = `verdict ${type}`;
    verdict.textContent = text;
  }

  update();
  const left = make("div", { class: "column" }, request, bodyPanel, storedPanel);
  return [left, make("div", { class: "column" }, findingPanel, resultPanel)];
}

/** Reads parameters as in an address. */
function query(text) {
  const params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    (params[name] ??= []).push(value);
  }
  return params;
}
