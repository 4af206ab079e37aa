/**
 * Checks calendar events against the rules of a calendar service, and determines the principal of a request to a realtime
 * database. The package is the Go library calrules compiled to WebAssembly, and returns the same answers as the command.
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
  EventIn,
  EventInput,
  ExpandAnswer,
  ExpandRequest,
  Finding,
  Fixes,
  IntentRequest,
  MakeAnswer,
  MakeRequest,
  Fixed,
  MergeOptions,
  Operation,
  Patch,
  Place,
  Rule,
  RuleId,
  TextFinding,
  VerbDescription,
} from "./types.js";
import { Machine, type Call } from "./machine.js";
import { inDraft, keysOf, type JsonSchemaOptions, type StandardResult, type StandardSchema } from "./standard.js";
import { bytes, encode, isAbsent, merged, mustBeObject, mustBeOneOf, mustBeString } from "./request.js";

export type * from "./types.js";
export type { JsonSchemaOptions, StandardIssue, StandardResult, StandardSchema } from "./standard.js";
export { CalrulesError, CrashError, EventError, LoadError, RequestError, UnknownRuleError };

/**
 * The source of the module: its address, as a string or a URL, its bytes, or a WebAssembly.Module. The type is any object,
 * because a WebAssembly.Module has no members that distinguish it from other objects.
 */
export type Source = string | object;

/** The streams that {@link Calrules.line} answers, like the command with `--ndjson`. */
export type Stream = "check" | "expand" | "make" | "decide";

const streams: readonly Stream[] = ["check", "expand", "make", "decide"];

/** The module's answer to an invalid request. */
interface Failure {
  error?: string;
  event?: string;
  findings?: Finding[];
  /** The unknown rule id. */
  rule?: string;
  suggestion?: string;
}

/**
 * Loads the module, by default from the file next to this file. A program should load the module once, so that checks start
 * without delay.
 *
 * @throws {LoadError} if the module cannot be fetched or compiled.
 */
export async function load(source: Source = new URL("./calrules.wasm", import.meta.url)): Promise<Calrules> {
  try {
    return await Calrules.start(await compile(source));
  } catch (cause) {
    throw new LoadError(`the module cannot be loaded: ${reason(cause)}`, { cause });
  }
}

/** Returns a thrown value as text. If the source only pretends to be a module, the thrown value may be anything. */
function reason(cause: unknown): string {
  try {
    return String(cause);
  } catch {
    return "the source cannot be read";
  }
}

// Kept out of the call of new URL, in which webpack would interpret the source as an import that it cannot resolve.
const here = import.meta.url;

async function compile(source: Source): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) {
    return source;
  }
  if (typeof source !== "string" && !(source instanceof URL)) {
    return WebAssembly.compile(source as BufferSource);
  }
  const url = new URL(source, here);
  if (url.protocol === "file:") {
    // An import would make bundlers for browsers fail, although browsers never execute this code.
    const { readFile } = process.getBuiltinModule("node:fs/promises");
    return WebAssembly.compile(await readFile(url));
  }
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`${url.href}: ${response.status} ${response.statusText}`);
  }
  return WebAssembly.compile(await response.arrayBuffer()); // accepts any media type, unlike compileStreaming
}

/**
 * Calrules is a loaded module. Its functions are synchronous, keep no state, and can be called without the object, as in
 * `const { check } = await load()`. Create a Calrules with {@link load}.
 */
export class Calrules {
  /** Absent during a call and after a failed call, so that no call uses an instance that stopped halfway. */
  private machine: Machine | undefined;
  /** Absent after {@link dispose}. */
  private module: WebAssembly.Module | undefined;
  private crash: CrashError | undefined;
  private starting: Promise<void> | undefined;

  private constructor(module: WebAssembly.Module, machine: Machine) {
    this.module = module;
    this.machine = machine;
    const own = this as unknown as Record<string, Function>;
    for (const name of Object.getOwnPropertyNames(Calrules.prototype)) {
      own[name] = own[name]!.bind(this);
    }
  }

