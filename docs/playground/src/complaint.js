import { CalrulesError } from "../../../npm/src/index.ts";

/** Returns what is wrong with what was typed, of an error that says so. Other errors are faults of the page. */
export function complaint(error) {
  if (error instanceof CalrulesError || error instanceof SyntaxError) {
    return error.message;
  }
  throw error;
}
