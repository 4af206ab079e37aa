/**
 * Checks calendar events against the rules of a calendar service, and decides who a request to a realtime
 * database acts as. It is the library calrules as WebAssembly, and gives the same answers as the command.
 *
 * ```js
 * import { load } from "@calrules/calrules";
 *
 * const calrules = await load();
 * const { accepted, findings } = calrules.check({ op: "events.insert", body: event });
 * ```
 */
import { CalrulesError, CrashError, EventError, LoadError, RequestError, UnknownRuleError } from "./errors.js";
import type {
  CheckAnswer,
  CheckOptions,
  CheckRequest,
  Decision,
  DecideRequest,
  Dialect,
  Difference,
  Event,
  ExpandAnswer,
  ExpandRequest,
  Finding,
  MergeOptions,
  Place,
  Rule,
  TextFinding,
} from "./types.js";
import { Exit, Host } from "./wasi.js";

export type * from "./types.js";
export { CalrulesError, CrashError, EventError, LoadError, RequestError, UnknownRuleError };

/** Where the module comes from: its address, its bytes, or what was compiled of it. */
export type Source = URL | string | BufferSource | WebAssembly.Module;

/** The streams that {@link Calrules.line} answers, as the command does with `--ndjson`. */
export type Stream = "check" | "expand" | "decide";

type Call = Stream | "checkText" | "diff" | "makePatch" | "rules";

/** The exports of the module. */
type Exports = Record<Call, () => number> & {
  memory: WebAssembly.Memory;
  _initialize(): void;
  input(length: number): number;
  output(): number;
};

/** The answer of the module to a request that it cannot answer. */
interface Failure {
  error?: string;
  event?: string;
  findings?: Finding[];
  suggestion?: string;
}

/**
 * Loads the module, by default from the file beside this one. Load it once: checks then start without delay.
 *
 * @throws {LoadError} if the module cannot be fetched or compiled.
 */
export async function load(source: Source = new URL("./calrules.wasm", import.meta.url)): Promise<Calrules> {
  try {
    const module = await compile(source);
    const host = new Host();
    const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: host.imports() });
    return new Calrules(module, initialized(instance, host));
  } catch (cause) {
    throw new LoadError(`the module cannot be loaded: ${spoken(cause)}`, { cause });
  }
}

/** A module that runs, and its connection to the outside. */
interface Running {
  exports: Exports;
  host: Host;
}

function initialized(instance: WebAssembly.Instance, host: Host): Running {
  const exports = instance.exports as unknown as Exports;
  host.attach(exports.memory);
  exports._initialize();
  return { exports, host };
}

/** Returns what was thrown as text: not every value can be one. */
function spoken(cause: unknown): string {
  try {
    return String(cause);
  } catch {
    return typeof cause;
  }
}

async function compile(source: Source): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) {
    return source;
  }
  if (typeof source !== "string" && !(source instanceof URL)) {
    return WebAssembly.compile(source);
  }
  const url = new URL(source, import.meta.url);
  if (url.protocol === "file:") {
    // Not an import, which would stop bundlers for browsers, though these never get here.
    const { readFile } = process.getBuiltinModule("node:fs/promises");
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`${url.href}: ${response.status} ${response.statusText}`);
  }
  return WebAssembly.compile(await response.arrayBuffer()); // any media type, unlike compileStreaming
}

/** Calrules is a loaded module. Its functions are synchronous and keep no state. Make one with {@link load}. */
export class Calrules {
  private readonly encoder = new TextEncoder();
  private readonly decoder = new TextDecoder();

  /** @internal */
  constructor(
    private readonly module: WebAssembly.Module,
    private running: Running | undefined,
  ) {}

  /**
   * Answers a line of a stream as the command does: `check` as `calrules check --ndjson`, `expand` as
   * `calrules expand --ndjson` and `decide` as `calrules rtdb --ndjson`. Numbers that JavaScript would round
   * stay as they are. A line that is not a request gets an answer with the member `error`.
   *
   * @throws {RequestError} if there is no such stream, or the line is neither text nor bytes.
   */
  line(stream: Stream, line: string | Uint8Array): string {
    if (!streams.includes(stream)) {
      throw new RequestError(`the stream is ${named(stream)}; it must be check, expand or decide`);
    }
    if (typeof line !== "string" && !(line instanceof Uint8Array)) {
      throw new RequestError(`the line is ${named(line)}; it must be a string or a Uint8Array`);
    }
    return this.call(stream, line);
  }

  /**
   * Checks a request.
   *
   * @throws {RequestError} if it is not a valid request, for example because it names no operation.
   */
  check(request: CheckRequest): CheckAnswer {
    return answered<CheckAnswer>(this.ask("check", () => request));
  }

  /**
   * Checks the text of a body. The findings say where they are in the text.
   *
   * @throws {RequestError} if the options do not make a valid request.
   */
  checkText(text: string, options: CheckOptions & { op: string }): CheckAnswer<TextFinding> {
    if (typeof text !== "string") {
      throw new RequestError(`the text is ${named(text)}; it must be a string`);
    }
    const { answer, places } = this.ask("checkText", () => ({ ...options, bodyText: text })) as {
      answer: CheckAnswer<TextFinding>;
      places: (Place | null)[];
    };
    answered(answer);
    answer.findings.forEach((finding, i) => {
      const place = places[i];
      if (place) {
        finding.place = place;
      }
    });
    return answer;
  }