  /** @internal */
  static async start(module: WebAssembly.Module): Promise<Calrules> {
    return new Calrules(module, await Machine.start(module));
  }

  /**
   * Frees the memory of the instance, which grows with the largest request and never shrinks. Later calls throw a {@link
   * RequestError}.
   */
  dispose(): void {
    this.machine = undefined;
    this.module = undefined;
  }

  /**
   * Answers a line of a stream like the command: `check` like `calrules check --ndjson`, `expand` like `calrules expand
   * --ndjson`, `make` like `calrules make --ndjson` and `decide` like `calrules rtdb --ndjson`. Numbers that JavaScript would
   * round are preserved. The answer to a line that is not a request contains the member `error`.
   *
   * @throws {RequestError} if there is no such stream, or the line is neither a string nor bytes.
   */
  line(stream: Stream, line: string | Uint8Array): string {
    mustBeOneOf("stream", stream, streams);
    return this.call(stream, bytes(line));
  }

  /**
   * Checks a request.
   *
   * @throws {RequestError} if the request is invalid, for example because it names no operation.
   */
  check<Op extends Operation, D extends Dialect = "documents">(request: CheckRequest<Op, D>): CheckAnswer<Finding, D> {
    mustBeObject("request", request);
    return answered<CheckAnswer<Finding, D>>(withoutId(this.ask("check", request), request));
  }

  /**
   * Checks the text of a body. Each finding includes its place in the text.
   *
   * @throws {RequestError} if the options do not make a valid request.
   */
  checkText<D extends Dialect = "documents">(text: string, options: CheckOptions<D> & { op: Operation }): CheckAnswer<TextFinding, D> {
    mustBeString("text", text);
    mustBeObject("options", options);
    const { answer, places } = this.ask("checkText", merged(options, { bodyText: text })) as {
      answer: CheckAnswer<TextFinding, D>;
      places: (Place | null)[];
    };
    answered(withoutId(answer, options));
    answer.findings.forEach((finding, i) => {
      const place = places[i];
      if (place) {
        finding.place = place;
      }
    });
    return answer;
  }

  /**
   * Returns a [Standard Schema](https://standardschema.dev) v1 for the body of a request, by default for events.insert. Form
   * libraries, among others, accept such schemas. An issue is a finding that rejects, without its fix; {@link fix} applies
   * fixes.
   *
   * @throws {RequestError} if the options do not make a valid request.
   */
  schema<D extends Dialect = "documents">(options: CheckOptions<D> & { op?: Operation } = {}): StandardSchema<EventInput<D>> {
    mustBeObject("options", options);
    const request = merged({ op: "events.insert" as Operation }, options);
    this.check(merged(request, { body: {} }));
    const { op, dialect } = request;
    const jsonSchema = (options: JsonSchemaOptions) => {
      mustBeObject("options", options);
      return inDraft(options.target, answered<{ schema: Record<string, unknown> }>(this.ask("schema", { op, dialect })).schema);
    };
    return {
      "~standard": {
        version: 1,
        vendor: "calrules",
        validate: (value) => this.validate(request, value) as StandardResult<EventInput<D>>,
        jsonSchema: { input: jsonSchema, output: jsonSchema },
      },
    };
  }

  private validate(request: CheckOptions & { op: Operation }, value: unknown): StandardResult<unknown> {
    try {
      const { findings } = this.check(merged(request, { body: (value ?? null) as object }));
      const issues = findings.filter(({ kind }) => kind === "reject").map(({ message, path }) => ({ message, path: keysOf(path, value) }));
      return issues.length > 0 ? { issues } : { value };
    } catch (error) {
      if (error instanceof RequestError) {
        return { issues: [{ message: error.message, path: [] }] }; // the value is not JSON
      }
      throw error;
    }
  }

