import { CrashError } from "./errors.js";
import { Host } from "./wasi.js";

/** The functions of the module, each of which returns a text as the answer to a text. */
export type Call = "check" | "expand" | "make" | "decide" | "checkText" | "fix" | "diff" | "makePatch" | "rules" | "schema" | "verbs";

/** The exports of the module. */
type Exports = Record<Call, () => number> & {
  memory: WebAssembly.Memory;
  _initialize(): void;
  input(length: number): number;
  output(): number;
};

/** Machine is a running instance of the module. After a failed call, the instance must not be called again. */
export class Machine {
  private readonly decoder = new TextDecoder();

  private constructor(
    private readonly exports: Exports,
    private readonly host: Host,
  ) {}

  /** Starts an instance. */
  static async start(module: WebAssembly.Module): Promise<Machine> {
    const host = new Host();
    return Machine.run(await WebAssembly.instantiate(module, Machine.imports(host)), host);
  }

  /** Starts an instance synchronously. On the main thread of a page, browsers may refuse to start so large a module. */
  static startNow(module: WebAssembly.Module): Machine {
    const host = new Host();
    return Machine.run(new WebAssembly.Instance(module, Machine.imports(host)), host);
  }

  private static imports(host: Host): WebAssembly.Imports {
    return { wasi_snapshot_preview1: host.imports() };
  }

  private static run(instance: WebAssembly.Instance, host: Host): Machine {
    const exports = instance.exports as unknown as Exports;
    host.attach(exports.memory);
    exports._initialize();
    return new Machine(exports, host);
  }

  /**
   * Calls a function of the module with a text.
   *
   * @throws {CrashError} if the module stops.
   */
  answer(call: Call, text: Uint8Array): string {
    try {
      const input = this.exports.input(text.length);
      new Uint8Array(this.exports.memory.buffer, input, text.length).set(text);
      const length = this.exports[call]();
      return this.decoder.decode(new Uint8Array(this.exports.memory.buffer, this.exports.output(), length));
    } catch (cause) {
      const trace = this.host.trace();
      const [reason] = trace.split("\n", 1);
      throw new CrashError(`the module stopped: ${reason || String(cause)}`, trace);
    }
  }
}
