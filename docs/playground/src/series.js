// The instances of a series on a page of the calendar.
import { complaint } from "./complaint.js";
import { count, make, none, panel } from "./dom.js";
import { Editor } from "./editor.js";
import { findingList } from "./findings.js";
import { samples } from "./samples.js";

const day = 24 * 60 * 60 * 1000;
const monthForm = /^\d{4}-(0[1-9]|1[0-2])$/; // a link may have any text
const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Returns the name of the month of a date. */
const monthOf = (date, more) => new Date(date).toLocaleDateString("en", { month: "long", timeZone: "UTC", ...more });

export function seriesView({ calrules, state, dialect, say, changed }) {
  const editor = new Editor("Recurring event", state.event, update);
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
    if (monthForm.test(state.month)) {
      showMonth();
    } else {
      title.textContent = "No month";
      say("No month");
      page.replaceChildren(none(`The month is ${JSON.stringify(state.month)}; it must be one such as ${samples.series.month}.`));
    }
    changed();
  }

  function showMonth() {
    const first = new Date(`${state.month}-01`);
    title.textContent = monthOf(first, { year: "numeric" });
    try {
      const event = JSON.parse(state.event);
      if (event === null || typeof event !== "object" || Array.isArray(event)) {
        say("No series");
        page.replaceChildren(none("An event must be a JSON object."));
        return;
      }
      show(first, event);
    } catch (error) {
      say("No series");
      page.replaceChildren(none(complaint(error)));
    }
  }

  // An exception stands beside the members of the event, in an array exceptions, as in a request for the instances.
  function show(first, { start, end, recurrence = [], exceptions }) {
    const monday = new Date(first.getTime() - ((first.getUTCDay() + 6) % 7) * day);
    const days = Array.from({ length: 42 }, (_, i) => new Date(monday.getTime() + i * day).toISOString().slice(0, 10));
    const last = new Date(monday.getTime() + 42 * day).toISOString().slice(0, 10);
    const found = calrules.check({ op: "events.insert", dialect, body: { start, end, recurrence } }).findings;
    const { instances, error } = calrules.expand({ dialect, start, end, recurrence, exceptions, from: days[0], to: last, window: "overlap" });
    editor.show([]);
    const list = found.length > 0 ? findingList(calrules, found, dialect) : undefined;
    const parts = [instances ? month(days, instances) : undefined, error ? none(error) : undefined, list];
    page.replaceChildren(...parts.filter(Boolean));
    say(instances ? `${title.textContent}: ${count(instances.length, "instance")} on this page` : "The series is rejected");
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
  return [make("div", { class: "column" }, panel("Series", editor.element)), make("div", { class: "column" }, right)];
}
