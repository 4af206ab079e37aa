// What callers pass is checked and encoded here, before the module sees it: the module trusts its caller.
import { RequestError } from "./errors.js";

const encoder = new TextEncoder();

/** Encodes a request as JSON. Like JSON.stringify, it leaves out members that are undefined. */
export function encode(request: unknown): Uint8Array {
  const text = guarded("the request is not JSON", () => JSON.stringify(request, refuseCode));
  if (text === undefined) {
    throw new RequestError("the request is not JSON");
  }
  return encoder.encode(text);
}

/** JSON.stringify leaves functions and symbols out without a word, and so the answer would be about something else. */
function refuseCode(name: string, value: unknown): unknown {
  if (typeof value === "function" || typeof value === "symbol") {
    throw new RequestError(`the member ${JSON.stringify(name)} is a ${typeof value}`);
  }
  return value;
}

/** Returns the bytes of a line. */
export function bytes(line: unknown): Uint8Array {
  if (typeof line === "string") {
    return encoder.encode(line);
  }
  return guarded("the line cannot be read", () => {
    if (!ArrayBuffer.isView(line)) {
      throw new RequestError(`the line must be a string or bytes; it is ${described(line)}`);
    }
    return new Uint8Array(line.buffer, line.byteOffset, line.byteLength);
  });
}

/** Throws unless a value is an object and no array. */
export function mustBeObject(name: string, value: unknown): void {
  const object = typeof value === "object" && value !== null && !guarded(`the ${name} cannot be read`, () => Array.isArray(value));
  if (!object) {
    throw new RequestError(`the ${name} must be an object; it is ${described(value)}`);
  }
}

/** Throws unless a value is a string. */
export function mustBeString(name: string, value: unknown): void {
  if (typeof value !== "string") {
    throw new RequestError(`the ${name} must be a string; it is ${described(value)}`);
  }
}

/** Throws unless a value is one of some strings. */
export function mustBeOneOf(name: string, value: unknown, allowed: readonly string[]): void {
  if (!(allowed as readonly unknown[]).includes(value)) {
    const list = allowed.map((one) => JSON.stringify(one)).join(", ");
    throw new RequestError(`the ${name} must be one of ${list}; it is ${typeof value === "string" ? JSON.stringify(value) : described(value)}`);
  }
}

/** Returns a copy of the members of an object, with others. */
export function merged<T extends object, U extends object>(object: T, others: U): T & U {
  return guarded("the options cannot be read", () => ({ ...object, ...others }));
}

/** Whether an object has no value for a member. */
export function isAbsent(object: object, name: string): boolean {
  return guarded("the request cannot be read", () => (object as Record<string, unknown>)[name] === undefined);
}

/** Calls a function that reads what the caller gave: getters, proxies and toJSON are the caller's code. */
function guarded<T>(message: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof RequestError) {
      throw cause;
    }
    throw new RequestError(cause instanceof Error ? `${message}: ${cause.message}` : message, { cause });
  }
}

function described(value: unknown): string {
  if (value === null || value === undefined) {
    return String(value);
  }
  return typeof value === "object" ? "an array or another object" : `a ${typeof value}`;
}
