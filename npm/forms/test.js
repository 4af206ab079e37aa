// Builds the form, fills it in with Chromium, and measures the cost of a keystroke: the page's CPU time from the browser
// event until the message appears, which does not depend on the load of the machine. The program writes the figures to
// ../README.md or, with --check, only measures. The program fails if a keystroke takes 5 ms or more.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { replaceFigures } from "../scripts/figures.js";
import { launch, serve } from "../test/chromium.js";

const most = 5; // milliseconds
const here = (name) => fileURLToPath(new URL(name, import.meta.url));

mkdirSync(here("out"), { recursive: true });
await build({
  entryPoints: [here("form.jsx")],
  outfile: here("out/form.js"),
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"production"' },
  alias: { "@calrules/calrules": here("../dist/index.js") },
});
copyFileSync(here("index.html"), here("out/index.html"));
copyFileSync(here("../dist/calrules.wasm"), here("out/calrules.wasm"));

const server = await serve(here("out"));
const browser = await launch();
try {
  const page = await browser.newPage();
  await page.goto(server.address);
  const message = (name) => page.locator(`[data-for="${name}"]`);
  const input = (name) => page.locator(`input[name="${name}"]`);

  await input("end.date").fill("2026-03-09");
  await message("end.date").getByText("before the start").waitFor();
  await input("end.date").fill("2026-03-12");
  await page.waitForFunction(() => document.querySelector('[data-for="end.date"]').textContent === "");
  await input("reminders.overrides.0.minutes").fill("50000");
  await message("reminders.overrides.0.minutes").getByText("0 to 40320").waitFor();
  await input("reminders.overrides.0.minutes").fill("15");

  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => (await cdp.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value * 1000;
  const type = (begin, end) =>
    page.evaluate(
      async ([begin, end]) => {
        const field = document.querySelector('input[name="attendees.0.email"]');
        const output = document.querySelector('[data-for="attendees.0.email"]');
        const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
        for (let i = begin; i < end; i++) {
          const changed = new Promise((done) => {
            const observer = new MutationObserver(() => (observer.disconnect(), done()));
            observer.observe(output, { childList: true, characterData: true, subtree: true });
          });
          set.call(field, `ada${i}`);
          field.dispatchEvent(new Event("input", { bubbles: true }));
          await changed; // the message quotes the value
        }
      },
      [begin, end],
    );
  const measure = async (begin, end) => {
    const before = await spent();
    await type(begin, end);
    return ((await spent()) - before) / (end - begin);
  };
  const first = await measure(0, 20);
  const later = await measure(20, 320);
  await input("attendees.0.email").fill("ada@example.com");
  await page.locator("button").click();
  await page.waitForFunction(() => document.title.startsWith("{"));
  assert.equal(JSON.parse(await page.title()).end.date, "2026-03-12");

  const table = `| keystrokes | CPU time of one |\n| --- | ---: |\n| the first 20 | ${first.toFixed(1)} ms |\n| the next 300 | ${later.toFixed(1)} ms |`;
  console.log(table);
  assert.ok(later < most, `a keystroke takes ${later} ms`);
  if (!process.argv.includes("--check")) {
    replaceFigures("keystroke", table);
  }
} finally {
  await browser.close();
  server.close();
}
