// The command, built from the same source, for comparison.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Builds the command, calls use with the path of the program, and removes the program. */
export async function withCommand(use) {
  const folder = mkdtempSync(join(tmpdir(), "calrules-"));
  try {
    const program = join(folder, process.platform === "win32" ? "calrules.exe" : "calrules");
    execFileSync("go", ["build", "-trimpath", "-o", program, "./cmd/calrules"], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      stdio: "inherit",
    });
    return await use(program);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs the command, and returns the lines that it prints. */
export function lines(program, args, input = "") {
  const text = execFileSync(program, args, { input, encoding: "utf8", maxBuffer: 1 << 30 });
  return text.split("\n").slice(0, -1);
}
