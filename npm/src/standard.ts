// Standard Schema (https://standardschema.dev) for form libraries and other libraries that accept any schema. The interfaces
// are the same as in @standard-schema/spec 1.1, on which the package therefore does not depend.
import { RequestError } from "./errors.js";

/** A schema that implements both Standard Schema v1 and Standard JSON Schema v1. */
export interface StandardSchema<T> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "calrules";
    readonly types?: { readonly input: T; readonly output: T } | undefined;
    /** Returns the value, or an issue for each finding that rejects. */
    readonly validate: (value: unknown) => StandardResult<T>;
    /** The requirements on the value that a JSON Schema can express: see the README of the library. */
    readonly jsonSchema: {
      readonly input: (options: JsonSchemaOptions) => Record<string, unknown>;
      readonly output: (options: JsonSchemaOptions) => Record<string, unknown>;
    };
  };
}

/** The draft of a JSON Schema, `draft-2020-12` or `draft-07`. */
export interface JsonSchemaOptions {
  readonly target: string;
}

export type StandardResult<T> = { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** A finding: its message, and its place in the value. */
export interface StandardIssue {
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/**
 * Returns the keys of a JSON Pointer into a value, with numbers for array elements. The keys for a time lead to its date or
 * dateTime, for which a form has a field. The path of a parameter has no keys.
 */
export function keysOf(pointer: string, value: unknown): (string | number)[] {
  const keys: (string | number)[] = [];
  for (const token of pointer.startsWith("/") ? pointer.slice(1).split("/") : []) {
    const key = Array.isArray(value) ? Number(token) : token.replaceAll("~1", "/").replaceAll("~0", "~");
    keys.push(key);
    value = (value as Record<string | number, unknown> | null | undefined)?.[key];
  }
  const field = keys.length > 0 && ["dateTime", "date"].find((name) => (value as Record<string, unknown> | null | undefined)?.[name] !== undefined);
  return field ? [...keys, field] : keys;
}

/**
 * Converts a draft 2020-12 schema to another draft.
 *
 * @throws {RequestError} if the draft is unknown.
 */
export function inDraft(target: string, schema: Record<string, unknown>): Record<string, unknown> {
  switch (target) {
    case "draft-2020-12":
      return schema;
    case "draft-07":
      return { ...(asDraft7(schema) as Record<string, unknown>), $schema: "http://json-schema.org/draft-07/schema#" };
    default:
      throw new RequestError(`there is no JSON Schema for the target ${String(target)}; use draft-2020-12 or draft-07`);
  }
}

/** In draft 7, the definitions have a different name, and keywords next to a reference have no effect. */
function asDraft7(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    return schema.map(asDraft7);
  }
  if (typeof schema !== "object" || schema === null) {
    return schema;
  }
  const { $ref, $defs, ...others } = schema as { $ref?: string; $defs?: unknown };
  const members = Object.entries(others).map(([name, value]) => [name, asDraft7(value)]);
  return {
    ...Object.fromEntries(members),
    ...($ref !== undefined && { allOf: [{ $ref: $ref.replace("#/$defs/", "#/definitions/") }] }),
    ...($defs !== undefined && { definitions: asDraft7($defs) }),
  };
}
