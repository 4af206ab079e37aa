// Looks at a page in a browser: whether it fits its window and has accessibility problems. It leaves a picture.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(new URL("../../npm/package.json", import.meta.url)); // where the packages are
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** The widths of a phone and of a desk, and both themes. */
export const views = [390, 1280].flatMap((width) => ["light", "dark"].map((colorScheme) => ({ viewport: { width, height: 820 }, colorScheme })));

/** Returns a name for the pictures of a view. */
export const nameOf = ({ viewport, colorScheme }) => `${viewport.width}-${colorScheme}`;

/** Fails if a page is wider than its window or has accessibility problems. */
export async function look(page, name) {
  const wide = await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${name} is ${wide} pixels too wide`);
  await page.evaluate(axe); // as a tool of the developer, which no policy forbids
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  const found = violations.map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => `${html}: ${failureSummary}`)]);
  assert.deepEqual(found, [], name);
  await page.screenshot({ path: fileURLToPath(new URL(`pictures/${name}.png`, import.meta.url)) });
}