  /**
   * Fixes a request by applying, one after another, the fixes that are `safe`, `all` fixes, or the fix of one finding. With
   * `best`, fix also leaves out values that the service would still refuse, if that helps; a person should confirm the
   * result. In a body given as text, all other characters are unchanged.
   *
   * @throws {RequestError} if the request is invalid, or if the finding has no fix or a fix that does not apply to the
   * request.
   */
  fix<R extends CheckRequest>(request: R, fixes: Fixes = "safe"): Fixed<R> {
    mustBeObject("request", request);
    if (typeof fixes === "string") {
      mustBeOneOf("fixes", fixes, ["safe", "all", "best"]);
    } else {
      mustBeObject("finding", fixes);
    }
    const fix = typeof fixes === "string" ? fixes : merged(fixes, {}).fix;
    if (fix === undefined) {
      throw new RequestError("the finding has no fix");
    }
    const { text, params, made } = answered<{ text?: string; params?: CheckRequest["params"]; made: Finding[] }>(this.ask("fix", { request, fix }));
    const changed: Partial<CheckRequest> = params && Object.keys(params).length > 0 ? { params } : {};
    if (text !== undefined) {
      Object.assign(changed, isAbsent(request, "bodyText") ? { body: JSON.parse(text) } : { bodyText: text });
    }
    return { request: merged(request, changed), made };
  }

  /**
   * Applies a patch or an update to a stored event, and returns the findings and the result. `event` is the event to
   * store; it is absent if the change is refused.
   *
   * @throws {RequestError} if the stored event is not an event.
   */
  merge<D extends Dialect = "documents">(
    stored: EventInput<D>,
    change: EventInput<D>,
    options: MergeOptions<D> = {},
  ): CheckAnswer<Finding, D> {
    mustBeObject("stored event", stored);
    mustBeObject("change", change);
    mustBeObject("options", options);
    const { op = "patch", ...others } = merged<MergeOptions<D>, object>(options, {});
    mustBeOneOf("op", op, ["patch", "update"]);
    const answer = this.check({ ...others, op: `events.${op}`, existing: stored, body: change } as CheckRequest<Operation, D>);
    if (answer.stored) {
      answer.event = answer.stored;
      delete answer.stored;
    }
    return answer;
  }

  /**
   * Returns the smallest merge patch (RFC 7396) that a client can send to turn one event into another, and the differences
   * that remain: values that only the service writes, and values that a patch cannot change.
   *
   * @throws {EventError} if one of them is not an event.
   */
  makePatch<D extends Dialect = "documents">(
    stored: EventInput<D>,
    next: EventInput<D>,
    options: { dialect?: D } = {},
  ): { patch: Patch<EventIn<D>>; remain: Difference[] } {
    return answered<{ patch: Patch<EventIn<D>>; remain: Difference[] }>(this.askAboutTwo("makePatch", stored, next, options));
  }

  /**
   * Returns the places at which two events differ. For a documented member, absence, null and the zero value of its type are
   * considered equal, unless absence has a separate meaning.
   *
   * @throws {EventError} if one of them is not an event.
   */
  diff<D extends Dialect = "documents">(a: EventInput<D>, b: EventInput<D>, options: { dialect?: D } = {}): Difference[] {
    return answered<{ differences: Difference[] }>(this.askAboutTwo("diff", a, b, options)).differences;
  }

  /**
   * Returns the instances of a series in a window, or answers a question about the instances. If the search ended early, the
   * answer contains `error` in addition to `instances` or `count`.
   *
   * @throws {RequestError} if the request cannot be answered at all.
   */
  expand<D extends Dialect = "documents">(request: ExpandRequest<D>): ExpandAnswer<D> {
    mustBeObject("request", request);
    const answer = withoutId(this.ask("expand", request), request) as ExpandAnswer<D>;
    return answer.instances || answer.count !== undefined ? answer : answered(answer);
  }