  /**
   * Applies a patch or an update to a stored event, and returns the findings and the result. `event` is the event to
   * store; it is absent if the change is refused.
   *
   * @throws {RequestError} if the stored event is not an event.
   */
  merge(stored: Event, change: Event, options: MergeOptions = {}): CheckAnswer {
    const request = () => ({ ...options, op: `events.${options?.op ?? "patch"}`, existing: stored, body: change });
    const answer = answered<CheckAnswer>(this.ask("check", request));
    if (answer.stored) {
      answer.event = answer.stored;
      delete answer.stored;
    }
    return answer;
  }

  /**
   * Returns the smallest merge patch (RFC 7396) that a client can send to turn one event into another, and the
   * differences that remain: what only the service writes, and what a patch cannot change.
   *
   * @throws {EventError} if one of them is not an event.
   */
  makePatch(stored: Event, next: Event, options: { dialect?: Dialect } = {}): { patch: Event; remain: Difference[] } {
    return answered<{ patch: Event; remain: Difference[] }>(this.ask("makePatch", () => ({ a: stored, b: next, ...options })));
  }

  /**
   * Returns the places in which two events differ. A documented member that is absent, null or the zero value of its
   * type counts as the same, unless absence has a meaning of its own.
   *
   * @throws {EventError} if one of them is not an event.
   */
  diff(a: Event, b: Event, options: { dialect?: Dialect } = {}): Difference[] {
    return answered<{ differences: Difference[] }>(this.ask("diff", () => ({ a, b, ...options }))).differences;
  }

  /**
   * Returns the instances of a series in a window, or answers a question about them. An answer has `error` beside
   * `instances` or `count` if the search ended early.
   *
   * @throws {RequestError} if the request cannot be answered at all.
   */
  expand(request: ExpandRequest): ExpandAnswer {
    const answer = this.ask("expand", () => request) as ExpandAnswer;
    return answer.instances || answer.count !== undefined ? answer : answered(answer);
  }

  /**
   * Decides who a request to the realtime database acts as. The answer contains no token.
   *
   * @throws {RequestError} if it is not a valid request.
   */
  decide(request: DecideRequest): Decision {
    return answered<Decision>(this.ask("decide", () => request));
  }

  /**
   * Returns a rule: what it says, where that is written, why, and a good and a bad example.
   *
   * @throws {UnknownRuleError} if no rule has the id.
   * @throws {RequestError} if the id is not a string.
   */
  explain(id: string, options: { dialect?: Dialect } = {}): Rule {
    if (typeof id !== "string") {
      throw new RequestError(`the id is ${named(id)}; it must be a string`);
    }
    const answer = this.ask("rules", () => ({ id, ...options })) as Failure & { rules?: Rule[] };
    const rule = answer.rules?.[0];
    if (!rule) {
      throw new UnknownRuleError(answer.error ?? `unknown rule ${JSON.stringify(id)}`, answer.suggestion);
    }
    return rule;
  }

  /** Returns all rules. */
  rules(options: { dialect?: Dialect } = {}): Rule[] {
    return answered<{ rules: Rule[] }>(this.ask("rules", () => ({ ...options }))).rules;
  }

  /** Calls a function of the module with a request. What is wrong with the request itself does not reach the module. */
  private ask(call: Call, make: () => object): unknown {
    const answer = JSON.parse(this.call(call, encoded(make))) as { id?: unknown };
    if (answer.id === null) {
      delete answer.id; // the request has none
    }
    return answer;
  }

  /** Calls a function of the module with a text. After a crash, the next call starts the module again. */
  private call(call: Call, request: string | Uint8Array): string {
    const text = typeof request === "string" ? this.encoder.encode(request) : request;
    const { exports, host } = (this.running ??= this.start());
    try {
      const input = exports.input(text.length);
      new Uint8Array(exports.memory.buffer, input, text.length).set(text);
      const length = exports[call]();
      return this.decoder.decode(new Uint8Array(exports.memory.buffer, exports.output(), length));
    } catch (cause) {
      this.running = undefined;
      throw crashed(cause, host);
    }
  }

  private start(): Running {
    try {
      const host = new Host();
      return initialized(new WebAssembly.Instance(this.module, { wasi_snapshot_preview1: host.imports() }), host);
    } catch (cause) {
      // Some browsers start a large module only asynchronously.
      throw new LoadError(`the module cannot be started again, load it: ${spoken(cause)}`, { cause });
    }
  }
}

const streams: readonly unknown[] = ["check", "expand", "decide"] satisfies Stream[];

function crashed(cause: unknown, host: Host): CrashError {
  const trace = host.trace();
  const reason = cause instanceof Exit ? (trace.split("\n", 1)[0] ?? "") : spoken(cause);
  return new CrashError(`the module stopped: ${reason}`, trace);
}

/** Returns a request as JSON. What JSON cannot have, such as a cycle or a BigInt, is an error of the caller. */
function encoded(make: () => unknown): string {
  let text: unknown;
  let request: unknown;
  try {
    request = make();
    text = JSON.stringify(request);
  } catch (cause) {
    throw new RequestError(`the request cannot be written as JSON: ${spoken(cause)}`, { cause });
  }
  if (typeof text !== "string" || typeof request !== "object" || request === null) {
    throw new RequestError(`the request is ${named(request)}; it must be an object`);
  }
  return text;
}

/** Returns what a value is, for a message. */
function named(value: unknown): string {
  if (value === null || value === undefined) {
    return String(value);
  }
  return typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : `a value of type ${typeof value}`;
}

/** Returns an answer, or throws the error that it is. */
function answered<T>(answer: unknown): T {
  const { error, event, findings } = answer as Failure;
  if (error === undefined) {
    return answer as T;
  }
  if (event !== undefined) {
    throw new EventError(`${event} is not an event: ${error}`, findings ?? []);
  }
  throw new RequestError(error);
}
