// Collects the licenses of distributed code. As a program, this file writes the licenses for calrules.wasm and for a bundle,
// whose esbuild metafile is the argument.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const go = (...args) => execFileSync("go", args, { cwd: root, encoding: "utf8", env: { ...process.env, GOOS: "wasip1", GOARCH: "wasm" } });

/** Returns the folders of Go, of the modules linked into calrules.wasm, and of the third-party data in calrules, by name. */
function linked() {
  const modules = go("list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Dir}}{{end}}{{end}}", "./reactor");
  const data = ["Unicode CLDR", join(root, "../internal/zone/cldr")];
  return new Map([["Go", go("env", "GOROOT").trim()], data, ...modules.trim().split(/\n+/).map((line) => line.split("\t"))]);
}

/** Returns the folders of the npm packages in a bundle, by name. */
function bundled(metafile) {
  const names = Object.keys(metafile.inputs).map((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]);
  return new Map(names.filter(Boolean).map((name) => [name, join(root, "node_modules", name)]));
}

/** Returns the concatenated license texts. */
export function licenses(metafile = { inputs: {} }) {
  const folders = [...linked(), ...bundled(metafile)].sort(([a], [b]) => (a < b ? -1 : 1));
  return folders.map(([name, folder]) => `${name}\n\n${licenseIn(name, folder)}\n`).join(`\n${"-".repeat(72)}\n\n`);
}

function licenseIn(name, folder) {
  const file = ["LICENSE", "LICENSE.txt", "LICENSE.md"].map((file) => join(folder, file)).find(existsSync);
  if (!file) {
    throw new Error(`${name} has no license`);
  }
  return readFileSync(file, "utf8").trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(licenses(JSON.parse(readFileSync(process.argv[2], "utf8"))));
}
