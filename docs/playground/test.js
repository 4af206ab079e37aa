// Tests the playground that ./build made, in headless Chromium. With --screenshots it also writes the pictures, and
// with --figures the times of keystrokes into the README. With --only REGEXP it runs the tests whose names match.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { replaceFigures } from "../../npm/scripts/figures.js";
import { launch, serve } from "../../npm/test/chromium.js";
import { look, nameOf, views } from "./look.js";
import { samples } from "./src/samples.js";

const mostMilliseconds = 16; // for a keystroke: a frame at 60 Hz
const [warmup, presses] = [50, 300];
const tabs = ["Check", "Patch", "Series", "Database"];
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const readme = new URL("README.md", import.meta.url);

const pretty = (event) => JSON.stringify(event, null, 2);
const meeting = JSON.parse(readFileSync(path("../../examples/events/valid/meet-create.json"), "utf8"));
const withFindings = "the event in the picture, with its findings"; // is not typical, so its median counts
const typed = {
  "a minimal event": { body: pretty({ summary: "", start: { date: "2026-03-10" }, end: { date: "2026-03-11" } }) },
  "a meeting with guests and a conference": {
    params: "conferenceDataVersion=1&sendUpdates=all&supportsAttachments=true", body: pretty({ summary: "", ...meeting }),
  },
  [withFindings]: { body: samples.check.body },
};

const server = await serve(path("dist"));
const browser = await launch();
let passed = 0;

/** Opens the page, and fails if it asks for anything but its own files or reports an error. */
async function open(fragment = "", view = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 820 }, ...view });
  page.setDefaultTimeout(300_000); // a machine may be busy
  page.on("pageerror", (error) => assert.fail(`the page reports ${error}`));
  page.on("request", (request) => assert.ok(/^data:|^http:\/\/127/.test(request.url()), `the page asks for ${request.url()}`));
  await page.goto(`${server.address}${fragment}`);
  await page.waitForSelector(".cm-editor");
  return page;
}

const only = new RegExp(process.argv.includes("--only") ? process.argv[process.argv.indexOf("--only") + 1] : "");

async function check(name, use) {
  if (!only.test(name)) {
    return;
  }
  await use();
  passed++;
  console.log(`ok ${name}`);
}

const rules = (page) => page.locator(".findings summary").allTextContents();
const body = (page) => page.getByRole("textbox", { name: "Body of the request" });

/** Types letters into the summary of an event, and returns the milliseconds of the page's thread for each. */
async function keystrokes(check) {
  const page = await open(`#${btoa(JSON.stringify({ mode: "check", check }))}`);
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Performance.enable", { timeDomain: "threadTicks" }); // the time of the page alone, on any machine
  const taken = async () => {
    const { metrics } = await devTools.send("Performance.getMetrics");
    const parts = metrics.filter(({ name }) => ["ScriptDuration", "RecalcStyleDuration", "LayoutDuration"].includes(name));
    return parts.reduce((sum, { value }) => sum + 1000 * value, 0);
  };
  const press = async () => {
    const before = await taken();
    await page.keyboard.press("x");
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))); // after the layout
    return (await taken()) - before;
  };
  await body(page).click();
  await page.keyboard.press("Control+Home");
  for (let line = check.body.split("\n").findIndex((text) => text.startsWith('  "summary"')); line > 0; line--) {
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  const all = [];
  for (let i = 0; i < warmup + presses; i++) {
    all.push(await press());
  }
  assert.match(await body(page).innerText(), new RegExp(`"summary": "[^"]*x{${warmup + presses}}"`));
  await page.close();
  const sorted = all.slice(warmup).sort((a, b) => a - b);
  return { median: sorted[presses / 2], most: sorted[Math.floor(0.99 * presses)] };
}

async function type(page, editor, text) {
  await editor.click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
}

