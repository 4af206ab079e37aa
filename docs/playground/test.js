// Tests the playground that ./build made, in headless Chromium. With --screenshots it also writes the pictures.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { launch, serve } from "../../npm/test/chromium.js";

const mostMilliseconds = 16; // for a keystroke: a frame at 60 Hz
const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const server = await serve(path("dist"));
const browser = await launch();
let passed = 0;

/** Opens the page, and fails if it asks for anything but its own files or reports an error. */
async function open(fragment = "", colorScheme = "light") {
  const page = await browser.newPage({ viewport: { width: 1280, height: 820 }, colorScheme });
  page.setDefaultTimeout(300_000); // a machine may be busy
  page.on("pageerror", (error) => assert.fail(`the page reports ${error}`));
  page.on("request", (request) => assert.ok(/^data:|^http:\/\/127/.test(request.url()), `the page asks for ${request.url()}`));
  await page.goto(`${server.address}${fragment}`);
  await page.waitForSelector(".cm-editor");
  return page;
}

async function check(name, use) {
  await use();
  passed++;
  console.log(`ok ${name}`);
}

const rules = (page) => page.locator(".findings summary").allTextContents();
const body = (page) => page.getByRole("textbox", { name: "Body of the request" });

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
    assert.equal(await page.locator(".verdict").textContent(), "Rejected");
    assert.ok((await page.locator(".cm-lintRange-error").count()) > 0);
  });
  await check("a finding leads to its place, and a suggestion mends it", async () => {
    await page.getByRole("button", { name: "Use confirmed" }).click();
    assert.ok(!(await rules(page)).includes("event.status.enum"));
    await page.locator("button.at").first().click();
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Body of the request");
  });
  await check("a rule is explained", async () => {
    await page.locator(".findings summary").first().click();
    assert.match(await page.locator(".rule").first().textContent(), /Breaks the rule/);
  });
  await check("an accepted event is shown as it is stored", async () => {
    await type(page, body(page), '{"id":"abcde","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}');
    assert.equal(await page.locator(".verdict").textContent(), "Accepted");
    assert.match(await page.locator(".diff").textContent(), /\/status"confirmed"/);
    await type(page, body(page), "{");
    assert.equal(await page.locator(".verdict").textContent(), "Rejected");
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
  await check("Tab leaves the editor", async () => {
    await page.locator(".cm-content").first().focus();
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => !document.activeElement.classList.contains("cm-content")));
  });
  await page.close();

  await check(`a keystroke takes at most ${mostMilliseconds} ms`, async () => {
    const typing = await open();
    const devTools = await typing.context().newCDPSession(typing);
    await devTools.send("Performance.enable", { timeDomain: "threadTicks" }); // the time of the page alone, on any machine
    const taken = async () => {
      const { metrics } = await devTools.send("Performance.getMetrics");
      const parts = metrics.filter(({ name }) => ["ScriptDuration", "RecalcStyleDuration", "LayoutDuration"].includes(name));
      return parts.reduce((sum, { value }) => sum + 1000 * value, 0);
    };
    const press = async (times) => {
      for (let i = 0; i < times; i++) {
        await typing.keyboard.press("Space");
        await typing.evaluate(() => new Promise(requestAnimationFrame));
      }
    };
    const [warmup, times] = [40, 100];
    await body(typing).click();
    await typing.keyboard.press("Control+Home");
    await press(warmup);
    const before = await taken();
    await press(times);
    const each = ((await taken()) - before) / times;
    console.log(`   ${each.toFixed(1)} ms: the check, the findings, the styles and the layout`);
    assert.match(await typing.locator(".cm-line").first().innerText(), new RegExp(`^\\s{${warmup + times}}`));
    assert.ok(each <= mostMilliseconds);
    await typing.close();
  });

  if (process.argv.includes("--screenshots")) {
    for (const [tab, scheme] of [["Check", "light"], ["Patch", "light"], ["Series", "dark"], ["Database", "dark"]]) {
      const shown = await open("", scheme);
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
