// The configuration for both releases of webpack.
const { join } = require("node:path");

module.exports = (target, out) => ({
  mode: "production",
  target: target === "node" ? "node20" : "web",
  entry: join(__dirname, "programs/plain.js"),
  output: { path: out, filename: "main.mjs", module: true, chunkFormat: "module" },
  experiments: { outputModule: true },
  performance: { hints: false },
});