try {
  const page = await open();
  await check("findings are at their line and column", async () => {
    assert.ok((await rules(page)).includes("event.status.enum"));
    assert.match(await page.locator(".findings .at").first().textContent(), /^3:13 \/status$/);
    assert.equal(await page.locator("span.verdict").textContent(), "Rejected, 6 findings");
    assert.ok((await page.locator(".cm-lintRange-error").count()) > 0);
  });
  await check("a finding leads to its place, and its fix corrects it", async () => {
    await page.getByRole("button", { name: "Use confirmed" }).press("Enter");
    assert.ok(!(await rules(page)).includes("event.status.enum"));
    assert.match(await page.evaluate(() => document.activeElement.textContent), /^Use America/, "the focus is on the next fix");
    await page.locator("button.at").first().click();
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Body of the request");
  });
  await check("what is certain is fixed in the body and in the parameters, then the rest", async () => {
    const other = await open();
    const [certain, all] = ["Fix what is certain", "Fix all"].map((name) => other.getByRole("button", { name }));
    await type(other, body(other), '{"id":"abcde",  "status":"Tentative", "colour":"7", "start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}');
    await other.getByLabel("Parameters").first().fill("sendUpdates=All");
    await certain.click();
    assert.match(await body(other).innerText(), /"id":"abcde", {2}"status":"tentative", "colour":"7", "start"/);
    assert.equal(await other.getByLabel("Parameters").first().inputValue(), "sendUpdates=all");
    assert.equal(await certain.count(), 0);
    assert.match(await other.locator(".findings").textContent(), /Did you mean colorId\?/);
    await all.click();
    assert.match(await body(other).innerText(), /"colorId":"7"/);
    assert.match(await other.evaluate(() => document.activeElement.textContent), /^Findings/, "the focus is on what is left");
    assert.equal(await all.count(), 0);
    await other.close();
  });
  await check("parameters have fields by name", async () => {
    const other = await open();
    await other.getByText("Parameters by name").click();
    const [all, sendUpdates] = [other.locator("label.wide input"), other.getByLabel(/^sendUpdates/)];
    assert.equal(await sendUpdates.inputValue(), "all");
    await other.getByLabel(/^conferenceDataVersion/).fill("1");
    assert.equal(await all.inputValue(), "sendUpdates=all&conferenceDataVersion=1");
    await all.fill("sendUpdates=none");
    assert.equal(await sendUpdates.inputValue(), "none");
    await other.getByLabel("Operation").selectOption("events.list");
    await other.getByLabel(/^timeMin/).fill("soon");
    assert.match(await other.locator(".findings").textContent(), /timeMin/);
    await other.close();
  });
  await check("on a phone the verdict is above the editor, and leads to the findings", async () => {
    const other = await open("", { viewport: { width: 390, height: 820 } });
    const verdict = other.getByRole("button", { name: "Rejected, 6 findings" });
    assert.ok((await verdict.boundingBox()).y < (await body(other).boundingBox()).y);
    await verdict.click();
    await other.waitForFunction(() => document.activeElement.querySelector(".findings")?.getBoundingClientRect().top < innerHeight);
    await other.close();
  });
  await check("each view has its heading, which is the title too", async () => {
    const other = await open();
    const headings = new Set();
    for (const tab of tabs) {
      await other.getByRole("tab", { name: tab }).click();
      headings.add(await other.getByRole("heading", { level: 1 }).textContent());
      assert.ok(headings.has((await other.title()).replace(" - calrules", "")));
    }
    assert.equal(headings.size, tabs.length);
    await other.close();
  });
  await check("a rule is explained", async () => {
    await page.locator(".findings summary").first().click();
    assert.match(await page.locator(".rule").first().textContent(), /Breaks the rule/);
  });
  await check("an accepted event is shown as it is stored", async () => {
    await type(page, body(page), '{"id":"abcde","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}');
    assert.match(await page.locator("span.verdict").textContent(), /^Accepted, /);
    assert.match(await page.locator(".diff").textContent(), /\/status\(absent\)"confirmed"/);
    await type(page, body(page), "{");
    assert.match(await page.locator("span.verdict").textContent(), /^Rejected, /);
  });
  await check("the page leads to the licenses of what it contains", async () => {
    const other = await open();
    await other.getByRole("link", { name: "Licenses" }).click();
    const licenses = await other.locator("body").textContent();
    for (const name of ["Go", "github.com/calrules/calrules", "@codemirror/view", "@lezer/json"]) {
      assert.match(licenses, new RegExp(`^${name}\n\n.*(?:License|Copyright)`, "m"));
    }
    await other.close();
  });
  await check("a patch is checked against the stored event", async () => {
    await page.getByLabel("Operation").selectOption("events.patch");
    await type(page, body(page), '{"summary":"Another"}');
    assert.match(await page.locator(".diff").textContent(), /\/summary"Planning""Another"/);
  });
  await check("a link carries the state", async () => {
    await page.getByRole("button", { name: "Copy link" }).click();
    const other = await open(new URL(page.url()).hash);
    assert.equal(await body(other).innerText(), '{"summary":"Another"}');
    await other.close();
    const broken = await open("#broken");
    assert.ok((await rules(broken)).length > 0);
    await broken.close();
  });
  await check("the arrow keys change the view", async () => {
    await page.getByRole("tab", { name: "Check" }).focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.getByRole("tab", { name: "Patch" }).getAttribute("aria-selected"), "true");
    assert.deepEqual(Object.keys(JSON.parse(await page.locator("pre").first().textContent())), ["summary", "end", "attendees", "reminders"]);
  });
  await check("the instances of a series are on their days", async () => {
    await page.getByRole("tab", { name: "Series" }).click();
    const days = await page.locator("td.has:not(.out) .day").allTextContents();
    assert.deepEqual(days, ["2", "4", "6", "9", "11", "16", "17", "18", "20", "23", "25", "27", "30"]);
    await page.getByRole("button", { name: "Next month" }).click();
    assert.match(await page.locator("main").textContent(), /April 2026/);
  });
  await check("a verb makes another series, which can be taken over", async () => {
    const other = await open(`#${btoa(JSON.stringify({ mode: "series" }))}`);
    const verb = other.getByRole("region", { name: "Verb" });
    const event = async () => JSON.parse(await other.getByRole("textbox", { name: "Recurring event" }).innerText());
    const choose = (name) => verb.getByRole("combobox", { name: "Verb", exact: true }).selectOption(name);
    await choose("count");
    assert.match(await verb.textContent(), /100000 instances or more\./);
    await choose("next");
    assert.match(await verb.textContent(), /Fill in at\./);
    await verb.getByLabel(/^at /).fill("2026-03-11T09:15");
    assert.match(await verb.getByRole("listitem").textContent(), /^2026-03-16T09:15:00-04:00 – /); // not the excluded 13 March
    assert.match(await other.getByRole("status").textContent(), /^March 2026: 15 instances on this page; next: 1 instance$/);
    await choose("reclock");
    await verb.getByLabel(/^zone /).fill("Europe/Berlin");
    assert.match(await verb.getByRole("table", { name: "Differences" }).textContent(), /\/start\/timeZone"America\/New_York""Europe\/Berlin"/);
    await verb.getByRole("button", { name: "Use the series" }).click();
    assert.equal((await event()).start.timeZone, "Europe/Berlin");
    assert.equal(await other.evaluate(() => document.activeElement.getAttribute("aria-label")), "Recurring event");
    await choose("cancel");
    await verb.getByLabel(/^at /).fill("2026-03-04T09:15");
    await verb.getByRole("button", { name: "Use the series" }).click();
    assert.equal((await event()).exceptions[0].status, "cancelled");
    await choose("contains");
    await verb.getByLabel(/^at /).fill("2026-03-04T09:15");
    assert.match(await verb.textContent(), /No\./);
    await choose("split");
    await verb.getByLabel(/^at /).fill("2026-03-16T09:15");
    await verb.getByRole("button", { name: "Use the series after" }).click();
    assert.equal((await event()).start.dateTime.slice(0, 10), "2026-03-16");
    await verb.getByRole("combobox", { name: "BYMONTHDAY without BYMONTH" }).selectOption("all months");
    await other.getByRole("button", { name: "Copy link" }).click();
    const copy = await open(new URL(other.url()).hash);
    assert.equal(await copy.getByRole("combobox", { name: "BYMONTHDAY without BYMONTH" }).inputValue(), "all");
    assert.equal(await copy.getByLabel(/^at /).inputValue(), "2026-03-16T09:15");
    await copy.close();
    await other.close();
  });
  await check("an intent shows the requests to send", async () => {
    const other = await open(`#${btoa(JSON.stringify({ mode: "series", series: { verb: "respond", with: "status=accepted" } }))}`);
    const verb = other.getByRole("region", { name: "Verb" });
    const requests = verb.getByRole("listitem");
    assert.match(await requests.textContent(), /^events\.patch.*eventIdstandup/);
    const sent = JSON.parse(await verb.getByRole("group", { name: "Body of request 1" }).textContent());
    assert.deepEqual(sent.attendees.map(({ responseStatus }) => responseStatus)[0], "accepted");
    await verb.getByRole("combobox", { name: "Verb", exact: true }).selectOption("free-busy");
    await verb.getByLabel(/^from /).fill("2026-01-01T00:00");
    await verb.getByLabel(/^to /).fill("2026-12-31T00:00");
    await verb.getByLabel(/^calendar /).fill("a@example.com, b@example.com");
    assert.ok((await requests.count()) > 3);
    await verb.getByRole("combobox", { name: "Verb", exact: true }).selectOption("change-following");
    await verb.getByLabel(/^at /).fill("2026-03-16T09:15");
    await verb.getByLabel(/^change /).fill("{");
    assert.match(await verb.textContent(), /change is not JSON/);
    await verb.getByLabel(/^change /).fill('{"summary":"Later"}');
    assert.deepEqual(await requests.locator("strong").allTextContents(), ["events.insert", "events.patch"]);
    await other.close();
  });
  await check("every verb has its fields, and no page is wider than a telephone", async () => {
    const other = await open(`#${btoa(JSON.stringify({ mode: "series" }))}`);
    await other.setViewportSize({ width: 390, height: 844 });
    const select = other.getByRole("combobox", { name: "Verb", exact: true });
    for (const name of (await select.locator("option").allTextContents()).slice(1)) {
      await select.selectOption(name);
      const wide = await other.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `with ${name}, the page is ${wide} pixels too wide`);
      assert.match(await other.getByRole("status").textContent(), new RegExp(`; ${name}: `));
    }
    await other.close();
  });
  await check("what is no series or no month is said", async () => {
    const other = await open(`#${btoa(JSON.stringify({ mode: "series", series: { month: "soon" } }))}`);
    const month = other.getByRole("region", { name: "Month" });
    assert.match(await month.textContent(), /The month is "soon"/);
    await other.getByRole("button", { name: "Next month" }).click();
    assert.match(await month.textContent(), /April 2026/);
    for (const text of ["null", "[]", "7"]) {
      await type(other, other.getByRole("textbox", { name: "Recurring event" }), text);
      assert.match(await month.textContent(), /An event must be a JSON object/);
    }
    await other.close();
  });
  await check("a request to the database is decided", async () => {
    await page.getByRole("tab", { name: "Database" }).click();
    assert.match(await page.locator(".decision").textContent(), /principaluser.*subjectjill/);
  });
  await check("the link to the editor keeps what was typed", async () => {
    const other = await open();
    await type(other, body(other), '{"summary":"Third"}');
    await other.getByRole("link", { name: "Skip to the editor" }).focus();
    await other.keyboard.press("Enter");
    await other.keyboard.press("Control+End");
    await other.keyboard.type(" ");
    assert.equal(await body(other).innerText(), '{"summary":"Third"} ');
    await other.close();
  });
  await check("a screen reader learns the outcome in each view", async () => {
    const heard = await open();
    const said = async (text) => assert.match(await heard.getByRole("status").textContent(), text);
    const write = (name, text) => type(heard, heard.getByRole("textbox", { name }), text);
    const view = (name) => heard.getByRole("tab", { name }).click();
    await write("Body of the request", '{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}');
    await said(/^Accepted, 0 findings$/);
    await write("Body of the request", '{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-09"}}');
    await said(/^Rejected, 1 finding$/);
    await view("Patch");
    await said(/^4 differences$/);
    await write("Next version", "{");
    await said(/^No patch$/);
    await view("Series");
    await said(/^March 2026: 15 instances on this page$/);
    await write("Recurring event", "{");
    await said(/^No series$/);
    await view("Database");
    await said(/^The principal is user$/);
    await write("Request to the database", "{");
    await said(/^No decision$/);
    await heard.close();
  });
  await check("a screen reader finds tables, days and texts by name", async () => {
    const named = await open();
    await named.getByRole("tab", { name: "Patch" }).click();
    await named.getByRole("group", { name: "The smallest patch" }).waitFor();
    await named.getByRole("table", { name: "Differences" }).getByRole("cell", { name: "(absent)" }).first().waitFor();
    await named.getByRole("tab", { name: "Series" }).click();
    const month = named.getByRole("table", { name: "March 2026" });
    await month.getByRole("cell", { name: "1 April 09:15", exact: true }).waitFor();
    await month.getByRole("cell", { name: "30 09:15", exact: true }).waitFor();
    await named.close();
  });
  await check("Tab leaves the editor", async () => {
    await page.locator(".cm-content").first().focus();
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => !document.activeElement.classList.contains("cm-content")));
  });
  await page.close();

  /** Opens a page without an editor. */
  const read = async (address, options = {}) => {
    const shown = await browser.newPage({ viewport: { width: 1280, height: 820 }, ...options });
    await shown.goto(address);
    return shown;
  };
  const pages = { rules: "rules/index.html", rule: "rules/time.order.html", effect: "rules/json.null.html", fields: "fields.html", limits: "limits.html" };
  for (const view of views) {
    await check(`pages fit and have no accessibility problems, ${nameOf(view)}`, async () => {
      const checker = await open("", view);
      for (const tab of tabs) {
        await checker.getByRole("tab", { name: tab }).click();
        for (const rule of await checker.locator(".findings summary").all()) {
          await rule.click();
        }
        await look(checker, `${tab.toLowerCase()}-${nameOf(view)}`);
      }
      await checker.close();
      for (const [name, address] of Object.entries(pages)) {
        const shown = await read(server.address + address, view);
        await look(shown, `${name}-${nameOf(view)}`);
        await shown.close();
      }
    });
  }
  await check("nothing of a table is cut off", async () => {
    for (const width of [390, 1280]) {
      for (const name of ["rules/index.html", "fields.html", "limits.html"]) {
        const shown = await read(server.address + name, { viewport: { width, height: 820 } });
        const cut = await shown.evaluate(() => {
          const edge = document.querySelector("main").getBoundingClientRect().right;
          const isCut = (cell) => cell.scrollWidth > cell.clientWidth + 1 || cell.getBoundingClientRect().right > edge;
          return [...document.querySelectorAll("td")].filter((cell) => cell.checkVisibility() && isCut(cell)).map((cell) => cell.textContent);
        });
        assert.deepEqual(cut, [], `${name}, ${width} px`);
        await shown.close();
      }
    }
  });
  await check("the theme that is chosen on a page holds on all pages", async () => {
    const context = await browser.newContext({ colorScheme: "light" });
    const shown = await context.newPage();
    const colors = () => shown.evaluate(() => [document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor]);
    await shown.goto(`${server.address}fields.html`);
    const [before, light] = await colors();
    await shown.getByRole("button", { name: "Dark theme" }).click();
    for (const name of ["limits.html", "rules/time.order.html", ""]) {
      await shown.goto(server.address + name);
      const [theme, color] = await colors();
      assert.deepEqual([before, theme], ["light", "dark"]);
      assert.notEqual(color, light);
      await shown.getByRole("button", { name: "Light theme" }).waitFor();
    }
    await context.close();
  });
  await check("all pages have the same head", async () => {
    const heads = new Set();
    for (const name of ["", ...Object.values(pages)]) {
      const shown = await read(server.address + name);
      heads.add((await shown.locator("header").innerText()).replace(/\s+/g, " "));
      await shown.close();
    }
    assert.deepEqual([...heads], ["calrules Checker Rules Fields Limits Docs GitHub Dark theme"]);
  });
  await check("what an error says leads to its rule", async () => {
    const shown = await read(`${server.address}rules/index.html`);
    const found = () => shown.locator("tr[data-text]:visible td:first-child").allTextContents();
    for (const [text, id] of Object.entries({
      timeRangeEmpty: "time.order",
      409: "event.id.unique",
      "duplicate id": "event.id.unique",
      "The specified time range is empty.": "time.order",
      forbiddenForNonOrganizer: "event.organizer-only",
    })) {
      await shown.locator("#search input").fill(text);
      assert.ok((await found()).includes(id), text);
      assert.ok((await found()).length <= 2, text);
    }
    await shown.locator("#search input").fill("");
    await shown.getByRole("combobox", { name: "kind" }).selectOption("unspecified");
    const open = await found();
    assert.ok(open.length > 0 && open.length < 10);
    await shown.getByRole("combobox", { name: "basis" }).selectOption("observed");
    assert.ok((await found()).length < open.length);
    const again = await read(shown.url()); // the address keeps the search
    assert.match(await again.getByRole("status").textContent(), new RegExp(`^${(await found()).length} of `));
    await again.close();
    await shown.close();
  });
  await check("fields and limits are found by their words", async () => {
    for (const [name, text, cell] of [["fields.html", "minutes 40320", "reminders.overrides[].minutes"], ["limits.html", "RFC 5322", "organizer.email"]]) {
      const shown = await read(server.address + name);
      await shown.locator("#search input").fill(text);
      assert.match(await shown.locator("tr[data-text]:visible td:first-child").first().textContent(), new RegExp(cell.replace("[]", "..")));
      assert.ok((await shown.locator("tr[data-text]:visible").count()) < 9);
      await shown.close();
    }
  });
  await check("the page of a rule begins with its examples and the finding", async () => {
    const shown = await read(`${server.address}rules/time.order.html`);
    const [bad, good] = [shown.getByRole("heading", { name: "Breaks the rule" }), shown.getByRole("heading", { name: "Keeps the rule" })];
    assert.equal((await bad.boundingBox()).y, (await good.boundingBox()).y); // side by side
    assert.match(await shown.locator(".pair .findings").textContent(), /reject \/end.*is before the start/s);
    assert.match(await shown.locator("dl.facts").textContent(), /inserting, importing, updating or patching an event.*the event alone/s);
    await shown.close();
  });
  await check("the examples of a rule lead to the checker", async () => {
    const shown = await read(`${server.address}rules/time.order.html`);
    await shown.getByRole("link", { name: /try.*breaks/i }).click();
    await shown.waitForSelector(".findings summary");
    assert.match((await rules(shown)).join(" "), /time\.order/);
    await shown.close();
  });
  await check("pages are read from files, and the checker says what it needs", async () => {
    const shown = await read(new URL("dist/rules/time.order.html", import.meta.url).href);
    assert.match(await shown.locator("h1").innerText(), /time\.order/);
    await shown.goto(new URL("dist/index.html", import.meta.url).href);
    assert.match(await shown.locator("body").innerText(), /web server/);
    await shown.close();
  });
  await check("rules that cannot be loaded are a line with a way to try again", async () => {
    const shown = await browser.newPage();
    await shown.route("**/calrules.wasm", (route) => route.abort());
    await shown.goto(server.address);
    const again = shown.getByRole("button", { name: /again|retry/i });
    await again.waitFor();
    await shown.unroute("**/calrules.wasm");
    await again.click();
    await shown.waitForSelector(".cm-editor");
    await shown.close();
  });

  await check("Tab reaches every control, and shows where it is", async () => {
    const walked = await open();
    for (const tab of tabs) {
      await walked.getByRole("tab", { name: tab }).click();
      const count = await walked.evaluate(() => {
        const all = document.querySelectorAll("a, button, input, select, textarea, summary, pre, .cm-content");
        const controls = [...all].filter((control) => control.checkVisibility() && control.tabIndex >= 0);
        globalThis.missing = new Set(controls);
        return controls.length;
      });
      for (let i = 0; i < count + 2; i++) { // twice outside of the page
        await walked.keyboard.press("Tab");
        await walked.waitForFunction(() => { // an editor shows its frame a moment later
          const editor = document.activeElement.closest(".cm-editor");
          return !editor || editor.classList.contains("cm-focused");
        });
        await walked.evaluate(() => {
          const at = document.activeElement;
          const framed = at.closest(".cm-editor") ?? at;
          if (getComputedStyle(framed).outlineStyle !== "none") {
            globalThis.missing.delete(at);
          }
        });
      }
      assert.deepEqual(await walked.evaluate(() => [...globalThis.missing].map((control) => control.outerHTML)), [], tab);
    }
    await walked.close();
  });

  const times = {};
  await check(`of a hundred keystrokes, 99 take at most ${mostMilliseconds} ms`, async () => {
    for (const [name, check] of Object.entries(typed)) {
      times[name] = await keystrokes(check);
      console.log(`   ${name}: median ${times[name].median.toFixed(1)} ms, 99 % ${times[name].most.toFixed(1)} ms`);
    }
    for (const [name, { median, most }] of Object.entries(times)) {
      assert.ok((name === withFindings ? median : most) <= mostMilliseconds, name);
    }
  });
  if (process.argv.includes("--figures")) {
    const rows = Object.entries(times).map(([name, { median, most }]) => `| ${name} | ${median.toFixed(1)} ms | ${most.toFixed(1)} ms |`);
    const table = ["| event | median | 99 % |", "| --- | ---: | ---: |", ...rows].join("\n");
    replaceFigures("keystroke", `${table}\n\nChromium ${browser.version()}, ${cpus()[0].model}, ${presses} keystrokes in each event.`, readme);
  }

  if (process.argv.includes("--screenshots")) {
    for (const tab of tabs) {
      const colorScheme = ["Series", "Database"].includes(tab) ? "dark" : "light";
      const shown = await open("", { colorScheme });
      await shown.getByRole("tab", { name: tab }).click();
      await shown.screenshot({ path: path(`${tab.toLowerCase()}.png`) });
      await shown.close();
    }
  }
  console.log(`${passed} passed, 0 failed`);
} finally {
  await browser.close();
  server.close();
}
