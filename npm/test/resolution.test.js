import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

// A program that has installed the package finds its types, however its compiler resolves modules.
for (const [moduleResolution, module] of [["node10", "ESNext"], ["bundler", "ESNext"], ["nodenext", "NodeNext"]]) {
  test(`the types resolve under ${moduleResolution}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "calrules-"));
    try {
      mkdirSync(join(folder, "node_modules/@calrules"), { recursive: true });
      symlinkSync(root, join(folder, "node_modules/@calrules/calrules"), "junction");
      writeFileSync(join(folder, "package.json"), '{"type":"module"}');
      writeFileSync(join(folder, "program.ts"), 'import { load } from "@calrules/calrules";\nexport const accepted: boolean = (await load()).check({ op: "events.get" }).accepted;\n');
      const compilerOptions = { module, moduleResolution, target: "ES2022", lib: ["ES2022", "DOM"], types: [], strict: true, noEmit: true };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
      execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder], { encoding: "utf8" });
    } catch (error) {
      assert.fail(error.stdout ?? error);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
