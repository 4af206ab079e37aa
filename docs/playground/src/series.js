// The instances of a series on a page of the calendar, and what a verb makes of it.
import { complaint } from "./complaint.js";
import { count, make, none, panel } from "./dom.js";
import { Editor } from "./editor.js";
import { findingList } from "./findings.js";
import { samples } from "./samples.js";
import { optionsOf, verbPanel } from "./verbs.js";

const day = 24 * 60 * 60 * 1000;
const monthForm = /^\d{4}-(0[1-9]|1[0-2])$/; // a link may have any text
const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Returns the name of the month of a date. */
const monthOf = (date, more) => new Date(date).toLocaleDateString("en", { month: "long", timeZone: "UTC", ...more });

export function seriesView({ calrules, state, dialect, say, changed }) {
  const editor = new Editor("Recurring event", state.event, update);
  const verbs = verbPanel({ calrules, state, dialect, update, take });
  const title = make("h2", { id: "month" });
  const move = (months) => () => {
    const [year, month] = (monthForm.test(state.month) ? state.month : samples.series.month).split("-").map(Number);
    state.month = new Date(Date.UTC(year, month - 1 + months)).toISOString().slice(0, 7);
    update();
  };
  const buttons = make(
    "span",
    { class: "row" },
    make("button", { type: "button", onclick: move(-1), "aria-label": "Previous month" }, "←"),
    make("button", { type: "button", onclick: move(1), "aria-label": "Next month" }, "→"),
  );
  const page = make("div", { class: "body" });
  const right = make("section", { class: "panel", "aria-label": "Month" }, make("div", { class: "head" }, title, buttons), page);

  function update() {
    state.event = editor.text;
    title.textContent = monthForm.test(state.month) ? monthOf(`${state.month}-01`, { year: "numeric" }) : "No month";
    try {
      const { exceptions, ...event } = objectOf(state.event); // beside the members of the event, as in a request for the instances
      say(show(event, exceptions) + verbs.show(event, exceptions));
    } catch (error) {
      page.replaceChildren(none(complaint(error)));
      verbs.clear();
      say("No series");
    }
    changed();
  }

  /** Replaces the series by another one. */
  function take(text) {
    editor.text = text;
    editor.goTo(0);
  }

  /** Shows the month, and returns what is in it in a few words. */
  function show(event, exceptions) {
    if (!monthForm.test(state.month)) {
      page.replaceChildren(none(`The month is ${JSON.stringify(state.month)}; it must be one such as ${samples.series.month}.`));
      return "No month";
    }
    try {
      return showInstances(event, exceptions);
    } catch (error) {
      page.replaceChildren(none(complaint(error)));
      return "No series";
    }
  }

  function showInstances({ start, end, recurrence = [] }, exceptions) {
    const first = new Date(`${state.month}-01`);
    const monday = new Date(first.getTime() - ((first.getUTCDay() + 6) % 7) * day);
    const days = Array.from({ length: 42 }, (_, i) => new Date(monday.getTime() + i * day).toISOString().slice(0, 10));
    const last = new Date(monday.getTime() + 42 * day).toISOString().slice(0, 10);
    const found = calrules.check({ op: "events.insert", dialect, body: { start, end, recurrence } }).findings;
    const options = optionsOf(state.options);
    const { instances, error } = calrules.expand({ dialect, start, end, recurrence, exceptions, options, from: days[0], to: last, window: "overlap" });
    editor.show([]);
    const list = found.length > 0 ? findingList(calrules, found, dialect) : undefined;
    const parts = [instances ? month(days, instances) : undefined, error ? none(error) : undefined, list];
    page.replaceChildren(...parts.filter(Boolean));
    return instances ? `${title.textContent}: ${count(instances.length, "instance")} on this page` : "The series is rejected";
  }

  function month(days, instances) {
    const byDay = Map.groupBy(instances, (i) => i.start.date ?? i.start.dateTime.slice(0, 10));
    const cell = (date) => {
      const here = byDay.get(date) ?? [];
      const classes = [date.startsWith(state.month) ? "" : "out", here.length > 0 ? "has" : ""].join(" ").trim();
      const texts = here.map(({ start }) => start.dateTime?.slice(11, 16) ?? "all day");
      const list = here.length > 0 ? make("ul", {}, ...texts.map((text) => make("li", {}, text))) : undefined;
      const other = date.startsWith(state.month) ? undefined : make("span", { class: "hidden" }, ` ${monthOf(date)}`);
      return make("td", { class: classes || undefined }, make("span", { class: "day" }, String(Number(date.slice(8))), other), list);
    };
    const weeks = Array.from({ length: 6 }, (_, w) => make("tr", {}, ...days.slice(7 * w, 7 * w + 7).map(cell)));
    const head = make("tr", {}, ...weekdays.map((name) => make("th", { scope: "col" }, name)));
    return make("table", { class: "month", "aria-labelledby": "month" }, make("thead", {}, head), make("tbody", {}, ...weeks));
  }

  update();
  return [make("div", { class: "column" }, panel("Series", editor.element), verbs.element), make("div", { class: "column" }, right)];
}

/** Reads a text as a JSON object. */
function objectOf(text) {
  const value = JSON.parse(text);
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    throw new SyntaxError("An event must be a JSON object.");
  }
  return value;
}
