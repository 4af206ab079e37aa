import { CalrulesError } from "../../../npm/src/index.ts";

/** Returns the message of an error about what was typed. Throws other errors: they are faults of the page. */
export function complaint(error) {
  if (error instanceof CalrulesError || error instanceof SyntaxError) {
    return error.message;
  }
  throw error;
}
