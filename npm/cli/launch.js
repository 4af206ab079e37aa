#!/usr/bin/env node
// Runs the program in the package for this platform, which npm selected from the optional dependencies.
"use strict";
const { spawn } = require("node:child_process");
const { name, bin } = require("./package.json");

const [program] = Object.keys(bin);
const platform = `${process.platform}-${process.arch}`;

let file;
try {
  file = require.resolve(`${name}-${platform}/bin/${program}${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`${program}: the package ${name}-${platform} is not installed; install ${name} with its optional dependencies, or build ${program} if there is none for this platform`);
  process.exit(2);
}

const child = spawn(file, process.argv.slice(2), { stdio: "inherit" });
const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
for (const signal of signals) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`${program}: ${error.message}`);
  process.exit(2);
});
child.on("exit", (status, signal) => {
  if (signal === null) {
    process.exit(status);
  }
  signals.forEach((s) => process.removeAllListeners(s));
  process.kill(process.pid, signal);
});
