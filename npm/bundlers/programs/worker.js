// A worker has no files, so it imports the compiled module. The runtime provides random bytes only during a request.
import { load } from "@calrules/calrules";
import wasm from "./calrules.wasm";
import { answer } from "./answer.js";

let calrules;

export default {
  async fetch() {
    calrules ??= load(wasm);
    return new Response(answer(await calrules));
  },
};
