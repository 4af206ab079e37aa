import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

// The sources of the module for which a program has types.
const withoutDOM = 'await load("calrules.wasm"); await load(new Uint8Array(8));';
const withDOM = `${withoutDOM} await load(new URL("https://example.com/")); await load(await WebAssembly.compile(new ArrayBuffer(8)));`;

// A program that has installed the package finds the package's types with any module resolution, and with or without the
// types of browsers or of Node. The compiler also checks the types of the package.
for (const [moduleResolution, module] of [["node10", "ESNext"], ["bundler", "ESNext"], ["nodenext", "NodeNext"]]) {
  for (const [types, lib, sources] of [["of the language alone", ["ES2022"], withoutDOM], ["of the DOM", ["ES2022", "DOM"], withDOM]]) {
    test(`the types resolve under ${moduleResolution} with the types ${types}`, () => {
      const folder = mkdtempSync(join(tmpdir(), "calrules-"));
      try {
        mkdirSync(join(folder, "node_modules/@calrules"), { recursive: true });
        symlinkSync(root, join(folder, "node_modules/@calrules/calrules"), "junction");
        writeFileSync(join(folder, "package.json"), '{"type":"module"}');
        writeFileSync(
          join(folder, "program.ts"),
          `import wasm from "@calrules/calrules/calrules.wasm";
import address from "@calrules/calrules/calrules.wasm?url";
import { load, type Answers } from "@calrules/calrules";
const calrules = await load(wasm ?? address);
export const accepted: boolean = calrules.check({ op: "events.get" }).accepted;
export const role: string | undefined = ({} as Answers["acl.list"]).items?.[0]?.role;
${sources}
`,
        );
        const compilerOptions = { module, moduleResolution, target: "ES2022", lib, types: [], strict: true, skipLibCheck: false, noEmit: true };
        writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
        execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder], { encoding: "utf8" });
      } catch (error) {
        assert.fail(error.stdout ?? error);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
}