  /**
   * Applies a verb to a series: `{ verb: "move", with: { to: "2026-03-10" }, series, exceptions }`. The answer contains the
   * requested information, or the changed series. The answer to an intent, such as `{ verb: "respond", with: { status:
   * "accepted" }, existing }`, contains the requests to send. If the search ended early, the answer contains `error` in
   * addition to `instances` or `count`.
   *
   * @throws {RequestError} if there is no such verb, or if no recurrence lines express exactly the required instances.
   */
  make<D extends Dialect = "documents">(request: MakeRequest<D> | IntentRequest<D>): MakeAnswer<D> {
    mustBeObject("request", request);
    const answer = withoutId(this.ask("make", request), request) as MakeAnswer<D>;
    return answer.instances || answer.count !== undefined ? answer : answered(answer);
  }

  /**
   * Determines the principal of a request to the realtime database. The answer contains no token.
   *
   * @throws {RequestError} if the request is invalid.
   */
  decide(request: DecideRequest): Decision {
    mustBeObject("request", request);
    return answered<Decision>(withoutId(this.ask("decide", request), request));
  }

  /**
   * Returns a rule: its requirement, its sources, its reason, and a good and a bad example.
   *
   * @throws {UnknownRuleError} if no rule has the id.
   */
  explain(id: RuleId, options: { dialect?: Dialect } = {}): Rule {
    mustBeString("id", id);
    mustBeObject("options", options);
    const answer = this.ask("rules", merged(options, { id })) as Failure & { rules?: Rule[] };
    const rule = answer.rules?.find((one) => one.id === id); // without an id, the module returns all rules
    if (rule) {
      return rule;
    }
    if ((id as string) === "" || answer.rule === id) {
      throw new UnknownRuleError(answer.error ?? 'unknown rule ""', answer.suggestion);
    }
    return answered(answer);
  }

  /** Returns all rules. */
  rules(options: { dialect?: Dialect } = {}): Rule[] {
    mustBeObject("options", options);
    return answered<{ rules: Rule[] }>(this.ask("rules", merged(options, { id: undefined }))).rules;
  }

  /** Returns the verbs of {@link make} with their arguments, for forms. */
  verbs(): VerbDescription[] {
    return answered<{ verbs: VerbDescription[] }>(this.ask("verbs", {})).verbs;
  }

  private askAboutTwo(call: Call, a: unknown, b: unknown, options: object): unknown {
    mustBeObject("first event", a);
    mustBeObject("second event", b);
    mustBeObject("options", options);
    return this.ask(call, merged(options, { a, b }));
  }

  private ask(call: Call, request: object): unknown {
    return JSON.parse(this.call(call, encode(request)));
  }

  /** Calls a function of the module with a text. The instance is kept for the next call only if it has answered. */
  private call(call: Call, text: Uint8Array): string {
    const machine = this.machine ?? this.startNow();
    this.machine = undefined;
    try {
      const answer = machine.answer(call, text);
      this.machine = machine;
      return answer;
    } catch (error) {
      this.crash = error as CrashError;
      throw error;
    }
  }

  /** Starts an instance to replace an instance that has failed. */
  private startNow(): Machine {
    const { module } = this;
    if (!module) {
      throw new RequestError("the object is disposed of; load another");
    }
    try {
      return Machine.startNow(module);
    } catch (cause) {
      // On the main thread of a page, Chromium starts a module of this size only asynchronously.
      this.starting ??= Machine.start(module).then(
        (machine) => {
          this.starting = undefined;
          if (this.module) {
            this.machine ??= machine;
          }
        },
        () => {
          this.starting = undefined;
        },
      );
      throw this.crash ?? new CrashError(`the module does not start: ${reason(cause)}`, "");
    }
  }
}

/** Removes the id from the answer to a request without an id, for which the module writes a null id. */
function withoutId(answer: unknown, request: object): unknown {
  const answered = answer as { id?: unknown };
  if (answered.id === null && isAbsent(request, "id")) {
    delete answered.id;
  }
  return answer;
}

/** Returns an answer, or throws the error that the answer reports. */
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
