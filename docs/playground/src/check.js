// One request: its findings, and its result.
import { complaint } from "./complaint.js";
import { differenceTable } from "./differences.js";
import { count, make, none, panel, showOnce } from "./dom.js";
import { Editor } from "./editor.js";
import { findingList } from "./findings.js";
import { parameterFields } from "./parameters.js";

const withBody = ["events.insert", "events.import", "events.patch", "events.update", "response"];
const withStored = ["events.patch", "events.update", "events.move", "events.delete", "events.get"];
const withoutBody = ["events.move", "events.delete", "events.get", "events.list", "events.instances", "events.quickAdd"];
const operations = [...new Set([...withBody, ...withStored, ...withoutBody])];
const large = 200_000; // characters, which take so long to check that the page says so first

export function checkView({ calrules, parametersOf, state, dialect, say, changed }) {
  const body = new Editor("Body of the request", state.body, update);
  const stored = new Editor("Stored event", state.stored, update);
  const facts = new Editor("What is known of the caller and the calendar", state.facts, update);
  const options = [...new Set([...operations, state.op])].map((op) => make("option", { value: op, selected: op === state.op }, op));
  const op = make("select", { onchange: update }, ...options);
  const params = make("input", { value: state.params, oninput: update, spellcheck: "false" });
  const byName = parameterFields(parametersOf, params, update);
  const verdict = make("span", {});
  const verdictAbove = make("button", { type: "button", onclick: () => goToFindings() }); // above the editor on a narrow screen
  const findings = make("div");
  const result = make("div", { class: "body" });
  const bodyPanel = panel("Body", body.element, verdictAbove);
  const storedPanel = panel("Stored event", stored.element);
  const factsNote = make("p", { class: "none" }, "An object with caller, calendar, series or ifMatch. What is absent is unknown, and nothing is found about it.");
  const factsPanel = make("details", { class: "panel facts", open: state.facts !== "" }, make("summary", { class: "head" }, "Caller and calendar"), factsNote, facts.element);
  const fixCertain = make("button", { type: "button", onclick: () => makeFixes("safe") }, "Fix what is certain");
  const fixAll = make("button", { type: "button", onclick: () => makeFixes("all") }, "Fix all");
  const findingPanel = panel("Findings", findings, make("span", { class: "row" }, fixCertain, fixAll, verdict));
  findingPanel.tabIndex = -1;
  const resultPanel = panel("What the service stores", result);
  const fields = [make("label", {}, "Operation", op), make("label", { class: "wide" }, "Parameters", params)];
  const request = panel("Request", make("div", { class: "body" }, make("div", { class: "fields" }, ...fields), byName.element));

  let current = []; // the findings that are shown

  /** Returns the parts of a finding that are shown: all but its offset. */
  const seen = ({ rule, kind, path, message, place, fix }) => ({ rule, kind, path, message, fix, line: place?.line, column: place?.column });

  const takesBody = () => !withoutBody.includes(state.op) && (withBody.includes(state.op) || state.body.trim() !== "");
  const takesStored = () => withStored.includes(state.op) && state.stored.trim() !== "";

  function requestOf() {
    const request = { ...read("The facts about the caller and the calendar are", state.facts.trim() || "{}"), op: state.op, dialect, params: query(state.params) };
    if (takesStored()) {
      request.existing = read("The stored event is", state.stored);
    }
    return request;
  }

  const answer = () => (takesBody() ? calrules.checkText(state.body, requestOf()) : calrules.check(requestOf()));

  /** Makes the fixes of findings, or of one finding, in the fields. */
  function makeFixes(fixes) {
    const request = takesBody() ? { ...requestOf(), bodyText: state.body } : requestOf();
    const { request: fixed } = calrules.fix(request, fixes);
    params.value = addressOf(fixed.params);
    if (takesBody()) {
      body.replace(fixed.bodyText);
    }
    update();
  }

  function goToFindings() {
    findingPanel.scrollIntoView();
    findingPanel.focus({ preventScroll: true });
  }

  let waiting;

  function update() {
    Object.assign(state, { op: op.value, params: params.value, body: body.text, stored: stored.text, facts: facts.text });
    bodyPanel.hidden = withoutBody.includes(state.op);
    byName.show(state.op);
    storedPanel.hidden = !withStored.includes(state.op);
    clearTimeout(waiting);
    if (state.body.length + state.stored.length < large) {
      judge();
      return;
    }
    setVerdict("wait", `Checking ${Math.round(state.body.length / 1000)} kB…`);
    waiting = setTimeout(judge, 50); // after the page has shown it
  }

  function judge() {
    try {
      show(answer());
    } catch (error) {
      body.show([]);
      setVerdict("bad", "No request");
      showOnce(findings, complaint(error), none);
      showOnce(result, null, outcome);
    }
    changed();
  }

  function show({ accepted, findings: found, event, stored: kept }) {
    body.show(found);
    setVerdict(accepted ? "good" : "bad", `${accepted ? "Accepted" : "Rejected"}, ${count(found.length, "finding")}`);
    current = found;
    const goTo = (i) => body.goTo(current[i].place.offset);
    const fix = (i) => makeFixes(current[i]);
    const fixes = found.filter((finding) => finding.fix);
    keepFocus(() => {
      fixAll.hidden = fixes.length === 0;
      fixCertain.hidden = new Set(fixes.map(({ fixIs }) => fixIs)).size < 2; // all or none are certain
      showOnce(findings, found.map(seen), () => findingList(calrules, found, dialect, { goTo, fix }));
    });
    showOnce(result, accepted ? differences(kept ?? event) : null, outcome);
  }

  /** Shows other findings. If the button with the focus goes, the focus moves to the next fix or, without one, to the panel. */
  function keepFocus(showFindings) {
    const fixButtons = () => [...findings.querySelectorAll("button.fix")];
    const focused = document.activeElement;
    const isHere = findingPanel.contains(focused);
    const place = fixButtons().indexOf(focused);
    showFindings();
    if (isHere && (!focused.isConnected || focused.hidden)) {
      const left = fixButtons();
      const next = place < 0 ? undefined : left[Math.min(place, left.length - 1)];
      (next ?? findingPanel).focus({ preventScroll: true });
    }
  }

  /** Returns the differences of the result from what was stored or, of a new event, from what was sent. */
  function differences(after) {
    const isChange = takesStored();
    if (!isChange && !takesBody()) {
      return { list: [], before: "sent" };
    }
    const before = JSON.parse(isChange ? state.stored : state.body);
    return { list: after ? calrules.diff(before, after, { dialect }) : [], before: isChange ? "stored" : "sent" };
  }

  function outcome(found) {
    return found ? differenceTable(found.list, found.before, "then stored") : none("Nothing: the request is rejected.");
  }

  function setVerdict(type, text) {
    say(text);
    verdict.className = `verdict ${type}`;
    verdictAbove.className = `verdict above ${type}`;
    verdict.textContent = verdictAbove.textContent = text;
  }

  update();
  const left = make("div", { class: "column" }, request, bodyPanel, storedPanel, factsPanel);
  return [left, make("div", { class: "column" }, findingPanel, resultPanel)];
}

/** Reads a text as JSON. */
function read(what, text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(`${what} not JSON: ${error.message}`);
  }
}

/** Writes parameters as in an address. */
function addressOf(params) {
  const pairs = Object.entries(params ?? {}).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
  return new URLSearchParams(pairs).toString();
}

/** Reads parameters as in an address. */
function query(text) {
  const params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    (params[name] ??= []).push(value);
  }
  return params;
}
