import { load } from "../../../npm/src/index.ts";
import { checkView } from "./check.js";
import { databaseView } from "./database.js";
import { make } from "./dom.js";
import { patchView } from "./patch.js";
import { seriesView } from "./series.js";
import { examples, samples } from "./samples.js";
import { fragment, merged, readState } from "./state.js";

const views = {
  check: {
    title: "Check", view: checkView, heading: "Check a calendar event",
    lead: "calrules tells developers what the Google Calendar API would say to a request, before they send it: paste the body of one.",
  },
  patch: {
    title: "Patch", view: patchView, heading: "Find the smallest patch",
    lead: "Two versions of an event: what differs, and the body of the patch that turns one into the other.",
  },
  series: {
    title: "Series", view: seriesView, heading: "See the instances of a series",
    lead: "A recurring event: its instances in a month, another series made of it, and the requests that change it.",
  },
  database: {
    title: "Database", view: databaseView, heading: "Find who a database request acts as",
    lead: "A request to the Realtime Database and what is known of its tokens: its principal, and the rules that hold for it.",
  },
};
const byId = (id) => document.getElementById(id);
const work = byId("work");
/** Makes screen readers say a text, unless they have just said it. */
function say(text) {
  if (byId("status").textContent !== text) {
    byId("status").textContent = text;
  }
}

let state = readState();
const parameters = file("parameters.json").then((response) => response.json());
const [calrules, parametersOf] = await Promise.all([module().then(load), parameters]).catch((error) => {
  globalThis.failedToLoad(error.message);
  throw error;
});

async function file(name) {
  const response = await fetch(name);
  if (!response.ok) {
    throw new Error(`${name}: ${response.status} ${response.statusText}`);
  }
  return response;
}

/** Returns the bytes of the module, and shows how much of them is here. */
async function module() {
  const response = await file("calrules.wasm");
  const parts = [];
  let length = 0;
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) {
      return new Blob(parts).arrayBuffer();
    }
    parts.push(value);
    length += value.length;
    byId("loading").textContent = `Loading the rules… ${(length / 1e6).toFixed(1)} MB`;
  }
}

/** Keeps the state in the address, a moment after the last change. */
let timer;
function changed() {
  clearTimeout(timer);
  timer = setTimeout(() => history.replaceState(null, "", fragment(state)), 300);
}

const names = Object.keys(views);
const tabs = names.map((name) =>
  make("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "work", onclick: () => choose(name) }, views[name].title),
);
byId("tabs").append(...tabs);
byId("tabs").addEventListener("keydown", ({ key }) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (step) {
    choose(names[(names.indexOf(state.mode) + step + names.length) % names.length]);
    byId(`tab-${state.mode}`).focus();
  }
});

function choose(name) {
  state.mode = Object.hasOwn(views, name) ? name : "check";
  for (const tab of tabs) {
    const isChosen = tab.id === `tab-${state.mode}`;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
  }
  work.setAttribute("aria-labelledby", `tab-${state.mode}`);
  const { view, heading, lead } = views[state.mode];
  byId("title").textContent = heading;
  byId("lead").textContent = lead;
  document.title = `${heading} - calrules`;
  work.replaceChildren(...view({ calrules, parametersOf, state: state[state.mode], dialect: state.dialect, say, changed }));
}

const example = byId("example");
example.append(...Object.keys(examples).map((name) => make("option", { value: name }, name)));
example.addEventListener("change", () => {
  if (example.value) {
    state = merged(samples, examples[example.value]);
    show();
    example.value = "";
  }
});

const dialect = byId("dialect");
dialect.addEventListener("change", () => {
  state.dialect = dialect.value;
  choose(state.mode);
});

byId("share").addEventListener("click", async () => {
  history.replaceState(null, "", fragment(state));
  say(""); // it may be the second time
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied");
  } catch {
    say("The link is in the address bar");
  }
});

// The fragment of the address is the state, so the link must not change it.
const skip = document.querySelector("a.skip");
skip.addEventListener("click", (event) => {
  event.preventDefault();
  work.querySelector(".cm-content").focus();
});
skip.hidden = false;

/** Shows the state in the address. */
function open() {
  state = readState();
  show();
}

function show() {
  dialect.value = state.dialect;
  choose(state.mode);
}
addEventListener("hashchange", open);
open();
