// This file checks and encodes the arguments of callers, because the module trusts its caller.
import { RequestError } from "./errors.js";

const encoder = new TextEncoder();

/** Encodes a request as JSON. Like JSON.stringify, encode leaves out undefined members. */
export function encode(request: unknown): Uint8Array {
  return guarded("the request is not JSON", () => {
    const text = JSON.stringify(request, refuseOthers);
    if (text === undefined) {
      throw new RequestError("the request is not JSON");
    }
    return encoder.encode(text);
  });
}

/**
 * Throws for a value that JSON.stringify would silently change. For example, JSON.stringify leaves out functions and symbols,
 * and turns NaN into null and a Map into an empty object. The answer would then be about a different request.
 */
function refuseOthers(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const what = notJSON(this, name, value);
  if (what !== undefined) {
    throw new RequestError(`the member ${JSON.stringify(name)} is ${what}`);
  }
  return value;
}

/** Returns a description of a member's value if JSON.stringify would change the value, or undefined otherwise. */
function notJSON(holder: Record<string, unknown>, name: string, value: unknown): string | undefined {
  if (typeof value === "function" || typeof value === "symbol") {
    return `a ${typeof value}`;
  }
  if (typeof value === "number" || value instanceof Number) {
    return Number.isFinite(Number(value)) ? undefined : String(value);
  }
  if (value === undefined) {
    return Array.isArray(holder) ? "undefined" : undefined;
  }
  if (value === null) {
    return holder[name] instanceof Date ? "an invalid Date" : undefined;
  }
  return typeof value !== "object" || hasMembers(value) ? undefined : `a ${kindOf(value)}`;
}

/**
 * Reports whether the content of an object consists of its members, unlike the content of a Map, bytes, or the Headers of a
 * request.
 */
function hasMembers(value: object): boolean {
  return isOf(["Object", "Array", "String", "Boolean", "BigInt", "Module"], value);
}

/** Reports whether an object and its prototype are of the given kinds. A Map can claim another kind, but its prototype cannot. */
function isOf(kinds: readonly string[], value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return kinds.includes(kindOf(value)) && (prototype === null || kinds.includes(kindOf(prototype)));
}

function kindOf(value: object): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}

/** Returns the bytes of a line. */
export function bytes(line: unknown): Uint8Array {
  return guarded("the line cannot be read", () => {
    if (typeof line === "string") {
      return encoder.encode(withEscapedHalves(line));
    }
    if (!ArrayBuffer.isView(line)) {
      throw new RequestError(`the line must be a string or bytes; it is ${described(line)}`);
    }
    return new Uint8Array(line.buffer, line.byteOffset, line.byteLength);
  });
}

/** Escapes halves of surrogate pairs, as JSON.stringify does, because the encoder would replace such halves. */
function withEscapedHalves(line: string): string {
  if (!/\p{Surrogate}/u.test(line)) {
    return line;
  }
  return line.replace(/\\.|\p{Surrogate}/gsu, (part) => (part.startsWith("\\") ? part : `\\u${part.charCodeAt(0).toString(16)}`));
}

/** Throws unless a value is an object with members and not an array. */
export function mustBeObject(name: string, value: unknown): void {
  const object = typeof value === "object" && value !== null && guarded(`the ${name} cannot be read`, () => isOf(["Object"], value));
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

/** Throws unless a value is one of the allowed strings. */
export function mustBeOneOf(name: string, value: unknown, allowed: readonly string[]): void {
  if (!(allowed as readonly unknown[]).includes(value)) {
    const list = allowed.map((one) => JSON.stringify(one)).join(", ");
    throw new RequestError(`the ${name} must be one of ${list}; it is ${typeof value === "string" ? JSON.stringify(value) : described(value)}`);
  }
}

/** Returns a copy of an object's members, with additional members. */
export function merged<T extends object, U extends object>(object: T, others: U): T & U {
  return guarded("the options cannot be read", () => ({ ...object, ...others }));
}

/** Reports whether an object has no value for a member. */
export function isAbsent(object: object, name: string): boolean {
  return guarded("the request cannot be read", () => (object as Record<string, unknown>)[name] === undefined);
}

/** Calls a function that reads the caller's arguments, which may run the caller's code: getters, proxies and toJSON. */
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
