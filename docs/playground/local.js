// Tests the pages that programs of calrules serve on this machine, the emulator's calendars and the proxy's last requests, in
// headless Chromium.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch } from "../../npm/test/chromium.js";
import { look, nameOf, views } from "./look.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "calrules-"));
const running = [];

/** Builds a program, starts it, and returns the address that it writes first. */
async function start(directory, what, ...args) {
  const program = join(folder, `program${running.length}`);
  execFileSync("go", ["build", "-trimpath", "-o", program, what], { cwd: join(root, directory), stdio: "inherit" });
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  running.push(child);
  return new Promise((done, fail) => {
    const read = (text) => {
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
      if (address) {
        done(address);
      }
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("exit", (status) => fail(new Error(`${what} ended with status ${status}`)));
  });
}

const at = (dateTime) => ({ dateTime, timeZone: "Europe/Berlin" });
const long = "AnEventWithAVeryLongNameThatHasNoPlaceWhereALineCanBreakOnAPhone";
const events = [
  {
    summary: "Design review", start: at("2026-03-10T09:00:00"), end: at("2026-03-10T10:00:00"),
    conferenceData: { createRequest: { requestId: "a", conferenceSolutionKey: { type: "hangoutsMeet" } } },
  },
  { summary: long, start: { date: "2026-03-12" }, end: { date: "2026-03-14" }, status: "tentative" },
  { summary: "Too early", start: at("2026-03-10T09:00:00"), end: at("2026-03-10T08:00:00") },
  { summary: "Stand-up", colour: "7", start: at("2026-03-02T09:15:00"), end: at("2026-03-02T09:30:00"), recurrence: ["RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=6"] },
];

const browser = await launch();
try {
  const emulator = await start("emulator", ".", "--addr", "127.0.0.1:0", "--time-zone", "America/New_York");
  const proxy = await start(".", "./cmd/calrules", "proxy", "--upstream", emulator, "--listen", "127.0.0.1:0", "--dialect", "google");
  const path = "/calendar/v3/calendars/primary/events";
  let link = "";
  for (const event of events) {
    const response = await fetch(`${proxy}${path}?conferenceDataVersion=1&sendUpdates=none`, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(event),
    });
    link ||= (await response.json()).htmlLink;
  }
  await fetch(`${proxy}${path}`);
  await fetch(`${proxy}/drive/v3/${long}`);

  const pages = { month: `${emulator}/emulator/calendars/primary?month=2026-03`, event: link, proxy: `${proxy}/_calrules`, filtered: `${proxy}/_calrules?only=reject` };
  for (const view of views) {
    const context = await browser.newContext(view);
    const page = await context.newPage();
    for (const [name, address] of Object.entries(pages)) {
      await page.goto(address);
      await look(page, `${name}-${nameOf(view)}`);
    }
    await page.goto(pages.month);
    const isPhone = view.viewport.width < 600;
    assert.equal(await page.locator("td:visible").count(), isPhone ? 9 : 42, "a phone has only the days with events");
    assert.equal(await page.getByText("Wednesday").count(), 0);
    await context.close();
    console.log(`ok the pages of the emulator and the proxy fit and have no accessibility problems, ${nameOf(view)}`);
  }
} finally {
  await browser.close();
  for (const child of running) {
    child.removeAllListeners("exit");
    child.kill();
    await once(child, "exit");
  }
  rmSync(folder, { recursive: true });
}
