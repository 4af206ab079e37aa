// What a verb makes of a series, and the requests of an intent.
import { complaint } from "./complaint.js";
import { differenceTable } from "./differences.js";
import { count, make, none, panel, scrollable, showOnce } from "./dom.js";
import { findingList } from "./findings.js";

const pretty = (value) => JSON.stringify(value, null, 2);

/** The options: of each its name, a label, and its words with what they mean, the usual one first. */
const options = [
  ["gap", "Times that the clock skips", { omit: "left out", shift: "moved" }],
  ["countStart", "COUNT and a start that the rule misses", { false: "not counted", true: "counted" }],
  ["months", "BYMONTHDAY without BYMONTH", { start: "month of the start", all: "all months" }],
  ["weekdays", "BYWEEKNO without BYDAY", { start: "weekday of the start", all: "all weekdays" }],
];

/** Returns the options in a text as in an address, for a request. */
export function optionsOf(text) {
  const given = new URLSearchParams(text);
  const known = options.filter(([name, , words]) => Object.hasOwn(words, given.get(name)));
  return Object.fromEntries(known.map(([name]) => [name, name === "countStart" ? given.get(name) === "true" : given.get(name)]));
}

/**
 * Makes the panel. It calls update after a change of the verb, an argument or an option, and take with a series to take over
 * into the editor. Its function show shows the answer about a series, and returns it in a few words; clear shows none.
 */
