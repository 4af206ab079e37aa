// Bundles small programs that load the package, as installed by npm, with several bundlers, runs the programs, and compares
// their output. The programs are in bundlers/programs. The script requires Chromium. With an argument, the script runs only
// the bundlers whose names contain the argument.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { launch, serve } from "../test/chromium.js";

const want = '["time.order"]';
const folder = fileURLToPath(new URL("../bundlers", import.meta.url));
const out = (name) => join(folder, "out", name);
const require = createRequire(join(folder, "package.json"));
const program = (name) => join(folder, "programs", name);
const wasm = join(folder, "node_modules/@calrules/calrules/dist/calrules.wasm");
const run = (command, ...args) => execFileSync(command, args, { cwd: folder, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } });
const node = (...args) => run(process.execPath, ...args).trim();
const versionOf = (name) => JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")).version;

/** Copies the files that npm would publish to the folder in which npm would install them. */
function install() {
  const target = join(folder, "node_modules/@calrules/calrules");
  rmSync(target, { recursive: true, force: true });
  rmSync(out(""), { recursive: true, force: true });
  for (const name of [target, out("")]) {
    mkdirSync(name, { recursive: true });
  }
  const [{ filename }] = JSON.parse(run("npm", "pack", "..", "--json", "--pack-destination", out("")));
  run("tar", "-xzf", out(filename), "-C", target, "--strip-components=1");
}

const browser = await launch();

/** Returns the text shown by a page that loads main.mjs in a folder, or by the folder's own index.html. */
async function show(name, html = '<!doctype html><body><script type="module" src="main.mjs"></script>') {
  if (html) {
    writeFileSync(join(out(name), "index.html"), html);
  }
  const server = await serve(out(name));
  const page = await browser.newPage();
  try {
    page.on("pageerror", (error) => console.error(String(error)));
    await page.goto(server.address);
    await page.waitForFunction(() => document.body.textContent.includes("["), undefined, { timeout: 20_000 });
    return (await page.textContent("body")).trim();
  } finally {
    await page.close();
    server.close();
  }
}

async function webpack(name, target) {
  const bundle = require(name);
  const path = out(`${name}-${target}`);
  const config = require("./webpack.config.cjs")(target, path);
  const stats = await new Promise((resolve, reject) => bundle(config, (error, stats) => (error ? reject(error) : resolve(stats))));
  assert.deepEqual(stats.toJson().errors.concat(stats.toJson().warnings).map(({ message }) => message), []);
  return target === "node" ? node(join(path, "main.mjs")) : show(`${name}-${target}`);
}

async function vite(name, entry) {
  const { build } = await import(pathOf("vite", "dist/node/index.js"));
  writeFileSync(join(folder, "index.html"), `<!doctype html><body><script type="module" src="programs/${entry}"></script>`);
  try {
    await build({ root: folder, configFile: false, logLevel: "warn", base: "./", build: { outDir: out(name), target: "es2022" } });
  } finally {
    rmSync(join(folder, "index.html"));
  }
  return show(name, null);
}

const pathOf = (name, file) => join(folder, "node_modules", name, file);

async function esbuild(platform) {
  const { build } = require("esbuild");
  const name = `esbuild-${platform}`;
  await build({
    absWorkingDir: folder,
    entryPoints: [program("file.js")],
    bundle: true,
    format: "esm",
    target: "es2022",
    platform,
    loader: { ".wasm": "file" },
    outfile: join(out(name), "main.mjs"),
  });
  return platform === "node" ? node(join(out(name), "main.mjs")) : show(name);
}

async function rollup() {
  const { rollup } = require("rollup");
  const { nodeResolve } = require("@rollup/plugin-node-resolve");
  const bundle = await rollup({
    input: program("plain.js"),
    plugins: [nodeResolve()],
    onwarn: ({ message }) => assert.fail(message),
  });
  await bundle.write({ file: join(out("rollup"), "main.mjs"), format: "es" });
  copyFileSync(wasm, join(out("rollup"), "calrules.wasm"));
  return `${node(join(out("rollup"), "main.mjs"))}${await show("rollup")}`.slice(want.length);
}

async function workerd() {
  const { build } = require("esbuild");
  await build({
    absWorkingDir: folder,
    entryPoints: [program("worker.js")],
    bundle: true,
    format: "esm",
    target: "es2022",
    external: ["./calrules.wasm"],
    outfile: join(out("workerd"), "worker.js"),
  });
  copyFileSync(wasm, join(out("workerd"), "calrules.wasm"));
  const options = ["serve", "workerd.capnp", "--socket-addr", "http=127.0.0.1:0", "--control-fd=3"];
  const server = spawn(native("@cloudflare", "bin/workerd"), options, { cwd: folder, stdio: ["ignore", "inherit", "inherit", "pipe"] });
  try {
    const { port } = JSON.parse(await new Promise((resolve) => server.stdio[3].once("data", (data) => resolve(String(data).trim().split("\n").at(-1)))));
    const answers = [];
    for (let i = 0; i < 2; i++) {
      answers.push(await (await fetch(`http://127.0.0.1:${port}/`)).text());
    }
    assert.equal(answers[0], answers[1]);
    return answers[0];
  } finally {
    server.kill();
  }
}

/** Returns the program of a package that has a separate package for each platform. */
function native(scope, file) {
  const list = join(folder, "node_modules", scope);
  return join(list, readdirSync(list)[0], file);
}

const all = {
  [`Node ${process.versions.node}`]: () => node(program("plain.js")),
  [`Node ${process.versions.node}, require`]: () => node(program("require.cjs")),
  [`Deno ${versionOf("deno")}`]: () => run(native("@deno", "deno"), "run", "--allow-read", program("plain.js")).trim(),
  [`Bun ${versionOf("bun")}`]: () => run(native("@oven", "bin/bun"), program("plain.js")).trim(),
  [`webpack ${versionOf("webpack")}, for browsers`]: () => webpack("webpack", "web"),
  [`webpack ${versionOf("webpack")}, for Node`]: () => webpack("webpack", "node"),
  [`webpack ${versionOf("webpack-5.97")}, for browsers`]: () => webpack("webpack-5.97", "web"),
  [`webpack ${versionOf("webpack-5.97")}, for Node`]: () => webpack("webpack-5.97", "node"),
  [`Vite ${versionOf("vite")}`]: () => vite("vite", "plain.js"),
  [`Vite ${versionOf("vite")}, with ?url`]: () => vite("vite-url", "url.js"),
  [`esbuild ${versionOf("esbuild")}, for browsers`]: () => esbuild("browser"),
  [`esbuild ${versionOf("esbuild")}, for Node`]: () => esbuild("node"),
  [`Rollup ${versionOf("rollup")}`]: rollup,
  [`workerd ${versionOf("workerd")}`]: workerd,
};

install();
try {
  for (const [name, use] of Object.entries(all).filter(([name]) => name.includes(process.argv[2] ?? ""))) {
    try {
      assert.equal(await use(), want);
      console.log(`ok ${name}`);
    } catch (error) {
      process.exitCode = 1;
      console.error(`not ok ${name}: ${error.message}`);
    }
  }
} finally {
  await browser.close();
}
