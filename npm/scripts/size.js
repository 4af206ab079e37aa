// Measures the files in the package and writes the figures to the README. With --check, the script only measures, and fails
// if the package is too large.
import { readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import { replaceFigures } from "./figures.js";

const most = 1_450_000; // the total bytes of the module and the JavaScript, compressed with brotli

const compress = (data) =>
  brotliCompressSync(data, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
    },
  });
const sizes = ["calrules.wasm", "index.js"].map((name) => {
  const data = readFileSync(new URL(`../dist/${name}`, import.meta.url));
  return { name, plain: data.length, brotli: compress(data).length };
});
const total = sizes.reduce((sum, { brotli }) => sum + brotli, 0);
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(bytes < 100_000 ? 1 : 0)} kB`;
const table = [
  "| file | bytes | with brotli |",
  "| --- | ---: | ---: |",
  ...sizes.map(({ name, plain, brotli }) => `| ${name} | ${kilobytes(plain)} | ${kilobytes(brotli)} |`),
].join("\n");

console.log(table);
if (total > most) {
  console.error(`The package has ${total} bytes with brotli; it may have ${most}.`);
  process.exitCode = 1;
}
if (!process.argv.includes("--check")) {
  replaceFigures("size", table);
}