export function verbPanel({ calrules, state, dialect, update, take }) {
  const verbs = calrules.verbs();
  const chosen = () => verbs.find(({ name }) => name === state.verb);
  const group = (label, isIntent) => make("optgroup", { label }, ...verbs.filter((v) => v.isIntent === isIntent).map(choice));
  const choice = ({ name }) => make("option", { value: name, selected: name === state.verb }, name);
  const select = make("select", { onchange: choose }, make("option", { value: "" }, "Choose…"), group("The series", false), group("Requests to send", true));
  const sentence = make("p", { class: "none" });
  const fields = make("div", { class: "arguments" });
  const answer = make("div");
  let form = ""; // for which the fields are

  function choose() {
    Object.assign(state, { verb: select.value, with: "" });
    update();
  }

  /** Keeps what a control of a name has in a member of the state, a text as in an address. */
  const keep = (member, name) => ({ target }) => {
    const all = new URLSearchParams(state[member]);
    all.set(name, target.value);
    if (target.value === "") {
      all.delete(name);
    }
    state[member] = all.toString();
    update();
  };

  function option([name, label, words]) {
    const given = String(optionsOf(state.options)[name]);
    const choices = Object.entries(words).map(([word, meaning]) => make("option", { value: word, selected: word === given }, meaning));
    return make("label", {}, label, make("select", { onchange: keep("options", name) }, ...choices));
  }

  /** Makes the fields for the arguments, unless they are there. */
  function showFields(verb, series) {
    const isAllDay = series.start?.date !== undefined;
    if (form === `${state.verb} ${isAllDay}`) {
      return;
    }
    form = `${state.verb} ${isAllDay}`;
    sentence.textContent = verb ? `${verb.sentence[0].toUpperCase()}${verb.sentence.slice(1)}.` : "";
    sentence.hidden = !verb;
    fields.replaceChildren(...(verb?.arguments ?? []).map((argument) => field(argument, isAllDay)));
    fields.hidden = !verb?.arguments.length;
  }

  function field({ name, kind, words, usage, required, many }, isAllDay) {
    const value = new URLSearchParams(state.with).get(name) ?? "";
    const attributes = { name, required, oninput: keep("with", name) };
    const type = { time: isAllDay ? "date" : "datetime-local", clock: "time", number: "number" }[kind] ?? "text";
    let control;
    if (kind === "word") {
      control = make("select", attributes, ...["", ...words].map((word) => make("option", { value: word, selected: word === value }, word)));
    } else if (kind === "json") {
      control = make("textarea", { ...attributes, rows: "3", spellcheck: "false" }, value);
    } else {
      control = make("input", { ...attributes, type, value, list: kind === "zone" ? "zones" : undefined, min: kind === "number" ? "0" : undefined, spellcheck: "false" });
    }
    const hint = usage.replaceAll("`", "") + (many && kind === "text" ? "; several with commas" : "");
    return make("label", {}, make("span", {}, make("strong", {}, name), ` ${hint}`), control);
  }

  /** Returns an argument as the module takes it. */
  function read({ name, kind, many }, text, { start }) {
    if (kind === "time" && text.includes("T")) { // a field has a local time, which belongs to the zone of the series
      const offset = start?.timeZone ? "" : (/(Z|[+-]\d\d:\d\d)$/.exec(start?.dateTime ?? "")?.[0] ?? "");
      return text.length === "2026-03-10T09:00".length ? `${text}:00${offset}` : text + offset;
    }
    if (kind === "json") {
      try {
        return JSON.parse(text);
      } catch (error) {
        throw new SyntaxError(`${name} is not JSON: ${error.message}`);
      }
    }
    if (kind === "number") {
      return Number(text);
    }
    return kind === "text" && many ? text.split(",").map((one) => one.trim()).filter(Boolean) : text;
  }

  function show(series, exceptions) {
    const verb = chosen();
    showFields(verb, series);
    try {
      const outcome = verb ? outcomeOf(verb, series, exceptions) : {};
      showOnce(answer, { outcome, series }, () => shown(outcome, series));
      return verb ? `; ${verb.name}: ${spoken(outcome)}` : "";
    } catch (error) {
      showOnce(answer, complaint(error), none);
      return `; ${verb.name}: no answer`;
    }
  }

  /** Returns the answer to a verb, or which arguments it waits for. */
  function outcomeOf(verb, series, exceptions) {
    const given = new URLSearchParams(state.with);
    const missing = verb.arguments.filter(({ name, required }) => required && !given.get(name)).map(({ name }) => name);
    if (missing.length > 0) {
      return { missing };
    }
    const known = verb.arguments.filter(({ name }) => given.get(name));
    const arguments_ = Object.fromEntries(known.map((argument) => [argument.name, read(argument, given.get(argument.name), series)]));
    const about = verb.alone ? {} : { series, exceptions };
    return calrules.make({ verb: verb.name, with: arguments_, ...about, options: optionsOf(state.options), dialect });
  }

  /** Returns an answer in a few words. */
  function spoken({ missing, instances, contains, count: n, requests, before, event, findings }) {
    if (missing) {
      return `waits for ${missing.join(" and ")}`;
    }
    if (findings) {
      return "the series is rejected";
    }
    if (contains !== undefined) {
      return contains ? "yes" : "no";
    }
    if (requests) {
      return count(requests.length, "request");
    }
    return instances ? count(instances.length, "instance") : n !== undefined ? String(n) : before && !event ? "two series" : "a series";
  }

  function shown(outcome, series) {
    const { missing, instances, contains, count: n, truncated, requests, before, after, findings, advice, error } = outcome;
    const text = {
      missing: missing && `Fill in ${missing.join(" and ")}.`,
      contains: contains !== undefined && (contains ? "Yes." : "No."),
      count: n !== undefined && `${count(n, "instance")}${truncated ? " or more" : ""}.`,
      instances: instances?.length === 0 && contains === undefined && "There is none.",
      requests: requests?.length === 0 && "Nothing needs to change.",
    };
    const parts = [
      ...Object.values(text).map((words) => words && none(words)),
      instances?.length > 0 && list(instances),
      truncated && instances && none("There are more."),
      outcome.event && result("The series", outcome, series),
      before && result("The series before", before, series),
      after && result("The series after", after, series),
      requests?.length > 0 && make("ol", { class: "requests" }, ...requests.map(request)),
      error && none(error),
      ...[findings, advice].map((found) => found && findingList(calrules, found, dialect)),
    ];
    return make("div", {}, ...parts.filter(Boolean));
  }

  /** Makes a list of instances, of which the single events are shown whole. */
  function list(instances) {
    const time = ({ date, dateTime }) => date ?? dateTime;
    const item = (instance) => make("li", {}, `${time(instance.start)} – ${time(instance.end)}`, Object.keys(instance).length > 2 ? whole(instance) : undefined);
    return make("ol", { class: "instances" }, ...instances.map(item));
  }

  const whole = (value) => make("details", {}, make("summary", {}, "The event"), scrollable("The event", pretty(value)));

  function result(title, { event, exceptions }, series) {
    const taken = exceptions.length > 0 ? { ...event, exceptions } : event;
    const button = make("button", { type: "button", onclick: () => take(pretty(taken)), "aria-label": `Use ${title.toLowerCase()}` }, "Use it");
    const differences = differenceTable(calrules.diff(series, event, { dialect }), "now", "then");
    const further = exceptions.length > 0 ? scrollable("Exceptions", pretty(exceptions)) : undefined;
    return make("div", { class: "made" }, make("div", { class: "row" }, make("h3", {}, title), button), differences, further);
  }

  function request({ op, params, body, ifMatch }, i) {
    const facts = { ...params, ...(ifMatch && { "If-Match": ifMatch }) };
    const rows = Object.entries(facts).flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, [value].flat().join(", "))]);
    return make("li", {}, make("strong", {}, op), make("dl", {}, ...rows), body === undefined ? undefined : scrollable(`Body of request ${i + 1}`, pretty(body)));
  }

  const zones = make("datalist", { id: "zones" }, ...Intl.supportedValuesOf("timeZone").map((zone) => make("option", { value: zone })));
  const element = panel("Verb", make("div", {}, sentence, fields, make("div", { class: "arguments" }, ...options.map(option)), answer, zones), make("label", {}, "Verb ", select));
  return { element, show, clear: () => showOnce(answer, "", none) };
}
