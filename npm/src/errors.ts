import type { Finding } from "./types.js";

/** CalrulesError is the base class of all errors in this package. `code` identifies the kind of error. */
export abstract class CalrulesError extends Error {
  abstract readonly code: "load" | "request" | "event" | "unknown-rule" | "crash";
  override get name(): string {
    return this.constructor.name;
  }
}

/** LoadError: the WebAssembly module could not be fetched or compiled. `cause` contains the reason. */
export class LoadError extends CalrulesError {
  readonly code = "load";
}

/**
 * RequestError: a request cannot be answered, for example because it names no operation. Such an error is a bug in the
 * calling program.
 */
export class RequestError extends CalrulesError {
  readonly code = "request";
}

/** EventError: a text that must be an event is not an event. `findings` contains the reasons. */
export class EventError extends CalrulesError {
  readonly code = "event";
  constructor(
    message: string,
    readonly findings: Finding[],
  ) {
    super(message);
  }
}

/** UnknownRuleError: no rule has the id. `suggestion` is the most similar id, if any id is similar. */
export class UnknownRuleError extends CalrulesError {
  readonly code = "unknown-rule";
  constructor(
    message: string,
    readonly suggestion: string | undefined,
  ) {
    super(message);
  }
}

/**
 * CrashError: the module stopped, because of a bug in the module or because the caller ran out of stack or memory. `trace`
 * contains the reason. The next call starts a new instance. On the main thread of a page, a new instance may be possible only
 * after the page has returned to its event loop; until then, calls throw the error again.
 */
export class CrashError extends CalrulesError {
  readonly code = "crash";
  constructor(
    message: string,
    readonly trace: string,
  ) {
    super(message);
  }
}
