import type { Finding } from "./types.js";

/** CalrulesError is the class of all errors of this package. `code` says which one it is. */
export abstract class CalrulesError extends Error {
  abstract readonly code: "load" | "request" | "event" | "unknown-rule" | "crash";
  override get name(): string {
    return this.constructor.name;
  }
}

/** LoadError: the WebAssembly module could not be fetched or compiled. `cause` has the reason. */
export class LoadError extends CalrulesError {
  readonly code = "load";
}

/** RequestError: a request cannot be answered, for example because it names no operation. It is a bug in the program. */
export class RequestError extends CalrulesError {
  readonly code = "request";
}

/** EventError: a text that must be an event is not one. `findings` says what is wrong with it. */
export class EventError extends CalrulesError {
  readonly code = "event";
  constructor(
    message: string,
    readonly findings: Finding[],
  ) {
    super(message);
  }
}

/** UnknownRuleError: no rule has the id. `suggestion` is the nearest id, if one is near. */
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
 * CrashError: the module stopped, because of a bug in it or because the stack or the memory of its caller ended. `trace` has
 * the reason. The next call starts a new instance. On the thread of a page, that may be possible only after the page has
 * returned to its event loop; until then, calls throw the error again.
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
